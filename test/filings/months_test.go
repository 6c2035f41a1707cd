package filings_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

// inHouston is the body of a sale of lamps in Houston, where the tax is 8.25 %: 6.25 state, 1 city, 1 transit. Each line
// is the price of a lamp and the tax that the shop collected for it.
func inHouston(externalID, day string, lines ...[2]string) map[string]any {
	date, items, total := day+"T18:00:00Z", []any{}, []string{}
	for i, line := range lines {
		items = append(items, map[string]any{"external_id": fmt.Sprintf("L%d", i+1), "date": date,
			"external_product_id": testbed.Product, "amount": json.Number(line[0]), "tax_amount_imported": json.Number(line[1])})
		total = append(total, line[:]...)
	}
	sale := testbed.Sale(externalID, 1)
	sale["date"], sale["total_amount"], sale["transaction_items"] = date, json.Number(sumOf(total...)), items
	sale["addresses"] = []any{map[string]any{"type": "SHIP_TO", "street_1": "1 Main St", "city": "Houston", "state": "TX",
		"postal_code": "77002", "country": "US"}}
	return sale
}

// giveBack posts a credit note for a line of a sale: so much of its price, and of what was collected for it.
func (b *bed) giveBack(sale, externalID, day, price, collected string) string {
	b.t.Helper()
	note := testbed.CreditNote(externalID, price)
	note["date"], note["total_amount"] = day+"T18:00:00Z", json.Number(sumOf(price, collected))
	item := note["transaction_items"].([]any)[0].(map[string]any)
	item["quantity"], item["tax_amount_imported"] = 1, json.Number(collected)
	return b.post("/v1/transactions/"+sale+"/credit_notes", note)
}

// giveTaxBack posts a refund of tax alone.
func (b *bed) giveTaxBack(sale, externalID, day, line, tax string) string {
	b.t.Helper()
	refund := inHouston(externalID, day, [2]string{"0.00", tax})
	refund["type"], refund["related_to"] = "TAX_REFUND", sale
	refund["transaction_items"].([]any)[0].(map[string]any)["external_id"] = line
	return b.post("/v1/transactions", refund)
}

// owed is what a document adds to its return.
func (b *bed) owed(transactionID string) any {
	b.t.Helper()
	return b.Call(http.MethodGet, "/v1/transactions/"+transactionID, nil, 200)["total_tax_liability_amount"]
}

// figures of a return, as a merchant reads them from above to below.
type figures struct{ sales, taxable, calculated, collected, owed, prepaid, applied, carried, pays string }

func figuresOf(filing map[string]any) figures {
	of := func(name string) string { return fmt.Sprint(filing[name]) }
	return figures{of("amount_sales"), of("total_taxable_sales"), of("amount_calculated"), of("amount_tax_collected"),
		of("total_tax_liability"), of("amount_prepaid"), of("amount_credit_applied"), of("amount_credit_carried"), of("amount")}
}

// findingsOf are the codes of what a person should know about a return, with their amounts.
func findingsOf(filing map[string]any) []string {
	codes := []string{}
	for _, x := range filing["findings"].([]any) {
		finding := x.(map[string]any)
		codes = append(codes, fmt.Sprint(finding["code"], " ", finding["amount"]))
	}
	return codes
}

// file waits until a return has its figures and can be approved, approves it, and waits until it is filed with the same
// figures and paid.
func (b *bed) file(path, what string, want figures) map[string]any {
	b.t.Helper()
	ready := b.eventually(path, what+" can be approved", is("can_approve", true))
	require.Equal(b.t, want, figuresOf(ready), what)
	b.Call(http.MethodPut, path+"/approve", map[string]any{"approved_by": "Ann", "expected_amount": want.pays}, 200)
	filed := b.eventually(path, what+" is filed", is("status", "FILED"))
	require.Equal(b.t, want, figuresOf(filed), what)
	require.Equal(b.t, want.pays, filed["tax_remitted"], what)
	require.Equal(b.t, "SAME", b.Call(http.MethodPost, path+"/verify", nil, 200)["verdict"], what)
	return filed
}

// A merchant of lamps in Houston sells, gives back, prepays, files, amends, carries over and files again.
func TestTheMonthsOfAMerchant(t *testing.T) {
	t.Parallel()
	b := newBed(t, testbed.Options{})
	b.API.Start()
	b.Worker.Start()
	registration := b.Call(http.MethodPost, "/v1/registrations", map[string]any{"country_code": "US", "state_code": "TX",
		"filing_frequency": "MONTHLY", "imported": true, "registration_date": "2026-05-01"}, 200)["id"].(string)
	b.plan()
	returnOf := func(month string) string {
		list := "/v1/filings?filing_category__in=REGULAR&order_by=start_date&registration_id=" + registration +
			"&start_date=" + month + "-01"
		filing := first(b.eventually(list, "the return of "+month+" is planned",
			func(list map[string]any) bool { return first(list)["start_date"] == month+"-01" }))
		return "/v1/filings/" + filing["id"].(string)
	}
	credit := func() any {
		return b.Call(http.MethodGet, "/v1/registrations/"+registration, nil, 200)["credits_total_available"]
	}
	may, june, july := returnOf("2026-05"), returnOf("2026-06"), returnOf("2026-07")

	// May. A shop that collects by law: 1,000.00 x 8.25 % = 82.50.
	large := b.post("/v1/transactions", inHouston("S-1", "2026-05-05", [2]string{"1000.00", "82.50"}))
	require.Equal(t, "82.50", b.owed(large))
	// Two lamps at 60.00, each 4.95 by law, but 5.50 was collected: what was collected is owed, 11.00.
	lamps := b.post("/v1/transactions", inHouston("S-2", "2026-05-20", [2]string{"60.00", "5.50"}, [2]string{"60.00", "5.50"}))
	require.Equal(t, "11.00", b.owed(lamps))
	// One lamp comes back with its 5.50: 11.00 - 5.50 = 5.50 are left. Notes show their amounts as they were sent.
	require.Equal(t, "5.50", b.owed(b.giveBack(lamps, "N-1", "2026-05-22", "60.00", "5.50")))
	// The excess on the other, 5.50 - 4.95 = 0.55, is given back as tax alone: 4.95 are left, by law and collected.
	require.Equal(t, "0.55", b.owed(b.giveTaxBack(lamps, "R-1", "2026-05-25", "L2", "0.55")))

	// The first half of May is prepaid: 82.50 of the large sale.
	half := b.Call(http.MethodPost, "/v1/filings", map[string]any{"registration_id": registration, "country_code": "US",
		"state_code": "TX", "state_name": "Texas", "start_date": "2026-05-01", "end_date": "2026-05-15", "status": "UNFILED",
		"filing_category": "PREPAYMENT"}, 200)["id"].(string)
	b.file("/v1/filings/"+half, "the prepayment", figures{sales: "1000.00", taxable: "1000.00", calculated: "82.50",
		collected: "82.50", owed: "82.50", prepaid: "0.00", applied: "0.00", carried: "0.00", pays: "82.50"})

	// The return of May: sales 1,000.00 + 120.00 - 60.00. A refund of an excess takes off no base and no tax by law:
	// 82.50 + 9.90 - 4.95 = 87.45. Collected and owed: 82.50 + 11.00 - 5.50 - 0.55 = 87.45. Less 82.50 prepaid: 4.95.
	b.file(may, "the return of May", figures{sales: "1060.00", taxable: "1060.00", calculated: "87.45",
		collected: "87.45", owed: "87.45", prepaid: "82.50", applied: "0.00", carried: "0.00", pays: "4.95"})
	require.Equal(t, "0.00", credit())

	// June. The large sale comes back whole, another one of 100.00 is made: 8.25 - 82.50 = -74.25. A return below zero
	// pays nothing, and what is left is carried.
	require.Equal(t, "82.50", b.owed(b.giveBack(large, "N-2", "2026-06-10", "1000.00", "82.50")))
	b.post("/v1/transactions", inHouston("S-3", "2026-06-11", [2]string{"100.00", "8.25"}))
	filed := b.file(june, "the return of June", figures{sales: "-900.00", taxable: "-900.00", calculated: "-74.25",
		collected: "-74.25", owed: "-74.25", prepaid: "0.00", applied: "0.00", carried: "74.25", pays: "0.00"})
	require.Equal(t, []string{"CREDIT_CARRIED 74.25"}, findingsOf(filed))
	require.Equal(t, "74.25", credit())

	// July. 2,000.00 x 8.25 % = 165.00, and 165.00 - 74.25 = 90.75.
	b.post("/v1/transactions", inHouston("S-4", "2026-07-11", [2]string{"2000.00", "165.00"}))
	// Before July is filed, a sale of June of 1,000.00 arrives late. The amendment may take the credit of its own month:
	// 82.50 - 74.25 = 8.25 to be paid.
	b.post("/v1/transactions", inHouston("S-5", "2026-06-15", [2]string{"1000.00", "82.50"}))
	late := first(b.eventually("/v1/filings?filing_category__in=AMENDMENT", "June is amended",
		func(list map[string]any) bool { return first(list)["total_tax_liability"] == "82.50" }))
	amendment := "/v1/filings/" + late["id"].(string)
	require.Equal(t, []any{"8.25", "74.25"}, []any{late["amount"], late["amount_credit_applied"]})
	// The return of July is filed first, and takes it.
	filed = b.file(july, "the return of July", figures{sales: "2000.00", taxable: "2000.00", calculated: "165.00",
		collected: "165.00", owed: "165.00", prepaid: "0.00", applied: "74.25", carried: "0.00", pays: "90.75"})
	require.Equal(t, []string{"CREDIT_APPLIED 74.25"}, findingsOf(filed))
	require.Equal(t, "0.00", credit())

	// The amendment pays its 82.50 alone. June should have been: sales -900.00 + 1,000.00, owed -74.25 + 82.50 = 8.25.
	// The state has -74.25 for June: nothing was paid, and July was credited with 74.25. 8.25 - (-74.25) = 82.50.
	filed = b.file(amendment, "the amendment of June", figures{sales: "1000.00", taxable: "1000.00", calculated: "82.50",
		collected: "82.50", owed: "82.50", prepaid: "0.00", applied: "0.00", carried: "0.00", pays: "82.50"})
	require.Equal(t, map[string]any{"amount_sales": "100.00", "total_taxable_sales": "100.00", "amount_calculated": "8.25",
		"amount_tax_collected": "8.25", "total_tax_liability": "8.25", "previously_reported_liability": "-74.25",
		"previously_paid": "-74.25"}, filed["amended_totals"])
	require.Equal(t, []string{"CREDIT_TAKEN 74.25"}, findingsOf(filed))

	// A letter asks for a penalty of 5.00: the return of July is amended for it, though nothing came late.
	asked := b.Call(http.MethodPost, july+"/amend", map[string]any{"reason": "Notice of 2026-09-01",
		"amount_penalties": json.Number("5.00")}, 200)["id"].(string)
	b.file("/v1/filings/"+asked, "the amendment of July", figures{sales: "0.00", taxable: "0.00", calculated: "0.00",
		collected: "0.00", owed: "0.00", prepaid: "0.00", applied: "0.00", carried: "0.00", pays: "5.00"})

	// All in all 82.50 + 4.95 + 0.00 + 90.75 + 82.50 = 260.70 of tax were paid. That is what is owed: of May 87.45, of June
	// 8.25, of July 165.00. No credit is left.
	paid := b.Rows(`SELECT sum(tax_remitted - amount_penalties)::text AS paid, sum(total_tax_liability)
		FILTER (WHERE filing_category <> 'PREPAYMENT')::text AS owed FROM filings WHERE status = 'FILED'`)[0]
	require.Equal(t, map[string]any{"paid": "260.70", "owed": "260.70"}, paid)
	require.Equal(t, "0.00", credit())
	b.VerifyAudit()
}
