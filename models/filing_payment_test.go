package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// A payment is of a day until today, and a filing has at most so many of them.
func TestFaultsOfARecordedPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		day, path string
		made      int
	}{
		{"2026-08-02", "", models.MostFilingEntries - 1}, {"2026-08-03", "paid_on", 0}, {"2026-06-30", "paid_on", 0},
		{"2026-08-02", "amount", models.MostFilingEntries},
	} {
		f := models.Filing{
			Status: models.FilingFiled, StartDate: calendar.MustDate("2026-07-01").Time(), Today: calendar.MustDate("2026-08-02"),
			Made: make([]models.RecordedPayment, c.made),
		}
		f.TotalTaxLiability = total(t, "100.00")
		err := f.RecordPayment(models.RecordedPayment{
			PaidOn: calendar.MustDate(c.day).Time(), Reference: "R-1", Amount: total(t, "1.00"),
		})
		if c.path == "" {
			require.NoError(t, err)
			continue
		}
		var invalid *models.InvalidError
		require.ErrorAs(t, err, &invalid, c)
		require.Len(t, invalid.Faults, 1)
		require.Equal(t, c.path, invalid.Faults[0].Path)
	}
}
