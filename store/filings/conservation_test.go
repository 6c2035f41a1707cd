package filings_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// Invariants of filings at any moment: each query finds no row.
var filingInvariants = map[string]string{
	"the sums of a filing equal its transactions": `
		SELECT count(*) FROM (
		  SELECT f.id FROM filings f
		    LEFT JOIN filing_transactions m ON (m.organization_id, m.filing_id) = (f.organization_id, f.id)
		   WHERE f.status IN ('FILING', 'FILED') GROUP BY f.organization_id, f.id
		  HAVING f.amount_sales <> coalesce(sum(m.sales), 0) OR f.total_taxable_sales <> coalesce(sum(m.taxable), 0)
		      OR f.amount_calculated <> coalesce(sum(m.tax), 0) OR f.total_tax_liability <> coalesce(sum(m.liability), 0)
		      OR f.transaction_count <> count(m.transaction_id) FILTER (WHERE NOT m.marketplace)
		      OR f.marketplace_transaction_count <> count(m.transaction_id) FILTER (WHERE m.marketplace)) x`,
	"the transactions of a filing are those of the period and the registration, as they are stored": `
		SELECT count(*) FROM filing_transactions m
		  JOIN filings f ON (f.organization_id, f.id) = (m.organization_id, m.filing_id)
		  JOIN transactions t ON (t.organization_id, t.id) = (m.organization_id, m.transaction_id)
		 WHERE m.registration_id <> f.registration_id OR t.tax_date NOT BETWEEN f.start_date AND f.end_date
		    OR m.epoch <> t.epoch
		    OR t.processing_status NOT IN ('FILING_STARTED', 'FILING_DONE', 'LOCKED') OR t.filing_id IS NULL`,
	"no transaction is in two filings": `
		SELECT count(*) FROM (
		  SELECT 1 FROM filing_transactions m JOIN filings f ON (f.organization_id, f.id) = (m.organization_id, m.filing_id)
		   WHERE f.filing_category IN ('REGULAR', 'AMENDMENT')
		   GROUP BY m.organization_id, m.registration_id, m.transaction_id HAVING count(*) > 1) x`,
	"a filing without transactions has no claim on one": `
		SELECT count(*) FROM transactions t WHERE t.filing_id IS NOT NULL
		   AND NOT EXISTS (SELECT 1 FROM filing_transactions m
		                    WHERE m.organization_id = t.organization_id AND m.filing_id = t.filing_id
		                      AND m.transaction_id = t.id)`,
	"a return has one open amendment": `
		SELECT count(*) FROM (
		  SELECT 1 FROM filings WHERE filing_category = 'AMENDMENT' AND status IN ('UNFILED', 'PAUSED')
		   GROUP BY amends_filing_id HAVING count(*) > 1) x`,
}

// nothingMissing is an invariant once everything has been processed and amended.
const nothingMissing = `
	SELECT count(*) FROM transactions t
	  JOIN transaction_totals x ON (x.organization_id, x.transaction_id, x.epoch) = (t.organization_id, t.id, t.epoch)
	 WHERE NOT EXISTS (SELECT 1 FROM filing_transactions m
	                    WHERE (m.organization_id, m.transaction_id) = (t.organization_id, t.id))`

// chaos changes the sales of one period concurrently. It does not repeat a change that fails because a connection was
// killed, or because another change was faster.
type chaos struct {
	*storetest.FilingBundle
	filing string
	mu     sync.Mutex
	refs   []models.Ref
}

// tolerated are refusals that happen when others are at work.
func tolerated(err error) bool {
	var transition *models.TransitionError
	var locked *models.LockedError
	var exceeds *models.CreditExceedsError
	var credited *models.HasCreditNotesError
	var early *models.InvalidError // a refund before its sale
	return err == nil || errors.As(err, &exceeds) || errors.As(err, &credited) || errors.As(err, &early) ||
		errors.Is(err, models.ErrOriginalIsRefund) || errors.Is(err, models.ErrUnavailable) ||
		errors.Is(err, models.ErrOutcomeUnknown) || errors.Is(err, models.ErrChangedMeanwhile) ||
		errors.As(err, &transition) || errors.As(err, &locked) || models.IsFilingRefusal(err)
}

func (c *chaos) post(random *rand.Rand, kind models.TransactionType) error {
	d := storetest.Draft(c.Scope, models.NewID(models.PrefixTransaction))
	d.Date = calendar.MustDate("2026-01-01").Time().AddDate(0, 0, random.IntN(31))
	d.TaxDate, d.Type = d.Date, kind
	d.Items[0].Amount = decimal.MustNew(int64(random.IntN(100_000)), 2)
	err := c.Intake.Accept(context.Background(), d)
	if err != nil {
		return err
	}
	ref := models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}
	if kind == models.TypeSale {
		c.mu.Lock()
		c.refs = append(c.refs, ref)
		c.mu.Unlock()
	}
	return c.carry(ref)
}

// carry takes versions of transactions through the stages as far as possible.
func (c *chaos) carry(refs ...models.Ref) error {
	if _, err := c.Store.Transactions.LoadForAddresses(context.Background(), storetest.Run, refs); err != nil {
		return err
	}
	for _, stage := range storetest.Stages[:3] {
		if _, err := stage.Save(c.Store, storetest.Run, refs); err != nil {
			return err
		}
	}
	return c.TryCalculate(refs...)
}

// any is one of the sales that were posted.
func (c *chaos) any(random *rand.Rand) (models.Ref, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.refs) == 0 {
		return models.Ref{}, false
	}
	return c.refs[random.IntN(len(c.refs))], true
}

// credit refunds a part of a sale, whether it is claimed or not.
func (c *chaos) credit(random *rand.Rand) error {
	ref, ok := c.any(random)
	if !ok {
		return nil
	}
	d := &models.RefundDraft{
		TransactionDraft: *storetest.Draft(c.Scope, models.NewID(models.PrefixTransaction)), OwnAddresses: true,
		OwnSource: true,
	}
	d.Date = calendar.MustDate("2026-01-01").Time().AddDate(0, 0, random.IntN(31))
	d.TaxDate, d.Type, d.RelatedTo = d.Date, models.TypePartialCreditNote, &ref.ID
	d.TotalAmount = decimal.MustNew(int64(1+random.IntN(500)), 2)
	d.Subtotal, d.Items[0].Amount, d.TotalTaxAmountImported = d.TotalAmount, d.TotalAmount, decimal.Zero
	if _, err := c.Store.Transactions.AcceptRefund(context.Background(), c.Scope, d); err != nil {
		return err
	}
	return c.carry(models.Ref{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1})
}

func (c *chaos) edit(random *rand.Rand) error {
	ref, ok := c.any(random)
	if !ok {
		return nil
	}
	updated, err := c.Update(ref.ID,
		func(d *models.TransactionDraft) { d.Items[0].Amount = decimal.MustNew(int64(random.IntN(100_000)), 2) })
	if err != nil {
		return err
	}
	return c.carry(models.Ref{OrganizationID: ref.OrganizationID, ID: ref.ID, Epoch: updated.Epoch})
}

func (c *chaos) file(random *rand.Rand) error {
	switch random.IntN(4) {
	case 0:
		_, err := c.Transition(c.filing, models.FilingIssue)
		return err
	case 1:
		_, err := c.Transition(c.filing, models.FilingUnfiled)
		return err
	}
	_, err := c.Store.Filings.UpdateFiling(context.Background(), c.Scope, models.Actor{}, c.filing,
		func(f *models.Filing) error {
			f.Pending = 0 // transactions that are being processed meanwhile must reach a return all the same
			return f.Approve(models.FilingApproval{By: "akey_1"}, time.Now().UTC())
		})
	return err
}

// settle processes the remaining transactions, files everything, and amends until none is late.
func (c *chaos) settle(t *testing.T) {
	t.Helper()
	rows, err := c.SQL.Query(t.Context(),
		`SELECT organization_id, aggregate_id, epoch
		   FROM outbox
		  WHERE kind = 1
		  ORDER BY aggregate_id`) // sales before their credit notes
	require.NoError(t, err)
	left, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (models.Ref, error) {
		var r models.Ref
		return r, row.Scan(&r.OrganizationID, &r.ID, &r.Epoch)
	})
	require.NoError(t, err)
	for _, ref := range left {
		require.NoError(t, c.carry(ref))
	}
	require.Zero(t, c.Count(t, "SELECT count(*) FROM outbox"))
	if status := c.Read(t, c.filing).Status; status == models.FilingIssue {
		_, err = c.Transition(c.filing, models.FilingUnfiled)
		require.NoError(t, err)
	}
	_, err = c.Approve(c.filing)
	require.NoError(t, err)
	_, err = c.Transition(c.filing, models.FilingFiled)
	require.NoError(t, err)
	_, err = c.Store.Filings.AmendFilings(t.Context())
	require.NoError(t, err)
	for _, a := range c.Amendments(t, c.filing) {
		if a.Status == models.FilingUnfiled {
			_, err := c.Approve(a.ID)
			require.NoError(t, err)
		}
	}
}

// Under concurrent changes, the filings of a period add up to its transactions, and no transaction is in two of them.
func TestFilingsConserveWhatWasSold(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	c := &chaos{FilingBundle: b, filing: b.January(t, models.FilingUnfiled).ID}
	first := rand.New(rand.NewPCG(2026, 100))
	for range 10 { // sales to edit and to refund from the beginning
		require.NoError(t, c.post(first, models.TypeSale))
	}
	var wg sync.WaitGroup
	errs := make(chan error, 1000)
	many := func(who uint64, times int, do func(*rand.Rand) error) {
		wg.Go(func() {
			random := rand.New(rand.NewPCG(2026, who))
			for range times {
				if err := do(random); !tolerated(err) {
					errs <- err
				}
			}
		})
	}
	for i := range uint64(3) {
		many(i, 20, func(r *rand.Rand) error { return c.post(r, models.TypeSale) })
		many(10+i, 20, c.edit)
		many(20+i, 15, c.file)
		many(50+i, 8, c.credit)
	}
	many(30, 10, func(r *rand.Rand) error { return c.post(r, models.TypeTaxRefund) })
	many(40, 12, func(*rand.Rand) error {
		_, err := c.SQL.Exec(context.Background(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
			WHERE datname = current_database() AND application_name = 'levy' AND state <> 'idle' ORDER BY random() LIMIT 2`)
		return err
	})
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	for rule, query := range filingInvariants {
		require.Zero(t, c.Count(t, query), rule)
	}
	c.settle(t)
	for rule, query := range filingInvariants {
		require.Zero(t, c.Count(t, query), rule)
	}
	require.Zero(t, c.Count(t, nothingMissing), "nothing of a filed period is missing")
	require.NotZero(
		t,
		c.Count(t, "SELECT count(*) FROM transactions WHERE type IN ('PARTIAL_CREDIT_NOTE', 'FULL_CREDIT_NOTE')"),
		"some sales were refunded",
	)
	require.NotZero(
		t, c.Count(t, "SELECT count(*) FROM transactions WHERE type = 'SALE' AND epoch > 1"), "some was edited",
	)
	var sold, filed string
	require.NoError(t, c.SQL.QueryRow(t.Context(), `SELECT (SELECT sum(x.sales)::text FROM transactions t
		JOIN transaction_totals x ON (x.organization_id, x.transaction_id, x.epoch) = (t.organization_id, t.id, t.epoch)),
		(SELECT sum(amount_sales)::text FROM filings WHERE claimed_at IS NOT NULL)`).Scan(
		&sold, &filed,
	)) // one that a release ended keeps the sums it had
	require.Equal(t, sold, filed)
}
