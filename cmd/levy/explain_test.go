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

func TestFilesThatCannotBeRecomputed(t *testing.T) {
	t.Parallel()
	_, err := explained(t, explanationFile(t, func(e *contract.TransactionExplanation) {
		e.Original = &contract.ExplainedOriginal{TransactionID: "txn_0"}
	}))
	require.ErrorContains(t, err, "txn_1 is a credit note: its tax mirrors that of txn_0")
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
