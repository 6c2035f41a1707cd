package contract_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// plainLine is a line of a credit note that says nothing about tax.
func plainLine(externalID, product, amount string) string {
	return fmt.Sprintf(`{"external_id":%q,"external_product_id":%q,"quantity":0,"amount":%q}`, externalID, product, amount)
}

// remaining is what is left of a sale and its notes: sold and collected for nexus; sold,
// calculated, collected and owed for returns.
func (in *installation) remaining(as credentials) (sums string) {
	in.t.Helper()
	in.query(&sums, `SELECT concat_ws(' ', (SELECT sum(amount) || ' ' || sum(collected_tax)
		    FROM nexus_counters WHERE organization_id = $1),
		(SELECT sum(x.sales) || ' ' || sum(x.tax) || ' ' || sum(x.collected) || ' ' || sum(x.liability)
		   FROM transaction_totals x
		   JOIN transactions t ON t.organization_id = x.organization_id AND t.id = x.transaction_id AND t.epoch = x.epoch
		  WHERE x.organization_id = $1 AND t.status = 'COMMITTED'))`, as.organization)
	return sums
}

// cents writes a number of cents as an amount.
func cents(n int) string { return fmt.Sprintf("%d.%02d", n/100, n%100) }

const nothingRemains = "0.00 0.00 0.00 0.00 0.00 0.00"

// Notes that do not say which tax they refund refund the collected tax, so that nothing of a sale remains in nexus
// and returns.
func TestRefundsGiveBackTheCollectedTax(t *testing.T) {
	t.Parallel()
	in := install(t)

	t.Run("of the whole sale", func(t *testing.T) {
		shop := in.merchant()
		original := in.sold(shop)
		require.Equal(t, "110.00 9.77 110.00 9.77 9.77 9.77", in.remaining(shop))
		note := in.credit(shop, original,
			noteBody("ALL", "COMMITTED", "119.77",
				plainLine("L1", "P-1", "100.00")+","+plainLine("L2", "SHIP", "10.00")))
		require.Equal(t, "9.77", note.Imported)
		in.processed(shop, note.ID)
		note = in.read(shop, note.ID)
		require.Equal(t, []string{"119.77", "119.77", "9.77", "9.77", "9.77", "110.00"},
			[]string{note.Total, note.Final, note.Imported, note.Tax, note.Liability,
				note.Taxable}, "all with the sign that was sent")
		require.Equal(t, []string{"100.00", "8.88"}, []string{note.Items[0].Amount, note.Items[0].Tax})
		require.Equal(t, nothingRemains, in.remaining(shop))
	})

	t.Run("posted as a transaction", func(t *testing.T) {
		shop := in.merchant()
		original := in.sold(shop)
		var made []refundAnswer
		in.call(shop, "POST", "/v1/transactions",
			fmt.Sprintf(`{"external_id":%q,"type":"FULL_CREDIT_NOTE","related_to":%q,"date":"2026-06-01T10:00:00Z",
				"currency":"USD","total_amount":"-119.77",
			"customer":{"external_id":"C-1"},"addresses":[],"transaction_items":[
			{"external_id":"L1","external_product_id":"P-1","date":"2026-06-01T10:00:00Z","quantity":0,"amount":"-100.00"},
			{"external_id":"L2","external_product_id":"SHIP","date":"2026-06-01T10:00:00Z","quantity":0,"amount":"-10.00"}]}`,
				in.next("REFUND"), original), 202).decode(t, &made)
		in.processed(shop, made[0].ID)
		require.Equal(t, nothingRemains, in.remaining(shop))
	})

	t.Run("in many parts, some of them cancelled again", func(t *testing.T) {
		random := rand.New(rand.NewPCG(16, 10))
		for range 3 {
			shop := in.merchant()
			original := in.sold(shop)
			left, collected := map[string]int{"L1": 10000, "L2": 1000}, map[string]int{"L1": 888, "L2": 89}
			products := map[string]string{"L1": "P-1", "L2": "SHIP"}
			for left["L1"]+left["L2"] > 0 {
				line := []string{"L1", "L2"}[random.IntN(2)]
				part := min(left[line], 1+random.IntN(left[line]/2+200))
				if part == 0 {
					continue
				}
				tax := (2*collected[line]*part + left[line]) / (2 * left[line])
				note := in.credit(shop, original,
					noteBody(in.next("PART"), "COMMITTED", cents(part+tax), returned(line, products[line], "1", cents(part))))
				require.Equal(t, cents(tax), note.Imported)
				in.processed(shop, note.ID)
				if random.IntN(4) == 0 {
					in.call(shop, "PUT", "/v1/transactions/"+original+"/credit_notes/"+note.ID, `{"status":"CANCELLED"}`, 200)
					in.processed(shop, note.ID)
					continue
				}
				left[line] -= part
				collected[line] -= tax
			}
			require.Equal(t, nothingRemains, in.remaining(shop))
		}
	})

	t.Run("in another currency, whose rate has changed", func(t *testing.T) {
		shop := in.merchant()
		in.execute(`INSERT INTO fx_rates (currency, day, rate, source)
			VALUES ('USD', '2026-05-15', 1.137, 'test'), ('USD', '2026-06-01', 1.5, 'test')`)
		var made []refundAnswer
		in.call(shop, "POST", "/v1/transactions", saleWith("EURO", inNewYork,
			`"amount":100,"tax_amount_imported":8.88`, ofAda+`"currency":"EUR","total_amount":108.88,`), 202).decode(t, &made)
		original := made[0].ID
		in.processed(shop, original)
		require.Equal(t, "100.00 8.88 113.70 10.10 10.10 10.10", in.remaining(shop))
		for part, total := range map[string]string{"33.33": "36.29", "33.32": "36.28", "33.35": "36.31"} {
			body := noteBody(in.next("PART"), "COMMITTED", total, plainLine("L1", "P-1", part))
			note := in.credit(shop, original, strings.Replace(body, `"USD"`, `"EUR"`, 1))
			in.processed(shop, note.ID)
		}
		require.Equal(t, nothingRemains, in.remaining(shop))
	})

	t.Run("unless the note says which tax it refunds", func(t *testing.T) {
		shop := in.merchant()
		original := in.sold(shop)
		note := in.credit(shop, original,
			noteBody("KEPT", "COMMITTED", "-54.44", noteLine("L1", "P-1", "0", "-50.00", "0.00")))
		require.Equal(t, "-4.44", note.Imported, "0 says nothing")
		path := "/v1/transactions/" + original + "/credit_notes/" + note.ID
		put := func(body string) string {
			return in.call(shop, "PUT", path, body, 200).text(t, "total_tax_amount_imported")
		}
		lines := func(line string) string { return `{"transaction_items":[` + line + `]}` }
		require.Equal(t, "-4.44", put(lines(plainLine("L1", "P-1", "-50.00"))),
			"lines that say nothing of tax leave it to the sale")
		require.Equal(t, "-4.44", put(lines(noteLine("L1", "P-1", "0", "-50.00", "-4.44"))),
			"tax that is sent back as shown is no request")
		require.Equal(t, "-2.22", put(lines(noteLine("L1", "P-1", "0", "-25.00", "-4.44"))),
			"so it continues to follow from the sale")
		require.Equal(t, "-3.00", put(lines(noteLine("L1", "P-1", "0", "-25.00", "-3.00"))))
		require.Equal(t, "-3.00", put(`{"description":"as it is"}`))
	})
}

// However many notes refund a line with a discount, they count with the amount that was paid.
func TestRefundsOfADiscountedLine(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	body := fmt.Sprintf(`{"external_id":%q,"type":"SALE","date":"2026-05-15T10:00:00Z","currency":"USD",
		"total_amount":"187.10","customer":{"external_id":"C-1"},
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"}],
		"transaction_items":[
		  {"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":4,"amount":"100.00",
		  	"tax_amount_imported":"7.10","discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":"20.00"}},
		  {"external_id":"L2","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","amount":"100.00"}]}`,
		in.next("ORDER"))
	var sales []struct{ ID string }
	in.call(shop, "POST", "/v1/transactions", body, 202).decode(t, &sales)
	original := sales[0].ID
	in.processed(shop, original)
	var wg sync.WaitGroup
	for range 4 { // 160.00 of 80.00
		note := noteBody(in.next("R"), "COMMITTED", "-43.55", plainLine("L1", "P-1", "-40.00"))
		wg.Go(func() {
			in.do(request{as: shop, method: "POST", target: "/v1/transactions/" + original + "/credit_notes", body: note})
		})
	}
	wg.Wait()
	var ids []string
	var back string
	in.query(&ids, "SELECT array_agg(id) FROM transactions WHERE related_to = $1", original)
	require.Len(t, ids, 4, "all fit the sale as a whole")
	in.processed(shop, ids...)
	in.query(&back, `SELECT concat_ws(' ', sum(i.amount - i.total_discount), sum(i.total_discount),
		  sum(i.tax_amount_imported), sum(i.tax_amount_calculated))
		FROM transaction_items i WHERE i.transaction_id = ANY ($1)`, ids)
	require.Equal(t, "-80.00 -80.00 -7.10 -7.10", back)
	require.True(t, strings.HasPrefix(in.remaining(shop), "100.00 0.00 100.00 8.88 0.00 "), in.remaining(shop))
}

// A discount reduces no amount below zero, in estimates and transactions alike.
func TestDiscountsAboveTheAmount(t *testing.T) {
	t.Parallel()
	in := install(t)
	shop := in.merchant()
	for target, discount := range map[string]string{"TRANSACTION_ITEM": "100.01", "TRANSACTION": "100.01"} {
		line := fmt.Sprintf(`"amount":"100.00","discount_builder":{"applied_to":%q,"discount_amount":%q}`, target, discount)
		sale := strings.Replace(saleBody(in.next("ORDER"), "P-1", 1), `"amount":"100.00"`, line, 1)
		require.Contains(t, sale, "discount_builder")
		const location = "out_of_range body.transaction_items[0].discount_builder.discount_amount"
		located := func(a answer) string {
			p := a.problem(t)
			return p.Errors[0].Code + " " + p.Errors[0].Location
		}
		require.Equal(t, location, located(in.call(shop, "POST", "/v1/transactions", sale, 400)))
		estimate := `{"addresses":[{"type":"SHIP_TO","state":"NY","country":"US"}],` +
			`"transaction_items":[{"product_category":"PHYSICAL",` + line + `}]}`
		require.Equal(t, location, located(in.call(shop, "POST", "/v1/tax/estimate", estimate, 400)))
		var batch struct {
			Items []struct {
				Verdict string
				Problem struct {
					Errors []struct{ Code, Location string }
				}
			}
		}
		in.call(shop, "POST", "/v1/transactions/batch", `{"transactions":[`+sale+`]}`, 200).decode(t, &batch)
		require.Equal(t, "REJECTED", batch.Items[0].Verdict)
		require.Equal(t, "body.transactions[0].transaction_items[0].discount_builder.discount_amount",
			batch.Items[0].Problem.Errors[0].Location)
	}
}
