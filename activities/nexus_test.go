package activities

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

var evaluateTwo = EvaluateNexusInput{Organizations: []string{"org_1", "org_2"}, Today: "2026-07-01"}

func twoCases() map[string]models.NexusCase {
	return map[string]models.NexusCase{"org_1": inTexas("org_1", "100.00"), "org_2": inTexas("org_2", "450000.00")}
}

// The changes are removed from the list last: after an earlier failure the next attempt finds them again.
func TestAnEvaluationRemovesItsChangesFromTheListLast(t *testing.T) {
	t.Parallel()
	obligation := models.ChangedObligation{NexusRef: models.NexusRef{OrganizationID: "org_2", NexusID: "nexs_org_2"}}
	store := &nexusFake{cases: twoCases(), obligations: []models.ChangedObligation{obligation}}
	work, _ := newNexusOn(t, store)
	result := execute[EvaluateNexusResult](t, work, "EvaluateNexus", evaluateTwo)
	require.Equal(t, EvaluateNexusResult{
		Evaluated: 2, Changed: 2, Obligations: []models.ChangedObligation{obligation},
	}, result)
	each := []string{"LoadNexus", "NexusDetail", "SaveNexusRecords", "AutoRegister"}
	require.Equal(t, slices.Concat([]string{"Refresh"}, each, each, []string{
		"NexusObligations", "DeleteEvaluatedChanges",
	}), store.methods())
	require.Equal(t, []any{[]models.NexusSeen{
		{
			OrganizationID: "org_1", Changes: store.cases["org_1"].Changes,
		}, {OrganizationID: "org_2", Changes: store.cases["org_2"].Changes},
	}}, store.of("DeleteEvaluatedChanges")[0].Args)
	require.Equal(t, []any{"org_1", calendar.MustDate("2026-07-01"), false}, store.of("LoadNexus")[0].Args)
	require.Equal(t, []any{
		models.Scope{OrganizationID: "org_2"}, calendar.MustDate("2026-07-01").Time(),
	}, store.of("AutoRegister")[1].Args)
}

// An evaluation saves what the rules decide about the sums of the days.
func TestAnEvaluationSavesWhatTheRulesDecide(t *testing.T) {
	t.Parallel()
	store := &nexusFake{cases: twoCases()}
	work, _ := newNexusOn(t, store)
	execute[EvaluateNexusResult](t, work, "EvaluateNexus", evaluateTwo)
	saved := map[string]models.NexusEvaluated{}
	for _, c := range store.of("SaveNexusRecords") {
		saved[c.Args[0].(string)] = c.Args[1].([]models.NexusEvaluated)[0]
	}
	require.Equal(t, models.NexusNotExposed, saved["org_1"].Status)
	require.Equal(t, models.NexusApproaching, saved["org_2"].Status)
	for _, s := range saved {
		require.True(t, s.Changed)
		require.EqualValues(t, 7, *s.Evaluated, "the changes that were read before")
		require.Equal(t, calendar.MustDate("2026-07-01").Time(), *s.EvaluatedOn)
		require.NotEmpty(t, *s.ContentVersion)
	}
}

// A record that another process has written meanwhile is evaluated again: its changes stay.
func TestARecordThatWasWrittenMeanwhileStaysOnTheList(t *testing.T) {
	t.Parallel()
	store := &nexusFake{cases: twoCases(), newer: true}
	work, _ := newNexusOn(t, store)
	result := execute[EvaluateNexusResult](t, work, "EvaluateNexus", evaluateTwo)
	require.Equal(t, 0, result.Evaluated)
	require.Empty(t, store.of("DeleteEvaluatedChanges")[0].Args[0])
}

// One organization that cannot be evaluated leaves all changes of the batch on the list; the
// next attempt evaluates all of them.
func TestAnEvaluationThatFailsLeavesItsChangesOnTheList(t *testing.T) {
	t.Parallel()
	for class, want := range storeErrors {
		store := &nexusFake{cases: twoCases()}
		work, _ := newNexusOn(t, store)
		store.fail("LoadNexus", nil, want.err)
		left := attempt{used: MaxDefects}.failing(t, work, "EvaluateNexus", evaluateTwo)
		require.Equal(t, want.errType, left.Type(), class)
		require.False(t, left.NonRetryable(), class)
		require.Equal(t, want.code, codeOf(t, left), class)
		require.Empty(t, store.of("DeleteEvaluatedChanges"), class)
		require.Equal(t, 2, execute[EvaluateNexusResult](t, work, "EvaluateNexus", evaluateTwo).Evaluated, class)
	}
}

func TestAnEvaluationStopsAtItsFirstError(t *testing.T) {
	t.Parallel()
	for _, method := range []string{
		"Refresh", "LoadNexus", "NexusDetail", "SaveNexusRecords", "AutoRegister", "NexusObligations", "DeleteEvaluatedChanges",
	} {
		store := &nexusFake{cases: twoCases()}
		work, _ := newNexusOn(t, store)
		store.fail(method, models.ErrUnavailable)
		require.Equal(t, ErrTypeInfrastructure, attempt{}.failing(t, work, "EvaluateNexus", evaluateTwo).Type(), method)
		require.Equal(t, method, store.calls[len(store.calls)-1].Method)
		require.Equal(t, method == "DeleteEvaluatedChanges", len(store.of("DeleteEvaluatedChanges")) == 1)
	}
}

// The sale that crossed the threshold is found in the order of the sales of its day. It is searched for again only if
// it may be another one.
func TestTheSaleThatCrossedTheThresholdIsFound(t *testing.T) {
	t.Parallel()
	sales := []models.NexusSale{
		saleInTexas("tran_1", "300000.00"), saleInTexas("tran_2", "200000.00"), saleInTexas("tran_3", "1.00"),
	}
	crossed := func(store *nexusFake, all bool) models.NexusEvaluated {
		work, _ := newNexusOn(t, store)
		in := EvaluateNexusInput{Organizations: []string{"org_1"}, Today: "2026-07-01", All: all}
		execute[EvaluateNexusResult](t, work, "EvaluateNexus", in)
		return store.of("SaveNexusRecords")[0].Args[1].([]models.NexusEvaluated)[0]
	}
	first := &nexusFake{cases: map[string]models.NexusCase{"org_1": inTexas("org_1", "500001.00")}, sales: sales}
	found := crossed(first, false)
	require.Equal(t, models.NexusExposed, found.Status)
	require.Equal(t, "tran_2", found.Crossing.TransactionID)
	require.Equal(t, "500000.00", found.Crossing.RunningSalesTotal.String())
	require.Equal(t, 2, found.Crossing.RunningTransactionCount)
	require.Equal(t, []any{
		"org_1", []string{"US"}, "TX", calendar.MustDate("2026-05-01").Time(),
	}, first.of("NexusSales")[0].Args)
	for name, c := range map[string]struct {
		stillThere, all bool
		reads           int
	}{
		"it is still there":                  {true, false, 0},
		"it was cancelled":                   {false, false, len(first.of("NexusSales"))},
		"every night it is read once more":   {true, true, len(first.of("NexusSales"))},
		"every night, also when it was gone": {false, true, len(first.of("NexusSales"))},
	} {
		again := inTexas("org_1", "500001.00")
		again.Records[0] = found.NexusState
		store := &nexusFake{cases: map[string]models.NexusCase{"org_1": again}, sales: sales, stillThere: c.stillThere}
		evaluated := crossed(store, c.all)
		require.Len(t, store.of("NexusSales"), c.reads, name)
		require.Equal(t, "tran_2", evaluated.Crossing.TransactionID, name)
		require.Equal(t, c.all, len(store.of("TransactionContributes")) == 0, name)
	}
}

// Sales in another currency are converted by the rate of their day before they count.
func TestSalesInAnotherCurrencyAreConverted(t *testing.T) {
	t.Parallel()
	euros := inTexas("org_1", "260000.00")
	euros.Days[0].Currency = "EUR"
	store := &nexusFake{cases: map[string]models.NexusCase{"org_1": euros}}
	work, _ := newNexusOn(t, store)
	execute[EvaluateNexusResult](t, work, "EvaluateNexus", EvaluateNexusInput{
		Organizations: []string{"org_1"}, Today: "2026-07-01",
	})
	pair := models.CurrencyPair{From: "EUR", To: "USD", Day: calendar.MustDate("2026-05-01").Time()}
	require.Contains(t, store.of("ConversionRates")[0].Args[0], pair)
	require.Equal(t, models.NexusExposed, store.of("SaveNexusRecords")[0].Args[1].([]models.NexusEvaluated)[0].Status)
}

// The daily run evaluates everything, page by page.
func TestTheDailyRunEvaluatesAllOrganizationsPageByPage(t *testing.T) {
	t.Parallel()
	store := &nexusFake{cases: twoCases(), organizations: []string{"org_1", "org_2"}}
	work, _ := newNexusOn(t, store)
	for range 2 {
		page := execute[NexusPageResult](t, work, "EvaluateNexusPage", NexusPageInput{Today: "2026-07-01"})
		require.Equal(t, NexusPageResult{Organizations: 2, Evaluated: 2, Changed: 2, Next: "org_2", Done: true}, page)
	}
	require.Equal(t, []any{"", nexusPage}, store.of("OrganizationsAfter")[0].Args)
	require.Equal(t, true, store.of("LoadNexus")[0].Args[2], "also what has not changed")
	end := execute[NexusPageResult](t, work, "EvaluateNexusPage", NexusPageInput{Today: "2026-07-01", After: "org_2"})
	require.Equal(t, NexusPageResult{Next: "org_2", Done: true}, end)
	store.fail("OrganizationsAfter", models.ErrUnavailable)
	left := attempt{}.failing(t, work, "EvaluateNexusPage", NexusPageInput{Today: "2026-07-01"})
	require.Equal(t, ErrTypeInfrastructure, left.Type())
}

// The jurisdictions are recorded before the first organization gets its records.
func TestNewJurisdictionsAreStoredBeforeTheRecordsOfOrganizations(t *testing.T) {
	t.Parallel()
	store := &nexusFake{}
	work, _ := newNexusOn(t, store)
	for range 2 {
		store.calls = nil
		page := execute[NexusPageResult](t, work, "EnsureNexusRecords", NexusPageInput{Today: "2026-07-01"})
		require.Equal(t, NexusPageResult{Changed: 3, Next: "org_1"}, page)
		require.Equal(t, []string{"Refresh", "RecordNexusJurisdictions", "EnsureNexusRecords"}, store.methods())
		require.Equal(t, []any{true}, store.calls[1].Args)
	}
	last := execute[NexusPageResult](t, work, "EnsureNexusRecords", NexusPageInput{Today: "2026-07-01", After: "org_1"})
	require.True(t, last.Done)
	require.Len(t, store.of("Refresh"), 1, "the pages behind use what the first one found")
	for _, method := range []string{"Refresh", "RecordNexusJurisdictions", "EnsureNexusRecords"} {
		store.fail(method, models.ErrUnavailable)
		left := attempt{}.failing(t, work, "EnsureNexusRecords", NexusPageInput{Today: "2026-07-01"})
		require.Equal(t, ErrTypeInfrastructure, left.Type(), method)
	}
}

func TestNexusActivitiesRefuseInvalidInput(t *testing.T) {
	t.Parallel()
	store := &nexusFake{organizations: []string{"org_1"}}
	work, _ := newNexusOn(t, store)
	for name, in := range map[string]any{
		"EvaluateNexus":      EvaluateNexusInput{Organizations: []string{"org_1"}, Today: "today"},
		"EvaluateNexusPage":  NexusPageInput{Today: "today"},
		"EnsureNexusRecords": NexusPageInput{},
	} {
		left := attempt{}.failing(t, work, name, in)
		require.Equal(t, ErrTypeInvalidInput, left.Type(), name)
		require.True(t, left.NonRetryable(), name)
	}
	require.Equal(
		t, ErrTypeInvalidInput,
		attempt{}.failing(t, work, "EvaluateNexus", EvaluateNexusInput{Today: "2026-07-01"}).Type(),
	)
	require.Empty(t, store.of("LoadNexus"))
}
