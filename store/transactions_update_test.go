package store_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// nextVersion builds the new version of a sale: the sale of the factory with what
// change does to it.
func nextVersion(change func(d *models.TransactionDraft)) models.BuildUpdate {
	return func(stored *models.Transaction) (*models.TransactionDraft, error) {
		d := storetest.Draft(models.Scope{OrganizationID: stored.OrganizationID}, stored.ExternalID)
		d.ID, d.Type, d.Epoch, d.Revision, d.Date, d.TaxDate = stored.ID, stored.Type, stored.Epoch+1, stored.Revision+1, stored.Date, stored.TaxDate
		d.ProcessingStatus = models.ProcessingUpdated
		change(d)
		if d.Status == models.StatusArchived {
			d.ProcessingStatus = models.ProcessingArchived
		}
		for i := range d.Items {
			d.Items[i].TransactionID, d.Items[i].Date = d.ID, stored.Date
		}
		for i := range d.Addresses {
			d.Addresses[i].TransactionID = d.ID
		}
		models.KeepItemIDs(stored.Items, d.Items, make([]string, len(d.Items)))
		return d, nil
	}
}

func (b *intakeBundle) update(id string, change func(d *models.TransactionDraft)) (models.Transaction, error) {
	return b.store.UpdateTransaction(context.Background(), b.scope, id, nextVersion(change))
}

func (b *intakeBundle) processed(t *testing.T, refs []models.Ref) {
	t.Helper()
	loaded, err := b.store.LoadForAddresses(t.Context(), stageRun, refs)
	require.NoError(t, err)
	require.Len(t, loaded, len(refs))
	for _, stage := range stages {
		_, err := stage.save(b.store, stageRun, refs)
		require.NoError(t, err)
	}
}

func TestAnUpdateTakesBackWhatWasComputedAndStartsAnew(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 2)
	b.processed(t, refs)
	before, err := b.store.Transaction(t.Context(), b.scope, refs[0].ID)
	require.NoError(t, err)

	updated, err := b.update(refs[0].ID, func(d *models.TransactionDraft) {
		d.Actor = models.Actor{APIKeyID: "akey_1", RequestID: "req_2"}
		d.TotalAmount, d.Subtotal = decimal.MustParse("217.76"), decimal.MustParse("250.00")
		d.Items[0].Amount = decimal.MustParse("200.00")
		d.Items = append(d.Items, storetest.Item(d, 7, "P-1", "50.00"))
		d.Items[1].LineNo = 1
	})
	require.NoError(t, err)
	require.Equal(t, 2, updated.Revision)
	require.Equal(t, 2, updated.Epoch)
	read, err := b.store.Transaction(t.Context(), b.scope, refs[0].ID)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingUpdated, read.ProcessingStatus)
	require.Equal(t, "217.76", read.TotalAmount.String())
	require.Equal(t, before.Items[0].ID, read.Items[0].ID, "the line with the same external id keeps its id")
	require.NotEqual(t, before.Items[0].ID, read.Items[1].ID)
	require.True(t, read.TotalTaxAmountCalculated.IsZero())
	require.Nil(t, read.DestinationCurrency)
	require.Nil(t, read.ContentVersion)
	var unready *models.NotProcessedError
	_, err = b.store.TransactionExplanation(t.Context(), b.scope, refs[0].ID)
	require.ErrorAs(t, err, &unready)

	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_contributions"), "that of the other sale")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n = 1 AND amount = 100 AND collected_tax = 8.88"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM outbox WHERE epoch = 2 AND aggregate_id = $1", refs[0].ID))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM audit WHERE action = 'update' AND revision = 2 AND request_id = 'req_2' AND entity_id = $1", refs[0].ID))

	history, err := b.store.TransactionHistory(t.Context(), b.scope, refs[0].ID, models.Page{Limit: 100})
	require.NoError(t, err)
	last := history.Items[len(history.Items)-1]
	require.Equal(t, "UPDATED", last.Stage)
	require.Equal(t, 2, last.Revision)
	require.Equal(t, []any{"total_amount", "transaction_items"}, last.Detail["changed"])
	require.Equal(t, map[string]any{"from": "108.88", "to": "217.76"}, last.Detail["total_amount"])

	for _, stage := range stages { // a workflow of the old version changes nothing
		facts := b.facts(t)
		states, err := stage.save(b.store, stageRun, refs[:1])
		require.NoError(t, err)
		require.Equal(t, facts, b.facts(t), stage.name)
		verdict, _ := states[0].Judge(stage.to)
		require.Equal(t, models.VerdictSuperseded, verdict)
	}
	b.processed(t, []models.Ref{{OrganizationID: b.scope.OrganizationID, ID: refs[0].ID, Epoch: 2}})
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Zero(t, b.count(t, recount))
	require.Zero(t, b.count(t, "SELECT count(*) FROM outbox"))
}

func TestUpdatesAreRefusedInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	refs := b.accepted(t, 4)
	sale, other := refs[0].ID, refs[1].ID
	note := storetest.Draft(b.scope, "NOTE")
	note.RelatedTo, note.Type = &sale, models.TypePartialCreditNote
	accept(t, b.store, note)
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := b.sql.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	facts := b.facts(t)
	everythingWrong := func(d *models.TransactionDraft) {
		d.ExternalID, d.Status, d.TotalAmount = "SALE-1", models.StatusPending, decimal.MustParse("1")
	}

	var products *models.ProductsNotFoundError
	_, err := b.update(note.ID, func(d *models.TransactionDraft) { d.Items[0].ExternalProductID = "NOPE" })
	require.ErrorAs(t, err, &products, "what does not exist comes first")
	var credit *models.CreditEndpointError
	_, err = b.update(note.ID, everythingWrong)
	require.ErrorAs(t, err, &credit)
	require.Equal(t, sale, credit.RelatedTo)
	var transition *models.TransitionError
	_, err = b.update(sale, everythingWrong)
	require.ErrorAs(t, err, &transition)
	require.Equal(t, []string{"CANCELLED", "INVALID", "ARCHIVED"}, transition.Allowed)
	var credited *models.HasCreditNotesError
	_, err = b.update(sale, func(d *models.TransactionDraft) {
		everythingWrong(d)
		d.Status = models.StatusCommitted
	})
	require.ErrorAs(t, err, &credited)
	require.Equal(t, []string{"total_amount"}, credited.Fields)
	var duplicate *models.DuplicateError
	_, err = b.update(sale, func(d *models.TransactionDraft) { d.ExternalID = "SALE-1" })
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, other, duplicate.ExistingID)
	_, err = b.update(models.NewID(models.PrefixTransaction), func(*models.TransactionDraft) {})
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = b.store.UpdateTransaction(t.Context(), models.Scope{OrganizationID: "org_x"}, sale, nextVersion(func(*models.TransactionDraft) {}))
	require.ErrorIs(t, err, models.ErrNotFound)
	require.Equal(t, facts, b.facts(t), "a refused update changes nothing")
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_revisions"))

	_, err = b.update(sale, func(*models.TransactionDraft) {})
	require.NoError(t, err, "repeating equal values is fine")
	exec("UPDATE transactions SET status = 'CANCELLED' WHERE id = $1", note.ID)
	_, err = b.update(sale, func(d *models.TransactionDraft) { d.TotalAmount = decimal.MustParse("1") })
	require.NoError(t, err, "cancelled notes rely on nothing")

	var locked *models.LockedError
	for i, status := range []string{"FILING_STARTED", "FILING_DONE", "LOCKED"} {
		if i == 0 {
			b.processed(t, refs[2:3])
			exec("UPDATE transactions SET filing_id = 'file_1' WHERE id = $1", refs[2].ID)
		}
		exec("UPDATE transactions SET processing_status = $2 WHERE id = $1", refs[2].ID, status)
		_, err = b.update(refs[2].ID, everythingWrong)
		require.ErrorAs(t, err, &locked, status)
		require.Equal(t, "file_1", locked.FilingID)
	}
	archived, err := b.update(refs[3].ID, func(d *models.TransactionDraft) { d.Status = models.StatusArchived })
	require.NoError(t, err)
	require.Equal(t, models.ProcessingArchived, archived.ProcessingStatus)
	require.Zero(t, b.count(t, "SELECT count(*) FROM outbox WHERE aggregate_id = $1", refs[3].ID))
	_, err = b.update(refs[3].ID, func(*models.TransactionDraft) {})
	require.ErrorAs(t, err, &locked)
}

func TestExemptionsFollowTheRequest(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	exemption := func(d *models.TransactionDraft, fein string) {
		e := models.Exemption{
			OrganizationID: d.OrganizationID, ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: d.TaxDate,
			TransactionID: &d.ID, CountryCode: "US", FEIN: &fein, Status: models.ExemptionActive, CreatedAt: d.CreatedAt,
		}
		d.Exemptions, d.Sent.Made = append(d.Exemptions, e), append(d.Sent.Made, e.ID)
	}
	d := storetest.Draft(b.scope, "EXEMPT")
	d.TaxDate = d.Date.Truncate(24 * 3600e9)
	exemption(d, "1")
	exemption(d, "2")
	accept(t, b.store, d)
	active := func() (feins string) {
		require.NoError(t, b.sql.QueryRow(t.Context(), "SELECT coalesce(string_agg(fein || ' ' || (id = ANY ($1))::text, ',' ORDER BY fein), '') FROM exemptions WHERE status = 'ACTIVE'",
			[]string{d.Exemptions[0].ID, d.Exemptions[1].ID}).Scan(&feins))
		return feins
	}
	require.Equal(t, "1 true,2 true", active())
	_, err := b.update(d.ID, func(d *models.TransactionDraft) { exemption(d, "2"); exemption(d, "3") })
	require.NoError(t, err)
	require.Equal(t, "2 true,3 false", active(), "one stays the same, one goes, one comes")
	linked := d.Exemptions[1].ID
	_, err = b.update(d.ID, func(d *models.TransactionDraft) {
		d.LinkedExemptions = []models.LinkedExemption{{ID: linked, Location: "body.exemptions[0].id"}}
	})
	require.NoError(t, err)
	require.Equal(t, "2 true", active(), "named by its id it stays too")
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transaction_exemptions WHERE linked"))
	_, err = b.update(d.ID, func(*models.TransactionDraft) {})
	require.NoError(t, err)
	require.Empty(t, active())
	require.Zero(t, b.count(t, "SELECT count(*) FROM transaction_exemptions"))
}

// Updates, the stages of whatever version is there, and more updates, all at once.
func TestConcurrentUpdatesAndStagesLoseNothing(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 64)
	const sales, updaters, rounds, runners = 6, 3, 6, 3
	refs := b.accepted(t, sales)
	var updates, running sync.WaitGroup
	stop := make(chan struct{})
	current := func() []models.Ref {
		rows, err := b.sql.Query(context.Background(), "SELECT organization_id, id, epoch FROM transactions ORDER BY random()")
		require.NoError(t, err)
		defer rows.Close()
		var now []models.Ref
		for rows.Next() {
			var ref models.Ref
			require.NoError(t, rows.Scan(&ref.OrganizationID, &ref.ID, &ref.Epoch))
			now = append(now, ref)
		}
		return now
	}
	for u := range updaters {
		updates.Go(func() {
			for round := range rounds {
				for i := range refs {
					_, err := b.update(refs[(i+u)%sales].ID, func(d *models.TransactionDraft) {
						d.TotalAmount = decimal.MustParse(fmt.Sprintf("%d.00", 1+u*rounds+round))
					})
					require.NoError(t, err, "no deadlock, nothing lost")
				}
			}
		})
	}
	for range runners {
		running.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				now := current()
				_, err := b.store.LoadForAddresses(context.Background(), stageRun, now)
				require.NoError(t, err)
				for _, stage := range stages {
					_, err := stage.save(b.store, stageRun, now)
					require.NoError(t, err)
				}
			}
		})
	}
	updates.Wait()
	close(stop)
	running.Wait()
	require.Equal(t, sales, b.count(t, "SELECT count(*) FROM transactions WHERE revision = $1 AND epoch = $1", 1+updaters*rounds))
	require.Equal(t, sales*updaters*rounds, b.count(t, "SELECT count(*) FROM transaction_revisions"), "every replaced version is kept")
	require.Equal(t, sales*updaters*rounds, b.count(t, "SELECT count(*) FROM audit WHERE action = 'update'"))
	require.Zero(t, b.count(t, recount), "the counters equal a recount")
	now := current()
	_, err := b.store.LoadForAddresses(t.Context(), stageRun, now)
	require.NoError(t, err)
	for _, stage := range stages {
		_, err := stage.save(b.store, stageRun, now)
		require.NoError(t, err)
	}
	require.Equal(t, sales, b.count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM nexus_counters WHERE n = $1 AND amount = 100 * $1", sales))
	require.Zero(t, b.count(t, "SELECT count(*) FROM outbox"))
	require.Zero(t, b.count(t, recount))
}
