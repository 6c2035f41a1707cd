package filings_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/filings"
	"levy/store/migrations"
	"levy/store/storetest"
)

// A filed amendment is corrected by the return that is claimed first after it, and by no other. A release leaves it to the next.
func TestAnAmendmentOfTheOneStopShopIsCorrectedOnce(t *testing.T) {
	t.Parallel()
	b := setupOneStopShop(t)
	month := func(start, end string) models.Filing {
		draft := storetest.FilingOf(b.Registration, models.FilingUnfiled, start, end)
		draft.Currency = "EUR"
		return b.Create(t, draft)
	}
	sell := func(day, amount string) {
		t.Helper()
		ref := b.sell(t, day, amount, "DE", "EUR")
		storetest.Execute(t, b.URL, `UPDATE transaction_totals SET figure_place = 'Germany',
			figure_keys = ARRAY['COUNTRY|0.1|SALE|OWN|UNKNOWN||PHYSICAL|Germany'], figure_gross = ARRAY[sales],
			figure_taxable = ARRAY[taxable], figure_tax = ARRAY[tax], figure_owed = ARRAY[liability] WHERE transaction_id = $1`, ref.ID)
	}
	file := func(id string) {
		t.Helper()
		_, err := b.Approve(id)
		require.NoError(t, err)
		storetest.File(t, b.Store, b.Scope, id)
	}
	corrections := func(f models.Filing) (ids []string, waiting int64) {
		t.Helper()
		facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
		require.NoError(t, err)
		for _, a := range facts.Corrections.Amendments {
			require.Len(t, a.Figures.Figures, 1)
			require.Equal(t, "2.00 2.00", a.Filing.TotalTaxLiability.String()+" "+a.Figures.Figures[0].Owed.String())
			require.Zero(t, a.Figures.Missing)
			ids = append(ids, a.Filing.ID)
		}
		return ids, facts.Corrections.Waiting
	}
	sell("2026-01-10", "100.00")
	january := month("2026-01-01", "2026-01-31")
	february, march := month("2026-02-01", "2026-02-28"), month("2026-03-01", "2026-03-31")
	file(january.ID)
	amendment, err := b.Store.Filings.AmendFiling(t.Context(), b.Scope, models.Actor{}, january.ID, "A late sale", models.EnteredAmounts{})
	require.NoError(t, err)
	sell("2026-01-12", "20.00")
	for _, f := range []models.Filing{february, march} {
		ids, waiting := corrections(f)
		require.Empty(t, ids, "it is not filed")
		require.EqualValues(t, 1, waiting)
	}
	ids, waiting := corrections(january)
	require.Empty(t, ids, "it corrects no later period")
	require.Zero(t, waiting)

	file(amendment.ID)
	for _, f := range []models.Filing{february, march} {
		ids, waiting := corrections(f)
		require.Equal(t, []string{amendment.ID}, ids)
		require.Zero(t, waiting)
	}
	_, err = b.Approve(february.ID)
	require.NoError(t, err)
	ids, _ = corrections(february)
	require.Equal(t, []string{amendment.ID}, ids)
	ids, waiting = corrections(march)
	require.Empty(t, ids, "February has it")
	require.Zero(t, waiting)
	_, err = b.Approve(march.ID)
	require.NoError(t, err)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_corrections WHERE filing_id = $1", february.ID))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM filing_corrections"))

	for _, to := range []models.FilingStatus{models.FilingIssue, models.FilingUnfiled} {
		_, err = b.Transition(february.ID, to)
		require.NoError(t, err)
	}
	april := month("2026-04-01", "2026-04-30")
	_, err = b.Approve(april.ID)
	require.NoError(t, err)
	ids, _ = corrections(april)
	require.Equal(t, []string{amendment.ID}, ids, "the claim of February is over")
	ids, _ = corrections(february)
	require.Empty(t, ids)

	// The claims of the release before count in their order, also if a later one came before this migration.
	before, err := migrations.FS.ReadFile("00332_filing_corrections_before.sql")
	require.NoError(t, err)
	for range 2 {
		storetest.Execute(t, b.URL, string(before))
		ids, _ = corrections(march)
		require.Equal(t, []string{amendment.ID}, ids)
		ids, _ = corrections(april)
		require.Empty(t, ids)
	}
}

// A claim takes as many amendments as the open return shows. The trigger of the claim has the number in its own text.
func TestAClaimCorrectsAsManyAmendmentsAsItsReturnShows(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	limit := fmt.Sprintf("%%LIMIT %d;%%", filings.MostCorrections)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM pg_proc WHERE proname = 'keep_corrections' AND prosrc LIKE $1", limit))
}

// Figures that are not frozen are missing, and a return of a country corrects nothing.
func TestCorrectionsOfAmendmentsWithoutFigures(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	found, err := b.Store.Filings.Corrections(t.Context(), b.Scope, f)
	require.NoError(t, err)
	require.Equal(t, models.ShopCorrections{}, found)

	shop := setupOneStopShop(t)
	january := shop.inEuro(t)
	_, err = shop.Approve(january.ID)
	require.NoError(t, err)
	storetest.File(t, shop.Store, shop.Scope, january.ID)
	amendment, err := shop.Store.Filings.AmendFiling(t.Context(), shop.Scope, models.Actor{}, january.ID, "A letter", models.EnteredAmounts{})
	require.NoError(t, err)
	_, err = shop.Approve(amendment.ID)
	require.NoError(t, err)
	storetest.File(t, shop.Store, shop.Scope, amendment.ID)
	storetest.Execute(t, shop.URL, "DELETE FROM filing_freezes WHERE filing_id = $1", amendment.ID)
	draft := storetest.FilingOf(shop.Registration, models.FilingUnfiled, "2026-02-01", "2026-02-28")
	draft.Currency = "EUR"
	found, err = shop.Store.Filings.Corrections(t.Context(), shop.Scope, shop.Create(t, draft))
	require.NoError(t, err)
	require.Len(t, found.Amendments, 1)
	require.EqualValues(t, 1, found.Amendments[0].Figures.Missing)
}
