package filings_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax/money"
)

// Statements decide about many rows at once. Each of their decisions is here compared with that of rules, for rows that
// are generated from a fixed seed.

// generatedRows is the number of them.
const generatedRows = 2000

// amount returns an amount of a document with up to 10 digits before the point, of either sign: small ones, with the
// halves of a cent that a conversion rounds, are as frequent as large ones.
func amount(random *rand.Rand) decimal.Decimal {
	digits := random.IntN(13)
	cents := int64(1)
	for range digits {
		cents *= 10
	}
	return money.FromCents(random.Int64N(2*cents) - cents)
}

// rate returns a rate with up to nine decimals, by which every amount stays within its digits.
func rate(random *rand.Rand) decimal.Decimal {
	switch random.IntN(3) {
	case 0:
		return decimal.One
	case 1:
		return decimal.MustNew(1+random.Int64N(1000), 3) // products that end with half a cent
	}
	return money.FromNano(1 + random.Int64N(1_000_000_000))
}

func TestNetSalesInStatementsAreThoseOfTheRules(t *testing.T) {
	t.Parallel()
	types := []models.TransactionType{
		models.TypeSale, models.TypeFullCreditNote, models.TypePartialCreditNote, models.TypeTaxRefund, models.TypeArchive,
	}
	random := rand.New(rand.NewPCG(44, 1))
	rows := make([]models.Transaction, generatedRows)
	var kinds, subtotals, discounts, imported, rates []string
	for i := range rows {
		txn := &rows[i]
		txn.Type = types[random.IntN(len(types))]
		txn.Subtotal, txn.TotalDiscount, txn.TotalTaxAmountImported = amount(random), amount(random), amount(random)
		r := rate(random)
		txn.ConversionRate = &r
		kinds, rates = append(kinds, string(txn.Type)), append(rates, r.String())
		subtotals, discounts = append(subtotals, txn.Subtotal.String()), append(discounts, txn.TotalDiscount.String())
		imported = append(imported, txn.TotalTaxAmountImported.String())
	}
	found, err := storetest.SQL(t, storetest.URL(t)).Query(t.Context(), `
		SELECT t.n, (`+filings.NetOf+`)::numeric(20,2)::text, d.sales::numeric(20,2)::text,
		       d.collected::numeric(20,2)::text
		  FROM unnest($1::text[], $2::numeric[], $3::numeric[], $4::numeric[], $5::numeric[]) WITH ORDINALITY
		    AS t(type, subtotal, total_discount, total_tax_amount_imported, conversion_rate, n)
		 CROSS JOIN LATERAL (`+filings.DocumentAmounts+`) d`, kinds, subtotals, discounts, imported, rates)
	require.NoError(t, err)
	var n int
	var net, sales, collected string
	compared := 0
	_, err = pgx.ForEachRow(found, []any{&n, &net, &sales, &collected}, func() error {
		txn := rows[n-1]
		row := fmt.Sprintf("%s of %s less %s, tax %s, at %s", txn.Type, txn.Subtotal, txn.TotalDiscount,
			txn.TotalTaxAmountImported, txn.ConversionRate)
		if want, err := rules.NetSales(txn, decimal.One); err == nil {
			require.Equal(t, money.Format(want), net, row)
			compared++
		}
		if want, err := rules.NetSales(txn, *txn.ConversionRate); err == nil {
			require.Equal(t, money.Format(want), sales, "converted: %s", row)
		}
		want, err := money.Convert(rules.Signed(txn.Type, txn.TotalTaxAmountImported), *txn.ConversionRate)
		require.NoError(t, err)
		require.Equal(t, money.Format(want), collected, "collected: %s", row)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, compared, generatedRows*9/10, "the others have more than 10 digits, which no document has")
}
