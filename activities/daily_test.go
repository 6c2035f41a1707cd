package activities

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// expiryFake is a store with so many pages of exemptions that have ended.
type expiryFake struct {
	*recorder
	page models.ExpiredExemptions
}

func (f expiryFake) ExpireExemptions(
	_ context.Context, today time.Time, after string,
) (models.ExpiredExemptions, error) {
	return f.page, f.record("ExpireExemptions", today, after)
}

// planFake is a store with some registrations; filings that were planned before exist already.
type planFake struct {
	*recorder
	registrations []models.Registration
	planned       map[string]string // id of a filing by registration and last day
}

func (f *planFake) plan(periods func(models.Registration) []models.Filing) models.PlanPage {
	page := models.PlanPage{Registrations: len(f.registrations), Done: true}
	if f.planned == nil {
		f.planned = map[string]string{}
	}
	for _, r := range f.registrations {
		for _, filing := range periods(r) {
			key := r.ID + " " + filing.EndDate.Format(time.DateOnly)
			if f.planned[key] == "" {
				f.planned[key] = models.NewID(models.PrefixFiling)
				page.Planned++
			}
		}
		page.Next = models.PlanCursor{OrganizationID: r.OrganizationID, RegistrationID: r.ID}
	}
	return page
}

func (f *planFake) PlanFilings(
	_ context.Context, after models.PlanCursor, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return f.plan(periods), f.record("PlanFilings", after)
}

func (f *planFake) PlanRegistration(
	_ context.Context, scope models.Scope, id string, periods func(models.Registration) []models.Filing,
) (models.PlanPage, error) {
	return f.plan(periods), f.record("PlanRegistration", scope, id)
}

func newPlanOn(store *planFake) *FilingPlan {
	content, err := tax.LoadContent()
	if err != nil {
		panic(err) // it is part of the program
	}
	return NewFilingPlan(store, func() *tax.Content { return content }, quiet)
}

// monthlyIn is a registration in Texas that files every month since a day.
func monthlyIn(id, since string) models.Registration {
	first := calendar.MustDate(since).Time()
	return models.Registration{
		ID: id, OrganizationID: "org_1", CountryCode: "US", StateCode: "TX", Status: models.RegistrationRegistered,
		RegistrationDate: &first,
		Frequencies:      []models.RegistrationFrequency{{FromDate: first, FilingFrequency: calendar.FilingMonthly}},
	}
}

// A plan that is made twice, or whose reply was lost, plans nothing twice; every filing has
// an id of its own.
func TestFilingsArePlannedOnce(t *testing.T) {
	t.Parallel()
	store := &planFake{
		recorder:      &recorder{},
		registrations: []models.Registration{monthlyIn("regs_1", "2026-05-01"), monthlyIn("regs_2", "2026-06-01")},
	}
	work, in := newPlanOn(store), PlanInput{
		Now: ourMoment, After: models.PlanCursor{OrganizationID: "org_0", RegistrationID: "regs_0"},
	}
	store.fail("PlanFilings", models.ErrOutcomeUnknown)
	require.Equal(t, ErrTypeInfrastructure, attempt{}.failing(t, work, "PlanFilings", in).Type())
	require.Len(t, store.planned, 3, "the reply was lost after the commit")
	result := execute[PlanResult](t, work, "PlanFilings", in)
	next := models.PlanCursor{OrganizationID: "org_1", RegistrationID: "regs_2"}
	require.Equal(t, PlanResult{Registrations: 2, Next: next, Done: true}, result)
	require.Equal(t, []any{in.After}, store.calls[1].Args)
	ids := map[string]bool{}
	for _, id := range store.planned {
		require.Regexp(t, "^"+models.PrefixFiling, id)
		ids[id] = true
	}
	require.Len(t, ids, 3)
}

// One registration with invalid periods gets no filings, and the others get theirs.
func TestARegistrationWithoutADateHoldsUpNoOther(t *testing.T) {
	t.Parallel()
	bad := monthlyIn("regs_bad", "2026-06-01")
	bad.RegistrationDate = nil
	store := &planFake{
		recorder: &recorder{}, registrations: []models.Registration{bad, monthlyIn("regs_1", "2026-06-01")},
	}
	require.Equal(t, 1, execute[PlanResult](t, newPlanOn(store), "PlanFilings", PlanInput{Now: ourMoment}).Planned)
	require.Contains(t, store.planned, "regs_1 2026-06-30")
}

func TestOneRegistrationIsPlanned(t *testing.T) {
	t.Parallel()
	store := &planFake{recorder: &recorder{}, registrations: []models.Registration{monthlyIn("regs_1", "2026-06-01")}}
	in := PlanRegistrationInput{Now: ourMoment, OrganizationID: "org_1", RegistrationID: "regs_1"}
	require.Equal(t, 1, execute[PlanResult](t, newPlanOn(store), "PlanRegistration", in).Planned)
	require.Equal(t, 0, execute[PlanResult](t, newPlanOn(store), "PlanRegistration", in).Planned)
	require.Equal(t, call{"PlanRegistration", []any{ourScope, "regs_1"}}, store.calls[0])
}

func TestExemptionsExpireOnce(t *testing.T) {
	t.Parallel()
	made := &recorder{}
	work := NewExemptions(expiryFake{made, models.ExpiredExemptions{Expired: 2, Next: "org_7", Done: true}}, quiet)
	in := ExpiryInput{Today: "2026-07-01", After: "org_3"}
	for range 2 {
		require.Equal(t, ExpiryResult{
			Expired: 2, Next: "org_7", Done: true,
		}, execute[ExpiryResult](t, work, "ExpireEndedExemptions", in))
	}
	want := call{"ExpireExemptions", []any{calendar.MustDate("2026-07-01").Time(), "org_3"}}
	require.Equal(t, []call{want, want}, made.calls)
}

// daily are the activities of the daily runs. They belong to no record, and are retried until the next day's run does
// all of it.
func daily() map[string]struct {
	method string
	in     any
	work   func(*recorder) any
} {
	type activity = struct {
		method string
		in     any
		work   func(*recorder) any
	}
	plan := func(r *recorder) any { return newPlanOn(&planFake{recorder: r}) }
	return map[string]activity{
		"ExpireEndedExemptions": {
			"ExpireExemptions", ExpiryInput{Today: "2026-07-01"}, func(r *recorder) any {
				return NewExemptions(
					expiryFake{recorder: r}, quiet,
				)
			},
		},
		"PlanFilings": {"PlanFilings", PlanInput{Now: ourMoment}, plan},
		"PlanRegistration": {
			"PlanRegistration",
			PlanRegistrationInput{Now: ourMoment, OrganizationID: "org_1", RegistrationID: "regs_1"}, plan,
		},
	}
}

func TestDailyActivitiesAreRetriedWithoutALimit(t *testing.T) {
	t.Parallel()
	for name, d := range daily() {
		for class, want := range storeErrors {
			made := &recorder{}
			made.fail(d.method, want.err)
			left := attempt{used: MaxDefects}.failing(t, d.work(made), name, d.in)
			require.Equal(t, want.errType, left.Type(), "%s: %s", name, class)
			require.False(t, left.NonRetryable(), "%s: %s", name, class)
			require.Equal(t, want.code, codeOf(t, left))
			require.NotContains(t, left.Error(), "078-05")
			execute[any](t, d.work(made), name, d.in)
			require.Len(t, made.calls, 2)
			require.Equal(t, made.calls[0], made.calls[1], "it goes on where it was")
		}
	}
}

func TestDailyActivitiesRefuseAnInputWithoutATime(t *testing.T) {
	t.Parallel()
	for name, in := range map[string]any{
		"ExpireEndedExemptions": ExpiryInput{Today: "yesterday"},
		"PlanFilings":           PlanInput{},
		"PlanRegistration":      PlanRegistrationInput{OrganizationID: "org_1", RegistrationID: "regs_1"},
	} {
		made := &recorder{}
		left := attempt{}.failing(t, daily()[name].work(made), name, in)
		require.Equal(t, ErrTypeInvalidInput, left.Type(), name)
		require.True(t, left.NonRetryable(), name)
		require.Empty(t, made.calls, name)
	}
}
