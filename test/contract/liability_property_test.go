package contract_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/test/seed"
)

// Sales with notes in any number and order, over HTTP and the store. Some notes are cancelled or are committed later, an
// obligation or exemption arrives late, and batches are processed in any order. Some sales have a coupon line, whose notes
// bring parts of it back; some notes come before their sale is processed, or at the same moment. After each step a document owes what the
// law says of its net taxes. It owes 0.00 when everything has gone back.
func TestDocumentsOweInEveryOrderOfEvents(t *testing.T) {
	t.Parallel()
	in := install(t)
	random := rand.New(rand.NewPCG(seed.Seed(), 176))
	for n := range 14 {
		d := &owedDocument{installation: in, as: in.couponShop(), random: random, number: n}
		d.begin()
		for range 4 {
			d.step()
			d.check()
		}
		d.giveAllBack()
	}
}

// owedDocument is a sale with notes.
type owedDocument struct {
	*installation
	as                 credentials
	random             *rand.Rand
	number             int
	id, currency       string
	sold               [2]struct{ amount, tax int } // by line, in cents, after the coupon line
	coupon             int                          // what notes have left of it, in cents
	notes              []owedNote
	obliged, preferred bool
	marketplace        bool
	story              string
}

// owedNote is a note that is not cancelled.
type owedNote struct {
	id      string
	pending bool
	lines   [2]struct{ amount, tax int }
}

func (d *owedDocument) tell(format string, args ...any) {
	d.story += "; " + fmt.Sprintf(format, args...)
}

func (d *owedDocument) begin() {
	d.t.Helper()
	address, members := houston, ""
	d.currency = "USD"
	if d.number%3 == 1 {
		address, members = `{"type":"SHIP_TO","city":"Vancouver","state":"BC","postal_code":"V6B 1A1","country":"CA"}`,
			`,"currency":"CAD"`
		d.currency = "CAD"
	}
	d.nexusOf(d.as.organization, "TX")
	if d.number%2 == 0 {
		d.obligation()
	}
	if d.number == 5 {
		d.marketplace = true
		members += `,"marketplace":true`
	}
	if d.number == 6 {
		d.preferred = true
		d.call(d.as, "POST", "/v1/organizations/"+d.as.organization+"/settings", `{"prefer_collected_tax_amounts":true}`, 200)
	}
	lines := make([]string, len(d.sold), len(d.sold)+1)
	for i := range d.sold {
		d.sold[i].amount = 100 + d.random.IntN(20000)
		if d.random.IntN(4) > 0 || d.preferred {
			d.sold[i].tax = 1 + d.random.IntN(d.sold[i].amount/8)
		}
		lines[i] = lineOf(fmt.Sprint("L", i+1), "LAMP", cents(d.sold[i].amount),
			`,"tax_amount_imported":"`+cents(d.sold[i].tax)+`"`)
	}
	if d.number >= 8 {
		d.coupon = 1 + d.random.IntN((d.sold[0].amount+d.sold[1].amount)/3)
		lines = append(lines, lineOf("C", "OFF", "-"+cents(d.coupon), ""))
		d.spread()
	}
	d.tell("obliged %v, sold %v after a coupon of %d %s", d.obliged, d.sold, d.coupon, members)
	if d.number%4 != 2 {
		d.id = d.soldAt(d.as, address, members, lines...)
		d.check()
		return
	}
	d.id = d.unprocessed(d.as, `,"addresses":[`+address+`]`+members, lines...)
	d.giveBack("COMMITTED", false)
	d.giveBack("PENDING", false)
	d.check()
}

// obligation lets the organization owe tax since the beginning of 2026, and queues its sales again.
func (d *owedDocument) obligation() {
	d.t.Helper()
	d.obliged = true
	d.tell("an obligation")
	for _, state := range []string{"TX", "CA", "BC"} {
		var id string
		d.query(&id, `UPDATE nexus_records SET status = 'REGISTERED', obliged_from = '2026-01-01'
			WHERE organization_id = $1 AND state_code = $2 AND country_code = CASE $2 WHEN 'TX' THEN 'US' ELSE 'CA' END
			RETURNING id`, d.as.organization, state)
		change, err := d.store.Transactions.NexusObligation(d.t.Context(),
			models.NexusRef{OrganizationID: d.as.organization, NexusID: id})
		require.NoError(d.t, err)
		_, err = d.store.Transactions.RequeueForObligation(d.t.Context(), storetest.Run, change, models.ObligationCursor{})
		require.NoError(d.t, err)
		require.NoError(d.t, d.store.Transactions.ApplyObligation(d.t.Context(), change))
	}
}

func (d *owedDocument) step() {
	d.t.Helper()
	switch d.random.IntN(10) {
	case 9:
		d.giveBackAtOnce()
	case 0, 1, 2:
		d.giveBack("COMMITTED", d.random.IntN(4) == 0)
	case 3:
		d.giveBack("PENDING", false)
	case 4, 5:
		d.refundTax()
	case 6:
		if len(d.notes) > 0 {
			i := d.random.IntN(len(d.notes))
			d.tell("cancelled %d", i)
			d.change(d.notes[i], "CANCELLED")
			d.notes = append(d.notes[:i], d.notes[i+1:]...)
		}
	case 7:
		for i := range d.notes {
			if d.notes[i].pending {
				d.tell("committed %d", i)
				d.change(d.notes[i], "COMMITTED")
				d.notes[i].pending = false
			}
		}
	case 8:
		if d.random.IntN(2) == 0 && !d.obliged && !d.preferred {
			d.obligation()
			return
		}
		d.tell("exempt")
		r := d.get(d.as, "/v1/transactions/"+d.id)
		r["exempt"] = "FULLY_EXEMPT"
		d.putRecord(d.as, "/v1/transactions/"+d.id, r)
	}
}

func (d *owedDocument) change(n owedNote, status string) {
	d.t.Helper()
	d.call(d.as, "PUT", "/v1/transactions/"+d.id+"/credit_notes/"+n.id, `{"status":"`+status+`"}`, 200)
}

// left returns what no note has taken of a line.
func (d *owedDocument) left(line int) (amount, tax int) {
	amount, tax = d.sold[line].amount, d.sold[line].tax
	for _, n := range d.notes {
		amount -= n.lines[line].amount
		tax -= n.lines[line].tax
	}
	return amount, tax
}

func (d *owedDocument) refundTax() {
	d.t.Helper()
	line := d.random.IntN(len(d.sold))
	if _, tax := d.left(line); tax > 0 {
		d.taxBack(line, 1+d.random.IntN(tax))
	}
}

// settle processes all that is queued, in any order.
func (d *owedDocument) settle() {
	d.t.Helper()
	for range 20 {
		rows, err := d.behind.Query(d.t.Context(), `SELECT id FROM transactions WHERE organization_id = $1
			AND processing_status IN ('NEW', 'UPDATED', 'QUEUED') ORDER BY related_to IS NOT NULL, id`, d.as.organization)
		require.NoError(d.t, err)
		var queued []string
		var id string
		for rows.Next() {
			require.NoError(d.t, rows.Scan(&id))
			queued = append(queued, id)
		}
		require.NoError(d.t, rows.Err())
		if len(queued) == 0 {
			return
		}
		if queued[0] == d.id {
			d.processed(d.as, d.id)
			continue
		}
		d.random.Shuffle(len(queued), func(i, j int) { queued[i], queued[j] = queued[j], queued[i] })
		d.processed(d.as, queued[:1+d.random.IntN(len(queued))]...)
	}
	require.Fail(d.t, "it does not end", "%s: %s", seed.Again(), d.story)
}

// check compares what the document owes with the law of sums, in whole cents.
func (d *owedDocument) check() {
	d.t.Helper()
	d.settle()
	where := fmt.Sprintf("%d, %s: %s", d.number, seed.Again(), d.story)
	collected, sold := 0, 0
	for i, line := range d.sold {
		sold += line.tax
		collected += line.tax
		for _, n := range d.notes {
			if !n.pending {
				collected -= n.lines[i].tax
			}
		}
	}
	var due, owed, shared int
	d.query(&due, `SELECT coalesce(sum(greatest(tax, 0)), 0)::bigint FROM (
		SELECT sum(x.tax) * 100 AS tax FROM transaction_totals x WHERE x.organization_id = $1 GROUP BY state_code) a`,
		d.as.organization)
	want := collected
	switch {
	case d.marketplace:
		want = 0
	case d.obliged && (!d.preferred || sold == 0):
		want = max(due, collected)
	}
	d.query(&owed, `SELECT (100 * sum(total_tax_liability_amount))::bigint FROM (
		SELECT CASE WHEN related_to IS NULL THEN 1 ELSE -1 END * abs(total_tax_liability_amount) AS total_tax_liability_amount
		  FROM transactions WHERE organization_id = $1 AND processing_status = 'PROCESSED') t`, d.as.organization)
	d.query(&shared, `SELECT (100 * sum(liability))::bigint FROM transaction_totals WHERE organization_id = $1`,
		d.as.organization)
	require.Equal(d.t, []int{want, want}, []int{owed, shared}, where)
	d.requireOwedRight(where)
}

// giveAllBack refunds all that is left, and commits or cancels nothing any more.
func (d *owedDocument) giveAllBack() {
	d.t.Helper()
	for i := range d.notes {
		if d.notes[i].pending {
			d.change(d.notes[i], "COMMITTED")
			d.notes[i].pending = false
		}
	}
	d.check()
	d.giveBack("COMMITTED", true)
	d.check()
	for i := range d.sold {
		if _, tax := d.left(i); tax > 0 {
			d.taxBack(i, tax)
		}
	}
	d.check()
	owed := ""
	d.query(&owed, `SELECT sum(liability)::text FROM transaction_totals WHERE organization_id = $1`, d.as.organization)
	require.Equal(d.t, "0.00", owed, "%d, %s: %s", d.number, seed.Again(), d.story)
}
