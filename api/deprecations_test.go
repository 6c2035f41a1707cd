package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each deprecated field of the contract has a day from which it may be missing, at least 12 months
// after the announcement. No other field has one.
func TestDeprecatedFieldsHaveADay(t *testing.T) {
	t.Parallel()
	named := map[string]bool{}
	for _, schema := range contractDocument(t).Components.Schemas {
		for name, property := range schema.Value.Properties {
			if property.Value.Deprecated {
				named[name] = true
				require.Contains(t, deprecations, name)
			}
		}
	}
	for name, d := range deprecations {
		require.True(t, named[name], name)
		require.False(t, d.until.Before(d.since.AddDate(1, 0, 0)), name)
	}
}

func TestTheFieldThatIsRemovedFirstIsAnnounced(t *testing.T) {
	t.Parallel()
	header := http.Header{}
	announce(header, nil)
	require.Empty(t, header)
	announce(header, []string{"tax_id", "organization_id"})
	require.Equal(t, http.Header{
		"Deprecation": {"@1795219200"}, "Sunset": {"Fri, 31 Dec 2027 00:00:00 GMT"},
	}, header)
}

// A deprecated field is announced at every place, also when the request is refused. A client
// that does not submit it gets no announcement.
func TestDeprecatedFieldsAreAnnounced(t *testing.T) {
	t.Parallel()
	sale := strings.TrimSuffix(strings.TrimSpace(saleWith(`{}`)), "}")
	for name, row := range map[string]struct {
		method, path, body string
		announced          bool
	}{
		"none":             {"POST", "/v1/transactions", sale + "}", false},
		"the organization": {"POST", "/v1/transactions", sale + `,"organization_id":"org_1"}`, true},
		"tax_id":           {"POST", "/v1/transactions", sale + `,"tax_id":"1"}`, true},
		"of a line": {"POST", "/v1/transactions",
			saleWith(`{"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z",` +
				`"organization_id":null}]}`), true},
		"of a row":       {"POST", "/v1/transactions/batch", `{"transactions":[` + sale + `,"tax_id":"1"}]}`, true},
		"refused":        {"POST", "/v1/transactions", `{"tax_id":"1"}`, true},
		"not deprecated": {"POST", "/v1/registrations", `{"tax_id":"1"}`, false},
		"read":           {"GET", "/v1/transactions", "", false},
	} {
		header := setupTransactions(t).send(row.method, row.path, row.body).Header()
		require.Equal(t, row.announced, header.Get("Deprecation") != "", name)
		require.Equal(t, row.announced, header.Get("Sunset") != "", name)
	}
}
