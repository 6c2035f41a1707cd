package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"levy/contract/contracttest"
)

// contractDocument is the contract, parsed once for all tests.
var contractDocument = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromFile("../api/openapi.yaml")
})

// exampleAPIOf returns an API that answers each call with an example of the contract.
func exampleAPIOf(t *testing.T, session string, variant int) *contracttest.Examples {
	t.Helper()
	document, err := contractDocument()
	require.NoError(t, err)
	return contracttest.ExamplesOf(document, session, variant)
}

// eachPage reads the pages of people who are signed in, over an API.
func eachPage(t *testing.T, api http.Handler, read func(path, page string)) {
	t.Helper()
	for _, p := range consoleOver(t, api).pages {
		if p.template != "" && p.access == signedIn {
			read(p.path, answeredBy(t, api, httptest.NewRequest(http.MethodGet, pathFor(p.path), nil)).Body.String())
		}
	}
}

// pathFor fills the pattern of a route with ids.
func pathFor(pattern string) string {
	return strings.NewReplacer("{$}", "", "{org}", "org_1", "{id}", "id_1", "{step}", "3", "{document}", "doc_1",
		"{token}", "token").Replace(pattern)
}
