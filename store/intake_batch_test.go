package store_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

func TestRowsOfABatchAreAcceptedOneByOneAndProcessedFromNew(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 8)
	batchID := models.NewID(models.PrefixBatch)
	row := func(externalID string) *models.TransactionDraft {
		d := storetest.Draft(b.scope, externalID)
		d.BatchID, d.ProcessingStatus = &batchID, models.ProcessingNew
		return d
	}
	unknown := row("ORDER-2")
	unknown.Items[0].ExternalProductID = "NOPE"
	drafts := []*models.TransactionDraft{row("ORDER-1"), unknown, row("ORDER-1"), row("ORDER-3")}
	verdicts := b.intake.AcceptAll(t.Context(), drafts)
	require.NoError(t, verdicts[0])
	var missing *models.ProductsNotFoundError
	require.ErrorAs(t, verdicts[1], &missing)
	var duplicate *models.DuplicateError
	require.ErrorAs(t, verdicts[2], &duplicate)
	require.Equal(t, drafts[0].ID, duplicate.ExistingID)
	require.NoError(t, verdicts[3])
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'NEW'", batchID))
	require.Equal(t, 2, b.count(t, "SELECT count(*) FROM outbox"))

	b.processed(t, []models.Ref{{OrganizationID: b.scope.OrganizationID, ID: drafts[0].ID, Epoch: 1}})
	require.Equal(t, 1, b.count(t, "SELECT count(*) FROM transactions WHERE batch_id = $1 AND processing_status = 'PROCESSED'", batchID))
}

// A request with a key holds its first ids while it writes the next ones, and single
// sales that come at the same moment hold the next ones and wait for the first. The
// database takes one of the two back, which then goes through all the same.
func TestSeveralWritesOfOneRequestAndSinglesDoNotDeadlock(t *testing.T) {
	t.Parallel()
	for name, patience := range map[string]string{"the request is taken back": "10ms", "the singles are taken back": "1s"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := setupIntake(t, 1, 2)
			var database string
			require.NoError(t, b.sql.QueryRow(t.Context(), "SELECT quote_ident(current_database())").Scan(&database))
			_, err := b.sql.Exec(t.Context(), "ALTER DATABASE "+database+" SET deadlock_timeout = '"+patience+"'")
			require.NoError(t, err)
			s := storetest.Open(t, store.Options{URL: b.url}) // its connections know of it
			intake := s.StartIntake(1, 2)
			t.Cleanup(intake.Close)
			write := func(ctx context.Context, ids ...string) []error {
				var drafts []*models.TransactionDraft
				for _, id := range ids {
					drafts = append(drafts, storetest.Draft(b.scope, id))
				}
				return intake.AcceptAll(ctx, drafts)
			}
			var singles sync.WaitGroup
			var ofSingles, ofRequest []error
			claim := models.NewClaim(b.scope.OrganizationID, b.scope.OrganizationID, "key", [32]byte{})
			attempts := 0
			_, err = s.Once(t.Context(), claim, func(ctx context.Context) *models.Answer {
				err := intake.Together(ctx, func() error {
					attempts++
					ofRequest = write(ctx, "B")
					if attempts == 1 {
						singles.Go(func() { ofSingles = write(context.WithoutCancel(t.Context()), "A", "B") })
						b.waiting(t)
					}
					ofRequest = append(ofRequest, write(ctx, "A")...)
					for _, err := range ofRequest {
						if errors.Is(err, models.ErrUnavailable) {
							return err
						}
					}
					return nil
				})
				require.NoError(t, err)
				return &models.Answer{Status: 200}
			})
			require.NoError(t, err)
			singles.Wait()
			accepted := 0
			for _, err := range append(ofRequest, ofSingles...) {
				var duplicate *models.DuplicateError
				if err == nil {
					accepted++
				} else {
					require.ErrorAs(t, err, &duplicate)
				}
			}
			require.Equal(t, 2, accepted)
			require.Equal(t, 2, b.count(t, "SELECT count(*) FROM transactions"))
		})
	}
}

// waiting returns when somebody waits for a lock.
func (b *intakeBundle) waiting(t *testing.T) {
	t.Helper()
	require.Eventually(t, func() bool {
		return b.count(t, "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'") > 0
	}, 20*time.Second, time.Millisecond)
}
