package api

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/contract"
)

func docsRouter(t *testing.T) *gin.Engine {
	router := gin.New()
	require.NoError(t, mountDocs(router, notFound(nil)))
	return router
}

// parsedContract returns the contract with all its members, also those that are not enforced.
var parsedContract = sync.OnceValues(func() (*openapi3.T, error) {
	return openapi3.NewLoader().LoadFromData(contract.JSON)
})

func contractDocument(t *testing.T) *openapi3.T {
	t.Helper()
	document, err := parsedContract()
	require.NoError(t, err)
	return document
}

func fetch(h http.Handler, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	h.ServeHTTP(recorder, request)
	return recorder
}

func TestContractIsServedAndCached(t *testing.T) {
	t.Parallel()
	router := docsRouter(t)
	r := fetch(router, "/openapi.json")
	require.Equal(t, http.StatusOK, r.Code)
	require.True(t, bytes.Equal(contract.JSON, r.Body.Bytes()), "what is served is what is checked")
	require.NoError(t, contractDocument(t).Validate(t.Context(), openapi3.DisableExamplesValidation()))
	require.NotContains(t, r.Body.String(), "x-go-")
	etag := r.Header().Get("ETag")
	require.NotEmpty(t, etag)
	require.Equal(t, http.StatusNotModified, fetch(router, "/openapi.json", "If-None-Match", etag).Code)
	require.Equal(t, http.StatusOK, fetch(router, "/openapi.json", "If-None-Match", `"other"`).Code)
}

// The page at /docs displays the contract. An entry without these words has no name or no explanation.
func TestContractDescribesEveryOperationAndSchema(t *testing.T) {
	t.Parallel()
	for _, item := range contractDocument(t).Paths.Map() {
		for _, op := range item.Operations() {
			require.NotEmpty(t, op.Summary, op.OperationID)
		}
	}
	for name, schema := range contractDocument(t).Components.Schemas {
		require.NotEmpty(t, schema.Value.Description, name)
	}
}

// writesNothing are operations with a body that only compute, or begin a session: they cannot conflict with stored
// records.
var writesNothing = map[string]bool{"estimateTax": true, "searchAddress": true, "suggestAddresses": true,
	"signIn": true, "getSignInLink": true}

func TestEveryOperationDocumentsItsErrors(t *testing.T) {
	t.Parallel()
	for path, item := range contractDocument(t).Paths.Map() {
		for method, op := range item.Operations() {
			at := method + " " + path
			needed := []string{"400", "405", "500"}
			if op.Security == nil {
				needed = append(needed, "401", "403", "404", "429", "503")
			}
			if op.RequestBody != nil {
				needed = append(needed, "413", "415")
			}
			if op.RequestBody != nil && !writesNothing[op.OperationID] {
				needed = append(needed, "409")
			}
			for _, status := range needed {
				response := op.Responses.Value(status)
				require.NotNil(t, response, "%s lacks %s", at, status)
				require.Contains(t, response.Value.Content, "application/problem+json", "%s %s", at, status)
			}
			success := 0
			for status := range op.Responses.Map() {
				if strings.HasPrefix(status, "2") {
					success++
				}
			}
			require.Equal(t, 1, success, "%s must have one success", at)
		}
	}
}
