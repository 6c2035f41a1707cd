package transactions_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/internal/packed"
	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
)

// The packed explanation of every sale of the table of law is unpacked byte for byte, and has less than a fifth of
// its size.
func TestPackedExplanationsSayTheSame(t *testing.T) {
	t.Parallel()
	engine, err := tax.LoadContent()
	require.NoError(t, err)
	whole, stored := 0, 0
	for _, sale := range salesOfTheLaw(t) {
		address := rules.DecideAddress(sale, engine.Resolve)
		sale.Place = &address.Place
		if currency, ok := rules.CurrencyOf(address.Place.Country, calendar.DateOf(sale.TaxDate)); ok {
			sale.Currency = currency
		}
		outcome, err := rules.DecideTax(sale, models.DefaultSettings("org_1"), nil, engine.Calculate)
		require.NoError(t, err)
		require.NotEmpty(t, outcome.Explanation, "%s: %v", outcome.Reason, sale.Items)
		bytes := packed.Explanation(outcome.Explanation)
		var read packed.JSON
		require.NoError(t, read.ScanBytes(bytes))
		require.Equal(t, string(outcome.Explanation), string(read))
		whole, stored = whole+len(read), stored+len(bytes)
	}
	require.Less(t, 5*stored, whole)
}

// salesOfTheLaw are the cases of the table of law, each with a line of goods besides.
func salesOfTheLaw(t *testing.T) (sales []models.Transaction) {
	t.Helper()
	files, err := filepath.Glob("../../tax/testdata/law/*.csv")
	require.NoError(t, err)
	for _, file := range files {
		f, err := os.Open(file)
		require.NoError(t, err)
		rows, err := csv.NewReader(f).ReadAll()
		require.NoError(t, err)
		require.NoError(t, f.Close())
		for _, row := range rows[1:] {
			sale := models.Transaction{
				OrganizationID: "org_1", ID: "txn_1", Epoch: 1, Type: models.TypeSale, Status: models.StatusCommitted,
				Currency: "USD", TaxDate: calendar.MustDate(row[3]).Time(),
			}
			place := row[0][strings.LastIndex(row[0], ">")+1:] // without the origin
			country, zip, _ := strings.Cut(place, " ")
			country, province, _ := strings.Cut(country, "-")
			to := models.TransactionAddress{Type: models.ShipTo, State: &province, PostalCode: &zip, Country: &country}
			if city, rest, ok := strings.Cut(place, ", "); ok {
				state, zip, _ := strings.Cut(rest, " ")
				to = models.TransactionAddress{
					Type: models.ShipTo, City: &city, State: &state, PostalCode: &zip, Country: ptr("US"),
				}
			}
			sale.Addresses = []models.TransactionAddress{to}
			for n, class := range []string{"PHYSICAL", row[1]} {
				sale.Items = append(sale.Items, models.TransactionItem{
					ID: models.NewID(models.PrefixItem), LineNo: n, TaxClass: tax.TaxClass(class),
					Amount: decimal.MustParse("100.00"), TotalDiscount: decimal.MustParse("0.00"), Quantity: decimal.One,
				})
			}
			sales = append(sales, sale)
		}
	}
	require.Greater(t, len(sales), 1000)
	return sales
}

func TestExplanationsOfReleasesBeforeAreRead(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 1)
	b.Processed(t, refs)
	read := func() string {
		e, err := b.Store.Transactions.TransactionExplanation(t.Context(), b.Scope, refs[0].ID)
		require.NoError(t, err)
		return string(e.Body)
	}
	calculated := `{"steps":[]}` // by the stages of the bed
	require.Equal(t, calculated, read())
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transaction_explanations WHERE body IS NULL"))
	before := `{ "steps" : [],  "totals" : {} }`
	_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_explanations SET body = $1", before)
	require.NoError(t, err)
	require.Equal(t, before, read(), "a process of an earlier release calculated it again")
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_explanations SET packed = NULL")
	require.NoError(t, err)
	require.Equal(t, before, read())
	_, err = b.SQL.Exec(t.Context(), "UPDATE transaction_explanations SET body = NULL")
	require.ErrorContains(t, err, "transaction_explanations_one_form")
}
