package store_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/store"
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
				s := storetest.Open(b, store.Options{URL: url})
				intake := s.StartIntake(committers, group)
				b.Cleanup(intake.Close)
				scope := storetest.Organization(b, url)
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
