package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/money"
)

// explainedAnswer is an explanation as `levy explain` reads it.
type explainedAnswer struct {
	tax.Explanation
	Original *struct {
		ID string `json:"transaction_id"`
	} `json:"original"`
}

func (in *installation) explained(as credentials, id string) (e explainedAnswer) {
	in.t.Helper()
	in.call(as, "GET", "/v1/transactions/"+id+"/explanation", "", 200).decode(in.t, &e)
	return e
}

// repeats calculates a transaction again from its explanation alone, as `levy explain` does. A refund also needs the
// explanation of its sale.
func (in *installation) repeats(as credentials, id, why string) {
	in.t.Helper()
	e := in.explained(as, id)
	law := in.taxes.Current()
	var repeated tax.Result
	if e.Original == nil {
		request, err := e.Request()
		require.NoError(in.t, err, why)
		repeated, err = law.Calculate(request)
		require.NoError(in.t, err, why)
	} else {
		request, err := e.RefundRequest(e.Original.ID, in.explained(as, e.Original.ID).Explanation, law.Calculate)
		require.NoError(in.t, err, why)
		repeated, err = tax.Refund(request)
		require.NoError(in.t, err, why)
	}
	require.Empty(in.t, tax.Compare(&e.Explanation, &repeated.Explanation), why)
	for _, item := range e.Items {
		if item.GrossAmount != nil {
			gross, err := money.Add(item.NetAmount, item.Rounding.RoundedTotal)
			require.NoError(in.t, err)
			require.Equal(in.t, item.GrossAmount.String(), gross.String(), why)
		}
	}
}

const sanJose = `{"type":"SHIP_TO","city":"San Jose","state":"CA","postal_code":"95113","country":"US"}`

// Each sale with its notes is repeated from its explanations, with prices that include tax, coupons, collected tax,
// another unit of rounding and a currency without cents.
func TestExplanationsOfPricesThatIncludeTaxAreRepeated(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.execute("INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-05-15', 1.25, 'test'), " +
		"('JPY', '2026-05-15', 160, 'test')")
	const vancouver = `{"type":"SHIP_TO","city":"Vancouver","state":"BC","postal_code":"V6B 1A1","country":"CA"}`
	lamp := func(amount, members string) string { return lineOf("L", "LAMP", amount, members) }
	for name, c := range map[string]struct {
		address, members string
		lines            []string
		tax              string      // of the sale
		notes            [][2]string // total and lines of each
	}{
		// 118.25 less 10.00 is 108.25: 100.00 and 8.25. Half of it comes back, then 27.06 of the price, then the rest.
		"with discounts": {houston, pricesIncludeTax, []string{lamp("118.25", `,"quantity":2,"discount_builder":{`+
			`"applied_to":"TRANSACTION","discount_amount":"10.00"}`)}, "8.25", [][2]string{
			{"54.13", returned("L", "LAMP", "1", "54.13")}, {"27.06", returned("L", "LAMP", "0", "27.06")},
			{"27.06", returned("L", "LAMP", "1", "27.06")},
		}},
		// The coupon leaves 100.00: 92.38 and 7.62.
		"with a coupon": {houston, pricesIncludeTax, []string{lamp("108.25", ""), lineOf("C", "OFF", "-8.25", "")}, "7.62",
			[][2]string{
				{"46.19", returned("L", "LAMP", "0", "46.19")},
				{"53.81", returned("L", "LAMP", "1", "62.06") + "," + returned("C", "OFF", "1", "-8.25")},
			}},
		// 435.50 is 400.00 and 35.50. The manufacturer pays 50.00 of it, and the base stays.
		"with a coupon that the manufacturer reimburses": {newYork, pricesIncludeTax, []string{
			lamp("435.50", `,"quantity":2`), lineOf("C", "OFF", "-50.00", `,"reimbursed_by":"MANUFACTURER"`),
		}, "", [][2]string{{"192.75", returned("L", "LAMP", "1", "192.75")}}},
		// 9,590.00 is 9,000.00 and 590.00: the county takes 1 % of the first 5,000.00.
		"under a limit": {miami, pricesIncludeTax, []string{lamp("9590.00", `,"tax_amount_imported":"590.00"`)}, "590.00",
			[][2]string{{"3180.00", returned("L", "LAMP", "0", "3180.00")}, {"6410.00", returned("L", "LAMP", "1", "6410.00")}}},
		// 0.60 at 8.25 / 108.25 is 0.0457: 0.46 for ten lines.
		"by document": {houston, pricesIncludeTax + `,"tax_rounding":"TAX_PER_DOCUMENT"`,
			strings.Split(strings.Repeat(lamp("0.60", "")+"|", 9)+lamp("0.60", ""), "|"), "0.46",
			[][2]string{{"0.60", returned("L", "LAMP", "1", "0.60")}}},
		// GST and PST: 112.00 is 100.00, 5.00 and 7.00.
		"of two authorities": {vancouver, pricesIncludeTax + `,"currency":"CAD"`, []string{lamp("112.00", "")}, "",
			[][2]string{{"56.00", returned("L", "LAMP", "1", "56.00")}}},
		// 1033 of 1100 yen and 517 of 550 remain: 94 of 1033, and 47 of 517.
		"in yen": {sanJose, pricesIncludeTax + `,"currency":"JPY"`, []string{
			lamp("1100", ""), lineOf("D", "DESK", "550", ""), lineOf("C", "OFF", "-100", ""),
		}, "141.00", [][2]string{{"1033", returned("L", "LAMP", "1", "1033")}, {"517", returned("D", "DESK", "1", "517")}}},
		// 10 % of 938 and 467 yen.
		"in yen before tax": {sanJose, `,"currency":"JPY"`, []string{
			lamp("1005", ""), lineOf("D", "DESK", "500", ""), lineOf("C", "OFF", "-100", ""),
		}, "141.00", [][2]string{
			{"1032", returned("L", "LAMP", "1", "1005") + "," + returned("C", "OFF", "1", "-67")},
			{"514", returned("D", "DESK", "1", "467")},
		}},
		"converted": {houston, pricesIncludeTax + `,"currency":"EUR"`, []string{lamp("108.25", `,"tax_amount_imported":"8.25"`)},
			"8.25", [][2]string{{"54.12", returned("L", "LAMP", "0", "54.12")}, {"54.13", returned("L", "LAMP", "1", "54.13")}}},
	} {
		shop := in.couponShop()
		id := in.soldAt(shop, c.address, c.members, c.lines...)
		sold := in.get(shop, "/v1/transactions/"+id)
		require.Equal(t, "PROCESSED", sold["processing_status"], "%s: %v", name, sold["processing_reason"])
		if c.tax != "" {
			require.Equal(t, c.tax, sold["total_tax_amount_calculated"], name)
		}
		in.repeats(shop, id, name)
		for i, n := range c.notes {
			body := noteBody(in.next("NOTE"), "COMMITTED", n[0], n[1])
			note := in.credit(shop, id, strings.Replace(body, `"USD"`, fmt.Sprintf("%q", sold["currency"]), 1))
			in.processed(shop, note.ID)
			in.repeats(shop, note.ID, fmt.Sprint(name, ", note ", i+1))
		}
		if strings.Contains(name, "yen") {
			require.Equal(t, "FULLY_REFUNDED", in.read(shop, id).RefundStatus, name)
			var left string
			in.query(&left, `SELECT concat_ws(' ', sum(sales), sum(tax)) FROM transaction_totals x JOIN transactions t
				ON t.organization_id = x.organization_id AND t.id = x.transaction_id WHERE t.id = $1 OR t.related_to = $1`, id)
			require.Equal(t, "0.00 0.00", left, name)
		}
	}
}
