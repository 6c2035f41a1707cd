package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// documentTotals are the tax, collected tax and liability of a sale and its notes in returns, in the order of the documents.
func (in *installation) documentTotals(id string) (totals []string) {
	in.t.Helper()
	rows, err := in.behind.Query(in.t.Context(), `SELECT concat_ws(' ', x.tax, x.collected, x.liability)
		FROM transaction_totals x
		JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
		WHERE t.id = $1 OR t.related_to = $1 ORDER BY t.related_to IS NOT NULL, t.id`, id)
	require.NoError(in.t, err)
	defer rows.Close()
	for rows.Next() {
		var text string
		require.NoError(in.t, rows.Scan(&text))
		totals = append(totals, text)
	}
	require.NoError(in.t, rows.Err())
	return totals
}

// owedPlaces are the parts of the liability of a transaction by place.
func (in *installation) owedPlaces(id string) (places string) {
	in.t.Helper()
	in.query(&places, `SELECT coalesce(string_agg((p->>'type') || ' ' || (p->>'amount'), ', ' ORDER BY n), 'as taxed')
		FROM transaction_totals x LEFT JOIN LATERAL jsonb_array_elements(x.places) WITH ORDINALITY AS e (p, n) ON true
		WHERE x.transaction_id = $1`, id)
	return places
}

// What was collected with a price that includes tax is owed like other collected tax. A note that gives the price back
// gives its tax back; of what it keeps, the tax stays owed.
func TestCollectedTaxOfPricesThatIncludeTaxIsOwed(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	// 100.00 and 8.25 by law, and 9.05 collected: by 6.25, 1 and 1 %, 6.856, 1.097 and 1.097. The largest remainders get
	// the two missing cents.
	sale := in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"tax_amount_imported":"9.05"`))
	require.Equal(t, "STATE 6.85, CITY 1.10, SPECIAL 1.10", in.owedPlaces(sale))
	// 54.13 of 108.25 hold 4.13 of 8.25 and 4.53 of 9.05; the rest has the rest.
	in.givenBack(shop, sale, "54.13", returned("L1", "LAMP", "0.5", "54.13"))
	in.givenBack(shop, sale, "54.12", returned("L1", "LAMP", "0.5", "54.12"))
	require.Equal(t, []string{"8.25 9.05 9.05", "-4.13 -4.53 -4.53", "-4.12 -4.52 -4.52"}, in.documentTotals(sale))

	// 50.00 given back for 54.13 keep 4.13 of the 4.53: 8.65 of 9.05 stay owed, of which 4.12 by law.
	sale = in.soldAt(shop, houston, pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"tax_amount_imported":"9.05"`))
	in.givenBack(shop, sale, "50.00", returned("L1", "LAMP", "0.5", "54.13"))
	require.Equal(t, []string{"8.25 9.05 9.05", "-4.13 -0.40 -0.40"}, in.documentTotals(sale))
	in.requireOwedRight("8.65 stay owed")
}

// A sale in euro to Houston at 1.11 dollars: a sale and its notes are converted together, and each note takes the
// difference. 8.25 is 9.1575, 5.50 is 6.105 and 2.75 is 3.0525 dollars.
func TestConvertedDocumentsAddUpInReturns(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.execute("INSERT INTO fx_rates (currency, day, rate, source) VALUES ('USD', '2026-05-15', 1.11, 'test')")
	shop := in.shop()
	in.obliged(shop, "US", "TX")
	const euro = `,"currency":"EUR"`
	back := func(sale, quantity, amount, total string) {
		body := noteBody(in.next("NOTE"), "COMMITTED", total, returned("L1", "LAMP", quantity, amount))
		note := in.credit(shop, sale, strings.Replace(body, "USD", "EUR", 1))
		in.processed(shop, note.ID)
	}

	// 10.01 collected is 11.11 dollars: 8.4167, 1.3467 and 1.3467 by place. Of equal remainders, state and city get the cents.
	sale := in.soldAt(shop, houston, euro, lineOf("L1", "LAMP", "100.00", `,"quantity":3,"tax_amount_imported":"10.01"`))
	require.Equal(t, "STATE 8.42, CITY 1.35, SPECIAL 1.34", in.owedPlaces(sale))
	// 6.67 and then 3.34 euro of it are left: 7.4037 and 3.7074 dollars.
	back(sale, "1", "33.33", "36.67")
	back(sale, "1", "33.33", "36.66")
	back(sale, "1", "33.34", "36.68")
	require.Equal(t, []string{
		"9.16 11.11 11.11",
		"-3.05 -3.71 -3.71", // 6.11 and 7.40 are left
		"-3.06 -3.69 -3.69", // 3.05 and 3.71
		"-3.05 -3.71 -3.71",
	}, in.documentTotals(sale))

	// The price of 108.25 is lowered by 54.12: 54.13 is 50.00 and 4.13, which are 4.5843 dollars.
	gross := in.soldAt(shop, houston, euro+pricesIncludeTax, lineOf("L1", "LAMP", "108.25", `,"tax_amount_imported":"8.25"`))
	back(gross, "0", "54.12", "54.12")
	back(gross, "1", "54.13", "54.13")
	require.Equal(t, []string{"9.16 9.16 9.16", "-4.58 -4.58 -4.58", "-4.58 -4.58 -4.58"}, in.documentTotals(gross))
	for _, id := range []string{sale, gross} {
		require.Equal(t, "FULLY_REFUNDED", in.read(shop, id).RefundStatus)
		var left string
		in.query(&left, `SELECT concat_ws(' ', sum(x.sales), sum(x.tax), sum(x.collected), sum(x.liability))
			FROM transaction_totals x JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id
			WHERE t.id = $1 OR t.related_to = $1`, id)
		require.Equal(t, "0.00 0.00 0.00 0.00", left, fmt.Sprint(id == gross))
	}
	in.requireOwedRight("everything was given back")
}
