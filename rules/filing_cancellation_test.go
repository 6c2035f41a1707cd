package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// A registration from 15 January 2026; its filing is of the plan and of February, and today is 10 January.
func TestFilingsThatARegistrationLeavesNobodyToFile(t *testing.T) {
	t.Parallel()
	since := calendar.MustDate("2026-01-15").Time()
	until := func(text string) func(*models.Registration, *rules.OpenFiling) {
		return func(r *models.Registration, _ *rules.OpenFiling) {
			last := calendar.MustDate(text).Time()
			r.DeregistrationDate = &last
		}
	}
	from := func(text string) func(*models.Registration, *rules.OpenFiling) {
		return func(r *models.Registration, _ *rules.OpenFiling) {
			first := calendar.MustDate(text).Time()
			r.CreateFilingsFrom = &first
		}
	}
	manual := func(_ *models.Registration, f *rules.OpenFiling) { f.OfPlan = false }
	issue := func(_ *models.Registration, f *rules.OpenFiling) { f.Status = models.FilingIssue }
	unwanted := func(r *models.Registration, _ *rules.OpenFiling) { r.DoNotFile = true }
	quarterly := func(_ *models.Registration, f *rules.OpenFiling) { f.FrequencyThen = calendar.FilingQuarterly }
	begun := func(_ *models.Registration, f *rules.OpenFiling) { f.Start, f.End = 20260101, 20260131 }
	type alter = func(*models.Registration, *rules.OpenFiling)
	for _, c := range []struct {
		rule   string
		status models.RegistrationStatus
		alter  []alter
		want   string
	}{
		{"of one in force it stays", "REGISTERED", nil, ""},
		{"of one that was cancelled nothing is filed", "CANCELLED", nil, models.EndedWithRegistration},
		{"not even what has an issue", "CANCELLED", []alter{issue}, models.EndedWithRegistration},
		{"one on its way decides nothing", "PROCESSING", []alter{from("2026-03-01")}, ""},

		{"before the last day", "DEREGISTERING", []alter{until("2026-02-28")}, ""},
		{"after the last day", "DEREGISTERED", []alter{until("2026-01-31")}, models.EndedWithRegistration},
		{"also what has an issue", "DEREGISTERED", []alter{until("2026-01-31"), issue}, models.EndedWithRegistration},
		{"one that goes on after it", "DEREGISTERING", []alter{until("2026-02-15")}, models.EndedWithRegistration},
		{"unless people made it", "DEREGISTERING", []alter{until("2026-02-15"), manual}, ""},
		{"or they see to its issue", "DEREGISTERING", []alter{until("2026-02-15"), issue}, ""},
		{"or the plan makes no other", "DEREGISTERING", []alter{until("2026-02-15"), unwanted}, ""},
		{"without a last day", "DEREGISTERING", nil, ""},

		{"one that begins before the first", "REGISTERED", []alter{from("2026-02-02")}, models.RegisteredLater},
		{"by its registration", "REGISTERED", []alter{begun}, models.RegisteredLater},
		{"also of one that ends", "DEREGISTERED", []alter{from("2026-02-02"), until("2026-01-31")},
			models.RegisteredLater},
		{"unless people made it", "REGISTERED", []alter{from("2026-02-02"), manual}, ""},
		{"one that begins with it", "REGISTERED", []alter{from("2026-02-01")}, ""},

		{"of another frequency", "REGISTERED", []alter{quarterly}, models.EndedWithFrequency},
		{"whose period has begun", "REGISTERED", []alter{quarterly, begun, manual}, ""},
		{"of a registration that ends", "DEREGISTERING", []alter{quarterly}, ""},
	} {
		r := models.Registration{Status: c.status, RegistrationDate: &since}
		f := rules.OpenFiling{
			Status: models.FilingUnfiled, Start: 20260201, End: 20260228, Frequency: calendar.FilingMonthly,
			FrequencyThen: calendar.FilingMonthly, OfPlan: true,
		}
		for _, alter := range c.alter {
			alter(&r, &f)
		}
		require.Equal(t, c.want, rules.CancelReason(r, f, 20260110), c.rule)
	}
}
