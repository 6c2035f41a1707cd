package contract_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// grossAnswer are the amounts of a transaction whose prices include tax.
type grossAnswer struct {
	ID           string
	IncludesTax  bool   `json:"prices_include_tax"`
	Processing   string `json:"processing_status"`
	Reason       string `json:"processing_reason"`
	Subtotal     string
	Discount     string `json:"total_discount"`
	Final        string `json:"final_total_amount"`
	Tax          string `json:"total_tax_amount_calculated"`
	Taxable      string `json:"taxable_amount"`
	Liability    string `json:"total_tax_liability_amount"`
	RefundStatus string `json:"refund_status"`
	Revision     int
	Items        []struct {
		Amount, Subtotal string
		Discount         string `json:"total_discount"`
		Net              string `json:"net_amount"`
		Gross            string `json:"gross_amount"`
		Tax              string `json:"tax_amount_calculated"`
	} `json:"transaction_items"`
}

// sums are subtotal, discount, tax and what the buyer pays.
func (a grossAnswer) sums() string {
	return strings.Join([]string{a.Subtotal, a.Discount, a.Tax, a.Final}, " ")
}

// lines are the amount, net amount, tax and gross amount of each line.
func (a grossAnswer) lines() (lines []string) {
	for _, i := range a.Items {
		lines = append(lines, strings.Join([]string{i.Amount, i.Net, i.Tax, i.Gross}, " "))
	}
	return lines
}

func (in *installation) gross(as credentials, id string) (a grossAnswer) {
	in.t.Helper()
	in.call(as, "GET", "/v1/transactions/"+id, "", 200).decode(in.t, &a)
	return a
}

const pricesIncludeTax = `,"prices_include_tax":true`

// The buyer of a sale pays its prices. Nexus and returns see the net ones. The answer before the calculation has the
// prices alone, and a change begins with them.
func TestASaleOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	id := in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "120.00",
		`,"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":"11.75"}`))
	sold := in.gross(shop, id)
	require.True(t, sold.IncludesTax)
	require.Equal(t, "110.85 10.85 8.25 108.25", sold.sums(), "11.75 x 100.00 / 108.25 = 10.8545")
	require.Equal(t, []string{"120.00 100.00 8.25 108.25"}, sold.lines())
	require.Equal(t, "110.85", sold.Items[0].Subtotal)
	require.Equal(t, []string{"100.00", "8.25"}, []string{sold.Taxable, sold.Liability})
	require.Equal(t, "100.00 0.00 100.00 8.25 0.00 8.25", in.remaining(shop))

	path := "/v1/transactions/" + id
	require.Equal(t, "8.25", in.rewritten(shop, path, func(record) {})["total_tax_amount_calculated"])
	require.Equal(t, "110.85 10.85 8.25 108.25", in.gross(shop, id).sums(), "what was read and written changes nothing")
	in.call(shop, "POST", path+"/reprocess", "", 202)
	in.processed(shop, id)
	require.Equal(t, "110.85 10.85 8.25 108.25", in.gross(shop, id).sums())
	in.rewritten(shop, path, func(r record) { r["prices_include_tax"] = false })
	require.Equal(t, "120.00 11.75 8.93 117.18", in.gross(shop, id).sums(), "108.25 before tax")
	in.rewritten(shop, path, func(r record) { r["prices_include_tax"] = true })
	require.Equal(t, "100.00 0.00 100.00 8.25 0.00 8.25", in.remaining(shop))

	explained := in.call(shop, "GET", path+"/explanation", "", 200)
	line := explained.member(t, "items").([]any)[0].(map[string]any)
	require.Equal(t, []any{"120.00", "100.00", "108.25"}, []any{line["amount"], line["net_amount"], line["gross_amount"]})
	require.Contains(t, string(explained.body), "The price of 108.25 includes the tax")
}

// Coupons include tax as the prices that they lower: 100.00 are paid, of which 7.62 are tax.
func TestCouponsOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	sold := in.gross(shop, in.soldAt(shop, houston, pricesIncludeTax+`,"total_amount":"100.00"`,
		lineOf("L1", "LAMP", "108.25", ""), lineOf("L2", "LAMP", "-8.25", "")))
	require.Equal(t, "92.38 0.00 7.62 100.00", sold.sums())
	require.Equal(t, []string{"108.25 100.63 7.62 108.25", "-8.25 -8.25 0.00 -8.25"}, sold.lines())
	require.Equal(t, "92.38 0.00 92.38 7.62 0.00 7.62", in.remaining(shop))
	require.Empty(t, in.warned(shop, sold.ID))
}

// Nexus counts the net prices of the document: 100 prices of 0.05 hold 0.38 of tax, none of them any by itself.
func TestNexusCountsTheNetPricesOfTheDocument(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	lines := make([]string, 100)
	for i := range lines {
		lines[i] = lineOf(fmt.Sprint("L", i), "LAMP", "0.05", "")
	}
	in.soldAt(shop, houston, pricesIncludeTax+`,"tax_rounding":"TAX_PER_DOCUMENT"`, lines...)
	require.Equal(t, "4.62 0.00 4.62 0.38 0.00 0.38", in.remaining(shop))
}

// A price without a net price waits for a person. Corrected, it goes on.
func TestASaleWithoutANetPriceWaits(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	id := strings.TrimPrefix(in.sale(shop, pricesIncludeTax, lineOf("L1", "LAMP", "10.00", ""),
		lineOf("L2", "COAT", "115.00", "")), "/v1/transactions/")
	waits := in.gross(shop, id)
	require.Equal(t, "NEEDS_REFETCH", waits.Processing)
	require.Contains(t, waits.Reason, "No net price of line 2")
	require.Equal(t, []string{"10.00  0.00 ", "115.00  0.00 "}, waits.lines())
	in.rewritten(shop, "/v1/transactions/"+id, func(r record) {
		r["transaction_items"].([]any)[1].(map[string]any)["amount"] = "119.77"
	})
	require.Equal(t, "119.19 0.00 10.58 129.77", in.gross(shop, id).sums(), "9.18 + 0.82 and 110.01 + 9.76")
}

// Notes inherit that prices include tax. The net part of what comes back is its share of the net price, and the note that
// uses up a line takes the rest.
func TestNotesOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	in.obliged(shop, "US", "MA")
	original := in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"quantity":3`))
	for _, c := range []struct{ amount, quantity, sums, left string }{
		{"36.08", "1", "33.33 0.00 2.75 36.08", "66.67 0.00 66.67 5.50 0.00 5.50"},
		{"0.05", "0", "0.05 0.00 0.00 0.05", "66.62 0.00 66.62 5.50 0.00 5.50"},
		{"72.12", "2", "66.62 0.00 5.50 72.12", nothingRemains},
	} {
		note := in.gross(shop, in.givenBack(shop, original, c.amount, returned("L1", "LAMP", c.quantity, c.amount)).ID)
		require.True(t, note.IncludesTax)
		require.Equal(t, c.sums, note.sums())
		require.Equal(t, c.left, in.remaining(shop))
		require.Empty(t, in.warned(shop, note.ID))
	}
	require.Equal(t, "FULLY_REFUNDED", in.gross(shop, original).RefundStatus)
	over := in.refusedNote(shop, original, noteBody("X", "COMMITTED", "0.01", returned("L1", "LAMP", "0", "0.01")), 409)
	require.Equal(t, "0.00", over.member(t, "remaining_amount"))

	coat := in.soldAt(shop, boston, pricesIncludeTax, lineOf("L1", "COAT", "233.44", ""))
	lower := in.gross(shop, in.givenBack(shop, coat, "63.44", returned("L1", "COAT", "0", "63.44")).ID)
	require.Equal(t, "60.00 0.00 3.44 63.44", lower.sums(), "a coat for 170.00 is free of tax")
	whole := in.gross(shop, in.givenBack(shop, coat, "170.00", returned("L1", "COAT", "1", "170.00")).ID)
	require.Equal(t, "170.00 0.00 0.00 170.00", whole.sums())
	require.Equal(t, nothingRemains, in.remaining(shop))
}

// A refund of the tax alone leaves the net price. What the buyer has left of the price comes back without tax.
func TestATaxRefundOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	original := in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"tax_amount_imported":"8.25"`))
	require.Equal(t, "8.25", in.taxRefund(shop, original, "8.25", "8.25").Tax)
	require.Equal(t, "100.00 0.00 100.00 0.00 0.00 0.00", in.remaining(shop))
	note := in.gross(shop, in.givenBack(shop, original, "100.00", returned("L1", "LAMP", "1", "108.25")).ID)
	require.Equal(t, "108.25 8.25 0.00 100.00", note.sums(), "a note that copies the line")
	require.Equal(t, nothingRemains, in.remaining(shop))

	half := in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"tax_amount_imported":"8.25"`))
	in.taxRefund(shop, half, "4.13", "4.13")
	note = in.gross(shop, in.givenBack(shop, half, "52.06", returned("L1", "LAMP", "1", "52.06")).ID)
	require.Equal(t, "50.00 0.00 2.06 52.06", note.sums(), "half of the 104.12 that are left, with half of 4.12 of tax")
}

// A batch and a file record such sales as a single call does, and an export can be imported again.
func TestBatchesAndFilesOfPricesThatIncludeTax(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	body := record(parsed(fmt.Sprintf(`{"external_id":"B-1","type":"SALE","date":"2026-05-15T10:00:00Z",
		"customer":{"external_id":"C-1"},"addresses":[%s],"transaction_items":[%s]%s}`,
		houston, lineOf("L1", "LAMP", "108.25", ""), pricesIncludeTax)))
	sent, err := json.Marshal(map[string]any{"transactions": []any{body}})
	require.NoError(t, err)
	var batch struct {
		Items []struct {
			ID string `json:"transaction_id"`
		}
	}
	in.call(shop, "POST", "/v1/transactions/batch", string(sent), 200).decode(t, &batch)
	in.processed(shop, batch.Items[0].ID)
	require.Equal(t, "100.00 0.00 8.25 108.25", in.gross(shop, batch.Items[0].ID).sums())
	exported := string(in.call(shop, "GET", "/v1/transactions/export?format=csv", "", 200).body)
	require.Contains(t, exported, ",prices_include_tax")
	require.Contains(t, exported, ",108.25,0.00,100.00,0.082500000,8.25,")
}
