package api_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReturnsOfManyAreSortedAsAskedFor(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, order := range []string{"", "due_date", "-amount", "amount,-due_date", "organization_name"} {
		in.do(in.root, "GET", "/v1/due_filings?order_by="+order, "").expect(200)
	}
	require.Contains(t, in.do(in.root, "GET", "/v1/due_filings?order_by=name", "").expect(400).Body.String(),
		"unknown_order_field")
}

// Faults of two parameters together are reported in addition to those of single ones.
func TestDaysOfReturnsAreInOrder(t *testing.T) {
	t.Parallel()
	in := install(t)
	for query, want := range map[string][]string{
		"due_days__gte=3&due_days__lte=2":            {"mismatch query.due_days__lte"},
		"due_days__gte=-2&due_days__lte=-3&size=900": {"out_of_range query.size", "mismatch query.due_days__lte"},
	} {
		require.Equal(t, want, in.do(in.root, "GET", "/v1/due_filings?"+query, "").bodyFaults())
	}
	in.do(in.root, "GET", "/v1/due_filings?due_days__gte=-3&due_days__lte=-3", "").expect(200)
}
