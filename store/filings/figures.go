package filings

import (
	"context"
	"errors"
	"log/slog"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// The figures of a return are the sums of those of its transactions. They are frozen after its claim; those of a
// prepayment by the claim, with the number of transactions that have none yet. A total without figures is one that an
// earlier release has decided.

// unfoldedFigures selects the figures of lines l as rows. A line without figures is one row without a key.
const unfoldedFigures = `
	SELECT l.figure_place AS place, unnest(coalesce(nullif(l.figure_keys, '{}'), ARRAY[NULL])) AS key,
	       unnest(l.figure_gross) AS gross, unnest(l.figure_taxable) AS taxable, unnest(l.figure_tax) AS tax,
	       unnest(l.figure_owed) AS owed`

// hashFigures has the following statements of a transaction group by hashing. PostgreSQL expects one line of a return, and
// would sort the figures of all of them, which costs as much as all else.
const hashFigures = "set_config('enable_sort', 'off', true)"

// figureArrays unfolds the figures of a line l into numbered rows g.
const figureArrays = ` LEFT JOIN LATERAL unnest(l.figure_keys, l.figure_gross, l.figure_taxable, l.figure_tax, l.figure_owed)
	       WITH ORDINALITY AS g (key, gross, taxable, tax, owed, n) ON true`

// figureColumns are the columns of a total x that the figures of a line are in.
const figureColumns = ` x.transaction_id, x.figure_place, x.figure_keys, x.figure_gross, x.figure_taxable, x.figure_tax,
	       x.figure_owed, x.currency <> f.currency AS converted, x.taxable AS own_taxable,`

// claimedFigureLines selects the lines that a return has claimed, with their figures and what each adds to the return. A
// line whose total is gone has no figures.
const claimedFigureLines = `
	SELECT` + figureColumns + ` m.sales, m.taxable, m.tax, m.liability
	  FROM filing_transactions m
	  JOIN filings f ON f.organization_id = m.organization_id AND f.id = m.filing_id
	  LEFT JOIN transaction_totals x ON x.organization_id = m.organization_id AND x.transaction_id = m.transaction_id
	   AND x.epoch = m.epoch AND x.country_code = f.country_code AND x.state_code = f.state_code
	 WHERE m.organization_id = $1 AND m.filing_id = $2`

// liveFigureLines selects the lines that a return would claim now.
var liveFigureLines = "SELECT" + figureColumns + lineSums + FilingPreview + " AND f.organization_id = $1 AND f.id = $2"

// sumsOfFigures returns the statement that adds up the figures of lines, in one read of them. The row without a place has
// the number of lines without figures; one with a place and without a key has lines that say nothing. Only returns in
// euro convert amounts, also the returns of a country. The figures of a line in another currency share by running sums
// what the line adds to the return.
func sumsOfFigures(lines string) string {
	share := func(column, whole string) string {
		all := "sum(g." + column + ") OVER (PARTITION BY l.transaction_id)"
		upTo := "sum(g." + column + ") OVER (PARTITION BY l.transaction_id ORDER BY g.n)"
		return "CASE WHEN " + all + " = 0 THEN g." + column + " ELSE round(" + whole + " * " + upTo + " / " + all + ", 2) - round(" +
			whole + " * (" + upTo + " - g." + column + ") / " + all + ", 2) END AS " + column
	}
	return `
	SELECT place, key, sum(n)::bigint AS n, sum(gross)::numeric(20,2) AS gross, sum(taxable)::numeric(20,2) AS taxable,
	       sum(tax)::numeric(20,2) AS tax, sum(owed)::numeric(20,2) AS owed
	  FROM (
	    SELECT place, key, count(*) AS n, sum(gross) AS gross, sum(taxable) AS taxable, sum(tax) AS tax, sum(owed) AS owed
	      FROM (` + unfoldedFigures + ` FROM (` + lines + `) l WHERE l.figure_place IS NULL OR NOT l.converted) u
	     GROUP BY 1, 2
	    UNION ALL
	    SELECT place, key, count(*), sum(gross), sum(taxable), sum(tax), sum(owed)
	      FROM (
	        SELECT l.figure_place AS place, g.key, ` + share("gross", "l.sales") + `,
	               round(g.taxable * coalesce(l.taxable / nullif(l.own_taxable, 0), 0), 2) AS taxable, ` +
		share("tax", "l.tax") + `, ` + share("owed", "l.liability") + `
	          FROM (` + lines + ` AND x.currency <> f.currency AND x.figure_keys IS NOT NULL) l` + figureArrays + `
	         WHERE (SELECT currency FROM filings WHERE organization_id = $1 AND id = $2) = 'EUR') c
	     GROUP BY 1, 2) s
	 GROUP BY 1, 2`
}

// freezeFigures returns the statements that store the figures of lines as those of a return.
func freezeFigures(lines string) []string {
	return []string{
		"DELETE FROM filing_figures WHERE organization_id = $1 AND filing_id = $2",
		`WITH s AS (` + sumsOfFigures(lines) + `), figures AS (
		   INSERT INTO filing_figures (organization_id, filing_id, place, key, transactions, gross, taxable, tax, owed)
		   SELECT $1, $2, s.* FROM s WHERE s.key IS NOT NULL)
		 INSERT INTO filing_freezes (organization_id, filing_id, missing)
		 SELECT $1, $2, coalesce(sum(s.n), 0) FROM s WHERE s.place IS NULL
		 ON CONFLICT (organization_id, filing_id) DO UPDATE SET missing = excluded.missing, frozen_at = now()`,
	}
}

var (
	freezeClaimed    = freezeFigures(claimedFigureLines)
	freezePrepayment = freezeFigures(liveFigureLines)
)

// forgetFigures deletes the frozen figures of a return that releases its lines.
var forgetFigures = []string{
	"DELETE FROM filing_figures WHERE organization_id = $1 AND filing_id = $2",
	"DELETE FROM filing_freezes WHERE organization_id = $1 AND filing_id = $2",
}

// freezeAfterClaim freezes the figures of a return that has claimed its lines. Claimed lines do not change, so stages need
// not wait for it. If it does not succeed, KeepFigures does it; until then the figures are added up when they are read.
func (s *Store) freezeAfterClaim(ctx context.Context, u *filingUpdate) {
	f := &u.next
	if !u.claims || f.FilingCategory == calendar.FilingPrepayment {
		return
	}
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		return s.freezeClaim(ctx, earlierFiling{f.OrganizationID, f.ID, f.RegistrationID})
	})
	if err != nil && !errors.Is(err, errBusy) {
		slog.WarnContext(ctx, "the figures of a return are frozen later", "organization_id", f.OrganizationID,
			"filing_id", f.ID, "error", err.Error())
	}
}

// ofThisClaim is the condition on a freeze z of a filing f that it is of the claim that f has. A process of the former
// release does not delete it with the claim, nor makes another.
const ofThisClaim = " AND z.frozen_at >= f.claimed_at"

// selectFreeze selects the known figures of a return. A prepayment that a former release has claimed keeps only
// the number of its transactions.
const selectFreeze = `
	SELECT f.claimed_at IS NOT NULL, CASE WHEN z.missing IS NULL AND f.filing_category = 'PREPAYMENT' AND f.claimed_at IS NOT NULL
	         THEN f.transaction_count + f.marketplace_transaction_count END, z.missing, EXISTS (
	         SELECT FROM registrations r WHERE r.organization_id = f.organization_id AND r.id = f.registration_id
	            AND (r.sales_tax_id IS NOT NULL OR r.tax_id IS NOT NULL)), ` + hashFigures + ` FROM filings f
	  LEFT JOIN filing_freezes z ON z.organization_id = f.organization_id AND z.filing_id = f.id` + ofThisClaim + `
	 WHERE f.organization_id = $1 AND f.id = $2`

const selectFrozen = `
	SELECT place, key, transactions AS n, gross, taxable, tax, owed FROM filing_figures
	 WHERE organization_id = $1 AND filing_id = $2`

// Figures returns the figures of a return: the frozen ones of its claim, before it those of the transactions that it
// would claim now. Of a prepayment that a former release has claimed all are missing. Errors: models.ErrNotFound.
func (s *Store) Figures(ctx context.Context, scope models.Scope, filingID string) (all models.FilingFigures, err error) {
	err = s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) (err error) {
		all, err = readFigures(ctx, tx, scope, filingID)
		return err
	})
	return all, pg.Translate(err)
}

// readFigures is Figures in the snapshot of the caller.
func readFigures(
	ctx context.Context, tx pg.Querier, scope models.Scope, filingID string,
) (all models.FilingFigures, err error) {
	var missing, notKept *int64
	claimed := false
	err = tx.QueryRow(ctx, selectFreeze, scope.OrganizationID, filingID).
		Scan(&claimed, &notKept, &missing, &all.Registered, new(string))
	if err != nil {
		return all, err
	}
	sums := selectFrozen
	switch {
	case missing != nil:
		all.Missing, all.Frozen = *missing, true
	case notKept != nil:
		all.Missing = *notKept
		return all, nil
	case claimed:
		sums = sumsOfFigures(claimedFigureLines)
	default:
		sums = sumsOfFigures(liveFigureLines + " AND f.status IN ('UNFILED', 'PAUSED', 'ISSUE')")
	}
	rows, err := tx.Query(ctx, `
		SELECT s.place, coalesce(s.key, ''), s.n, coalesce(s.gross, 0)::text, coalesce(s.taxable, 0)::text,
		       coalesce(s.tax, 0)::text, coalesce(s.owed, 0)::text
		  FROM (`+sums+`) s ORDER BY s.key COLLATE "C", s.place COLLATE "C"`, scope.OrganizationID, filingID)
	var place *string
	var key string
	var x models.FilingFigure
	all.Figures = []models.FilingFigure{}
	err = pg.ForEach(rows, err, []any{&place, &key, &x.Transactions, &x.Gross, &x.Taxable, &x.Tax, &x.Owed}, func() error {
		switch {
		case place == nil:
			all.Missing = x.Transactions
		case key != "":
			x.Place = *place
			x.FigureKey, err = models.ParseFigureKey(key)
			all.Figures = append(all.Figures, x)
		}
		return err
	})
	return all, err
}
