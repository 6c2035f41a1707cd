package activities

import (
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

// A step counts some pages of one organization, its counters after the last, and every
// difference is counted in the metrics.
func TestARecountReadsAllPagesOfAnOrganization(t *testing.T) {
	t.Parallel()
	store := &nexusFake{
		organizations: []string{"org_1", "org_2"}, counters: []models.NexusDifference{
			differing(models.NexusDifferenceCounter),
		},
		recounts: []models.NexusRecountStep{
			{
				Counted: 500, Next: "tran_500",
			}, {Counted: 20, Differences: []models.NexusDifference{differing(models.NexusDifferenceContribution)}},
		},
	}
	work, repaired := newNexusOn(t, store)
	result := execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{})
	require.Equal(t, RecountNexusResult{Next: RecountNexusInput{After: "org_1"}, Counted: 520, Differences: 2}, result)
	require.Equal(t, []call{
		{"OrganizationsAfter", []any{"", 1}}, {"RecountContributions", []any{"org_1", "", true}},
		{"RecountContributions", []any{"org_1", "tran_500", true}}, {"RecountCounters", []any{"org_1", true}},
	}, store.calls)
	require.Equal(t, []string{models.NexusDifferenceContribution, models.NexusDifferenceCounter}, *repaired)
	end := execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{After: "org_2"})
	require.True(t, end.Done)
}

// A large organization takes several steps, each of which continues where the one before ended; its counters come
// last.
func TestARecountOfALargeOrganizationTakesSeveralSteps(t *testing.T) {
	t.Parallel()
	store := &nexusFake{}
	for range recountPages {
		store.recounts = append(store.recounts, models.NexusRecountStep{Counted: 1, Next: "tran_x"})
	}
	work, _ := newNexusOn(t, store)
	next := RecountNexusInput{Organization: "org_1", Transaction: "tran_a"}
	result := execute[RecountNexusResult](t, work, "RecountNexus", next)
	require.Equal(t, RecountNexusInput{Organization: "org_1", Transaction: "tran_x"}, result.Next)
	require.Equal(t, recountPages, result.Counted)
	require.Empty(t, store.of("RecountCounters"))
	execute[RecountNexusResult](t, work, "RecountNexus", result.Next)
	require.Equal(t, []any{"org_1", "tran_x", true}, store.of("RecountContributions")[recountPages].Args)
	require.Len(t, store.of("RecountCounters"), 1)
}

func TestErrorsOfTheStoreInARecountAreRetried(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"OrganizationsAfter", "RecountContributions", "RecountCounters"} {
		for class, want := range storeErrors {
			store := &nexusFake{organizations: []string{"org_1"}}
			work, _ := newNexusOn(t, store)
			store.fail(method, want.err)
			left := attempt{used: MaxDefects}.failing(t, work, "RecountNexus", RecountNexusInput{})
			require.Equal(t, want.errType, left.Type(), class)
			require.False(t, left.NonRetryable(), class)
			require.Equal(
				t, "org_1", execute[RecountNexusResult](t, work, "RecountNexus", RecountNexusInput{}).Next.After,
			)
		}
	}
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
