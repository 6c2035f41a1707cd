package filings

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// The totals of earlier releases do not tell by how much more or less tax was collected. They do not say where collected
// tax is owed. A run in the background completes those of open returns, some transactions at a time, and decides no
// transaction anew. It leaves claimed transactions as they are. The day of the upgrade bounds it: later periods have no
// such totals.

// recomputeRows is how many transactions one step reads. Other processes wait for their locks for one step at most.
const recomputeRows = 500

// recomputePause is how often the run looks for open returns that it has not seen.
const recomputePause = time.Minute

// openEarlier is the condition on a filing f that it has not claimed its lines yet.
const openEarlier = " f.status IN ('UNFILED', 'PAUSED', 'ISSUE') AND f.claimed_at IS NULL"

// noteEarlier notes the open returns whose period begins before the upgrade, unless they are noted.
const noteEarlier = `
	INSERT INTO filing_recomputations (organization_id, filing_id)
	SELECT f.organization_id, f.id FROM filings f JOIN installation i ON f.start_date <= i.totals_from_before
	 WHERE i.totals_from_before IS NOT NULL AND` + openEarlier + ` AND NOT EXISTS (
	   SELECT FROM filing_recomputations r WHERE r.organization_id = f.organization_id AND r.filing_id = f.id)
	ON CONFLICT DO NOTHING`

// nextEarlier selects the returns that are not complete, in an order that another process shares.
const nextEarlier = `
	SELECT r.organization_id, r.filing_id, f.registration_id FROM filing_recomputations r
	  JOIN filings f ON f.organization_id = r.organization_id AND f.id = r.filing_id
	 WHERE r.done_at IS NULL AND` + openEarlier + ` ORDER BY 1, 2 LIMIT 100`

// holdEarlier keeps a claim of the return away until the commit. It does not wait for one.
var holdEarlier = "SELECT " + pg.LockRegistration.TryShared("$1::text")

// lockEarlier locks a return for one step. Another process takes another return.
const lockEarlier = `
	SELECT f.country_code, f.state_code, r.after_day::text, r.after_transaction FROM filing_recomputations r
	  JOIN filings f ON f.organization_id = r.organization_id AND f.id = r.filing_id
	 WHERE r.organization_id = $1 AND r.filing_id = $2 AND r.done_at IS NULL AND` + openEarlier + `
	   FOR UPDATE OF r SKIP LOCKED`

// earlierTotals selects the next transactions of a return, those of earlier releases, whichever way they owe.
var earlierTotals = `
	SELECT x.transaction_id, x.epoch, x.tax_date, t.type, coalesce(t.tax_liability_source, ''), x.marketplace,
	       x.country_code, x.state_code, x.tax, x.collected, x.liability, x.places
	  FROM filings f` + returnLinesOf + ` WHERE` + ofOneStopShop + ` AND` + notClaimed + `
	   AND f.organization_id = $1 AND f.id = $2
	   AND x.liability_case IS NULL AND (x.tax_date, x.transaction_id) > ($3::text::date, $4)
	 ORDER BY x.tax_date, x.transaction_id LIMIT $5`

const earlierItems = `
	SELECT i.transaction_id, i.tax_items FROM transaction_items i
	 WHERE i.organization_id = $1 AND i.transaction_id = ANY ($2) ORDER BY i.transaction_id, i.line_no`

// lockEarlierTransactions locks transactions in the order of stages and claims. It does not wait for those.
const lockEarlierTransactions = `
	SELECT t.id FROM transactions t WHERE t.organization_id = $1 AND t.id = ANY ($2)
	 ORDER BY t.id FOR NO KEY UPDATE SKIP LOCKED`

const completeTotals = `
	UPDATE transaction_totals x SET places = c.places, over_collected = nullif(c.over, 0), under_collected = nullif(c.under, 0)
	  FROM jsonb_to_recordset($4::text::jsonb) AS c (id text, epoch int, places jsonb, over numeric, under numeric)
	 WHERE x.organization_id = $1 AND x.country_code = $2 AND x.state_code = $3
	   AND x.transaction_id = c.id AND x.epoch = c.epoch AND x.liability_case IS NULL`

const stepDone = `
	UPDATE filing_recomputations SET after_day = $3::text::date, after_transaction = $4, transactions = transactions + $5,
	       completed = completed + $6, done_at = CASE WHEN $7 THEN now() END
	 WHERE organization_id = $1 AND filing_id = $2`

// errBusy means that another process works with a return or with transactions of it.
var errBusy = errors.New("another process works with this return")

// KeepRecomputed completes the open returns of earlier releases until ctx ends. Several processes may do so at once.
func (s *Store) KeepRecomputed(ctx context.Context) {
	pg.Repeat(ctx, "recomputing open returns", recomputePause, s.Recompute)
}

// Recompute makes one step for each of some open returns. It reports whether more is left that no other process works
// with. It crosses organizations, and may be interrupted and repeated at any point.
func (s *Store) Recompute(ctx context.Context) (more bool, err error) {
	ctx = models.AcrossOrganizations(ctx)
	open, err := s.earlierFilings(ctx)
	if err == nil && open == nil { // looking through all returns for others is not part of every step
		if _, err = s.db.Exec(ctx, noteEarlier); err == nil {
			open, err = s.earlierFilings(ctx)
		}
	}
	if err != nil {
		return false, pg.Translate(err)
	}
	for _, f := range open {
		switch stepErr := s.db.InTx(ctx, func(ctx context.Context) error { return s.recomputeSome(ctx, f) }); {
		case errors.Is(stepErr, errBusy):
		case stepErr != nil:
			return false, pg.Translate(stepErr)
		default:
			more = true
		}
	}
	return more, nil
}

type earlierFiling struct{ OrganizationID, ID, RegistrationID string }

// earlierFilings returns some of the noted returns that are not complete; nil if all are.
func (s *Store) earlierFilings(ctx context.Context) ([]earlierFiling, error) {
	rows, err := s.db.Query(ctx, nextEarlier)
	open, err := pg.Collect(rows, err, pgx.RowToStructByPos[earlierFiling])
	if len(open) == 0 {
		return nil, err
	}
	return open, err
}

// recomputeSome completes the next transactions of a return. Errors: errBusy.
func (s *Store) recomputeSome(ctx context.Context, f earlierFiling) error {
	free := false
	if err := s.db.QueryRow(ctx, holdEarlier, f.RegistrationID).Scan(&free); err != nil {
		return err
	}
	// guard: recompute: a claim of the return is not changed
	if !free {
		return errBusy
	}
	var country, state, day, last string
	err := s.db.QueryRow(ctx, lockEarlier, f.OrganizationID, f.ID).Scan(&country, &state, &day, &last)
	if errors.Is(err, pgx.ErrNoRows) {
		return errBusy
	}
	if err != nil {
		return err
	}
	totals, err := s.readEarlier(ctx, f, day, last)
	if err != nil {
		return err
	}
	done := len(totals) < recomputeRows
	if n := len(totals); n > 0 {
		day, last = totals[n-1].Day.Format(time.DateOnly), totals[n-1].TransactionID
	}
	completed, err := s.completeEarlier(ctx, f, country, state, totals)
	if err != nil {
		return err
	}
	if _, err := s.db.Exec(ctx, stepDone, f.OrganizationID, f.ID, day, last, len(totals), completed, done); err != nil {
		return err
	}
	return failpoint.Hit("before_recompute_commit")
}

// readEarlier reads the next totals of a return, with the lines of those whose liability has to be shared.
func (s *Store) readEarlier(ctx context.Context, f earlierFiling, day, last string) ([]models.EarlierTotal, error) {
	rows, err := s.db.Query(ctx, earlierTotals, f.OrganizationID, f.ID, day, last, recomputeRows)
	totals, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (t models.EarlierTotal, err error) {
		return t, row.Scan(&t.TransactionID, &t.Epoch, &t.Day, &t.Type, &t.Source, &t.Marketplace, &t.CountryCode, &t.StateCode,
			&t.Tax, &t.Collected, &t.Liability, &t.Places)
	})
	if err != nil {
		return nil, err
	}
	of := map[string]*models.EarlierTotal{}
	var ids []string
	for i := range totals {
		if t := &totals[i]; t.Places == nil && rules.NeedsPlaces(t.Liability, t.Tax) {
			of[t.TransactionID] = t
			ids = append(ids, t.TransactionID)
		}
	}
	if ids == nil {
		return totals, nil
	}
	rows, err = s.db.Query(ctx, earlierItems, f.OrganizationID, ids)
	var id string
	var item models.TransactionItem
	return totals, pg.ForEach(rows, err, []any{&id, &item.TaxItems}, func() error {
		of[id].Owed = append(of[id].Owed, item)
		item = models.TransactionItem{}
		return nil
	})
}

// completedTotal is what completeTotals writes.
type completedTotal struct {
	ID     string             `json:"id"`
	Epoch  int                `json:"epoch"`
	Places []models.OwedPlace `json:"places,omitempty"`
	Over   string             `json:"over"`
	Under  string             `json:"under"`
}

// completeEarlier completes totals of a return, and returns how many have changed. Errors: errBusy.
func (s *Store) completeEarlier(
	ctx context.Context, f earlierFiling, country, state string, totals []models.EarlierTotal,
) (int, error) {
	var changed []completedTotal
	var ids []string
	for i := range totals {
		t := &totals[i]
		is, err := rules.CompleteEarlier(t)
		if err != nil {
			return 0, err
		}
		if is {
			ids = append(ids, t.TransactionID)
			changed = append(changed, completedTotal{
				t.TransactionID, t.Epoch, t.Places, t.OverCollected.String(), t.UnderCollected.String(),
			})
		}
	}
	if changed == nil {
		return 0, nil
	}
	rows, err := s.db.Query(ctx, lockEarlierTransactions, f.OrganizationID, ids)
	locked, err := pg.Collect(rows, err, pgx.RowTo[string])
	if err != nil {
		return 0, err
	}
	if len(locked) != len(ids) {
		return 0, errBusy
	}
	_, err = s.db.Exec(ctx, completeTotals, f.OrganizationID, country, state, *pg.JSON(changed))
	return len(changed), err
}

const countEarlier = `
	SELECT count(*) FILTER (WHERE r.done_at IS NULL), count(*) FILTER (WHERE r.done_at IS NOT NULL),
	       coalesce(sum(r.transactions), 0)::bigint, coalesce(sum(r.completed), 0)::bigint
	  FROM filing_recomputations r JOIN filings f ON f.organization_id = r.organization_id AND f.id = r.filing_id
	 WHERE r.done_at IS NOT NULL OR` + openEarlier

// Recomputed tells how far the open returns of earlier releases are.
func (s *Store) Recomputed(ctx context.Context) (p models.Recomputation, err error) {
	err = s.db.QueryRow(models.AcrossOrganizations(ctx), countEarlier).
		Scan(&p.Open, &p.Done, &p.Transactions, &p.Completed)
	return p, pg.Translate(err)
}
