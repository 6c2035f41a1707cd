package main

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/tax"
	"levy/tax/calendar"
)

// explanationFile writes what the API answers about a sale, changed by edit.
func explanationFile(t *testing.T, edit func(*contract.TransactionExplanation)) string {
	t.Helper()
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	origin := taxes.Resolve(tax.Address{City: "Buffalo", State: "NY", PostalCode: "14201", Country: "US"})
	result, err := taxes.Calculate(tax.Request{
		TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD", Origin: &origin,
		Destination: taxes.Resolve(tax.Address{
			Street1: "350 5th Ave", City: "New York", State: "NY", PostalCode: "10118", Country: "US",
		}),
		Lines: []tax.Line{
			{ID: "a", Class: tax.ClassPhysical, Amount: decimal.MustParse("100"), Quantity: decimal.One},
			{
				ID: "b", Class: tax.ClassClothing, Amount: decimal.MustParse("219.98"),
				Quantity: decimal.MustParse("2.00"),
			},
			{
				ID: "c", Class: tax.ClassPhysical, Amount: decimal.MustParse("5"),
				Exempt: &tax.Exempt{TaxExemption: tax.ExemptionCustomer, ExemptionID: "exmp_1"},
			},
		},
	})
	require.NoError(t, err)
	body, err := json.Marshal(result.Explanation)
	require.NoError(t, err)
	require.NotContains(t, string(body), "5th Ave")
	answer := contract.TransactionExplanation{TransactionID: "txn_1", Revision: 1}
	require.NoError(t, json.Unmarshal(body, &answer))
	if edit != nil {
		edit(&answer)
	}
	body, err = json.Marshal(answer)
	require.NoError(t, err)
	file := filepath.Join(t.TempDir(), "explanation.json")
	require.NoError(t, os.WriteFile(file, body, 0o600))
	return file
}

func explained(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out bytes.Buffer
	err := run(context.Background(), append([]string{"explain"}, args...), nil, &out, &out)
	return out.String(), err
}

func TestAStoredExplanationIsRecomputed(t *testing.T) {
	t.Parallel()
	out, err := explained(t, explanationFile(t, nil))
	require.NoError(t, err, out)
	require.Equal(t, "same: txn_1 revision 1, tax 8.88 on 100.00 by the law of 2026-05-15\n", out)
}

func TestWhatDiffersIsNamed(t *testing.T) {
	t.Parallel()
	out, err := explained(t, explanationFile(t, func(e *contract.TransactionExplanation) {
		e.Totals.TaxAmount = "9.88"
		e.Items[0].Lines[1].Amount = "5.50"
	}))
	require.ErrorIs(t, err, errDifferent)
	require.Contains(t, out, "different: ")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	require.Equal(t, []string{"tax", "9.88", "8.88"}, strings.Fields(lines[2]))
	require.Contains(t, lines[3], "us-ny-nyc-general")
	require.Contains(t, lines[3], "5.50")
	require.Len(t, lines, 4)
}

func TestAManuallyChangedInputIsFound(t *testing.T) {
	t.Parallel()
	out, err := explained(t, explanationFile(t, func(e *contract.TransactionExplanation) { e.Input.Currency = "EUR" }))
	require.ErrorIs(t, err, errDifferent)
	require.Contains(t, out, "input hash")
}

func TestOtherContentIsNamedAndUsed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.CopyFS(folder, os.DirFS("../../tax/content/data")))
	require.NoError(t, os.WriteFile(filepath.Join(folder, "VERSION"), []byte("mine\n"), 0o600))
	file := explanationFile(t, nil)
	out, err := explained(t, file, "--content", folder)
	require.NoError(t, err)
	require.Contains(t, out, "recomputed with mine")

	rates := filepath.Join(folder, "rates.csv")
	table, err := os.ReadFile(rates)
	require.NoError(t, err)
	table = bytes.Replace(table, []byte("US-NY,SALES,*,0.04,"), []byte("US-NY,SALES,*,0.05,"), 1)
	require.NoError(t, os.WriteFile(rates, table, 0o600))
	out, err = explained(t, file, "--content", folder)
	require.ErrorIs(t, err, errDifferent)
	require.Contains(t, out, "0.040000000 on 100.00 is 4.00")
	require.Contains(t, out, "0.050000000 on 100.00 is 5.00")
}

// A credit note is repeated with the explanation of its sale: units, a lower price, a coupon line, after another note.
func TestANoteIsRecomputedWithItsSale(t *testing.T) {
	t.Parallel()
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	amount := decimal.MustParse
	sold, err := taxes.Calculate(tax.Request{
		TaxDate: calendar.MustDate("2026-05-15"), Currency: "USD",
		Destination: taxes.Resolve(tax.Address{City: "Boston", State: "MA", PostalCode: "02108", Country: "US"}),
		Lines: []tax.Line{
			{ID: "a", Class: tax.ClassClothing, Amount: amount("250"), Quantity: decimal.One},
			{ID: "b", Class: tax.ClassPhysical, Amount: amount("100"), Quantity: decimal.Two},
			{ID: "c", Class: tax.ClassPhysical, Amount: amount("-35"), Quantity: decimal.One},
		},
	})
	require.NoError(t, err)
	request := tax.RefundRequest{
		TransactionID: "txn_0", TaxDate: calendar.MustDate("2026-06-15"), Original: sold.Explanation, Calculate: taxes.Calculate,
		Collected: []decimal.Decimal{amount("3.13"), amount("5.62"), amount("0.00")},
		Lines: []tax.RefundLine{
			{ID: "x", Line: 0, Amount: amount("60.00")},
			{ID: "y", Line: 1, Amount: amount("40.00"), Quantity: decimal.One, Coupons: amount("5.00")},
			{ID: "z", Line: 2, Coupons: amount("-5.00"), Spread: []tax.CouponPart{{From: 2, To: 1, Amount: amount("5.00")}}},
		},
		Earlier: []tax.RefundedLine{{Line: 0, Amount: amount("10.00")}},
	}
	note, err := tax.Refund(request)
	require.NoError(t, err)
	write := func(id string, of *contract.ExplainedOriginal, e tax.Explanation) string {
		body, err := json.Marshal(e)
		require.NoError(t, err)
		answer := contract.TransactionExplanation{TransactionID: id, Revision: 1, Original: of}
		require.NoError(t, json.Unmarshal(body, &answer))
		body, err = json.Marshal(answer)
		require.NoError(t, err)
		file := filepath.Join(t.TempDir(), id+".json")
		require.NoError(t, os.WriteFile(file, body, 0o600))
		return file
	}
	original := &contract.ExplainedOriginal{TransactionID: "txn_0"}
	sale := write("txn_0", nil, sold.Explanation)
	out, err := explained(t, write("txn_1", original, note.Explanation), "--original", sale)
	require.NoError(t, err, out)
	require.Contains(t, out, "same: txn_1 revision 1, tax "+note.Tax.String())
	note.Explanation.Refund.Earlier = nil
	out, err = explained(t, write("txn_2", original, note.Explanation), "--original", sale)
	require.ErrorIs(t, err, errDifferent, out)
}

func TestFilesThatCannotBeRecomputed(t *testing.T) {
	t.Parallel()
	note := explanationFile(t, func(e *contract.TransactionExplanation) {
		e.Original = &contract.ExplainedOriginal{TransactionID: "txn_0"}
	})
	_, err := explained(t, note)
	require.ErrorContains(t, err, "txn_1 refunds txn_0: name the explanation of that sale with --original")
	_, err = explained(t, note, "--original", note)
	require.ErrorContains(t, err, "explains txn_1, but txn_1 refunds txn_0")
	sale := explanationFile(t, func(e *contract.TransactionExplanation) { e.TransactionID = "txn_0" })
	_, err = explained(t, note, "--original", sale)
	require.ErrorIs(t, err, tax.ErrNoInput)
	_, err = explained(t, explanationFile(t,
		func(e *contract.TransactionExplanation) { e.Input = contract.ExplainedInput{} }))
	require.ErrorIs(t, err, tax.ErrNoInput)
	file := filepath.Join(t.TempDir(), "no.json")
	require.NoError(t, os.WriteFile(file, []byte("sale"), 0o600))
	_, err = explained(t, file)
	require.ErrorContains(t, err, "is not an explanation")
	_, err = explained(t, filepath.Join(t.TempDir(), "none.json"))
	require.ErrorIs(t, err, os.ErrNotExist)
}
