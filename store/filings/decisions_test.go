package filings_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/report"
	"levy/rules"
	"levy/store/filings"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Statements decide about many rows at once. Each of their decisions is here compared with that of rules, for rows that
// are generated from a fixed seed.

// generatedRows is the number of them.
const generatedRows = 2000

// amount returns an amount of a document with up to 10 digits before the point, of either sign. Small amounts are as
// frequent as large ones. They include the halves of a cent that a conversion rounds.
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

// published are the rates of a currency for one euro, on all weekdays of 2026 until October but the first two weeks of
// May. Many of them divide each other without a rest.
func published(currency string) (rates []string) {
	random := rand.New(rand.NewPCG(44, uint64(currency[0])))
	exact := []string{"1.25", "2", "0.5", "10", "8"}
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Month() < time.October; day = day.AddDate(0, 0, 1) {
		if day.Weekday() == time.Saturday || day.Weekday() == time.Sunday || day.Month() == time.May && day.Day() < 15 {
			continue
		}
		rate := exact[random.IntN(len(exact))]
		if random.IntN(2) == 0 {
			rate = decimal.MustNew(5000+random.Int64N(150_000), 4).String()
		}
		rates = append(rates, fmt.Sprintf("('%s', '%s', %s, 'test')", currency, day.Format(time.DateOnly), rate))
	}
	return rates
}

// A statement divides and multiplies by reference rates, rules multiply by a rate of nine decimals. Both take the same
// day's rates, and their results differ by what nine decimals cannot express.
func TestConversionsInStatementsAreThoseOfTheRules(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	sql := storetest.SQL(t, address)
	currencies := []string{"EUR", "USD", "SEK", "PLN"}
	for _, currency := range currencies[1:] {
		_, err := sql.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES "+
			strings.Join(published(currency), ", "))
		require.NoError(t, err)
	}
	random := rand.New(rand.NewPCG(44, 2))
	pairs, amounts := make([]models.CurrencyPair, generatedRows), make([]decimal.Decimal, generatedRows)
	var from, to, days, texts []string
	for i := range pairs {
		day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, random.IntN(300))
		pairs[i] = models.CurrencyPair{
			From: currencies[random.IntN(len(currencies))], To: currencies[random.IntN(len(currencies))], Day: day,
		}
		amounts[i] = amount(random)
		from, to = append(from, pairs[i].From), append(to, pairs[i].To)
		days, texts = append(days, day.Format(time.DateOnly)), append(texts, amounts[i].String())
	}
	rates, err := s.Content.ConversionRates(t.Context(), pairs)
	require.NoError(t, err)
	rows, err := sql.Query(t.Context(), `
		SELECT d.n, (`+filings.InCurrencyOfFiling("d.amount")+`)::numeric(20,2)::text
		  FROM unnest($1::text[], $2::text[], $3::date[], $4::numeric[]) WITH ORDINALITY
		    AS d(currency, of_filing, tax_date, amount, n)
		 CROSS JOIN LATERAL (SELECT d.of_filing AS currency) f`, from, to, days, texts)
	require.NoError(t, err)
	var n, exact, missing int
	var found *string
	_, err = pgx.ForEachRow(rows, []any{&n, &found}, func() error {
		pair, amount := pairs[n-1], amounts[n-1]
		row := fmt.Sprintf("%s %s of %s in %s", amount, pair.From, pair.Day.Format(time.DateOnly), pair.To)
		rate, known := rates[pair]
		if pair.From == pair.To {
			rate.Rate, known = decimal.One, true
		}
		if !known {
			missing++
			require.Nil(t, found, row)
			return nil
		}
		require.NotNil(t, found, row)
		txn := models.Transaction{DestinationCurrency: &pair.To, ConversionRate: &rate.Rate}
		want := rules.ConvertedAmountsOf(&txn).Money(amount)
		if want == "" {
			return nil // more than 10 digits
		}
		if rate.Rate.Trim(0).Scale() <= 4 { // nothing of it was rounded away
			exact++
			require.Equal(t, want, *found, "%s, at %s", row, rate.Rate)
			return nil
		}
		apart, err := decimal.MustParse(want).SubAbs(decimal.MustParse(*found))
		require.NoError(t, err)
		lost, err := amount.Abs().Mul(decimal.MustParse("0.0000000005"))
		require.NoError(t, err)
		most, err := lost.Add(decimal.MustParse("0.01"))
		require.NoError(t, err)
		require.LessOrEqual(t, apart.Cmp(most), 0, "%s, at %s: %s and %s", row, rate.Rate, want, *found)
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, exact, generatedRows/4)
	require.Greater(t, missing, generatedRows/50)
}

func TestTheEuroRateInStatementsIsThatOfConversions(t *testing.T) {
	t.Parallel()
	s, address := storetest.NewStore(t)
	sql := storetest.SQL(t, address)
	_, err := sql.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES "+
		strings.Join(published("SEK"), ", "))
	require.NoError(t, err)
	var pairs []models.CurrencyPair
	for day := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC); day.Month() < time.November; day = day.AddDate(0, 0, 1) {
		pairs = append(pairs, models.CurrencyPair{From: "EUR", To: "SEK", Day: day})
	}
	rates, err := s.Content.ConversionRates(t.Context(), pairs)
	require.NoError(t, err)
	rows, err := sql.Query(t.Context(), `
		SELECT d::date, euro_rate('SEK', d::date)::text FROM generate_series($1::date, $2::date, interval '1 day') d`,
		pairs[0].Day, pairs[len(pairs)-1].Day)
	require.NoError(t, err)
	var day time.Time
	var found *string
	compared := 0
	_, err = pgx.ForEachRow(rows, []any{&day, &found}, func() error {
		compared++
		rate, known := rates[models.CurrencyPair{From: "EUR", To: "SEK", Day: day}]
		require.Equal(t, known, found != nil, day)
		if known {
			require.Equal(t, money.FormatRate(rate.Rate), money.FormatRate(decimal.MustParse(*found)), day)
		}
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, len(pairs), compared)
	require.Less(t, len(rates), len(pairs), "some days have no rate")
}

// In Canada, the tax lines of a sale that the report of an authority shows are those of its total.
func TestTheTaxLinesOfAnAuthorityAreThoseOfItsTotal(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	sql := storetest.SQL(t, storetest.URL(t))
	provincial := 0
	for _, to := range everyPlace(t).delivered {
		if to.Country != models.Canada {
			continue
		}
		place := content.Resolve(tax.Address{Country: to.Country, State: to.State})
		sold := models.Transaction{
			Type: models.TypeSale, Status: models.StatusCommitted, Currency: "CAD", Place: &place,
			TaxDate: calendar.MustDate("2026-05-15").Time(),
			Items: []models.TransactionItem{{
				Amount: decimal.MustParse("99.99"), Quantity: decimal.One, TaxClass: tax.ClassPhysical,
			}},
		}
		outcome, err := rules.DecideTax(sold, models.DefaultSettings("org"), nil, content.Calculate)
		require.NoError(t, err)
		require.Equal(t, models.ProcessingProcessed, outcome.To, to.State)
		lines, err := json.Marshal(outcome.Lines[0].TaxItems)
		require.NoError(t, err)
		require.Len(t, outcome.Totals, 2, "the federal authority and that of the province")
		for _, total := range outcome.Totals {
			f := report.Filing{CountryCode: total.CountryCode, StateCode: &total.StateCode}
			var found string
			err := sql.QueryRow(t.Context(), `
				SELECT coalesce(sum((e ->> 'amount')::numeric), 0)::numeric(20,2)::text
				  FROM jsonb_array_elements($1) e WHERE e ->> 'type' = 'CALCULATED' AND `+filings.OwnLines(&f),
				string(lines)).Scan(&found)
			require.NoError(t, err)
			require.Equal(t, money.Format(total.Tax), found, "%s, of a sale to %s", total.StateCode, to.State)
			if total.StateCode != models.Canada && !total.Tax.IsZero() {
				provincial++
			}
		}
	}
	require.Greater(t, provincial, 3, "some provinces have a tax of their own")
}

// The tax of a converted sale is shared by its jurisdictions as rules share amounts among authorities.
func TestSharesInStatementsAreThoseOfTheRules(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(44, 3))
	var groups, positions []int
	var taxes, wholes []string
	var want []string
	for group := range generatedRows / 4 {
		whole := amount(random)
		parts := make([]decimal.Decimal, 4)
		sum := decimal.Zero
		for i := range parts {
			parts[i] = money.FromCents(random.Int64N(100_000) - 20_000)
			var err error
			sum, err = money.Add(sum, parts[i])
			require.NoError(t, err)
		}
		from := decimal.Zero
		for i, part := range parts {
			to, err := money.Add(from, part)
			require.NoError(t, err)
			share := part
			if !sum.IsZero() {
				share, err = money.ShareBetween(whole, from, to, sum)
				require.NoError(t, err)
			}
			from = to
			groups, positions = append(groups, group), append(positions, i)
			taxes, wholes, want = append(taxes, part.String()), append(wholes, whole.String()), append(want, money.Format(share))
		}
	}
	rows, err := storetest.SQL(t, storetest.URL(t)).Query(t.Context(), `
		SELECT (u.up_to - lag(u.up_to, 1, 0) OVER (PARTITION BY u.id ORDER BY u.position))::numeric(20,2)::text
		  FROM (SELECT p.*, `+filings.SharedUpTo("p", "p.id", "p.position")+` AS up_to
		          FROM unnest($1::int[], $2::int[], $3::numeric[], $4::numeric[]) AS p(id, position, tax, whole)) u
		 ORDER BY u.id, u.position`, groups, positions, taxes, wholes)
	require.NoError(t, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Equal(t, want, found)
}
