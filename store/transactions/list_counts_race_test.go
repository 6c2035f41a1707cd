package transactions_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// Sales arrive, are processed and are added to the counts by several processes at once. Every list stays complete:
// its total is the number of rows on its pages. Reading all pages shows each earlier transaction exactly once.
func TestListsAreWholeWhileEverythingChanges(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 2, 8)
	const before, writers, each = 60, 3, 40
	sale := func(name string, day int) *models.TransactionDraft {
		d := storetest.Draft(b.Scope, name)
		d.Date, d.TaxDate = noon(day), noon(day)
		return d
	}
	for i := range before {
		require.NoError(t, b.Intake.Accept(t.Context(), sale(fmt.Sprintf("OLD-%02d", i), 1+i/10)))
	}
	changing, stop := context.WithCancel(t.Context())
	defer stop()
	failures := make(chan error, 2*writers+2)
	var work, rollingUp sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			for i := range each {
				d := sale(fmt.Sprintf("NEW-%d-%02d", w, i), 20)
				if err := b.Intake.Accept(context.Background(), d); err != nil {
					failures <- err
					return
				}
				refs := []models.Ref{{OrganizationID: d.OrganizationID, ID: d.ID, Epoch: 1}}
				for _, stage := range storetest.Stages {
					if _, err := stage.Save(b.Store, storetest.Run, refs); err != nil {
						failures <- err
						return
					}
				}
			}
		})
	}
	for range 2 {
		rollingUp.Go(func() {
			for changing.Err() == nil {
				if _, err := b.Store.Transactions.RollUpCounts(context.Background()); err != nil {
					failures <- err
					return
				}
			}
		})
	}
	done := make(chan struct{})
	go func() {
		work.Wait()
		close(done)
	}()
	oldest := []models.Order{{Column: "date"}, {Column: "external_id"}}
	filters := []models.TransactionFilter{
		{}, {Source: "API"}, {
			ProcessingStatuses: []models.ProcessingStatus{models.ProcessingProcessed},
		}, {From: noon(3)},
		{
			ProcessingStatuses: []models.ProcessingStatus{models.ProcessingQueued, models.ProcessingNexusDone},
		}, {States: []string{"NY"}, To: noon(25)},
	}
	for round, ended := 0, false; !ended; round++ {
		select {
		case <-done:
			ended = true // once more, without changes meanwhile
		default:
		}
		f := filters[round%len(filters)]
		list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, f, oldest, models.Page{Limit: 1000})
		require.NoError(t, err)
		require.Len(t, list.Items, int(list.Total), "%+v", f)
		if round%10 != 0 {
			continue
		}
		for offset := 0; offset < before; offset += 7 {
			page, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{}, oldest,
				models.Page{Limit: 7, Offset: offset})
			require.NoError(t, err)
			for i, one := range page.Items[:min(7, before-offset)] {
				require.Equal(t, fmt.Sprintf("OLD-%02d", offset+i), one.ExternalID)
			}
		}
	}
	stop()
	rollingUp.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{
		ProcessingStatuses: []models.ProcessingStatus{models.ProcessingProcessed}, From: noon(19).Add(time.Hour),
	}, oldest, models.Page{Limit: 1})
	require.NoError(t, err)
	require.EqualValues(t, writers*each, list.Total)
}
