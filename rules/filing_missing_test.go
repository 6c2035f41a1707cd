package rules_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// A quarter is wanted. Returns that share days with it say which of its days are still to be filed, and whether people
// have to decide about them first (!).
func TestOfAWantedFilingOnlyTheDaysAreMadeThatNoOtherStandsFor(t *testing.T) {
	t.Parallel()
	const january, february = "2026-01-01 2026-01-31", "2026-02-01 2026-02-28"
	const quarter, march, toMarch15 = "2026-01-01 2026-03-31", "2026-03-01 2026-03-31", "2026-01-01 2026-03-15"
	own := func(days string, status models.FilingStatus, reason string) models.PlanReturn {
		start, end, _ := strings.Cut(days, " ")
		return models.PlanReturn{
			Start: calendar.MustDate(start), End: calendar.MustDate(end), Category: calendar.FilingRegular,
			Status: status, Own: true, Planned: true, CancelledReason: reason,
		}
	}
	with := func(r models.PlanReturn, change func(*models.PlanReturn)) models.PlanReturn {
		change(&r)
		return r
	}
	others := func(r *models.PlanReturn) { r.Own = false }
	manual := func(r *models.PlanReturn) { r.Planned = false }
	blocked := func(r *models.PlanReturn) { r.BlockApproval = true }
	prepayment := func(r *models.PlanReturn) { r.Category = calendar.FilingPrepayment }
	for name, c := range map[string]struct {
		returns   []models.PlanReturn
		laterFrom calendar.Date
		want      []string
	}{
		"nothing was filed": {want: []string{quarter}},
		"it was made": {
			returns: []models.PlanReturn{own(quarter, models.FilingUnfiled, "")},
		},
		"it was made and skipped": {
			returns: []models.PlanReturn{own(quarter, models.FilingSkipped, "")},
		},
		"it was made and cancelled": {
			returns: []models.PlanReturn{own(quarter, models.FilingCancelled, "no")},
		},
		"another category": {
			returns: []models.PlanReturn{with(own(quarter, models.FilingFiled, ""), prepayment)},
			want:    []string{quarter},
		},
		"its first month is filed": {
			returns: []models.PlanReturn{own(january, models.FilingFiled, "")},
			want:    []string{"2026-02-01 2026-03-31"},
		},
		"a month in the middle": {
			returns: []models.PlanReturn{own(february, models.FilingIssue, "")},
			want:    []string{january, march},
		},
		"other periods overlap": {
			returns: []models.PlanReturn{own("2025-12-01 2026-02-28", models.FilingFiled, "")},
			want:    []string{march},
		},
		"all is filed elsewhere": {
			returns: []models.PlanReturn{with(own(quarter, models.FilingFiled, ""), others)},
		},
		"skipped elsewhere": {
			returns: []models.PlanReturn{with(own(january, models.FilingSkipped, ""), others)},
			want:    []string{"2026-02-01 2026-03-31"},
		},
		"a manual one was skipped elsewhere": {
			returns: []models.PlanReturn{with(with(own(january, models.FilingSkipped, ""), others), manual)},
			want:    []string{quarter},
		},
		"a planned month was skipped": {
			returns: []models.PlanReturn{own(january, models.FilingSkipped, "")},
			want:    []string{"2026-02-01 2026-03-31"},
		},
		"a manual month was skipped": {
			returns: []models.PlanReturn{with(own(january, models.FilingSkipped, ""), manual)},
			want:    []string{quarter},
		},
		"and a later registration has its days": {
			returns:   []models.PlanReturn{with(own(january, models.FilingSkipped, ""), manual)},
			laterFrom: calendar.MustDate("2026-01-20"), want: []string{"2026-02-01 2026-03-31"},
		},
		"a month was cancelled": {
			returns: []models.PlanReturn{own(january, models.FilingCancelled, "no")},
			want:    []string{quarter + "!"},
		},
		"a manual month was cancelled": {
			returns: []models.PlanReturn{with(own(january, models.FilingCancelled, "no"), manual)},
			want:    []string{quarter},
		},
		"months ended with the frequency": {
			returns: []models.PlanReturn{own(january, models.FilingCancelled, models.EndedWithFrequency)},
			want:    []string{quarter},
		},
		"a longer one ended with the registration": {
			returns: []models.PlanReturn{own("2026-01-01 2026-06-30", models.FilingCancelled, models.EndedWithRegistration)},
			want:    []string{quarter},
		},
		"and waited for people": {
			returns: []models.PlanReturn{
				with(own("2026-01-01 2026-06-30", models.FilingCancelled, models.EndedWithRegistration), blocked),
			},
			want: []string{quarter + "!"},
		},
		"one that began before the registration was cancelled": {
			returns: []models.PlanReturn{own("2025-11-01 2026-03-31", models.FilingCancelled, models.RegisteredLater)},
			want:    []string{quarter},
		},
		"and waited for people, too": {
			returns: []models.PlanReturn{
				with(own("2025-11-01 2026-03-31", models.FilingCancelled, models.RegisteredLater), blocked),
			},
			want: []string{quarter + "!"},
		},
		"the registration was to begin later, and is not any more": {
			returns: []models.PlanReturn{
				own(quarter, models.FilingCancelled, models.RegisteredLater), own("2026-02-15 2026-03-31", models.FilingFiled, ""),
			},
			want: []string{"2026-01-01 2026-02-14"},
		},
		"people entered amounts in the one that took the place of another": {
			returns: []models.PlanReturn{
				own("2026-01-01 2026-06-30", models.FilingCancelled, models.EndedWithRegistration),
				with(own("2026-01-01 2026-05-15", models.FilingCancelled, models.EndedWithRegistration), blocked),
			},
			want: []string{quarter + "!"},
		},
		"people let the one go on that took the place of another": {
			returns: []models.PlanReturn{
				with(own("2025-11-01 2026-03-31", models.FilingCancelled, models.RegisteredLater), blocked),
				own("2025-12-01 2026-03-31", models.FilingCancelled, models.RegisteredLater),
			},
			want: []string{quarter},
		},
		"a shorter one ended with it": {
			returns: []models.PlanReturn{with(own(toMarch15, models.FilingCancelled, models.EndedWithRegistration), blocked)},
			want:    []string{quarter},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wanted := models.Filing{
				ID: "filg_1", FilingCategory: calendar.FilingRegular,
				StartDate: calendar.MustDate("2026-01-01").Time(), EndDate: calendar.MustDate("2026-03-31").Time(),
			}
			var made []string
			entry := models.PlanEntry{LaterFrom: c.laterFrom, Returns: c.returns}
			for i, f := range rules.MissingFilings(entry, []models.Filing{wanted}) {
				require.Equal(t, i == 0, f.ID == wanted.ID, "each has an id of its own")
				days := f.StartDate.Format(time.DateOnly) + " " + f.EndDate.Format(time.DateOnly)
				if f.BlockApproval {
					days += "!"
				}
				made = append(made, days)
			}
			require.Equal(t, c.want, made)
		})
	}
}

// What is planned late waits for people, unless it takes the place of one that did not. That is not so where the
// registration was to begin later, and does not any more: meanwhile nobody had wanted a return.
func TestAFilingThatIsCutShortIsNoLaterThanTheOneBefore(t *testing.T) {
	t.Parallel()
	late := models.Filing{
		FilingCategory: calendar.FilingRegular,
		StartDate:      calendar.MustDate("2026-01-11").Time(), EndDate: calendar.MustDate("2026-01-20").Time(),
	}
	late.BlockForPeople("late")
	missing := rules.MissingFilings(models.PlanEntry{}, []models.Filing{late})
	require.True(t, missing[0].BlockApproval)
	for before, waits := range map[models.PlanReturn]bool{
		{Start: 20260111, End: 20260131, CancelledReason: models.EndedWithRegistration}: false,
		{Start: 20260101, End: 20260120, CancelledReason: models.RegisteredLater}:       false,
		{Start: 20260111, End: 20260120, CancelledReason: models.RegisteredLater}:       true,
		{Start: 20260101, End: 20260131, CancelledReason: models.RegisteredLater}:       true,
	} {
		before.Category, before.Status, before.Own, before.Planned = calendar.FilingRegular, models.FilingCancelled, true, true
		missing = rules.MissingFilings(models.PlanEntry{Returns: []models.PlanReturn{before}}, []models.Filing{late})
		require.Equal(t, []bool{waits, waits}, []bool{missing[0].BlockApproval, missing[0].InternalNotes != nil}, before)
	}
}
