package transactions_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
)

func TestAnUpdateReversesTheCalculationAndStartsAgain(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 2)
	b.Processed(t, refs)
	before, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, refs[0].ID)
	require.NoError(t, err)

	updated, err := b.Update(refs[0].ID, func(d *models.TransactionDraft) {
		d.Actor = models.Actor{APIKeyID: "akey_1", RequestID: "req_2"}
		d.TotalAmount, d.Subtotal = decimal.MustParse("217.76"), decimal.MustParse("250.00")
		d.Items[0].Amount = decimal.MustParse("200.00")
		d.Items = append(d.Items, storetest.Item(d, 7, "P-1", "50.00"))
		d.Items[1].LineNo = 1
	})
	require.NoError(t, err)
	require.Equal(t, 2, updated.Revision)
	require.Equal(t, 2, updated.Epoch)
	read, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, refs[0].ID)
	require.NoError(t, err)
	require.Equal(t, models.ProcessingUpdated, read.ProcessingStatus)
	require.Equal(t, "217.76", read.TotalAmount.String())
	require.Equal(t, before.Items[0].ID, read.Items[0].ID, "the line with the same external id keeps its id")
	require.NotEqual(t, before.Items[0].ID, read.Items[1].ID)
	require.True(t, read.TotalTaxAmountCalculated.IsZero())
	require.Nil(t, read.DestinationCurrency)
	require.Nil(t, read.ContentVersion)
	var unready *models.NotProcessedError
	_, err = b.Store.Transactions.TransactionExplanation(t.Context(), b.Scope, refs[0].ID)
	require.ErrorAs(t, err, &unready)

	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM nexus_contributions"), "that of the other sale")
	require.Equal(
		t, 1,
		b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = 1 AND amount = 100 AND collected_tax = 8.88"),
	)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM outbox WHERE epoch = 2 AND aggregate_id = $1", refs[0].ID))
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM audit WHERE action = 'update' AND revision = 2 AND request_id = 'req_2' AND entity_id = $1",
			refs[0].ID,
		),
	)

	history, err := b.Store.Transactions.TransactionHistory(t.Context(), b.Scope, refs[0].ID, models.Page{Limit: 100})
	require.NoError(t, err)
	last := history.Items[len(history.Items)-1]
	require.Equal(t, "UPDATED", last.Stage)
	require.Equal(t, 2, last.Revision)
	require.Equal(t, []any{"total_amount", "transaction_items"}, last.Detail["changed"])
	require.Equal(t, map[string]any{"from": "108.88", "to": "217.76"}, last.Detail["total_amount"])

	for _, stage := range storetest.Stages { // a workflow of the old version changes nothing
		facts := b.Facts(t)
		states, err := stage.Save(b.Store, storetest.Run, refs[:1])
		require.NoError(t, err)
		require.Equal(t, facts, b.Facts(t), stage.Name)
		result, _ := rules.BatchDecisionOf(states[0], stage.To)
		require.Equal(t, models.DecisionSuperseded, result)
	}
	b.Processed(t, []models.Ref{{OrganizationID: b.Scope.OrganizationID, ID: refs[0].ID, Epoch: 2}})
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Zero(t, b.Count(t, storetest.RecountNexus))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox"))
}

func TestUpdatesAreRefusedInTheOrderOfTheContract(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	refs := b.Accepted(t, 4)
	sale, other := refs[0].ID, refs[1].ID
	note := storetest.Draft(b.Scope, "NOTE")
	note.RelatedTo, note.Type = &sale, models.TypePartialCreditNote
	accept(t, b.Store, note)
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := b.SQL.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	facts := b.Facts(t)
	everythingWrong := func(d *models.TransactionDraft) {
		d.ExternalID, d.Status, d.TotalAmount = "SALE-1", models.StatusPending, decimal.MustParse("1")
	}

	var products *models.ProductsNotFoundError
	_, err := b.Update(note.ID, func(d *models.TransactionDraft) { d.Items[0].ExternalProductID = "NOPE" })
	require.ErrorAs(t, err, &products, "an unknown reference is reported first")
	var credit *models.CreditEndpointError
	_, err = b.Update(note.ID, everythingWrong)
	require.ErrorAs(t, err, &credit)
	require.Equal(t, sale, credit.RelatedTo)
	var transition *models.TransitionError
	_, err = b.Update(sale, everythingWrong)
	require.ErrorAs(t, err, &transition)
	require.Equal(t, []string{"CANCELLED", "INVALID", "ARCHIVED"}, transition.Allowed)
	var credited *models.HasCreditNotesError
	_, err = b.Update(sale, func(d *models.TransactionDraft) {
		everythingWrong(d)
		d.Status = models.StatusCommitted
	})
	require.ErrorAs(t, err, &credited)
	require.Equal(t, []string{"total_amount"}, credited.Fields)
	var duplicate *models.DuplicateError
	_, err = b.Update(sale, func(d *models.TransactionDraft) { d.ExternalID = "SALE-1" })
	require.ErrorAs(t, err, &duplicate)
	require.Equal(t, other, duplicate.ExistingID)
	_, err = b.Update(models.NewID(models.PrefixTransaction), func(*models.TransactionDraft) {})
	require.ErrorIs(t, err, models.ErrNotFound)
	_, err = b.Store.Transactions.UpdateTransaction(t.Context(), models.Scope{OrganizationID: "org_x"}, sale,
		storetest.NextVersion(func(*models.TransactionDraft) {}))
	require.ErrorIs(t, err, models.ErrNotFound)
	require.Equal(t, facts, b.Facts(t), "a refused update changes nothing")
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_revisions"))

	_, err = b.Update(sale, func(*models.TransactionDraft) {})
	require.NoError(t, err, "repeating equal values is fine")
	exec("UPDATE transactions SET status = 'CANCELLED' WHERE id = $1", note.ID)
	_, err = b.Update(sale, func(d *models.TransactionDraft) { d.TotalAmount = decimal.MustParse("1") })
	require.NoError(t, err, "cancelled notes rely on nothing")

	var locked *models.LockedError
	for i, status := range []string{"FILING_STARTED", "FILING_DONE", "LOCKED"} {
		if i == 0 {
			b.Processed(t, refs[2:3])
			exec("UPDATE transactions SET filing_id = 'file_1' WHERE id = $1", refs[2].ID)
		}
		exec("UPDATE transactions SET processing_status = $2 WHERE id = $1", refs[2].ID, status)
		_, err = b.Update(refs[2].ID, everythingWrong)
		require.ErrorAs(t, err, &locked, status)
		require.Equal(t, "file_1", locked.FilingID)
	}
	archived, err := b.Update(refs[3].ID, func(d *models.TransactionDraft) { d.Status = models.StatusArchived })
	require.NoError(t, err)
	require.Equal(t, models.ProcessingArchived, archived.ProcessingStatus)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox WHERE aggregate_id = $1", refs[3].ID))
	_, err = b.Update(refs[3].ID, func(*models.TransactionDraft) {})
	require.ErrorAs(t, err, &locked)
}

func TestExemptionsFollowTheRequest(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	exemption := func(d *models.TransactionDraft, fein string) {
		e := models.Exemption{
			OrganizationID: d.OrganizationID, ID: models.NewID(models.PrefixExemption),
			ExemptionType: models.ExemptionCustomer, StartDate: d.TaxDate,
			TransactionID: &d.ID, CountryCode: "US", FEIN: &fein, Status: models.ExemptionActive, CreatedAt: d.CreatedAt,
		}
		d.Exemptions, d.Sent.Made = append(d.Exemptions, e), append(d.Sent.Made, e.ID)
	}
	d := storetest.Draft(b.Scope, "EXEMPT")
	d.TaxDate = d.Date.Truncate(24 * 3600e9)
	exemption(d, "1")
	exemption(d, "2")
	accept(t, b.Store, d)
	active := func() string {
		list, err := b.Store.Catalog.ListExemptions(t.Context(), b.Scope,
			models.ExemptionFilter{Statuses: []models.ExemptionStatus{models.ExemptionActive}},
			[]models.Order{{Column: "fein"}}, models.Page{Limit: 10})
		require.NoError(t, err)
		var feins []string
		for _, e := range list.Items {
			feins = append(feins, fmt.Sprint(*e.FEIN, " ", e.ID == d.Exemptions[0].ID || e.ID == d.Exemptions[1].ID))
		}
		return strings.Join(feins, ",")
	}
	require.Equal(t, "1 true,2 true", active())
	_, err := b.Update(d.ID, func(d *models.TransactionDraft) { exemption(d, "2"); exemption(d, "3") })
	require.NoError(t, err)
	require.Equal(t, "2 true,3 false", active(), "one stays the same, one goes, one comes")
	linked := d.Exemptions[1].ID
	_, err = b.Update(d.ID, func(d *models.TransactionDraft) {
		d.LinkedExemptions = []models.LinkedExemption{{ID: linked, Path: "exemptions[0].id"}}
	})
	require.NoError(t, err)
	require.Equal(t, "2 true", active(), "named by its id it stays too")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transaction_exemptions WHERE linked"))
	_, err = b.Update(d.ID, func(*models.TransactionDraft) {})
	require.NoError(t, err)
	require.Empty(t, active())
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transaction_exemptions"))
}

// Concurrent updates, and stages of the current version.
func TestConcurrentUpdatesAndStagesLoseNothing(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	const sales, updaters, rounds, runners = 6, 3, 6, 3
	refs := b.Accepted(t, sales)
	var updates, running sync.WaitGroup
	stop := make(chan struct{})
	current := func() []models.Ref {
		rows, err := b.SQL.Query(context.Background(),
			"SELECT organization_id, id, epoch FROM transactions ORDER BY random()")
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
					_, err := b.Update(refs[(i+u)%sales].ID, func(d *models.TransactionDraft) {
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
				_, err := b.Store.Transactions.LoadForAddresses(context.Background(), storetest.Run, now)
				require.NoError(t, err)
				for _, stage := range storetest.Stages {
					_, err := stage.Save(b.Store, storetest.Run, now)
					require.NoError(t, err)
				}
			}
		})
	}
	updates.Wait()
	close(stop)
	running.Wait()
	require.Equal(
		t, sales,
		b.Count(t, "SELECT count(*) FROM transactions WHERE revision = $1 AND epoch = $1", 1+updaters*rounds),
	)
	require.Equal(
		t, sales*updaters*rounds, b.Count(t, "SELECT count(*) FROM transaction_revisions"),
		"every replaced version is kept",
	)
	require.Equal(t, sales*updaters*rounds, b.Count(t, "SELECT count(*) FROM audit WHERE action = 'update'"))
	require.Zero(t, b.Count(t, storetest.RecountNexus), "the counters equal a recount")
	now := current()
	_, err := b.Store.Transactions.LoadForAddresses(t.Context(), storetest.Run, now)
	require.NoError(t, err)
	for _, stage := range storetest.Stages {
		_, err := stage.Save(b.Store, storetest.Run, now)
		require.NoError(t, err)
	}
	require.Equal(t, sales, b.Count(t, "SELECT count(*) FROM transactions WHERE processing_status = 'PROCESSED'"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM nexus_counters WHERE n = $1 AND amount = 100 * $1", sales))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM outbox"))
	require.Zero(t, b.Count(t, storetest.RecountNexus))
}
