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
