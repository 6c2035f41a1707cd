package filings_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/filings"
	"levy/store/integrity"
	"levy/store/storetest"
	"levy/tax/money"
)

// explainItems writes what the engine says about the lines of the sales in New York. Their totals have no figures, as
// those of an earlier release.
const explainItems = `
	UPDATE transaction_explanations e SET body = (e.body::jsonb || jsonb_build_object('items', jsonb_build_array(jsonb_build_object(
	         'tax_class', 'PHYSICAL', 'amount', x.sales::text, 'total_discount', '0.00', 'net_amount', x.sales::text, 'lines', (
	           SELECT jsonb_agg(jsonb_build_object('jurisdiction_type', l ->> 'jurisdiction_type', 'jurisdiction_name',
	                    l ->> 'jurisdiction_name', 'rate', l ->> 'rate', 'taxable_amount', l ->> 'taxable_amount',
	                    'unrounded_amount', l ->> 'amount', 'amount', l ->> 'amount', 'reason', 'RULE_FOUND_TAXABLE'))
	             FROM transaction_items i CROSS JOIN LATERAL jsonb_array_elements(i.tax_items) l
	            WHERE i.transaction_id = e.transaction_id AND l ->> 'type' = 'CALCULATED')))))::json
	  FROM transaction_totals x WHERE x.transaction_id = e.transaction_id`

// withFigures are a return and sales whose figures are written by the run for sales of earlier releases.
func withFigures(t *testing.T, sales int) reports {
	t.Helper()
	r := setupReports(t, sales)
	r.exec(t, explainItems)
	r.writeAll(t)
	return r
}

func (r reports) writeAll(t *testing.T) {
	t.Helper()
	for more := true; more; {
		var err error
		more, err = r.Filings.WriteFigures(t.Context())
		require.NoError(t, err)
	}
}

func (r reports) figures(t *testing.T) models.FilingFigures {
	t.Helper()
	all, err := r.Filings.Figures(t.Context(), r.scope, r.filing)
	require.NoError(t, err)
	return all
}

func (r reports) bundle() *storetest.FilingBundle {
	return &storetest.FilingBundle{Bundle: &storetest.Bundle{Store: r.Store, Scope: r.scope}}
}

func (r reports) figureRun(t *testing.T) models.FigureRun {
	t.Helper()
	run, err := r.Filings.FigureRun(t.Context())
	require.NoError(t, err)
	return run
}

// requireFigures compares figures with the report of the return: its totals, and what each jurisdiction gets.
func (r reports) requireFigures(t *testing.T) models.FilingFigures {
	t.Helper()
	all := r.figures(t)
	require.Zero(t, all.Missing)
	_, head, _ := r.document(t)
	type sums struct{ taxable, tax, owed money.Total }
	var gross, tax, owed money.Total
	places := map[string]sums{}
	plus := func(a, b money.Total) money.Total {
		sum, err := a.Plus(b)
		require.NoError(t, err)
		return sum
	}
	for _, x := range all.Figures {
		gross, tax, owed = plus(gross, x.Gross), plus(tax, x.Tax), plus(owed, x.Owed)
		at := places[x.Level+" "+x.Name]
		places[x.Level+" "+x.Name] = sums{plus(at.taxable, x.Taxable), plus(at.tax, x.Tax), plus(at.owed, x.Owed)}
	}
	require.Equal(t, head.Totals.AmountSales+" "+head.Totals.AmountCalculated+" "+head.Totals.TotalTaxLiability,
		gross.String()+" "+tax.String()+" "+owed.String())
	require.Len(t, places, len(head.Jurisdictions))
	for _, j := range head.Jurisdictions {
		at := places[j.Type+" "+j.Name]
		require.Equal(t, j.TaxAmount, at.owed.String(), j.Name)
		require.Equal(t, *j.TaxCalculated, at.tax.String(), j.Name)
		require.Equal(t, *j.TaxableCalculated, at.taxable.String(), j.Name)
	}
	return all
}

func (r reports) requireKept(t *testing.T) {
	t.Helper()
	conn := storetest.SQL(t, r.url)
	for _, rule := range integrity.Rules() {
		records, err := integrity.Violating(t.Context(), conn, rule)
		require.NoError(t, err)
		if rule.Says == figuresOfReturns || rule.Says == figuresOfTransactions {
			require.Empty(t, records, rule.Says)
		}
	}
}

const (
	figuresOfReturns      = "I-6 the figures of a return add up to its sums"
	figuresOfTransactions = "I-6 the figures of a transaction add up to its total"
)

// Sales of an earlier release get their figures. A run that is killed goes on where it was, and ends as one that was not.
func TestSalesOfEarlierReleasesGetTheirFigures(t *testing.T) {
	t.Parallel()
	r := setupReports(t, earlierSales)
	r.exec(t, explainItems)
	require.Equal(t, int64(earlierSales), r.figures(t).Missing)

	more, err := r.Filings.WriteFigures(t.Context())
	require.NoError(t, err)
	require.True(t, more)
	require.Equal(t, models.FigureRun{Missing: earlierSales - 500}, r.figureRun(t))
	require.Equal(t, int64(earlierSales-500), r.figures(t).Missing, "the return says how many are missing")
	dying, kill := context.WithCancel(t.Context())
	kill()
	_, err = r.Filings.WriteFigures(dying)
	require.ErrorIs(t, err, context.Canceled)

	again := reports{Store: storetest.Open(t, store.Options{URL: r.url}), scope: r.scope, url: r.url, filing: r.filing}
	again.writeAll(t)
	require.Zero(t, again.figureRun(t))
	all := again.requireFigures(t)
	require.False(t, all.Frozen)
	again.requireKept(t)
	written := r.text(t, "SELECT string_agg(x::text, ',' ORDER BY x) FROM transaction_totals x")
	again.writeAll(t)
	require.Equal(t, written, r.text(t, "SELECT string_agg(x::text, ',' ORDER BY x) FROM transaction_totals x"))
}

// A sale whose explanation cannot be read gets one figure with all of its total.
func TestSalesWithoutAnExplanationGetOneFigure(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 12)
	r.exec(t, "UPDATE transaction_explanations SET body = '[]' WHERE right(transaction_id, 1) = '1'")
	r.exec(t, "DELETE FROM transaction_explanations WHERE right(transaction_id, 1) = '2'")
	r.writeAll(t)
	require.Zero(t, r.figureRun(t))
	require.Equal(t, "1", r.text(t, "SELECT max(cardinality(figure_keys))::text FROM transaction_totals"))
	r.requireKept(t)
}

// A refund of an earlier release ships from where its original does, also if its own origin is the JSON null.
func TestRefundsOfEarlierReleasesHaveTheOriginOfTheirOriginals(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 22)
	r.exec(t, explainItems)
	r.exec(t, `UPDATE transactions SET origin = '{"country":"US","state":"NY"}' WHERE type = 'SALE'`)
	r.exec(t, `UPDATE transactions SET origin = CASE WHEN right(id, 2) = '20' THEN 'null'::jsonb END,
	                  related_to = (SELECT min(s.id) FROM transactions s WHERE s.type = 'SALE')
	            WHERE type = 'PARTIAL_CREDIT_NOTE'`)
	r.writeAll(t)
	all := r.requireFigures(t)
	require.NotEmpty(t, all.Figures)
	for _, x := range all.Figures {
		require.Equal(t, models.OriginInState, x.Origin, x.FigureKey.String())
	}
}

// A former release keeps no figures of the prepayments that it claims. Later sales do not count.
func TestFiguresOfEarlierPrepaymentsAreMissing(t *testing.T) {
	t.Parallel()
	b := credited{storetest.SetupFilings(t)}
	b.Process(t, b.Sale(t, "2026-01-10", "1000.00"), b.Sale(t, "2026-01-11", "500.00"))
	paid := b.prepayment(t, "2026-01-01", "2026-01-31", "0.00")
	figures := func() models.FilingFigures {
		all, err := b.Store.Filings.Figures(t.Context(), b.Scope, paid.ID)
		require.NoError(t, err)
		return all
	}
	kept := figures()
	require.True(t, kept.Frozen)
	b.Count(t, "WITH gone AS (DELETE FROM filing_freezes RETURNING 1) SELECT count(*) FROM gone")
	b.Process(t, b.Sale(t, "2026-01-12", "10.00"))
	for range 2 {
		require.Equal(t, models.FilingFigures{Missing: 2, Registered: kept.Registered}, figures())
		_, err := b.Store.Filings.WriteFigures(t.Context())
		require.NoError(t, err)
	}
}

// The figures of a claimed line without its total are missing for good. The run does not try again and again.
func TestClaimedLinesWithoutATotalHaveNoFigures(t *testing.T) {
	t.Parallel()
	r := withFigures(t, 5)
	_, err := r.bundle().Approve(r.filing)
	require.NoError(t, err)
	r.exec(t, "DELETE FROM transaction_totals WHERE right(transaction_id, 1) = '2'")
	r.exec(t, "DELETE FROM filing_freezes")
	require.Equal(t, int64(1), r.figures(t).Missing)
	require.Equal(t, models.FigureRun{Returns: 1}, r.figureRun(t))
	r.writeAll(t)
	require.Equal(t, int64(1), r.figures(t).Missing)
	require.True(t, r.figures(t).Frozen)
	require.Zero(t, r.figureRun(t))
}

func TestAClaimFreezesTheFigures(t *testing.T) {
	t.Parallel()
	r := withFigures(t, 30)
	live := r.requireFigures(t)
	_, err := r.bundle().Approve(r.filing)
	require.NoError(t, err)
	frozen := r.requireFigures(t)
	require.True(t, frozen.Frozen)
	require.Equal(t, live.Figures, frozen.Figures)
	r.requireKept(t)

	_, err = r.bundle().Transition(r.filing, models.FilingIssue)
	require.NoError(t, err)
	require.True(t, r.figures(t).Frozen, "it still has its transactions")
	_, err = r.bundle().Transition(r.filing, models.FilingUnfiled)
	require.NoError(t, err)
	released := r.requireFigures(t)
	require.False(t, released.Frozen)
	require.Equal(t, live.Figures, released.Figures)
	require.Equal(t, "0 0", r.text(t, `SELECT (SELECT count(*) FROM filing_figures) || ' ' || (SELECT count(*) FROM filing_freezes)`))
}

// A return that was claimed before its sales had figures says how many are missing, and is frozen when all have some.
func TestClaimedReturnsAreFrozenWhenTheirSalesHaveFigures(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 20)
	r.exec(t, explainItems)
	_, err := r.bundle().Approve(r.filing)
	require.NoError(t, err)
	require.Equal(t, int64(20), r.figures(t).Missing)
	require.False(t, r.figures(t).Frozen)
	r.requireKept(t)
	r.writeAll(t)
	require.Zero(t, r.figureRun(t))
	require.True(t, r.requireFigures(t).Frozen)
	r.requireKept(t)
}

// A process of the former release claims and releases without the figures.
func TestTheFiguresOfAnEarlierClaimDoNotCount(t *testing.T) {
	t.Parallel()
	r := withFigures(t, 5)
	_, err := r.bundle().Approve(r.filing)
	require.NoError(t, err)
	r.exec(t, "UPDATE filing_freezes SET frozen_at = frozen_at - interval '1 hour'")
	r.exec(t, "UPDATE filing_figures SET gross = gross + 1")
	require.Equal(t, models.FigureRun{Returns: 1}, r.figureRun(t))
	require.False(t, r.requireFigures(t).Frozen)
	r.requireKept(t)
	next := time.Now().Add(time.Hour)
	_, err = filings.WriteFiguresFrom(r.Filings, t.Context(), &next)
	require.NoError(t, err)
	require.Equal(t, models.FigureRun{Returns: 1}, r.figureRun(t), "claimed returns are looked at from a time on")
	r.writeAll(t)
	require.True(t, r.requireFigures(t).Frozen)
	next = time.Time{}
	_, err = filings.WriteFiguresFrom(r.Filings, t.Context(), &next)
	require.NoError(t, err)
	require.True(t, next.After(time.Now()), "a look that found nothing puts off the next one")
}

// A return of a member of the Union in euro has the figures of its sales in another currency, in euro.
func TestFiguresOfANationalReturnInEuro(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	_, err := b.SQL.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES ('SEK', '2026-01-30', 10, 'test')")
	require.NoError(t, err)
	draft := storetest.FilingOf(b.Register(t, "DE", "DE"), models.FilingUnfiled, "2026-01-01", "2026-01-31")
	draft.Currency = "EUR"
	f := b.Create(t, draft)
	for _, currency := range []string{"EUR", "SEK"} {
		ref := b.Sale(t, "2026-01-10", "100.00")
		b.Process(t, ref)
		_, err := b.SQL.Exec(t.Context(), `UPDATE transaction_totals SET country_code = 'DE', state_code = 'DE', currency = $2,
			figure_place = 'Germany', figure_keys = ARRAY['COUNTRY|0.1|SALE|OWN|UNKNOWN||PHYSICAL|Germany'],
			figure_gross = ARRAY[sales], figure_taxable = ARRAY[taxable], figure_tax = ARRAY[tax], figure_owed = ARRAY[liability]
			WHERE transaction_id = $1`, ref.ID, currency)
		require.NoError(t, err)
	}
	facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, "2 110.00 11.00", storetest.FilingSums(facts.Filing))
	require.Len(t, facts.Figures.Figures, 1)
	x := facts.Figures.Figures[0]
	require.Equal(t, "110.00 11.00", x.Gross.String()+" "+x.Owed.String())
}

// A sort of the figures of all lines costs as much as all else, and PostgreSQL prefers it for the one line that it expects.
func TestFiguresAreGroupedByHashing(t *testing.T) {
	t.Parallel()
	r := withFigures(t, 20)
	tx, err := storetest.SQL(t, r.url).Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), filings.SelectFreeze, r.scope.OrganizationID, r.filing)
	require.NoError(t, err)
	rows, err := tx.Query(t.Context(), "EXPLAIN "+filings.LiveFigures, r.scope.OrganizationID, r.filing)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Contains(t, strings.Join(plan, "\n"), "HashAggregate")
	sorts := strings.Count(strings.Join(plan, "\n"), "Sort Key: ")
	require.Equal(t, 1, sorts, "only the parts of a return in euro are sorted: %v", plan)
}

func TestTheFiguresOfNoFiling(t *testing.T) {
	t.Parallel()
	r := setupReports(t, 1)
	_, err := r.Filings.Figures(t.Context(), r.scope, "fil_nothing")
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = r.Filings.Figures(t.Context(), models.Scope{OrganizationID: "org_other"}, r.filing)
	require.ErrorIs(t, err, models.ErrNotFound)
}

// Each cent that a figure says too much is found.
func TestTheCheckFindsFiguresThatDoNotAddUp(t *testing.T) {
	t.Parallel()
	r := withFigures(t, 3)
	_, err := r.bundle().Approve(r.filing)
	require.NoError(t, err)
	conn := storetest.SQL(t, r.url)
	broken := func(says, sql string) {
		t.Helper()
		tx, err := conn.Begin(t.Context())
		require.NoError(t, err)
		defer func() { require.NoError(t, tx.Rollback(context.WithoutCancel(t.Context()))) }()
		_, err = tx.Exec(t.Context(), sql)
		require.NoError(t, err)
		for _, rule := range integrity.Rules() {
			if rule.Says == says {
				records, err := integrity.Violating(t.Context(), tx, rule)
				require.NoError(t, err)
				require.NotEmpty(t, records, sql)
			}
		}
	}
	for _, column := range []string{"gross", "tax", "owed"} {
		broken(figuresOfReturns, "UPDATE filing_figures SET "+column+" = "+column+" + 0.01 WHERE key LIKE 'STATE%'")
		broken(figuresOfTransactions, "UPDATE transaction_totals SET figure_"+column+"[1] = figure_"+column+"[1] + 0.01")
	}
	broken(figuresOfReturns, "DELETE FROM filing_figures")
}
