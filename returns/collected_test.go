package returns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A lamp for 100.00 at 7 % in Miami was sold with 12.00 of tax. The state has 6.00 by the law and 4.29 above it, the county 1.00
// and 0.71. All of it is the state's.
func TestTaxThatWasCollectedIsDue(t *testing.T) {
	t.Parallel()
	amounts, w := made(t, monthly(t, "US", "FL",
		"STATE Florida 0.06 OWN /PHYSICAL 100.00 100.00 6.00 10.29 Miami-Dade_County",
		"COUNTY Miami-Dade_County 0.01 OWN /PHYSICAL 0.00 100.00 1.00 1.71 Miami-Dade_County"))
	require.Equal(t, "100.00 12.00 1.71", amounts["A3"]+" "+amounts["A4"]+" "+amounts["15d"])
	require.Equal(t, "12.00 0.00 0.30 11.70", amounts["X"]+" "+amounts["XD"]+" "+amounts["11"]+" "+amounts["14"], "2.5 % of 12.00")
	require.NotContains(t, w.codes(), "COLLECTED_DIFFERS", "line A4 has it")
}

// Pennsylvania takes the greater of 6 % and of what was collected, in each column.
func TestTheGreaterOfTheTaxAndWhatWasCollected(t *testing.T) {
	t.Parallel()
	amounts, w := made(t, monthly(t, "US", "PA",
		"STATE Pennsylvania 0.06 OWN /PHYSICAL 100.00 100.00 6.00 7.50 Philadelphia_County",
		"COUNTY Philadelphia_County 0.02 OWN /PHYSICAL 0.00 100.00 2.00 1.50 Philadelphia_County"))
	require.Equal(t, "7.50 2.00 9.50", amounts["3-00"]+" "+amounts["3-51"]+" "+amounts["3"])
	require.NotContains(t, w.codes(), "COLLECTED_DIFFERS")
}

// Line 18 of California is the excess tax that was collected: 2.60 of the sales and 10.00 of an entry.
func TestExcessTaxOfCalifornia(t *testing.T) {
	t.Parallel()
	in := monthly(t, "US", "CA", "STATE California 0.06 OWN /PHYSICAL 100.00 100.00 6.00 8.60")
	in.Entries = []models.FilingEntry{entry(t, models.EntryExcessTax, "10.00", "0.00")}
	in.Filing.AmountAdjusted = total(t, "10.00")
	amounts, w := made(t, in)
	require.Equal(t, "13.00", amounts["18"])
	require.NotContains(t, w.codes(), "COLLECTED_DIFFERS")
	require.Equal(t, []int{0}, w.Lines[lineAt(t, w, "18")].Figures)
	in.Figures.Figures[0].Owed, in.Filing.TotalTaxLiability = total(t, "5.00"), total(t, "5.00")
	amounts, w = made(t, in)
	require.Equal(t, "10.00", amounts["18"], "what was collected below the tax lowers no line")
	require.Contains(t, w.codes(), "COLLECTED_DIFFERS")
}

// The form of Texas computes 6.25. The filing owes the 9.00 that were collected, or the 6.00 of a seller that owes what it collects.
func TestTaxThatWasCollectedAndHasNoLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		owed, difference, severity string
		over, under                int64
	}{
		{"9.00", "2.75", models.SeverityWarning, 1, 0}, {"6.26", "0.01", models.SeverityInfo, 0, 0},
		{"6.00", "-0.25", models.SeverityWarning, 0, 1},
	} {
		in := inTexas(t, "STATE Texas 0.0625 OWN /PHYSICAL 100.00 100.00 6.25 "+c.owed)
		in.Filing.OverCollectedCount, in.Filing.UnderCollectedCount = c.over, c.under
		amounts, w := made(t, in)
		require.Equal(t, "6.25 "+c.owed, amounts["8a"]+" "+amounts["X"])
		require.NotContains(t, w.codes(), "SUMS_DIFFER")
		var told Finding
		for _, f := range w.Findings {
			if f.Code == "COLLECTED_DIFFERS" {
				told = f
			}
		}
		require.Equal(t, c.severity+" "+c.difference, told.Severity+" "+told.Amount.String(), c.owed)
	}
}
