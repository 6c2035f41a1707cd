package store_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// BenchmarkAccept posts from 64 clients at once, each sale with two lines, two
// addresses and a customer of its own. On a database with fsync (name one in
// LEVY_TEST_DATABASE_URL) it shows what grouping the commits buys.
func BenchmarkAccept(b *testing.B) {
	for _, group := range []int{1, 16, 64, 128} {
		for _, committers := range []int{2, 4} {
			b.Run(fmt.Sprintf("group=%d/committers=%d", group, committers), func(b *testing.B) {
				url := storetest.URL(b)
				s := storetest.Open(b, pg.Options{URL: url})
				intake := s.Transactions.StartIntake(committers, group)
				b.Cleanup(intake.Close)
				scope := storetest.Organization(b, url)
				go func() { _ = s.AnalyzeNew(b.Context()) }()
				var n atomic.Int64
				b.SetParallelism(32)
				b.ResetTimer()
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						d := storetest.Draft(scope, fmt.Sprintf("B-%d", n.Add(1)))
						d.Customer.ExternalID = d.ExternalID
						d.Items = append(d.Items, storetest.Item(d, 1, "P-1", "19.99"))
						bill := d.Addresses[0]
						bill.Type = "BILL_TO"
						d.Addresses = append(d.Addresses, bill)
						require.NoError(b, intake.Accept(context.Background(), d))
					}
				})
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "accepted/s")
			})
		}
	}
}

// BenchmarkStages takes batches of sales through the four stages, as the worker
// does: each stage loads and saves.
func BenchmarkStages(b *testing.B) {
	for _, size := range []int{1, 50, 250} {
		b.Run(fmt.Sprintf("batch=%d", size), func(b *testing.B) {
			url := storetest.URL(b)
			s := storetest.Open(b, pg.Options{URL: url})
			intake := s.Transactions.StartIntake(2, 128)
			b.Cleanup(intake.Close)
			scope := storetest.Organization(b, url)
			ctx := context.Background()
			batch := func(n int) []models.Ref {
				refs := make([]models.Ref, size)
				drafts := make([]*models.TransactionDraft, size)
				for i := range refs {
					drafts[i] = storetest.Draft(scope, fmt.Sprintf("B-%d-%d", n, i))
					refs[i] = models.Ref{OrganizationID: scope.OrganizationID, ID: drafts[i].ID, Epoch: 1}
				}
				for _, err := range s.Transactions.Accept(b.Context(), drafts) {
					require.NoError(b, err)
				}
				return refs
			}
			loadForAddresses := func(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
				return s.Transactions.LoadForAddresses(ctx, storetest.Run, refs)
			}
			n := 0
			for ; n < 5_000/size; n++ { // a table that is no longer new, and analyzed
				batch(n)
			}
			sql, err := pgx.Connect(ctx, url)
			require.NoError(b, err)
			defer sql.Close(ctx)
			_, err = sql.Exec(ctx, "ANALYZE")
			require.NoError(b, err)
			for b.Loop() {
				b.StopTimer()
				refs := batch(n)
				n++
				b.StartTimer()
				for i, load := range []func(context.Context, []models.Ref) ([]models.Transaction, error){
					loadForAddresses, s.Transactions.LoadForExemptions, s.Transactions.LoadForNexus,
					s.Transactions.LoadForTax,
				} {
					_, err := load(ctx, refs)
					require.NoError(b, err)
					_, err = storetest.Stages[i].Save(s, storetest.Run, refs)
					require.NoError(b, err)
				}
			}
			b.ReportMetric(float64(size*b.N)/b.Elapsed().Seconds(), "transactions/s")
		})
	}
}
