package filings

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/internal/packed"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// Totals of earlier releases have no figures. A run in the background writes them, some transactions at a time, and
// decides nothing anew. An index holds the totals that are left, so a run goes on where another has ended. It also finds
// what a process of the former release decides during an upgrade. When an organization has none left, its claimed returns
// are frozen again.

// figureRows is how many totals one step completes. Other processes wait for their locks for one step at most.
const figureRows = 500

// figurePause is how often the run looks for totals without figures.
const figurePause = time.Minute

// frozenPause is how long claimed returns are left after a look at all of them that found nothing to do.
const frozenPause = 15 * time.Minute

const (
	nextWithoutFigures = `
	SELECT DISTINCT organization_id, transaction_id FROM (
	  SELECT x.organization_id, x.transaction_id FROM transaction_totals x WHERE x.figure_keys IS NULL
	   ORDER BY x.organization_id, x.transaction_id LIMIT $1) x`

	// lockWithoutFigures locks transactions in the order of stages and claims. It does not wait for those.
	lockWithoutFigures = `
	SELECT t.organization_id, t.id FROM transactions t
	  JOIN unnest($1::text[], $2::text[]) AS k (organization_id, id)
	    ON t.organization_id = k.organization_id AND t.id = k.id
	 ORDER BY t.organization_id, t.id FOR NO KEY UPDATE OF t SKIP LOCKED`

	writeFigures = `
	UPDATE transaction_totals x SET figure_place = c.place, figure_keys = c.keys::text[], figure_gross = c.gross::numeric[],
	       figure_taxable = c.taxable::numeric[], figure_tax = c.tax::numeric[], figure_owed = c.owed::numeric[]
	  FROM unnest($1::text[], $2::text[], $3::int[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[],
	         $10::text[], $11::text[])
	    AS c (organization_id, transaction_id, epoch, country, state, place, keys, gross, taxable, tax, owed)
	 WHERE x.organization_id = c.organization_id AND x.transaction_id = c.transaction_id AND x.epoch = c.epoch
	   AND x.country_code = c.country AND x.state_code = c.state AND x.figure_keys IS NULL`

	// unfrozen selects claimed returns whose sums of figures are not complete, though their transactions have figures. Lines
	// without a total never get figures, so they do not count. Days of a prepayment may have changed since its claim.
	unfrozen = `
	SELECT f.organization_id, f.id, f.registration_id FROM filings f
	  LEFT JOIN filing_freezes z ON z.organization_id = f.organization_id AND z.filing_id = f.id` + ofThisClaim + `
	 WHERE f.claimed_at IS NOT NULL AND f.filing_category <> 'PREPAYMENT' AND (z.missing IS NULL OR z.missing > 0 AND z.missing > (
	     SELECT count(*) FROM filing_transactions m
	      WHERE m.organization_id = f.organization_id AND m.filing_id = f.id AND NOT EXISTS (
	        SELECT FROM transaction_totals x
	         WHERE x.organization_id = m.organization_id AND x.transaction_id = m.transaction_id AND x.epoch = m.epoch
	           AND x.country_code = f.country_code AND x.state_code = f.state_code)))
	   AND NOT EXISTS (
	     SELECT FROM transaction_totals x WHERE x.organization_id = f.organization_id AND x.figure_keys IS NULL)`
	lockUnfrozen = unfrozen + ` AND f.organization_id = $1 AND f.id = $2 FOR NO KEY UPDATE OF f SKIP LOCKED`
	nextUnfrozen = unfrozen + ` ORDER BY 1, 2 LIMIT 20`
)

// A refund ships from where its original does, unless it says otherwise.
var selectWithoutFigures = `
	SELECT x.organization_id, x.transaction_id, x.epoch, x.country_code, x.state_code, x.member_code, x.currency, x.sales,
	       x.taxable, x.tax, x.collected, x.liability, x.places, coalesce(x.liability_case, 0), x.marketplace, t.type,
	       coalesce(nullif(t.origin, 'null'), nullif(o.origin, 'null')), coalesce(t.conversion_rate, 1), e.explanation
	  FROM unnest($1::text[], $2::text[]) AS k (organization_id, id)
	  JOIN transaction_totals x ON x.organization_id = k.organization_id AND x.transaction_id = k.id AND x.figure_keys IS NULL
	  JOIN transactions t ON t.organization_id = k.organization_id AND t.id = k.id
	  LEFT JOIN transactions o ON o.organization_id = t.organization_id AND o.id = t.related_to
	  LEFT JOIN LATERAL (
	    SELECT ` + packed.Column("y") + ` AS explanation FROM transaction_explanations y
	     WHERE y.organization_id = k.organization_id AND y.transaction_id = k.id AND y.epoch = x.epoch) e ON true`

// KeepFigures writes the figures of transactions of earlier releases until ctx ends. Several processes may do so at once.
func (s *Store) KeepFigures(ctx context.Context) {
	var next time.Time
	pg.Repeat(ctx, "writing figures of returns", figurePause, func(ctx context.Context) (bool, error) {
		return s.writeFigures(ctx, &next)
	})
}

// WriteFigures makes one step. It reports whether more is left that no other process works with. It crosses
// organizations, and may be interrupted and repeated at any point.
func (s *Store) WriteFigures(ctx context.Context) (more bool, err error) {
	return s.writeFigures(ctx, new(time.Time))
}

// writeFigures is WriteFigures. Without totals to write it looks at claimed returns only from next on, which it sets.
func (s *Store) writeFigures(ctx context.Context, next *time.Time) (more bool, err error) {
	ctx = models.AcrossOrganizations(ctx)
	written := 0
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		written, err = s.writeSome(ctx)
		return err
	})
	if written > 0 {
		*next = time.Time{}
	}
	if err != nil || written > 0 || time.Now().Before(*next) {
		return written > 0, pg.Translate(err)
	}
	rows, err := s.db.Query(ctx, nextUnfrozen)
	open, err := pg.Collect(rows, err, pgx.RowToStructByPos[earlierFiling])
	if err != nil {
		return false, pg.Translate(err)
	}
	for _, f := range open {
		switch err := s.db.InTx(ctx, func(ctx context.Context) error { return s.freezeClaim(ctx, f) }); {
		case errors.Is(err, errBusy):
		case err != nil:
			return false, pg.Translate(err)
		default:
			more = true
		}
	}
	if !more {
		*next = time.Now().Add(frozenPause)
	}
	return more, nil
}

// writeSome completes the next totals, and returns their number. Transactions that others have locked are left.
func (s *Store) writeSome(ctx context.Context) (int, error) {
	organizations, ids, err := s.keysOf(ctx, nextWithoutFigures, figureRows)
	if err != nil || ids == nil {
		return 0, err
	}
	organizations, ids, err = s.keysOf(ctx, lockWithoutFigures, organizations, ids)
	if err != nil || ids == nil {
		return 0, err
	}
	rows, err := s.db.Query(ctx, selectWithoutFigures, organizations, ids)
	totals, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (t models.FigureTotal, err error) {
		var stored []byte
		err = row.Scan(&t.OrganizationID, &t.TransactionID, &t.Epoch, &t.CountryCode, &t.StateCode, &t.MemberCode, &t.Currency,
			&t.Sales, &t.Taxable, &t.Tax, &t.Collected, &t.Liability, &t.Places, &t.Case, &t.Marketplace, &t.Type,
			&t.Origin, &t.ConversionRate, &stored)
		var explanation packed.JSON
		if unread := explanation.ScanBytes(stored); unread != nil {
			slog.WarnContext(ctx, "figures of a transaction do not say what it was about",
				"organization_id", t.OrganizationID, "transaction_id", t.TransactionID, "error", unread.Error())
		}
		t.Explanation = explanation
		return t, err
	})
	if err != nil {
		return 0, err
	}
	columns := make([][]*string, 10)
	epochs := make([]int, len(totals))
	for i := range totals {
		t := &totals[i]
		if err := rules.FiguresOfEarlier(t); err != nil {
			slog.WarnContext(ctx, "figures of a transaction do not say what it was about",
				"organization_id", t.OrganizationID, "transaction_id", t.TransactionID, "error", err.Error())
			t.Explanation, t.Origin = nil, nil
			if err := rules.FiguresOfEarlier(t); err != nil {
				return 0, err
			}
		}
		epochs[i] = t.Epoch
		for n, value := range []*string{
			&t.OrganizationID, &t.TransactionID, &t.CountryCode, &t.StateCode, &t.FigurePlace, FigureKeys(t.Figures),
			FigureGross(t.Figures), FigureTaxable(t.Figures), FigureTax(t.Figures), FigureOwed(t.Figures),
		} {
			columns[n] = append(columns[n], value)
		}
	}
	args := []any{columns[0], columns[1], epochs}
	for _, column := range columns[2:] {
		args = append(args, column)
	}
	if _, err := s.db.Exec(ctx, writeFigures, args...); err != nil {
		return 0, err
	}
	return len(totals), failpoint.Hit("before_figures_commit")
}

// keysOf returns the organizations and ids that a statement selects; nil without any.
func (s *Store) keysOf(ctx context.Context, sql string, args ...any) (organizations, ids []string, err error) {
	rows, err := s.db.Query(ctx, sql, args...)
	var organization, id string
	return organizations, ids, pg.ForEach(rows, err, []any{&organization, &id}, func() error {
		organizations, ids = append(organizations, organization), append(ids, id)
		return nil
	})
}

// freezeClaim freezes the figures of a claimed return whose transactions all have some. Errors: errBusy if another process works with it.
func (s *Store) freezeClaim(ctx context.Context, f earlierFiling) error {
	free := false
	if err := s.db.QueryRow(ctx, holdEarlier, f.RegistrationID).Scan(&free); err != nil {
		return err
	}
	if !free {
		return errBusy
	}
	if _, err := s.db.Exec(ctx, LongWork+", "+hashFigures); err != nil {
		return err
	}
	rows, err := s.db.Query(ctx, lockUnfrozen, f.OrganizationID, f.ID)
	locked, err := pg.Collect(rows, err, pgx.RowToStructByPos[earlierFiling])
	if err != nil {
		return err
	}
	if len(locked) == 0 {
		return errBusy
	}
	for _, sql := range freezeClaimed {
		if _, err := s.db.Exec(ctx, sql, f.OrganizationID, f.ID); err != nil {
			return err
		}
	}
	return nil
}

const countWithoutFigures = `
	SELECT (SELECT count(*) FROM (SELECT FROM transaction_totals WHERE figure_keys IS NULL LIMIT $1) x),
	       (SELECT count(*) FROM (` + unfrozen + `) f)`

// FigureRun tells how far the run is that writes the figures of transactions of earlier releases.
func (s *Store) FigureRun(ctx context.Context) (r models.FigureRun, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), countWithoutFigures, models.MostMissing).Scan(&r.Missing, &r.Returns)
	return r, pg.Translate(err)
}
