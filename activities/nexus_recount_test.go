package activities

import (
	"bytes"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/calendar"
)

// The changes of an obligation are passed to the store as they are, and once more in a second attempt.
func TestObligationActivitiesPassTheirInputToTheStoreAgainOnRetry(t *testing.T) {
	t.Parallel()
	ref := models.NexusRef{OrganizationID: "org_1", NexusID: "nexs_1"}
	change := models.ObligationChange{NexusRef: ref, Countries: []string{"US"}, State: "TX"}
	cursor := models.ObligationCursor{Day: calendar.MustDate("2026-01-31"), TransactionID: "tran_9"}
	versions := []models.TransactionVersion{{ID: "tran_1", Epoch: 2}}
	for name, c := range map[string]struct {
		in   any
		args []any
		run  bool // the attempt is noted in the journal
		want any
	}{
		"FindObligation": {ref, []any{ref}, false, FindObligationResult{Change: &change}},
		"RequeueForObligation": {
			RequeueForObligationInput{Change: change, After: cursor}, []any{change, cursor}, true,
			models.ObligationStep{Requeued: 4, Done: true},
		},
		"RequeueCalculated": {
			RequeueCalculatedInput{Nexus: ref, Versions: versions}, []any{ref, versions}, true,
			RequeueCalculatedResult{Requeued: 1},
		},
		"ApplyObligation": {change, []any{change}, false, ApplyObligationResult{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			method := map[string]string{"FindObligation": "NexusObligation"}[name]
			if method == "" {
				method = name
			}
			store := &nexusFake{change: &change}
			work, _ := newNexusOn(t, store)
			for range 2 {
				value, err := attempt{}.run(t, work, name, c.in)
				require.NoError(t, err)
				switch want := c.want.(type) {
				case FindObligationResult:
					requireResult(t, want, value.Get)
				case models.ObligationStep:
					requireResult(t, want, value.Get)
				case RequeueCalculatedResult:
					requireResult(t, want, value.Get)
				case ApplyObligationResult:
					requireResult(t, want, value.Get)
				}
			}
			require.Len(t, store.of(method), 2)
			for _, made := range store.of(method) {
				if c.run {
					require.Equal(t, 1, made.Args[0].(models.StageRun).Attempt)
					made.Args = made.Args[1:]
				}
				require.Equal(t, c.args, made.Args)
			}
			for class, want := range storeErrors {
				store.fail(method, want.err)
				left := attempt{used: MaxDefects}.failing(t, work, name, c.in)
				require.Equal(t, want.errType, left.Type(), class)
				require.False(t, left.NonRetryable(), class)
			}
		})
	}
	t.Run("liabilities that follow already", func(t *testing.T) {
		t.Parallel()
		work, _ := newNexusOn(t, &nexusFake{})
		require.Nil(t, execute[FindObligationResult](t, work, "FindObligation", ref).Change)
	})
}

func requireResult[R any](t *testing.T, want R, get func(any) error) {
	t.Helper()
	var got R
	require.NoError(t, get(&got))
	require.Equal(t, want, got)
}

// differing is a difference of a kind.
func differing(kind string) models.NexusDifference {
	return models.NexusDifference{
		OrganizationID: "org_1", Kind: kind, CountryCode: "US", StateCode: "TX", TransactionID: new("tran_1"),
		Day: ourMoment,
	}
}

// A step counts what changed in one organization and the days of it, then its full pass, and every difference is counted
// in the metrics.
func TestARecountCountsChangesThenAFullPass(t *testing.T) {
	t.Parallel()
	end := models.NexusRecountPlace{CountryCode: "US", StateCode: "TX"}
	store := &nexusFake{
		organizations: []string{"org_1", "org_2"},
		changes:       [][]string{{"tran_1", "tran_2"}},
		recounts: []models.NexusRecountStep{
			{Counted: 2, Differences: []models.NexusDifference{differing(models.NexusDifferenceContribution)}},
			{Counted: 500, Next: "tran_500", Page: []string{"tran_3", "tran_500"}}, {Counted: 20, Page: []string{"tran_520"}},
		},
		slices: []*models.NexusRecountPlace{&end, nil, nil}, changedReturns: []string{"file_1"}, returns: []string{"file_9", ""},
		seals: []models.SealSlice{
			{Through: 7, CoveredFrom: 2, Done: true}, {Through: 4, CoveredFrom: 2}, {Through: 9, CoveredFrom: 2, Done: true},
		},
	}
	work, repaired := newNexusOn(t, store)
	result := execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{})
	require.Equal(t, RecountNexusResult{Next: RecountNexusInput{Organization: "org_1", Pages: 1}, Counted: 522, Differences: 1}, result)
	require.Equal(t, RecountNexusInput{After: "org_1"}, execute[RecountNexusResult](t, work, "RecountNexus", result.Next).Next)
	require.Equal(t, []string{models.NexusDifferenceContribution}, *repaired)
	require.Equal(t, []call{
		{"RecountContributions", []any{"org_1", []string{"tran_1", "tran_2"}, true}},
		{"RecountContributions", []any{"org_1", "", true}},
		{"RecountContributions", []any{"org_1", "tran_500", true}},
	}, store.of("RecountContributions"))
	require.Equal(t, []call{{"RecountDaysOf", []any{"org_1", []string{"tran_1", "tran_2"}, true}}}, store.of("RecountDaysOf"))
	require.Equal(t, []call{
		{"RecountSlice", []any{"org_1", models.RecountCounters, "", true}},
		{"RecountSlice", []any{"org_1", models.RecountCounters, "TX", true}},
		{"RecountSlice", []any{"org_1", models.RecountTaxes, "", true}},
	}, store.of("RecountSlice"))
	require.Equal(t, []call{
		{"CheckChanged", []any{"org_1", models.RecordTransactions, []string{"tran_1", "tran_2"}}},
		{"CheckChanged", []any{"org_1", models.RecordReturns, []string{"file_1"}}},
	}, store.of("CheckChanged"))
	require.Equal(t, []call{{"CheckAgain", []any{"org_1"}}}, store.of("CheckAgain"))
	require.Equal(t, []call{
		{"CheckSome", []any{"org_1", models.RecordTransactions, []string{"tran_3", "tran_500"}}},
		{"CheckSome", []any{"org_1", models.RecordTransactions, []string{"tran_520"}}},
	}, store.of("CheckSome"))
	require.Equal(t, []call{{"CheckReturns", []any{"org_1", ""}}, {"CheckReturns", []any{"org_1", "file_9"}}}, store.of("CheckReturns"))
	require.Equal(t, []call{
		{"VerifySeals", []any{"org_1", int64(0), int64(0)}}, {"VerifySeals", []any{"org_1", int64(0), int64(2)}},
		{"VerifySeals", []any{"org_1", int64(4), int64(2)}},
	}, store.of("VerifySeals"))
	require.Len(t, store.of("CheckFigures"), 1)
	require.Equal(t, []call{{"ForgetViolations", []any{"org_1"}}}, store.of("ForgetViolations"))
	saved := store.of("SaveRecountProgress")
	require.Len(t, saved, 11, "each page is recorded once it is compared")
	require.Equal(t, []any{"org_1", int64(2), models.RecountTransactions, "", true, false, false}, saved[0].Args)
	require.Equal(t, []any{"org_1", int64(2), models.RecountSeals, "4", false, false, false}, saved[8].Args)
	require.Equal(t, []any{"org_1", int64(2), models.RecountTransactions, "", false, true, true}, saved[10].Args)
	require.Equal(t, int64(10), store.progress.Pages, "the next pass expects as many")
	require.Equal(t, int64(520), store.progress.Counted)
	require.Equal(t, int64(7), store.progress.SealedThrough)

	done := execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{After: "org_2"})
	require.True(t, done.Done)
}

// Of a large organization a night counts all changes but only a part of the full pass, in steps of few pages. The next
// night goes on where the record says.
func TestANightOfALargeOrganizationIsBounded(t *testing.T) {
	t.Parallel()
	store := &nexusFake{organizations: []string{"org_1"}, progress: models.NexusRecountProgress{
		After: "tran_7", AfterEvent: 70, Expected: 20 * nightsOfPass,
	}}
	for range recountPages + 2 {
		store.changes = append(store.changes, []string{"tran_x"})
	}
	work, _ := newNexusOn(t, store)
	for range 200 {
		store.recounts = append(store.recounts, models.NexusRecountStep{Counted: 1, Next: "tran_y"})
	}
	at, steps := RecountNexusInput{}, 0
	for ; at.After == ""; steps++ {
		result := execute[RecountNexusResult](t, work, "RecountNexus", at)
		require.LessOrEqual(t, result.Counted, recountPages)
		at = result.Next
	}
	require.Equal(t, RecountNexusInput{After: "org_1"}, at)
	require.Len(t, store.of("RecountDaysOf"), recountPages+2)
	require.Len(t, store.of("RecountContributions"), recountPages+2+recountPages+20)
	require.Equal(t, []any{"org_1", "tran_7", true}, store.of("RecountContributions")[recountPages+2].Args)
	require.Empty(t, store.of("RecountSlice"))
	require.Equal(t, "tran_y", store.progress.After)
	require.Equal(t, int64(70+recountPages+2), store.progress.AfterEvent)
	require.Equal(t, (recountPages+2+recountPages+20+recountPages-1)/recountPages, steps)
}

// A record that violates a rule is logged and counted in the result, from wherever it was found.
func TestViolationsOfANightAreLogged(t *testing.T) {
	t.Parallel()
	store := &nexusFake{
		recorder: &recorder{}, organizations: []string{"org_1"}, changes: [][]string{{"tran_1"}}, changedReturns: []string{"file_1"},
		seals: []models.SealSlice{
			{Through: 3, Done: true, Broken: "row audt_1 of seal 4 was changed"}, {Done: true, Broken: "seal 1 is missing"},
		},
		violations: map[models.RecordKind][]models.RecordViolation{},
	}
	for _, kind := range []models.RecordKind{
		models.RecordTransactions, models.RecordReturns, models.RecordOrganization, models.RecordFigures,
	} {
		store.violations[kind] = []models.RecordViolation{{Rule: "I-0 a rule", Record: "of " + string(kind)}}
	}
	work, _ := newNexusOn(t, store)
	var said bytes.Buffer
	work.log = slog.New(slog.NewTextHandler(&said, nil))
	result := execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{})
	require.Equal(t, 8, result.Violations)
	for _, record := range []string{
		"of TRANSACTIONS", "of RETURNS", "of ORGANIZATION", "of FIGURES", "row audt_1 of seal 4 was changed", "seal 1 is missing",
	} {
		require.Contains(t, said.String(), record)
	}
}

// An organization that cannot be counted is recorded after some attempts, and the next one follows. Where that cannot be
// recorded, all is down and waits.
func TestOneOrganizationStopsNoOtherRecount(t *testing.T) {
	t.Parallel()
	for _, method := range []string{
		"RecountProgress", "ChangedRecords", "RecountContributions", "RecountDaysOf", "SaveRecountProgress", "CheckChanged",
		"VerifySeals", "CheckAgain", "CheckSome", "CheckReturns", "CheckFigures", "ForgetViolations",
	} {
		for class, want := range storeErrors {
			store := &nexusFake{organizations: []string{"org_1"}, changes: [][]string{{"tran_1"}}}
			work, _ := newNexusOn(t, store)
			store.fail(method, want.err)
			left := attempt{}.failing(t, work, "RecountNexus", RecountNexusInput{})
			require.Equal(t, want.errType, left.Type(), class)
			require.False(t, left.NonRetryable(), class)

			store.changes = [][]string{{"tran_1"}}
			store.fail(method, want.err, want.err)
			store.fail("FailRecount", models.ErrUnavailable)
			left = attempt{used: MaxDefects - 1}.failing(t, work, "RecountNexus", RecountNexusInput{})
			require.Equal(t, want.errType, left.Type(), class)

			store.changes = [][]string{{"tran_1"}}
			value, err := attempt{used: MaxDefects}.run(t, work, "RecountNexus", RecountNexusInput{})
			require.NoError(t, err)
			requireResult(t, RecountNexusResult{Next: RecountNexusInput{After: "org_1"}}, func(to any) error {
				err := value.Get(to)
				to.(*RecountNexusResult).Counted = 0
				return err
			})
			require.Equal(t, []any{"org_1", want.code}, store.of("FailRecount")[1].Args)
		}
	}
	store := &nexusFake{organizations: []string{"org_1"}}
	work, _ := newNexusOn(t, store)
	store.fail("OrganizationsAfter", models.ErrUnavailable)
	left := attempt{used: MaxDefects}.failing(t, work, "RecountNexus", RecountNexusInput{})
	require.False(t, left.NonRetryable())
	require.Empty(t, store.of("FailRecount"))
}

// The command counts without a workflow, with or without repairing.
func TestTheCommandRecountsWithoutAWorkflow(t *testing.T) {
	t.Parallel()
	for _, repair := range []bool{false, true} {
		store := &nexusFake{
			recorder: &recorder{}, counters: []models.NexusDifference{differing(models.NexusDifferenceTax)},
			recounts: []models.NexusRecountStep{
				{Counted: 2, Next: "tran_2"},
				{Counted: 1, Differences: []models.NexusDifference{differing("CONTRIBUTION")}},
			},
		}
		var found []string
		counted, err := Recount(
			t.Context(), store, "org_1", repair,
			func(d models.NexusDifference) { found = append(found, d.Kind) },
		)
		require.NoError(t, err)
		require.Equal(t, 3, counted)
		require.Equal(t, []string{models.NexusDifferenceContribution, models.NexusDifferenceTax}, found)
		require.Equal(t, []any{"org_1", "tran_2", repair}, store.of("RecountContributions")[1].Args)
		require.Equal(t, []any{"org_1", repair}, store.of("RecountCounters")[0].Args)
		store.fail("RecountContributions", models.ErrUnavailable)
		_, err = Recount(t.Context(), store, "org_1", repair, nil)
		require.ErrorIs(t, err, models.ErrUnavailable)
	}
}
