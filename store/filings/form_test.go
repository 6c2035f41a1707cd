package filings_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// formDiffers returns the finding about the form of a return.
func formDiffers(f models.Filing) (found []string) {
	for _, x := range f.Findings() {
		if x.Code == "FORM_DIFFERS" {
			found = append(found, x.Severity+" "+x.Amount)
		}
	}
	return found
}

// A return tells by how much its form computes another tax than was accrued, before the claim and after it. Totals of
// earlier releases count as their tax.
func TestAReturnSaysWhatItsFormComputesOtherwise(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	for month, c := range map[string]struct {
		sets []string
		want []string
	}{
		"2026-01": {[]string{"form_tax = NULL", "form_tax = NULL"}, nil},
		"2026-02": {[]string{"form_tax = tax - 0.004", "form_tax = NULL"}, nil}, // less than half a cent
		"2026-03": {[]string{"form_tax = tax - 0.003", "form_tax = tax - 0.003"}, []string{"INFO 0.01"}},
		"2026-04": {[]string{"form_tax = tax + 0.004", "form_tax = tax + 0.0045"}, []string{"INFO -0.01"}},
		"2026-05": {
			[]string{"form_tax = tax - 0.004", "form_tax = tax - 7.5, beyond_rounding = true"}, []string{"WARNING 7.50"},
		},
	} {
		f := b.period(t, month+"-01", month+"-28")
		for _, set := range c.sets {
			sale := b.Sale(t, month+"-10", "100.00")
			b.Process(t, sale)
			_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET "+set+" WHERE transaction_id = $1", sale.ID)
			require.NoError(t, err)
		}
		require.Equal(t, c.want, formDiffers(b.Read(t, f.ID)), month)
		require.Equal(t, c.want, formDiffers(b.file(t, f.ID)), month)
		_, err := b.SQL.Exec(t.Context(), "UPDATE transaction_totals SET form_tax = 0")
		require.NoError(t, err)
		require.Equal(t, c.want, formDiffers(b.Read(t, f.ID)), "the claim keeps it")
	}
}
