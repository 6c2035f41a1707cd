package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// amendments are those of a filing, the oldest first.
func (b *filingsBundle) amendments(t *testing.T, of string) []models.Filing {
	t.Helper()
	list, err := b.store.ListFilings(t.Context(), b.scope, models.FilingFilter{Categories: []string{string(models.FilingAmendment)}},
		[]models.Order{{Column: "created_at"}}, models.Page{Limit: 100})
	require.NoError(t, err)
	var found []models.Filing
	for _, f := range list.Items {
		if f.AmendsFilingID != nil && *f.AmendsFilingID == of {
			found = append(found, f)
		}
	}
	return found
}

func (b *filingsBundle) creditNote(t *testing.T, of models.Ref, day, amount string) models.Ref {
	t.Helper()
	ref := b.sale(t, day, amount)
	_, err := b.sql.Exec(t.Context(), "UPDATE transactions SET type = 'PARTIAL_CREDIT_NOTE', related_to = $2 WHERE id = $1", ref.ID, of.ID)
	require.NoError(t, err)
	return ref
}

func TestWhatComesLateGoesToOneAmendment(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	sold := b.sale(t, "2026-01-10", "100.00")
	b.process(t, sold)
	f := b.january(t, models.FilingUnfiled)
	_, err := b.approve(f.ID)
	require.NoError(t, err)

	b.process(t, b.sale(t, "2026-01-11", "20.00"))
	opened := b.amendments(t, f.ID)
	require.Len(t, opened, 1, "already while the return is being filed")
	require.Equal(t, "1 20.00 2.00", sums(opened[0]), "with what is new alone")
	require.Equal(t, []any{f.StartDate, f.EndDate, f.RegistrationID, "USD"},
		[]any{opened[0].StartDate, opened[0].EndDate, opened[0].RegistrationID, opened[0].Currency})

	_, err = b.move(f.ID, models.FilingFiled)
	require.NoError(t, err)
	moved := b.sale(t, "2026-02-10", "7.00")
	b.process(t, moved)
	_, err = b.update(moved.ID, func(d *models.TransactionDraft) {
		d.Date, d.TaxDate = tax.MustDate("2026-01-30").Time(), tax.MustDate("2026-01-30").Time()
	})
	require.NoError(t, err)
	_, err = b.sql.Exec(t.Context(), "UPDATE transactions SET created_at = '2026-01-30' WHERE id = $1", moved.ID)
	require.NoError(t, err)
	moved.Epoch = 2
	b.process(t, b.creditNote(t, sold, "2026-01-31", "30.00"), moved)
	joined := b.amendments(t, f.ID)
	require.Len(t, joined, 1, "others join it")
	require.Equal(t, "3 90.00 9.00", sums(joined[0]))
	require.Equal(t, []models.FilingCause{{Reason: "CHANGED", Transactions: 1}, {Reason: "CREDIT_NOTE", Transactions: 1}, {Reason: "LATE", Transactions: 1}}, joined[0].Causes)
	require.Equal(t, "1 100.00 10.00", sums(b.read(t, f.ID)), "what is filed stays as it was")

	amended, err := b.approve(joined[0].ID)
	require.NoError(t, err)
	require.Equal(t, "3 90.00 9.00", sums(amended))
	b.process(t, b.sale(t, "2026-01-12", "1.00"))
	later := b.amendments(t, f.ID)
	require.Len(t, later, 2, "one that is being filed is not joined")
	require.Equal(t, "1 1.00 0.10", sums(later[1]))
	b.process(t, b.sale(t, "2026-02-12", "1.00"))
	require.Len(t, b.amendments(t, f.ID), 2, "another period is not amended")
	require.Zero(t, b.count(t, "SELECT count(*) FROM late_transactions"))
}

func TestAStageThatRunsTwiceAmendsOnce(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingFiled)
	late := b.sale(t, "2026-01-11", "20.00")
	b.process(t, late)
	b.calculate(t, late)
	found := b.amendments(t, f.ID)
	require.Len(t, found, 1)
	require.Equal(t, "1 20.00 2.00", sums(found[0]))
	_, err := b.approve(found[0].ID)
	require.NoError(t, err)
	b.calculate(t, late)
	require.Len(t, b.amendments(t, f.ID), 1, "what is returned is not late any more")
}

func TestStagesAtOnceOpenOneAmendment(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingFiled)
	var refs []models.Ref
	for i := range 24 {
		refs = append(refs, b.sale(t, "2026-01-11", fmt.Sprintf("%d0.00", i+1)))
	}
	_, err := b.store.LoadForAddresses(t.Context(), stageRun, refs)
	require.NoError(t, err)
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
	var wg sync.WaitGroup
	errs := make([]error, 8)
	for i := range errs {
		wg.Go(func() { errs[i] = b.tryCalculate(refs[i*3 : i*3+3]...) })
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	_, err = b.store.AmendFilings(t.Context()) // what a stage left to whoever comes next
	require.NoError(t, err)
	found := b.amendments(t, f.ID)
	require.Len(t, found, 1)
	require.Equal(t, "24 3000.00 300.00", sums(found[0]))
	require.Equal(t, 24, found[0].Causes[0].Transactions)
}

// A stage that meets a claim neither waits for it nor loses what it processed.
func TestAStageDuringAClaimLeavesItsTransactionsToWhoComesNext(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingUnfiled)
	ref := b.sale(t, "2026-01-11", "20.00")
	_, err := b.store.LoadForAddresses(t.Context(), stageRun, []models.Ref{ref})
	require.NoError(t, err)
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, []models.Ref{ref})
		require.NoError(t, err)
	}
	claim, err := b.sql.Begin(t.Context())
	require.NoError(t, err)
	_, err = claim.Exec(t.Context(), "SELECT pg_advisory_xact_lock(10, hashtext($1))", b.registration.ID)
	require.NoError(t, err)
	b.calculate(t, ref)
	require.Equal(t, "PROCESSED", b.processing(t, ref), "the stage did not wait")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM late_transactions"), "and noted what it could not decide")
	_, err = claim.Exec(t.Context(), "UPDATE filings SET status = 'FILING', claimed_at = now() WHERE id = $1", f.ID)
	require.NoError(t, err)
	require.NoError(t, claim.Commit(context.Background()))
	_, err = b.store.AmendFilings(t.Context())
	require.NoError(t, err)
	require.Len(t, b.amendments(t, f.ID), 1)
	require.Zero(t, b.count(t, "SELECT count(*) FROM late_transactions"))

	// The other way round the claim waits for the stage, and sees what it wrote.
	february := b.create(t, filingOf(b.registration, models.FilingUnfiled, "2026-02-01", "2026-02-28"))
	stage, err := b.sql.Begin(t.Context())
	require.NoError(t, err)
	_, err = stage.Exec(t.Context(), "SELECT pg_try_advisory_xact_lock_shared(10, hashtext($1))", b.registration.ID)
	require.NoError(t, err)
	done := make(chan error, 1)
	go func() {
		_, err := b.approve(february.ID)
		done <- err
	}()
	require.Eventually(t, func() bool {
		return b.count(t, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 10 AND NOT granted") == 1
	}, waitLimit, pollEvery, "the claim waits")
	require.NoError(t, stage.Commit(context.Background()))
	require.NoError(t, <-done)
}

// A stage that has looked for registrations before there was one is waited for by the
// return of that registration, which then has the sale.
func TestAReturnWaitsForStagesThatDidNotSeeItsRegistration(t *testing.T) {
	t.Parallel()
	b := &filingsBundle{intakeBundle: setupIntake(t, 1, 8)}
	_, err := b.sql.Exec(t.Context(), `
		CREATE FUNCTION hold_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_advisory_xact_lock_shared(99, 1); RETURN NULL; END $$;
		CREATE CONSTRAINT TRIGGER hold_commit AFTER INSERT ON transaction_totals DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hold_commit()`)
	require.NoError(t, err)
	ref := b.sale(t, "2026-01-11", "20.00")
	_, err = b.store.LoadForAddresses(t.Context(), stageRun, []models.Ref{ref})
	require.NoError(t, err)
	for _, stage := range stages[:3] {
		_, err := stage.save(b.store, stageRun, []models.Ref{ref})
		require.NoError(t, err)
	}
	waiting := func(class int) bool {
		return b.count(t, "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = $1::int AND NOT granted", class) == 1
	}
	commit, err := b.sql.Begin(t.Context())
	require.NoError(t, err)
	_, err = commit.Exec(t.Context(), "SELECT pg_advisory_xact_lock(99, 1)")
	require.NoError(t, err)
	processed, filed := make(chan error, 1), make(chan error, 1)
	go func() { processed <- b.tryCalculate(ref) }()
	require.Eventually(t, func() bool { return waiting(99) }, waitLimit, pollEvery, "the stage has done all but commit")
	b.registration = b.register(t, "US", "NY")
	january := filingOf(b.registration, models.FilingFiled, "2026-01-01", "2026-01-31")
	go func() {
		_, err := b.store.CreateFiling(context.Background(), b.scope, models.Actor{}, january, anyFiling)
		filed <- err
	}()
	require.Eventually(t, func() bool { return waiting(11) || len(filed) == 1 }, waitLimit, pollEvery)
	require.NoError(t, commit.Rollback(context.Background()))
	require.NoError(t, <-processed)
	require.NoError(t, <-filed)
	require.Equal(t, "1 20.00 2.00", sums(b.read(t, january.ID)))
	require.Empty(t, b.amendments(t, january.ID))
}

const (
	waitLimit = 10 * time.Second
	pollEvery = 10 * time.Millisecond
)

func TestAnOpenAmendmentIsUnique(t *testing.T) {
	t.Parallel()
	b := setupFilings(t)
	f := b.january(t, models.FilingFiled)
	own := filingOf(b.registration, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	own.FilingCategory = models.FilingAmendment
	made := b.create(t, own)
	require.Equal(t, f.ID, *made.AmendsFilingID)
	own.ID = models.NewID(models.PrefixFiling)
	_, err := b.store.CreateFiling(t.Context(), b.scope, models.Actor{}, own, anyFiling)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, made.ID, duplicate.ExistingID)
	b.process(t, b.sale(t, "2026-01-11", "20.00"))
	require.Len(t, b.amendments(t, f.ID), 1, "what comes late joins one that a person opened")
}

// The one-stop shop returns what is taxed by a member of the Union that has no return
// of its own, in euro by the rate of the last day.
func TestTheOneStopShopReturnsSalesOfMembers(t *testing.T) {
	t.Parallel()
	b := &filingsBundle{intakeBundle: setupIntake(t, 1, 8)}
	scheme, home := "UNION", "IE"
	shop := registration("ZZ_EU", "ZZ_EU")
	since := tax.MustDate("2025-01-01").Time()
	shop.RegistrationImportType, shop.OSSType, shop.OSSMemberState, shop.Status, shop.RegistrationDate = models.ImportOSS, &scheme, &home, models.RegistrationRegistered, &since
	require.NoError(t, b.store.CreateRegistration(t.Context(), b.scope, models.Actor{}, &shop))
	b.registration = shop
	b.register(t, "FR", "FR")
	for _, sale := range []struct{ member, currency string }{{"DE", "EUR"}, {"SE", "SEK"}, {"FR", "EUR"}, {"IE", "EUR"}} {
		ref := b.sale(t, "2026-01-10", "100.00")
		b.process(t, ref)
		_, err := b.sql.Exec(t.Context(), `UPDATE transaction_totals SET country_code = 'ZZ_EU', state_code = 'ZZ_EU', member_code = $2, currency = $3
			WHERE transaction_id = $1`, ref.ID, sale.member, sale.currency)
		require.NoError(t, err)
	}
	draft := filingOf(shop, models.FilingUnfiled, "2026-01-01", "2026-01-31")
	draft.Currency = "EUR"
	f := b.create(t, draft)
	_, err := b.approve(f.ID)
	var notReady *models.FilingNotReadyError
	require.ErrorAs(t, err, &notReady, "a sale in another currency waits for the rate")
	_, err = b.sql.Exec(t.Context(), "INSERT INTO fx_rates (currency, day, rate, source) VALUES ('SEK', '2026-01-30', 11.1, 'test'), ('SEK', '2026-01-10', 12, 'test')")
	require.NoError(t, err)
	claimed, err := b.approve(f.ID)
	require.NoError(t, err)
	require.Equal(t, "2 109.01 10.90", sums(claimed), "100.00 of Germany and 100.00 of Sweden, of which 11.1 are a euro")
}
