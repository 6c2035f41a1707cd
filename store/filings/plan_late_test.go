package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// planning is an organization whose store has a clock of the test, and the plan of the law.
type planning struct {
	*store.Store
	scope models.Scope
	now   time.Time
	plan  func(now time.Time) func(models.Registration) []models.Filing
}

func setupPlanning(t *testing.T, today string) *planning {
	t.Helper()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	url := storetest.URL(t)
	p := &planning{scope: storetest.Organization(t, url), now: calendar.MustDate(today).Time()}
	p.Store = storetest.Open(t, store.Options{URL: url, Now: func() time.Time { return p.now }})
	p.plan = func(now time.Time) func(models.Registration) []models.Filing { return rules.FilingPlan(content, now) }
	return p
}

// register writes a registration from February on.
func (p *planning) register(t *testing.T, state string, status models.RegistrationStatus) models.Registration {
	t.Helper()
	r, since := storetest.Registration("US", state), calendar.MustDate("2026-02-01").Time()
	r.Status, r.RegistrationDate, r.CreatedAt, r.UpdatedAt = status, &since, p.now, p.now
	require.NoError(t, p.Registrations.CreateRegistration(t.Context(), p.scope, models.Actor{}, &r))
	return r
}

// planned plans a registration and returns its open returns by whether they wait for people.
func (p *planning) planned(t *testing.T, id string) (open map[string]bool) {
	t.Helper()
	_, err := p.Filings.PlanRegistration(t.Context(), p.scope, id, p.plan(p.now))
	require.NoError(t, err)
	open = map[string]bool{}
	for _, f := range filingsOf(t, p.Store, p.scope) {
		if f.RegistrationID == id && f.Status == models.FilingUnfiled {
			open[f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly)] = f.BlockApproval
			require.Equal(t, f.BlockApproval, f.InternalNotes != nil)
		}
	}
	return open
}

// block lets the return of some days wait for people.
func (p *planning) block(t *testing.T, id, days string) {
	t.Helper()
	for _, f := range filingsOf(t, p.Store, p.scope) {
		if f.RegistrationID != id || f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly) != days {
			continue
		}
		_, err := p.Filings.UpdateFiling(t.Context(), p.scope, models.Actor{}, f.ID, func(f *models.Filing) error {
			f.BlockForPeople("The tax advisor looks at it.")
			return nil
		})
		require.NoError(t, err)
	}
}

func (p *planning) change(t *testing.T, id string, change func(*models.Registration)) {
	t.Helper()
	_, err := p.Registrations.UpdateRegistration(t.Context(), p.scope, models.Actor{}, id,
		func(r *models.Registration) error {
			change(r)
			return nil
		})
	require.NoError(t, err)
}

// An authority may confirm a registration months after the request, as of a day months ago. The returns of all its
// ended periods are then created at once, and they wait for nothing.
func TestReturnsOfARegistrationThatComesIntoForceWaitForNobody(t *testing.T) {
	t.Parallel()
	p := setupPlanning(t, "2026-02-03")
	r := p.register(t, "NV", models.RegistrationProcessing)
	p.now = calendar.MustDate("2026-05-20").Time()
	since := calendar.MustDate("2026-02-01").Time()
	p.change(t, r.ID, func(r *models.Registration) {
		r.RegistrationCompleted = &since
		r.Enter(models.RegistrationRegistered, p.now)
	})
	require.Equal(t, map[string]bool{
		"2026-02-01 2026-02-28": false, "2026-03-01 2026-03-31": false, "2026-04-01 2026-04-30": false,
	}, p.planned(t, r.ID))
}

// The return that ends with a last day said later takes the place of one that was planned in its time. It waits for people
// where that one did, and where they had entered amounts in it.
func TestAReturnThatIsCutShortWaitsForPeopleAsBefore(t *testing.T) {
	t.Parallel()
	until := calendar.MustDate("2026-12-24").Time()
	penalties, err := money.ParseTotal("10.00")
	require.NoError(t, err)
	for state, c := range map[string]struct {
		today string
		waits bool
		// change is what people did to the return before.
		change func(*models.Filing)
	}{
		"NV": {"2026-06-15", false, func(*models.Filing) {}},
		"OH": {"2026-03-05", true, func(f *models.Filing) { f.BlockApproval = true }},
		"UT": {"2026-03-05", true, func(f *models.Filing) { f.Status = models.FilingPaused }},
		"IA": {"2026-03-05", true, func(f *models.Filing) { f.Status, f.PausedUntilDate = models.FilingPaused, &until }},
		"ME": {"2026-03-05", true, func(f *models.Filing) { f.AmountPenalties = penalties }},
	} {
		t.Run(state, func(t *testing.T) {
			t.Parallel()
			p := setupPlanning(t, "2026-03-02")
			r := p.register(t, state, models.RegistrationRegistered)
			require.Equal(t, map[string]bool{"2026-02-01 2026-02-28": false}, p.planned(t, r.ID))
			planned := filingsOf(t, p.Store, p.scope)
			_, err := p.Filings.UpdateFiling(t.Context(), p.scope, models.Actor{}, planned[0].ID, func(f *models.Filing) error {
				c.change(f)
				return nil
			})
			require.NoError(t, err)

			p.now = calendar.MustDate(c.today).Time()
			p.change(t, r.ID, func(r *models.Registration) {
				require.NoError(t, r.Deregister(calendar.MustDate("2026-02-10").Time(), nil, p.now))
			})
			for range 2 {
				require.NoError(t, p.Filings.CancelLaterFilings(t.Context(), p.scope, r.ID, p.now))
				require.Equal(t, map[string]bool{"2026-02-01 2026-02-10": c.waits}, p.planned(t, r.ID))
			}
		})
	}
}

// A registration that turns out to have begun later has no return of earlier days, and its first one begins with it. When
// the day is put back, those days have their returns again.
func TestReturnsBeginWithTheRegistration(t *testing.T) {
	t.Parallel()
	p := setupPlanning(t, "2026-05-02")
	r := p.register(t, "NV", models.RegistrationRegistered)
	settle := func() map[string]bool {
		for range 2 {
			require.NoError(t, p.Filings.CancelLaterFilings(t.Context(), p.scope, r.ID, p.now))
			p.planned(t, r.ID)
		}
		return p.planned(t, r.ID)
	}
	february, march, april := "2026-02-01 2026-02-28", "2026-03-01 2026-03-31", "2026-04-01 2026-04-30"
	require.Equal(t, map[string]bool{february: false, march: false, april: false}, settle())
	p.block(t, r.ID, april)
	from := func(day string) {
		p.change(t, r.ID, func(r *models.Registration) {
			since := calendar.MustDate(day).Time()
			r.RegistrationDate = &since
		})
	}
	from("2026-04-11")
	require.Equal(t, map[string]bool{"2026-04-11 2026-04-30": true}, settle())
	from("2026-02-01")
	require.Equal(t, map[string]bool{
		february: false, march: false, "2026-04-01 2026-04-10": true, "2026-04-11 2026-04-30": true,
	}, settle())
	from("2026-02-11")
	require.Equal(t, map[string]bool{
		"2026-02-11 2026-02-28": false, march: false, "2026-04-01 2026-04-10": true, "2026-04-11 2026-04-30": true,
	}, settle())
}

// If a period that was skipped has another return, the status of that return counts. It ends with the registration as
// well. If it is cancelled, other returns of its days wait for people.
func TestAReturnAfterASkippedOneIsOneOfThePlan(t *testing.T) {
	t.Parallel()
	p := setupPlanning(t, "2026-03-02")
	r := p.register(t, "NV", models.RegistrationRegistered)
	p.planned(t, r.ID)
	first := filingsOf(t, p.Store, p.scope)[0]
	_, err := p.Filings.TransitionFiling(t.Context(), p.scope, first.ID, models.FilingTransition{
		To: models.FilingSkipped, Reason: "NOTHING_SOLD",
	})
	require.NoError(t, err)
	again := storetest.FilingOf(r, models.FilingUnfiled, "2026-02-01", "2026-02-28")
	_, err = p.Filings.CreateFiling(t.Context(), p.scope, models.Actor{}, again, storetest.AnyFiling)
	require.NoError(t, err)
	require.Equal(t, map[string]bool{"2026-02-01 2026-02-28": false}, p.planned(t, r.ID))

	p.change(t, r.ID, func(r *models.Registration) {
		require.NoError(t, r.Deregister(calendar.MustDate("2026-02-10").Time(), nil, p.now))
	})
	require.NoError(t, p.Filings.CancelLaterFilings(t.Context(), p.scope, r.ID, p.now))
	require.Equal(t, map[string]bool{"2026-02-01 2026-02-10": false}, p.planned(t, r.ID))
}

// A skipped period may have another return since. It is no longer planned when the start of its registration is
// postponed, and planned again when the start is moved back.
func TestAReturnAfterASkippedOneComesBackWithItsRegistration(t *testing.T) {
	t.Parallel()
	p := setupPlanning(t, "2026-03-02")
	r := p.register(t, "NV", models.RegistrationRegistered)
	february := "2026-02-01 2026-02-28"
	p.planned(t, r.ID)
	_, err := p.Filings.TransitionFiling(t.Context(), p.scope, filingsOf(t, p.Store, p.scope)[0].ID,
		models.FilingTransition{To: models.FilingSkipped, Reason: "NOTHING_SOLD"})
	require.NoError(t, err)
	again := storetest.FilingOf(r, models.FilingUnfiled, "2026-02-01", "2026-02-28")
	_, err = p.Filings.CreateFiling(t.Context(), p.scope, models.Actor{}, again, storetest.AnyFiling)
	require.NoError(t, err)
	p.block(t, r.ID, february)
	for range 2 {
		for _, from := range []struct {
			day  string
			open map[string]bool
		}{{"2026-03-01", map[string]bool{}}, {"2026-02-01", map[string]bool{february: true}}} {
			p.change(t, r.ID, func(r *models.Registration) {
				since := calendar.MustDate(from.day).Time()
				r.RegistrationDate = &since
			})
			require.NoError(t, p.Filings.CancelLaterFilings(t.Context(), p.scope, r.ID, p.now))
			for range 2 {
				require.Equal(t, from.open, p.planned(t, r.ID), from.day)
			}
		}
	}
}
