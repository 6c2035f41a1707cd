package rules

import (
	"errors"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// foodIsFree taxes food at nothing and everything else at 10 %.
func foodIsFree(r tax.Request) (tax.Result, error) {
	var result tax.Result
	for _, line := range r.Lines {
		calculated := tax.LineResult{ID: line.ID, Tax: amountOf("0.00")}
		if line.Class != tax.ClassFood && line.Exempt == nil {
			calculated.Tax = decimal.MustNew(int64(line.Amount.Coef())/10, 2)
		}
		result.Lines = append(result.Lines, calculated)
	}
	return result, nil
}

func soldIn(state, currency string, items ...models.TransactionItem) models.Transaction {
	sold := inTexas(items...)
	sold.Place = &tax.Place{Country: "US", State: state}
	sold.Currency = currency
	return sold
}

func classified(product, amount string, class tax.TaxClass) models.TransactionItem {
	i := ofProduct(product, amount)
	i.TaxClass = class
	return i
}

func TestAReclassificationShowsTheChangeOfTax(t *testing.T) {
	t.Parallel()
	bread := classified("bread", "100.00", tax.ClassPhysical)
	lamp := classified("lamp", "50.00", tax.ClassPhysical)
	r := Reclassification{ExternalID: "bread", Class: tax.ClassFood}
	for _, sold := range []models.Transaction{
		soldIn("TX", "USD", bread, lamp, bread),
		soldIn("NY", "USD", bread),
		soldIn("NY", "EUR", bread),
		soldIn("NY", "USD", lamp),
		soldIn("NY", "USD", bread),
	} {
		require.NoError(t, r.Add(sold, nil, "", foodIsFree))
		require.Equal(t, tax.ClassPhysical, sold.Items[0].TaxClass, "the sale stays as it is")
	}
	require.Equal(t, 5, r.Lines)
	var rows [][]string
	for _, s := range r.States() {
		difference, err := s.Difference()
		require.NoError(t, err)
		rows = append(rows, []string{
			s.State, s.Currency, money.Format(s.Before), money.Format(s.After),
			money.Format(difference),
		})
	}
	require.Equal(t, [][]string{
		{"NY", "EUR", "10.00", "0.00", "-10.00"},
		{"NY", "USD", "20.00", "0.00", "-20.00"},
		{"TX", "USD", "20.00", "0.00", "-20.00"},
	}, rows)
}

func TestAProductThatBecomesExempt(t *testing.T) {
	t.Parallel()
	r := Reclassification{ExternalID: "bread", Class: tax.ClassPhysical, TaxExempt: true}
	require.NoError(t, r.Add(soldIn("TX", "USD", classified("bread", "100.00", tax.ClassPhysical)), nil, "", foodIsFree))
	require.Len(t, r.States(), 1)
	require.Equal(t, "0.00", money.Format(r.States()[0].After))
}

func TestAReclassificationThatCannotBeCalculatedIsAnError(t *testing.T) {
	t.Parallel()
	broken := errors.New("no rate")
	r := Reclassification{ExternalID: "bread"}
	err := r.Add(
		soldIn("TX", "USD", classified("bread", "1.00", "")), nil, "",
		func(tax.Request) (tax.Result, error) { return tax.Result{}, broken },
	)
	require.ErrorIs(t, err, broken)
	err = r.Add(
		soldIn("TX", "USD", classified("bread", "1.00", "")), nil, "",
		func(tax.Request) (tax.Result, error) { return tax.Result{}, nil },
	)
	require.ErrorContains(t, err, "0 lines calculated for 1 items")
	require.Empty(t, r.States())
}
