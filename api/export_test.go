package api

import (
	"context"
	"net/http"
	"testing"
)

// HTTPServer returns the server that Serve runs, for tests with other times.
func (s *Server) HTTPServer(ctx context.Context) *http.Server { return s.httpServer(ctx) }

// EnumOf returns the values of a schema of the contract.
func EnumOf(t *testing.T, schema string) []string {
	t.Helper()
	var values []string
	for _, value := range contractDocument(t).Components.Schemas[schema].Value.Enum {
		values = append(values, value.(string))
	}
	return values
}
