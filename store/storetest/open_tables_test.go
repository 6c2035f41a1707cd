package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOpenStatementsFindsNamesOfClosedTables(t *testing.T) {
	t.Parallel()
	heard := &openStatements{}
	for _, statement := range []string{
		"SELECT id FROM products", "SELECT tax_registrations FROM customers", "DELETE FROM audited",
		`SELECT * FROM "api_keys"`, "SELECT a.at FROM audit a", "SELECT a.at FROM audit a",
	} {
		heard.check(statement)
	}
	require.Equal(t, []string{`SELECT * FROM "api_keys"`, "SELECT a.at FROM audit a"}, heard.faults)
}
