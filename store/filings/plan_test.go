package filings_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// register writes a registration that is in force from a day on.
func register(
	tb testing.TB, s *store.Store, scope models.Scope, state string, frequency calendar.FilingFrequency,
	from string,
) *models.Registration {
	tb.Helper()
	return registerAt(tb, s, scope, models.Registration{CountryCode: "US", StateCode: state, FilingFrequency: frequency}, from)
}

// registerAt registers an organization at the authority of r.
func registerAt(tb testing.TB, s *store.Store, scope models.Scope, r models.Registration, from string) *models.Registration {
	tb.Helper()
	date := calendar.MustDate(from).Time()
	now := time.Now().UTC()
	r.ID, r.StateName, r.Status = models.NewID(models.PrefixRegistration), r.StateCode, models.RegistrationRegistered
	r.RegistrationImportType, r.RegistrationsRegime, r.RegistrationDate = models.ImportRegular, "STANDARD", &date
	r.AmountFees, r.CreditsTotalAvailable, r.CreatedAt, r.UpdatedAt = "0.00", "0.00", now, now
	require.NoError(tb, s.Registrations.CreateRegistration(tb.Context(), scope, models.Actor{}, &r))
	return &r
}

// periodsUntil asks for the filings of all periods that ended by a day.
func periodsUntil(last string) func(models.Registration) []models.Filing {
	return func(e models.Registration) []models.Filing {
		var filings []models.Filing
		for _, p := range rules.EndedPeriods(e, calendar.MustDate(last)) {
			filings = append(filings, models.Filing{
				OrganizationID: e.OrganizationID, ID: models.NewID(models.PrefixFiling),
				RegistrationID: e.ID, CountryCode: e.CountryCode, StateCode: e.StateCode,
				StateName: &e.StateName, StartDate: p.Start.Time(),
				EndDate: p.End.Time(), FilingCategory: p.Category, Currency: "USD", Planned: true,
				PrepaidShare: rules.PrepaidShare(e.CountryCode, e.StateCode, p.Category),
			})
		}
		return filings
	}
}

// planAll runs the plan to its end, as its workflow does.
func planAll(ctx context.Context, s *store.Store, last string) (planned int, err error) {
	var after models.PlanCursor
	for {
		page, err := s.Filings.PlanFilings(ctx, after, periodsUntil(last))
		if err != nil || page.Done {
			return planned + page.Planned, err
		}
		planned, after = planned+page.Planned, page.Next
	}
}

func filingsOf(t *testing.T, s *store.Store, scope models.Scope) []models.Filing {
	t.Helper()
	list, err := s.Filings.ListFilings(t.Context(), scope, models.FilingFilter{},
		[]models.Order{{Column: "start_date"}}, models.Page{Limit: 100})
	require.NoError(t, err)
	return list.Items
}

// sharesOf are the shares of the payments on account.
func sharesOf(filings []models.Filing) (shares []string) {
	for _, f := range filings {
		if f.FilingCategory == calendar.FilingPrepayment {
			shares = append(shares, f.PrepaidShare.Trim(0).String())
		}
	}
	return shares
}

func TestPlanFilings(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url})
	scope := storetest.Organization(t, url)
	monthly := register(t, s, scope, "NV", calendar.FilingMonthly, "2026-01-01")
	register(t, s, scope, "CA", calendar.FilingQuarterlyPrepayment, "2026-01-01")

	planned, err := planAll(t.Context(), s, "2026-02-28")
	require.NoError(t, err)
	require.Equal(t, 4, planned, "two months each, no quarter yet")
	planned, err = planAll(t.Context(), s, "2026-02-28")
	require.NoError(t, err)
	require.Zero(t, planned, "a second time there is nothing to plan")
	planned, err = planAll(t.Context(), s, "2026-03-31")
	require.NoError(t, err)
	require.Equal(t, 2, planned, "one month, one quarter, whose third month has no payment on account")
	require.Equal(t, []string{"0.9", "0.9"}, sharesOf(filingsOf(t, s, scope)), "Cal. Rev. & Tax. Code 6471(a)(1)")

	t.Run("many plans at once plan once", func(t *testing.T) {
		var group sync.WaitGroup
		sum := make(chan int, 8)
		for range 8 {
			group.Go(func() {
				planned, err := planAll(t.Context(), s, "2026-12-31")
				require.NoError(t, err)
				sum <- planned
			})
		}
		group.Wait()
		close(sum)
		total := 0
		for n := range sum {
			total += n
		}
		require.Equal(t, 9+6+3, total)
		require.Len(t, filingsOf(t, s, scope), 12+8+4)
	})
	t.Run("each is UNFILED and due for its workflow", func(t *testing.T) {
		for _, f := range filingsOf(t, s, scope) {
			require.Equal(t, models.FilingUnfiled, f.Status)
			require.NotNil(t, f.NextCheckAt)
			require.True(t, f.Planned)
		}
	})
	t.Run("what was skipped or cancelled is not made again", func(t *testing.T) {
		first := filingsOf(t, s, scope)[0]
		_, err := s.Filings.TransitionFiling(t.Context(), scope, first.ID, models.FilingTransition{
			To: models.FilingCancelled, Reason: "ENDED",
		})
		require.NoError(t, err)
		planned, err := planAll(t.Context(), s, "2026-12-31")
		require.NoError(t, err)
		require.Zero(t, planned)
	})
	t.Run("what was cancelled for other days leaves no gap", func(t *testing.T) {
		ohio := register(t, s, scope, "OH", calendar.FilingMonthly, "2026-01-01")
		cancelled := periodsUntil("2026-03-31")(*ohio)[2:]
		made, err := s.Filings.InsertPlannedFilings(t.Context(), cancelled)
		require.NoError(t, err)
		_, err = s.Filings.TransitionFiling(t.Context(), scope, made[0], models.FilingTransition{
			To: models.FilingCancelled, Reason: "FREQUENCY_CHANGED",
		})
		require.NoError(t, err)
		quarter := cancelled[0]
		quarter.ID, quarter.StartDate = models.NewID(models.PrefixFiling), calendar.MustDate("2026-01-01").Time()
		made, err = s.Filings.InsertPlannedFilings(t.Context(), []models.Filing{quarter})
		require.NoError(t, err)
		require.Len(t, made, 1)
	})
	t.Run("a registration that comes into force gets all periods at once", func(t *testing.T) {
		late := register(t, s, scope, "TX", calendar.FilingQuarterly, "2025-07-01")
		page, err := s.Filings.PlanRegistration(t.Context(), scope, late.ID, periodsUntil("2026-03-31"))
		require.NoError(t, err)
		require.Equal(t, 3, page.Planned)
		other := storetest.Organization(t, url)
		page, err = s.Filings.PlanRegistration(t.Context(), other, late.ID, periodsUntil("2026-12-31"))
		require.NoError(t, err)
		require.Zero(t, page.Planned, "not to another organization")
	})
	t.Run("nothing for registrations that are over, do_not_file, and archived organizations", func(t *testing.T) {
		conn := storetest.SQL(t, url)
		for _, sql := range []string{
			"UPDATE registrations SET do_not_file = true WHERE organization_id = $1 AND state_code = 'NV'",
			"UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1",
		} {
			_, err = conn.Exec(t.Context(), sql, scope.OrganizationID)
			require.NoError(t, err)
		}
		page, err := s.Filings.PlanRegistration(t.Context(), scope, monthly.ID, periodsUntil("2027-12-31"))
		require.NoError(t, err)
		require.Zero(t, page.Registrations)
		planned, err := planAll(t.Context(), s, "2027-12-31")
		require.NoError(t, err)
		require.Zero(t, planned)
	})
}

// People confirm the end of a registration as soon as the authority has confirmed it. At that time the return of its
// last period may not be planned yet, or its last day may be in the future.
func TestReturnsUpToTheLastDayArePlannedWheneverTheRegistrationEnds(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	end := func(r *models.Registration, last string) {
		day := calendar.MustDate(last).Time()
		for _, to := range []models.RegistrationStatus{models.RegistrationDeregistering, models.RegistrationDeregistered} {
			_, err := b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, r.ID,
				func(r *models.Registration) error {
					r.Status, r.DeregistrationDate = to, &day
					return nil
				})
			require.NoError(t, err)
		}
	}
	planned := func(r *models.Registration, last string) string {
		for range 2 {
			_, err := planAll(t.Context(), b.Store, last)
			require.NoError(t, err)
		}
		var periods []string
		for _, f := range filingsOf(t, b.Store, b.Scope) {
			if f.RegistrationID == r.ID {
				periods = append(periods, f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly))
			}
		}
		return strings.Join(periods, ", ")
	}
	nevada := register(t, b.Store, b.Scope, "NV", calendar.FilingMonthly, "2026-01-01")
	end(nevada, "2026-02-10")
	require.Equal(t, "2026-01-01 2026-01-31", planned(nevada, "2026-02-09"))
	require.Equal(t, "2026-01-01 2026-01-31, 2026-02-01 2026-02-10", planned(nevada, "2026-04-30"))

	t.Run("days that a later registration covers are filed under that one", func(t *testing.T) {
		again := register(t, b.Store, b.Scope, "NV", calendar.FilingMonthly, "2026-04-01")
		end(again, "2026-06-30")
		require.Equal(t, "2026-04-01 2026-04-30", planned(again, "2026-04-30"))
		third := register(t, b.Store, b.Scope, "NV", calendar.FilingMonthly, "2026-05-21")
		require.Equal(t, "2026-04-01 2026-04-30, 2026-05-01 2026-05-20", planned(again, "2026-06-30"))
		require.Equal(t, "2026-05-21 2026-05-31, 2026-06-01 2026-06-30", planned(third, "2026-06-30"))
	})
	t.Run("a period that was skipped stays skipped when a later registration covers its end", func(t *testing.T) {
		ohio := register(t, b.Store, b.Scope, "OH", calendar.FilingQuarterly, "2026-01-01")
		require.Equal(t, "2026-01-01 2026-03-31, 2026-04-01 2026-06-30", planned(ohio, "2026-06-30"))
		for _, f := range filingsOf(t, b.Store, b.Scope) {
			if f.RegistrationID != ohio.ID {
				continue
			}
			_, err := b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
				f.Status = models.FilingSkipped
				return nil
			})
			require.NoError(t, err)
		}
		end(ohio, "2026-06-30")
		require.Equal(t, "2026-01-01 2026-03-31, 2026-04-01 2026-06-30", planned(ohio, "2026-06-30"))
		register(t, b.Store, b.Scope, "OH", calendar.FilingQuarterly, "2026-06-15")
		require.Equal(t, "2026-01-01 2026-03-31, 2026-04-01 2026-06-30", planned(ohio, "2026-06-30"))
	})
	t.Run("days that nothing is filed for under a later registration are filed under the one that ended", func(t *testing.T) {
		utah := register(t, b.Store, b.Scope, "UT", calendar.FilingMonthly, "2026-01-01")
		end(utah, "2026-02-10")
		again := register(t, b.Store, b.Scope, "UT", calendar.FilingMonthly, "2026-02-05")
		doNotFile := func(so bool) {
			_, err := b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, again.ID,
				func(r *models.Registration) error {
					r.DoNotFile = so
					return nil
				})
			require.NoError(t, err)
		}
		doNotFile(true)
		require.Equal(t, "2026-01-01 2026-01-31, 2026-02-01 2026-02-10", planned(utah, "2026-03-31"))
		require.Empty(t, planned(again, "2026-03-31"))
		doNotFile(false)
		require.Equal(t, "2026-02-11 2026-02-28, 2026-03-01 2026-03-31", planned(again, "2026-03-31"), "no day twice")
		require.Equal(t, "2026-01-01 2026-01-31, 2026-02-01 2026-02-10", planned(utah, "2026-03-31"))
	})
	t.Run("days that have a return are not filed again under a later registration", func(t *testing.T) {
		iowa := register(t, b.Store, b.Scope, "IA", calendar.FilingMonthly, "2026-01-01")
		end(iowa, "2026-03-31")
		require.Equal(t, "2026-01-01 2026-01-31, 2026-02-01 2026-02-28, 2026-03-01 2026-03-31", planned(iowa, "2026-03-31"))
		again := register(t, b.Store, b.Scope, "IA", calendar.FilingQuarterly, "2026-03-15")
		require.Equal(t, "2026-04-01 2026-06-30", planned(again, "2026-06-30"))
	})
	t.Run("a return that was planned goes no further than a last day that is said later", func(t *testing.T) {
		maine := register(t, b.Store, b.Scope, "ME", calendar.FilingMonthly, "2026-01-01")
		require.Equal(t, "2026-01-01 2026-01-31, 2026-02-01 2026-02-28, 2026-03-01 2026-03-31", planned(maine, "2026-03-31"))
		end(maine, "2026-02-10")
		require.NoError(t, b.Store.Filings.CancelLaterFilings(
			t.Context(), b.Scope, maine.ID, calendar.MustDate("2026-04-02").Time(),
		))
		planned(maine, "2026-03-31")
		var open []string
		for _, f := range filingsOf(t, b.Store, b.Scope) {
			if f.RegistrationID == maine.ID && f.Status == models.FilingUnfiled {
				require.False(t, f.BlockApproval)
				open = append(open, f.StartDate.Format(time.DateOnly)+" "+f.EndDate.Format(time.DateOnly))
			}
		}
		require.Equal(t, []string{"2026-01-01 2026-01-31", "2026-02-01 2026-02-10"}, open)
	})
	t.Run("one that ended earlier covers none of the last days", func(t *testing.T) {
		texas := register(t, b.Store, b.Scope, "TX", calendar.FilingQuarterly, "2026-01-01")
		end(texas, "2026-03-31")
		earlier := register(t, b.Store, b.Scope, "TX", calendar.FilingQuarterly, "2025-01-01")
		end(earlier, "2025-03-31")
		require.Equal(t, "2026-01-01 2026-03-31", planned(texas, "2026-06-30"))
		require.Equal(t, "2025-01-01 2025-03-31", planned(earlier, "2026-06-30"))
	})
}

// New York's quarters begin in March: a database that has returns of calendar quarters continues with the rest of the
// first period of the law.
func TestDaysBetweenOldAndNewPeriodsAreFiled(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	r := register(t, b.Store, b.Scope, "NY", calendar.FilingQuarterly, "2025-07-01")
	quarter := models.Filing{
		OrganizationID: r.OrganizationID, ID: models.NewID(models.PrefixFiling),
		RegistrationID: r.ID, CountryCode: "US", StateCode: "NY",
		StartDate: calendar.MustDate("2025-07-01").Time(), EndDate: calendar.MustDate("2025-09-30").Time(),
		FilingCategory: calendar.FilingRegular, Currency: "USD", Planned: true,
	}
	made, err := b.Store.Filings.InsertPlannedFilings(t.Context(), []models.Filing{quarter})
	require.NoError(t, err)
	require.Len(t, made, 1)
	for range 2 {
		_, err = planAll(t.Context(), b.Store, "2026-02-28")
		require.NoError(t, err)
	}
	require.Equal(t, 1, b.Count(t, `
		SELECT count(*) FROM (SELECT string_agg(start_date || ' ' || end_date, ', ' ORDER BY start_date) AS periods
		  FROM filings WHERE registration_id = $1 AND filing_category = 'REGULAR') f
		 WHERE periods = '2025-07-01 2025-09-30, 2025-10-01 2025-11-30, 2025-12-01 2026-02-28'`, r.ID))
}

// Quarters of the United Kingdom are those of the stagger group of the registration.
func TestQuartersFollowTheStaggerGroup(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	r := registerAt(t, b.Store, b.Scope, models.Registration{
		CountryCode: "GB", StateCode: "GB", FilingFrequency: calendar.FilingQuarterly,
		JurisdictionSpecificFields: []byte(`{"stagger":2}`),
	}, "2025-11-01")
	_, err := planAll(t.Context(), b.Store, "2026-05-31")
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, `
		SELECT count(*) FROM (SELECT string_agg(start_date || ' ' || end_date, ', ' ORDER BY start_date) AS periods
		  FROM filings WHERE registration_id = $1) f
		 WHERE periods = '2025-11-01 2026-01-31, 2026-02-01 2026-04-30'`, r.ID))
}

// A filed return covers its days, even if a person enters later that another return of these days was cancelled.
// The rest of the quarter has its own return.
func TestAReturnStandsForItsDaysBesideOneThatWasCancelled(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	r := register(t, b.Store, b.Scope, "IA", calendar.FilingQuarterly, "2026-01-01")
	for _, status := range []models.FilingStatus{models.FilingFiled, models.FilingCancelled} {
		january := storetest.FilingOf(*r, status, "2026-01-01", "2026-01-31")
		_, err := b.Store.Filings.CreateFiling(t.Context(), b.Scope, models.Actor{}, january, storetest.AnyFiling)
		require.NoError(t, err)
	}
	_, err := planAll(t.Context(), b.Store, "2026-03-31")
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, `SELECT count(*) FROM filings
		WHERE registration_id = $1 AND planned AND start_date = '2026-02-01' AND end_date = '2026-03-31'`, r.ID))
}

// Quarters that were skipped are decided about: New York's quarters, which begin in March now, leave their days alone. To
// cancel one says nothing about what is owed for its days: they are planned, and people decide.
func TestDaysThatWereDecidedAboutAreNotFiledByOtherPeriods(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	r := register(t, b.Store, b.Scope, "NY", calendar.FilingQuarterly, "2025-01-01")
	for _, q := range []struct {
		start, end string
		to         models.FilingStatus
	}{
		{"2025-01-01", "2025-03-31", models.FilingSkipped}, {"2025-04-01", "2025-06-30", models.FilingCancelled},
		{"2025-07-01", "2025-09-30", models.FilingSkipped},
	} {
		quarter := models.Filing{
			OrganizationID: r.OrganizationID, ID: models.NewID(models.PrefixFiling),
			RegistrationID: r.ID, CountryCode: "US", StateCode: "NY",
			StartDate: calendar.MustDate(q.start).Time(), EndDate: calendar.MustDate(q.end).Time(),
			FilingCategory: calendar.FilingRegular, Currency: "USD", Planned: true,
		}
		_, err := b.Store.Filings.InsertPlannedFilings(t.Context(), []models.Filing{quarter})
		require.NoError(t, err)
		_, err = b.Store.Filings.TransitionFiling(t.Context(), b.Scope, quarter.ID, models.FilingTransition{
			To: q.to, Reason: "NOTHING_SOLD",
		})
		require.NoError(t, err)
	}
	_, err := planAll(t.Context(), b.Store, "2026-02-28")
	require.NoError(t, err)
	var held, free []string
	for _, f := range filingsOf(t, b.Store, b.Scope) {
		switch period := f.StartDate.Format(time.DateOnly) + " " + f.EndDate.Format(time.DateOnly); {
		case f.Status != models.FilingUnfiled:
		case f.BlockApproval:
			held = append(held, period)
			require.NotNil(t, f.InternalNotes)
		default:
			free = append(free, period)
			require.Nil(t, f.InternalNotes)
		}
	}
	require.Equal(t, []string{"2025-04-01 2025-05-31", "2025-06-01 2025-06-30"}, held)
	require.Equal(t, []string{"2025-10-01 2025-11-30", "2025-12-01 2026-02-28"}, free)
}

// If a person has filed a return for days in the middle of a period, the days before and after them are planned.
func TestDaysAroundAReturnInTheMiddleArePlanned(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	r := register(t, b.Store, b.Scope, "NV", calendar.FilingQuarterly, "2026-01-01")
	february := models.Filing{
		OrganizationID: r.OrganizationID, ID: models.NewID(models.PrefixFiling),
		RegistrationID: r.ID, CountryCode: "US", StateCode: "NV",
		StartDate: calendar.MustDate("2026-02-01").Time(), EndDate: calendar.MustDate("2026-02-28").Time(),
		FilingCategory: calendar.FilingRegular, Currency: "USD", Planned: true,
	}
	_, err := b.Store.Filings.InsertPlannedFilings(t.Context(), []models.Filing{february})
	require.NoError(t, err)
	for _, want := range []int{2, 0} {
		planned, err := planAll(t.Context(), b.Store, "2026-03-31")
		require.NoError(t, err)
		require.Equal(t, want, planned)
	}
	require.Equal(t, 1, b.Count(t, `
		SELECT count(*) FROM (SELECT string_agg(start_date || ' ' || end_date, ', ' ORDER BY start_date) AS periods
		  FROM filings WHERE registration_id = $1) f
		 WHERE periods = '2026-01-01 2026-01-31, 2026-02-01 2026-02-28, 2026-03-01 2026-03-31'`, r.ID))
}

func TestThePlanGoesOnWhereThePageEnded(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url})
	for range 3 {
		scope := storetest.Organization(t, url)
		for i := range 100 {
			register(t, s, scope, fmt.Sprintf("S%d", i), calendar.FilingMonthly, "2026-01-01")
		}
	}
	first, err := s.Filings.PlanFilings(t.Context(), models.PlanCursor{}, periodsUntil("2026-01-31"))
	require.NoError(t, err)
	require.Equal(t, models.PlanPage{Registrations: 200, Planned: 200, Next: first.Next}, first)
	second, err := s.Filings.PlanFilings(t.Context(), first.Next, periodsUntil("2026-01-31"))
	require.NoError(t, err)
	require.Equal(t, models.PlanPage{Registrations: 100, Planned: 100, Next: second.Next, Done: true}, second)
}

// A page is bounded by what it writes, too: years without returns are many filings.
func TestAPageOfThePlanEndsWithItsFilings(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url})
	scope := storetest.Organization(t, url)
	for i := range 5 {
		register(t, s, scope, []string{"AL", "AR", "AZ", "CA", "CO"}[i], calendar.FilingSemiMonthly, "2016-12-01")
	}
	page, err := s.Filings.PlanFilings(t.Context(), models.PlanCursor{}, periodsUntil("2026-10-31"))
	require.NoError(t, err)
	require.Equal(t, models.PlanPage{
		Registrations: 2, Planned: 2 * 238, Next: page.Next,
	}, page, "the second exceeds what one page writes")
	planned, err := planAll(t.Context(), s, "2026-10-31")
	require.NoError(t, err)
	require.Equal(t, 3*238, planned, "the others follow")
}
