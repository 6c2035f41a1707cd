package web

import (
	"net/http"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// A page says which one it is: the same while it would be shown the same, another one when something changed.
func TestAPageSaysWhichOneItIs(t *testing.T) {
	t.Parallel()
	shown := func(status string) string {
		answered := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/filings": `{"items":[{"id":"file_1","status":"` + status + `"}]}`,
		}, "/o/org_1/filings", nil)
		require.Equal(t, http.StatusOK, answered.Code)
		found := regexp.MustCompile(`<script [^>]* data-page="([0-9a-f]{16})"`).FindStringSubmatch(answered.Body.String())
		require.NotNil(t, found, answered.Body)
		return found[1]
	}
	before := shown("FILING")
	require.Equal(t, before, shown("FILING"))
	require.NotEqual(t, before, shown("FILED"))
}
