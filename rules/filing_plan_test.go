package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
)

// Returns of a registration that is over are approved by themselves where they are planned with their period. Those that
// nobody had planned until long after it wait for people, who find them among what needs them.
func TestReturnsThatArePlannedLongAfterTheEndWaitForPeople(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	now := at(t, "2026-03-02T12:00:00Z")
	created := at(t, "2026-02-20T12:00:00Z")
	held := func(status models.RegistrationStatus) (periods []string) {
		r := entry("2026-01-01", "1900-01-01", "MONTHLY")
		r.CountryCode, r.StateCode, r.Status = "US", "NV", status
		last := calendar.MustDate("2026-02-28").Time()
		r.DeregistrationDate, r.CreatedAt = &last, created
		filings := rules.FilingPlan(content, now)(r)
		require.Len(t, filings, 2)
		for _, f := range filings {
			require.Equal(t, f.BlockApproval, f.InternalNotes != nil)
			if f.BlockApproval {
				periods = append(periods, f.StartDate.Format("2006-01"))
			}
		}
		return periods
	}
	require.Empty(t, held(models.RegistrationDeregistering))
	require.Equal(t, []string{"2026-01"}, held(models.RegistrationDeregistered))

	// Nothing was filed under a registration that has long been in force, until somebody wants returns.
	now, created = at(t, "2026-03-05T12:00:00Z"), at(t, "2026-01-01T12:00:00Z")
	require.Equal(t, []string{"2026-01"}, held(models.RegistrationRegistered))
	now = at(t, "2026-03-03T12:00:00Z")
	require.Empty(t, held(models.RegistrationRegistered))
}

// California wants 90 % of the tax on account, in the second quarter also for the first half of June. The law of Texas
// names nothing within a quarter.
func TestPaymentsOnAccountArePlannedByLaw(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	plan := func(state string) (planned []string) {
		r := entry("2026-04-01", "1900-01-01", "QUARTERLY_PREPAYMENT")
		r.CountryCode, r.StateCode = "US", state
		for _, f := range rules.FilingPlan(content, at(t, "2026-07-02T12:00:00Z"))(r) {
			text := f.StartDate.Format("01-02") + " " + f.EndDate.Format("01-02") + " " + string(f.FilingCategory)
			if f.PrepaidShare != nil {
				text += " " + f.PrepaidShare.String()
			}
			planned = append(planned, text+" due "+f.DueDate.Format("01-02"))
		}
		return planned
	}
	require.Equal(t, []string{
		"04-01 04-30 PREPAYMENT 0.90 due 05-26", "05-01 06-15 PREPAYMENT 0.90 due 06-24", "04-01 06-30 REGULAR due 07-31",
	}, plan("CA"))
	require.Equal(t, []string{"04-01 06-30 REGULAR due 07-20"}, plan("TX"))
}
