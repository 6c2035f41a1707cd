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
