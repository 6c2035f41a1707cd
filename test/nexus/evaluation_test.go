package nexus_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
	"levy/test/testbed"
)

// inForce is tax content that does not change.
type inForce struct{ *tax.Content }

func (inForce) Refresh(context.Context) error { return nil }
func (c inForce) Current() *tax.Content       { return c.Content }

// evaluator evaluates nexus on any day, without the service.
type evaluator struct {
	t       *testing.T
	bed     *testbed.Bed
	store   *store.Store
	env     *testsuite.TestActivityEnvironment
	nexus   *activities.Nexus
	content inForce
	scope   models.Scope
}

func newEvaluator(t *testing.T) *evaluator {
	t.Helper()
	bed := testbed.New(t, testbed.Options{})
	s, err := store.Open(t.Context(), store.Options{URL: bed.DatabaseURL})
	require.NoError(t, err)
	t.Cleanup(s.Close)
	taxes, err := tax.LoadContent()
	require.NoError(t, err)
	require.NoError(t, s.Nexus.RecordNexusJurisdictions(t.Context(),
		models.NexusJurisdictionsOf(taxes, calendar.MustDate("2026-05-15"))))
	_, _, err = s.Nexus.EnsureNexusRecords(t.Context(), "")
	require.NoError(t, err)
	e := &evaluator{t: t, bed: bed, store: s, content: inForce{taxes},
		scope: models.Scope{OrganizationID: bed.OrganizationID}}
	e.nexus = activities.NewNexus(s.Evaluation(), s.Records(nil), e.content, nexus.ApproachingPercent, func(string) {},
		slog.New(slog.DiscardHandler))
	e.env = (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
	e.env.RegisterActivity(e.nexus)
	return e
}

// on evaluates all nexus for a day, like the nightly run, and returns the record of Texas.
func (e *evaluator) on(day string) models.NexusRecord {
	e.t.Helper()
	_, err := e.env.ExecuteActivity(e.nexus.EvaluateNexus,
		activities.EvaluateNexusInput{Organizations: []string{e.bed.OrganizationID}, Today: day, All: true})
	require.NoError(e.t, err)
	list, err := e.store.Nexus.ListNexus(e.t.Context(), e.scope,
		models.NexusFilter{States: []string{"TX"}, Today: calendar.MustDate(day).Time()}, nil, models.Page{Limit: 1})
	require.NoError(e.t, err)
	return list.Items[0]
}

func (e *evaluator) present(start, end string) {
	e.t.Helper()
	p := models.PhysicalNexus{ID: models.NewID(models.PrefixPhysicalNexus), CountryCode: "US", StateCode: "TX",
		StartDate: calendar.MustDate(start).Time(), Category: "WAREHOUSE_AND_INVENTORY_PRESENCE", Source: "USER"}
	if end != "" {
		last := calendar.MustDate(end).Time()
		p.EndDate = &last
	}
	require.NoError(e.t, e.store.Nexus.CreatePhysicalNexus(e.t.Context(), e.scope, models.Actor{}, &p))
}

func TestADisregardEndsWithItsDay(t *testing.T) {
	t.Parallel()
	e := newEvaluator(t)
	e.present("2026-02-01", "")
	met := e.on("2026-05-10")
	require.True(t, met.NexusMet)
	require.Equal(t, models.NexusExposed, met.Status)
	require.Equal(t, "2026-02-01", met.ObligationStartDate.Format("2006-01-02"))

	everyKind := []models.NexusKind{models.NexusEconomic, models.NexusPhysical, models.NexusCollectedTax}
	now, until, reason := calendar.MustDate("2026-05-10").Time(), calendar.MustDate("2026-05-12").Time(), "Closing down"
	_, err := e.store.Nexus.DisregardNexus(t.Context(), e.scope, models.Actor{}, met.ID,
		func(r *models.NexusRecord) error {
			r.Disregard = models.NexusDisregard{DisregardedAt: &now, DisregardReason: &reason, DisregardedUntil: &until,
				Kinds: everyKind}
			return nil
		})
	require.NoError(t, err)
	for _, day := range []string{"2026-05-10", "2026-05-11"} {
		r := e.on(day)
		require.False(t, r.NexusMet, day)
		require.Nil(t, r.NexusMetDate, day)
		require.Nil(t, r.ObligationStartDate, day)
		require.Nil(t, r.ObligedFrom, "%s: nothing is owed", day)
		require.Equal(t, models.NexusExposed, r.Status, "%s: the status stays", day)
		require.True(t, r.Disregard.On(calendar.MustDate(day).Time()), day)
	}
	r := e.on("2026-05-12")
	require.True(t, r.NexusMet, "the day on which it ends")
	require.Equal(t, "2026-02-01", r.NexusMetDate.Format("2006-01-02"))
	require.Equal(t, "2026-02-01", r.ObligedFrom.Format("2006-01-02"))
	require.False(t, r.Disregard.On(until))
}

func TestDaysBetweenTwoPresencesObligeToNothing(t *testing.T) {
	t.Parallel()
	e := newEvaluator(t)
	e.present("2026-01-01", "2026-01-31")
	e.present("2026-03-01", "2026-03-31")
	r := e.on("2026-03-15")
	require.Equal(t, "2026-01-01", r.ObligedFrom.Format("2006-01-02"))
	require.Equal(t, "2026-03-31", r.ObligedUntil.Format("2006-01-02"))
	require.Equal(t, []models.Gap{{Start: calendar.MustDate("2026-02-01"), End: calendar.MustDate("2026-02-28")}},
		r.ObligedGaps)
	require.Equal(t, models.NexusExposed, r.Status)
	updated := r.UpdatedAt
	require.Equal(t, updated, e.on("2026-03-15").UpdatedAt, "an evaluation with the same result changes nothing")
	require.Equal(t, models.NexusNotExposed, e.on("2026-04-01").Status, "the presence has ended")
	e.present("2026-02-01", "")
	r = e.on("2026-04-01")
	require.Empty(t, r.ObligedGaps)
	require.Nil(t, r.ObligedUntil)
}

// interrupted is a store that does not answer anymore once the records are written.
type interrupted struct {
	store.Evaluation
	at string
}

func (i interrupted) AutoRegister(
	ctx context.Context, scope models.Scope, now time.Time,
	frequency func(country, state string) calendar.FilingFrequency,
) (int, error) {
	if i.at == "registrations" {
		return 0, models.ErrUnavailable
	}
	return i.Evaluation.AutoRegister(ctx, scope, now, frequency)
}

func (i interrupted) NexusObligations(ctx context.Context, organizationIDs []string) ([]models.ChangedObligation, error) {
	if i.at == "obligations" {
		return nil, models.ErrUnavailable
	}
	return i.Evaluation.NexusObligations(ctx, organizationIDs)
}

// An evaluation that fails after its last retry must be repeated from the list.
func TestAnOrganizationStaysOnTheListUntilAllOfItsEvaluationIsDone(t *testing.T) {
	t.Parallel()
	e := newEvaluator(t)
	e.present("2026-02-01", "")
	listed := func() []string {
		organizations, err := e.store.Nexus.LeaseNexus(t.Context(), 10, 0)
		require.NoError(t, err)
		return organizations
	}
	today := activities.EvaluateNexusInput{Organizations: []string{e.bed.OrganizationID}, Today: "2026-05-10"}
	for _, at := range []string{"registrations", "obligations"} {
		nexus := activities.NewNexus(interrupted{e.store.Evaluation(), at}, e.store.Records(nil), e.content, nexus.ApproachingPercent,
			func(string) {}, slog.New(slog.DiscardHandler))
		env := (&testsuite.WorkflowTestSuite{}).NewTestActivityEnvironment()
		env.RegisterActivity(nexus)
		_, err := env.ExecuteActivity(nexus.EvaluateNexus, today)
		require.Error(t, err, at)
		require.Equal(t, []string{e.bed.OrganizationID}, listed(), at)
	}
	again, err := e.env.ExecuteActivity(e.nexus.EvaluateNexus, today)
	require.NoError(t, err)
	var result activities.EvaluateNexusResult
	require.NoError(t, again.Get(&result))
	require.Len(t, result.Obligations, 1, "the result of an earlier try")
	require.Equal(t, "US-TX", result.Obligations[0].Jurisdiction)
	require.NotEmpty(t, result.Obligations[0].Organization)
	require.Empty(t, listed())
}
