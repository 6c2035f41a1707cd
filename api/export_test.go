package api

import (
	"context"
	"net/http"
)

// HasAccessRule reports whether an operation is in the table of access rules.
func HasAccessRule(operation string) bool {
	_, ok := accessRules[operation]
	return ok
}

// HTTPServer is the server that Serve runs, for tests with other times.
func (s *Server) HTTPServer(ctx context.Context) *http.Server { return s.httpServer(ctx) }
