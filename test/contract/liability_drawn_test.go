package contract_test

import (
	"fmt"
	"strings"
	"sync"

	"github.com/stretchr/testify/require"
)

// spread takes the coupon line off both lines, by their amounts; the missing cent goes to the larger remainder.
func (d *owedDocument) spread() {
	first, all := d.coupon*d.sold[0].amount, d.sold[0].amount+d.sold[1].amount
	part := first / all
	if rest := first % all; 2*rest >= all {
		part++
	}
	d.sold[0].amount -= part
	d.sold[1].amount -= d.coupon - part
}

// giveBack refunds parts of the lines, or all that is left, with parts of their tax.
func (d *owedDocument) giveBack(status string, all bool) {
	d.t.Helper()
	share := 1
	if all {
		share = 0
	}
	note, body := d.draw(status, share)
	if body == "" {
		return
	}
	note.id = d.credit(d.as, d.id, body).ID
	d.notes = append(d.notes, note)
}

// draw returns a note of at most the nth part of what is left of each line, or of all of it for n = 0. One line alone may
// come back with a part of the coupon line.
func (d *owedDocument) draw(status string, n int) (note owedNote, body string) {
	note.pending = status == "PENDING"
	total, of, lines := 0, -1, []string{}
	for i := range d.sold {
		amount, tax := d.left(i)
		if n > 0 {
			amount, tax = d.random.IntN(amount/n+1), d.random.IntN(tax/n+1)
		}
		if amount == 0 {
			continue // a note of tax alone takes the base along
		}
		note.lines[i].amount, note.lines[i].tax, of = amount, tax, i
		total += amount + tax
		lines = append(lines, noteLine(fmt.Sprint("L", i+1), "LAMP", "1", cents(amount), cents(tax)))
	}
	if total == 0 {
		return note, ""
	}
	if back := d.coupon / 4; len(lines) == 1 && back > 0 && d.random.IntN(2) == 0 {
		d.coupon -= back
		lines = []string{
			noteLine(fmt.Sprint("L", of+1), "LAMP", "1", cents(note.lines[of].amount+back), cents(note.lines[of].tax)),
			returned("C", "OFF", "1", "-"+cents(back)),
		}
	}
	d.tell("%s note %v, %d left of the coupon", status, note.lines, d.coupon)
	return note, strings.Replace(noteBody(d.next("NOTE"), status, cents(total), strings.Join(lines, ",")), "USD", d.currency, 1)
}

// giveBackAtOnce posts three notes at the same moment, each of at most a third of what is left.
func (d *owedDocument) giveBackAtOnce() {
	d.t.Helper()
	var posts sync.WaitGroup
	notes, bodies, answers := make([]owedNote, 3), make([]string, 3), make([]answer, 3)
	for i := range notes {
		notes[i], bodies[i] = d.draw([]string{"COMMITTED", "COMMITTED", "PENDING"}[i], 3)
		if bodies[i] == "" {
			continue
		}
		posts.Go(func() {
			_, answers[i] = d.do(request{
				as: d.as, method: "POST", target: "/v1/transactions/" + d.id + "/credit_notes", body: bodies[i],
			})
		})
	}
	posts.Wait()
	for i := range notes {
		if bodies[i] == "" {
			continue
		}
		require.Equal(d.t, 200, answers[i].status, "%s: %s", answers[i].body, d.story)
		notes[i].id = answers[i].text(d.t, "id")
		d.notes = append(d.notes, notes[i])
	}
}

// taxBack refunds the tax that is left of a line without an amount.
func (d *owedDocument) taxBack(line, tax int) {
	d.t.Helper()
	d.tell("tax of line %d back: %d", line, tax)
	note := owedNote{}
	note.lines[line].tax = tax
	var made []refundAnswer
	d.call(d.as, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":"TAX_REFUND","related_to":%q,"currency":%q,
		"date":"2026-06-10T10:00:00Z","total_amount":%q,"customer":{"external_id":"C-1"},"addresses":[],
		"transaction_items":[{"external_id":"L%d","external_product_id":"LAMP","date":"2026-06-10T10:00:00Z","amount":0,
		"tax_amount_imported":%q}]}`, d.next("TAX"), d.id, d.currency, cents(tax), line+1, cents(tax)), 202).decode(d.t, &made)
	note.id = made[0].ID
	d.notes = append(d.notes, note)
}
