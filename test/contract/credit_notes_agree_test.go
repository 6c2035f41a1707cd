package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	houston = `{"type":"SHIP_TO","street_1":"1 Main St","city":"Houston","state":"TX","postal_code":"77002","country":"US"}`
	boston  = `{"type":"SHIP_TO","street_1":"1 City Hall Sq","city":"Boston","state":"MA","postal_code":"02108",` +
		`"country":"US"}`
	miami = `{"type":"SHIP_TO","street_1":"100 Biscayne Blvd","city":"Miami","state":"FL","postal_code":"33131",` +
		`"country":"US"}`
)

// shop is a client that sells lamps and coats.
func (in *installation) shop() credentials {
	in.t.Helper()
	client := in.client()
	in.call(client, "POST", "/v1/products",
		`{"external_id":"LAMP","name":"Lamp","product_category":"PHYSICAL","product_subcategory":"PHYSICAL_GENERAL"}`, 200)
	in.call(client, "POST", "/v1/products",
		`{"external_id":"COAT","name":"Coat","product_category":"CLOTHING","product_subcategory":"GENERAL_CLOTHING"}`, 200)
	return client
}

// soldAt records and processes a sale at an address. It returns its id.
func (in *installation) soldAt(as credentials, address, members string, lines ...string) (id string) {
	in.t.Helper()
	return strings.TrimPrefix(
		in.sale(as, `,"addresses":[`+address+`]`+members, lines...), "/v1/transactions/")
}

// givenBack credits a sale and processes the note.
func (in *installation) givenBack(as credentials, original, total string, lines ...string) refundAnswer {
	in.t.Helper()
	note := in.credit(as, original, noteBody(in.next("NOTE"), "COMMITTED", total, strings.Join(lines, ",")))
	in.processed(as, note.ID)
	return in.read(as, note.ID)
}

// refusedNote posts a credit note that is refused.
func (in *installation) refusedNote(as credentials, original, body string, status int) answer {
	in.t.Helper()
	return in.call(as, "POST", "/v1/transactions/"+original+"/credit_notes", body, status)
}

// warned returns the codes of the warnings of a transaction.
func (in *installation) warned(as credentials, id string) (codes []string) {
	in.t.Helper()
	var t struct{ Warnings []struct{ Code string } }
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &t)
	for _, w := range t.Warnings {
		codes = append(codes, w.Code)
	}
	return codes
}

func returned(externalID, product, quantity, amount string) string {
	return fmt.Sprintf(`{"external_id":%q,"external_product_id":%q,"quantity":%s,"amount":%q}`,
		externalID, product, quantity, amount)
}

// An order that was paid in part by gift card is given back whole.
func TestAnOrderPaidByGiftCardIsGivenBackWhole(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, houston, `,"total_amount":"58.25"`,
		lineOf("L1", "LAMP", "50.00", `,"tax_amount_imported":"4.13"`),
		lineOf("L2", "LAMP", "50.00", `,"tax_amount_imported":"4.12"`))
	in.givenBack(shop, original, "54.13", returned("L1", "LAMP", "1", "50.00"))
	require.Equal(t, "PARTIALLY_REFUNDED", in.read(shop, original).RefundStatus)
	in.givenBack(shop, original, "54.12", returned("L2", "LAMP", "1", "50.00"))
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus)
	require.Equal(t, nothingRemains, in.remaining(shop))
	over := in.refusedNote(shop, original, noteBody("X", "COMMITTED", "0.02", returned("L2", "LAMP", "0", "0.01")), 409)
	require.Equal(t, "0.01", over.member(t, "remaining_amount"), "8.26 is calculated, 8.25 came back")
}

// The lines before tax alone do not exceed the total of a note.
func TestACreditNoteAgreesWithItself(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	lamp := in.soldAt(shop, houston, `,"total_amount":"108.25"`,
		lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"8.25"`))
	three := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "90.00",
		`,"quantity":3,"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":"30.00"}`))
	for name, c := range map[string]struct{ original, total, line, sums string }{
		"a goodwill that copies the line": {lamp, "5.00", returned("L1", "LAMP", "1", "100.00"),
			"100.00 before tax, but the total with tax is 5.00"},
		"a list price": {three, "21.65", returned("L1", "LAMP", "1", "30.00"),
			"30.00 before tax, but the total with tax is 21.65"},
	} {
		p := in.refusedNote(shop, c.original, noteBody("X", "COMMITTED", c.total, c.line), 400).problem(t)
		require.Equal(t, "total_mismatch body.total_amount", p.Errors[0].Code+" "+p.Errors[0].Location, name)
		require.Contains(t, p.Errors[0].Message, c.sums, name)
	}
	goodwill := in.givenBack(shop, lamp, "5.00", returned("L1", "LAMP", "0", "4.62"))
	require.Equal(t, []string{"0.38", "0.38"}, []string{goodwill.Tax, goodwill.Imported})
	unit := in.givenBack(shop, three, "21.65", returned("L1", "LAMP", "1", "20.00"))
	require.Equal(t, "1.65", unit.Tax)
}

// Nothing is refunded before it is sold.
func TestACreditNoteIsNotBeforeItsSale(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", ""))
	body := strings.Replace(noteBody("EARLY", "COMMITTED", "108.25", returned("L1", "LAMP", "1", "100.00")),
		"2026-06-01T10:00:00Z", "2026-05-14T10:00:00Z", 1)
	p := in.refusedNote(shop, original, body, 400).problem(t)
	require.Equal(t, "out_of_range body.date", p.Errors[0].Code+" "+p.Errors[0].Location)
}

// A note that only the tax of its sale could cover waits until that is known.
func TestACreditNoteWaitsForTheTaxOfItsSale(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	sale := fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","customer":{"external_id":"C-1"},
		"addresses":[%s],"transaction_items":[%s]}`, in.next("ORDER"), houston, lineOf("L1", "LAMP", "100.00", ""))
	var sales []struct{ ID string }
	in.call(shop, "POST", "/v1/transactions", sale, 202).decode(t, &sales)
	note := noteBody("N", "COMMITTED", "108.25", returned("L1", "LAMP", "1", "100.00"))
	p := in.refusedNote(shop, sales[0].ID, note, 409)
	require.Equal(t, []string{"not_processed", "QUEUED"}, []string{p.problem(t).Code, p.text(t, "processing_status")})
	in.processed(shop, sales[0].ID)
	in.credit(shop, sales[0].ID, note)
}

// A cancelled note may be written back with a total of 0, which is not stored.
func TestACancelledNoteMayHaveATotalOfZero(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "100.00", ""))
	note := in.credit(shop, original, noteBody("N", "PENDING", "108.25", returned("L1", "LAMP", "1", "100.00")))
	path := "/v1/transactions/" + original + "/credit_notes/" + note.ID
	in.call(shop, "PUT", path, `{"total_amount":"0"}`, 400)
	a := in.call(shop, "PUT", path, `{"status":"CANCELLED","total_amount":"0"}`, 200)
	require.Equal(t, []string{"CANCELLED", "108.25"}, []string{a.text(t, "status"), a.text(t, "total_amount")})
}

// A lower price gives back what the law of the sale's day takes of the difference, and not a share.
func TestALowerPriceGivesBackItsTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for name, c := range map[string]struct {
		address, product, amount, lowered, total, tax, taxable string
	}{
		// Massachusetts taxes a garment on what is above 175.00: 55.00 at 6.25 %. At 170.00 it is free.
		"a coat in Boston": {boston, "COAT", "230.00", "60.00", "63.44", "3.44", "55.00"},
		// The state takes 6 % of the price, the county 1 % of the first 5,000.00: 590.00, and 410.00 of 6,000.00.
		"an article in Miami": {miami, "LAMP", "9000.00", "3000.00", "3180.00", "180.00", "3000.00"},
	} {
		original := in.soldAt(shop, c.address, "", lineOf("L1", c.product, c.amount, ""))
		note := in.givenBack(shop, original, c.total, returned("L1", c.product, "0", c.lowered))
		require.Equal(t, []string{c.tax, c.taxable}, []string{note.Tax, note.Taxable}, name)
		require.Empty(t, in.warned(shop, note.ID), name)
		var e struct{ Steps []struct{ Text string } }
		in.call(shop, "GET", "/v1/transactions/"+note.ID+"/explanation", "", 200).decode(t, &e)
		var texts []string
		for _, step := range e.Steps {
			texts = append(texts, step.Text)
		}
		require.Contains(t, strings.Join(texts, " "), "the tax is judged again at the lower price", name)
	}

	// The collected tax goes back with it.
	original := in.soldAt(shop, boston, `,"total_amount":"233.44"`,
		lineOf("L1", "COAT", "230.00", `,"tax_amount_imported":"3.44"`))
	note := in.givenBack(shop, original, "63.44", returned("L1", "COAT", "0", "60.00"))
	require.Equal(t, []string{"3.44", "3.44"}, []string{note.Imported, note.Tax})
	rest := in.givenBack(shop, original, "170.00", returned("L1", "COAT", "1", "170.00"))
	require.Equal(t, []string{"0.00", "0.00"}, []string{rest.Imported, rest.Tax})
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus)
}

// Tax that was collected is the state's until the buyer has it back.
func TestCollectedTaxStaysOwedUntilItIsGivenBack(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	taxed := lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"8.25"`)
	original := in.soldAt(shop, houston, `,"total_amount":"108.25"`, taxed)
	note := in.givenBack(shop, original, "100.00", returned("L1", "LAMP", "1", "100.00"))
	require.Equal(t, []string{"8.25", "0.00"}, []string{note.Tax, note.Imported})
	require.Contains(t, in.warned(shop, note.ID), "TOTAL_MISMATCH", "the buyer got no tax back")
	require.Equal(t, "0.00 8.25 0.00 0.00 8.25 8.25", in.remaining(shop), "8.25 is still owed")
	require.Equal(t, "PARTIALLY_REFUNDED", in.read(shop, original).RefundStatus)
	refund := in.taxRefund(shop, original, "8.25", "8.25")
	require.Equal(t, []string{"0.00", "0.00"}, []string{refund.Tax, refund.Taxable}, "all of it was beyond what is left")
	require.Equal(t, nothingRemains, in.remaining(shop))
	require.Equal(t, "FULLY_REFUNDED", in.read(shop, original).RefundStatus)

	whole := in.soldAt(shop, houston, `,"total_amount":"108.25"`, taxed)
	in.givenBack(shop, whole, "108.25", returned("L1", "LAMP", "1", "100.00"))
	require.Equal(t, nothingRemains, in.remaining(shop))
}

// taxRefund refunds tax of the first line of a sale, and processes the refund.
func (in *installation) taxRefund(as credentials, original, total, tax string) refundAnswer {
	in.t.Helper()
	var made []refundAnswer
	in.call(as, "POST", "/v1/transactions", fmt.Sprintf(`{"external_id":%q,"type":"TAX_REFUND","related_to":%q,
		"date":"2026-06-10T10:00:00Z","total_amount":%q,"customer":{"external_id":"C-1"},"addresses":[],
		"transaction_items":[{"external_id":"L1","external_product_id":"LAMP","date":"2026-06-10T10:00:00Z","amount":0,
		"tax_amount_imported":%q}]}`, in.next("TAX"), original, total, tax), 202).decode(in.t, &made)
	in.processed(as, made[0].ID)
	return in.read(as, made[0].ID)
}

// A tax refund of an exempt sale takes the base with the tax, so that on every form the rate times the base is the tax.
func TestATaxRefundTakesTheBaseAlong(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "1000.00", `,"tax_amount_imported":"82.50"`))
	refund := in.taxRefund(shop, original, "82.50", "82.50")
	require.Equal(t, []string{"82.50", "1000.00"}, []string{refund.Tax, refund.Taxable})
	var sums string
	in.query(&sums, `SELECT concat_ws(' ', sales, taxable, tax, collected) FROM transaction_totals WHERE transaction_id = $1`,
		refund.ID)
	require.Equal(t, "0.00 -1000.00 -82.50 -82.50", sums, "gross 0.00, taxable -1,000.00")
	refused := in.call(shop, "POST", "/v1/transactions/"+original+"/credit_notes",
		noteBody("X", "COMMITTED", "0.01", noteLine("L1", "LAMP", "0", "0", "0.01")), 409)
	require.Equal(t, "credit_exceeds_original", refused.problem(t).Code, "a note of tax alone has the same limit")

	// What was collected beyond the calculated tax leaves base and tax as they are.
	over := in.soldAt(shop, houston, "", lineOf("L1", "LAMP", "60.00", `,"tax_amount_imported":"5.50"`))
	excess := in.taxRefund(shop, over, "0.55", "0.55")
	require.Equal(t, []string{"0.00", "0.00", "0.55"}, []string{excess.Tax, excess.Taxable, excess.Imported})
	rest := in.taxRefund(shop, over, "4.95", "4.95")
	require.Equal(t, []string{"4.95", "60.00"}, []string{rest.Tax, rest.Taxable})
}

// The total of a sale that is not that of its lines is told, and changes nothing.
func TestATotalThatIsNotThatOfTheLinesIsTold(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	for total, warned := range map[string]bool{"0": false, "58.25": true, "108.25": false, "108.26": false, "100.00": true} {
		sale := in.soldAt(shop, houston, fmt.Sprintf(`,"total_amount":%q`, total),
			lineOf("L1", "LAMP", "100.00", `,"tax_amount_imported":"8.25"`))
		if warned {
			require.Contains(t, in.warned(shop, sale), "TOTAL_MISMATCH", total)
		} else {
			require.NotContains(t, in.warned(shop, sale), "TOTAL_MISMATCH", total)
		}
	}
	untaxed := in.soldAt(shop, houston, `,"total_amount":"100.00"`, lineOf("L1", "LAMP", "100.00", ""))
	require.NotContains(t, in.warned(shop, untaxed), "TOTAL_MISMATCH", "it may be meant without tax")
}

// A line without a quantity gives one unit back. A lower price says 0.
func TestALineOfANoteIsOneUnit(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	original := in.soldAt(shop, boston, "", lineOf("L1", "COAT", "230.00", ""))
	note := in.givenBack(shop, original, "60.90", `{"external_id":"L1","external_product_id":"COAT","amount":"60.00"}`)
	require.Equal(t, "0.90", note.Tax, "60.00 of 230.00 take 0.90 of 3.44; a price lowered by 60.00 would take all of it")
	var quantity string
	in.query(&quantity, "SELECT quantity::float8::text FROM transaction_items WHERE transaction_id = $1", note.ID)
	require.Equal(t, "1", quantity)
}
