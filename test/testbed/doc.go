// Package testbed runs the real service for tests: PostgreSQL, Temporal, and `levy api` and `levy worker` as processes
// that a test can kill.
//
//	func TestMain(m *testing.M) { testbed.Main(m) }
//
//	bed := testbed.New(t, testbed.Options{})
//	bed.API.Start()
//	bed.Worker.Start()
//	answer := bed.Post("/v1/transactions", testbed.Sale("ORDER-1", 1))
//
// Each bed has a database, a Temporal server, and an organization with a key and the product "P-1". Tests with beds can
// therefore run in parallel.
package testbed
