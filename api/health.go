package api

import (
	"context"
	"time"

	"levy/api/openapi"
	"levy/contract/problem"
)

// checkTimeout is the time that a dependency has to answer a readiness check.
const checkTimeout = time.Second

// Words of a readiness check.
const (
	checkOK       = "ok"
	checkFailed   = "failed"
	checkDegraded = "degraded"
)

// GetHealth answers while the process runs.
func (s *Server) GetHealth(context.Context, openapi.GetHealthRequest) (openapi.Health, error) {
	return openapi.Health{Status: "ok"}, nil
}

// GetReadiness says whether requests can be served. Without the workflow engine
// they can: what is accepted is processed later.
func (s *Server) GetReadiness(ctx context.Context, _ openapi.GetReadinessRequest) (openapi.Readiness, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	database, workflows := s.deps.Database(ctx), s.deps.Workflows(ctx)

	checks := map[string]string{"postgres": checkOK, "content": checkOK, "temporal": checkOK}
	if database != nil {
		checks["postgres"] = checkFailed
	}
	if len(s.deps.Catalogue.Categories()) == 0 {
		checks["content"] = checkFailed
	}
	if workflows != nil {
		checks["temporal"] = checkDegraded
	}
	switch {
	case checks["postgres"] != checkOK || checks["content"] != checkOK:
		return openapi.Readiness{}, problem.New(
			problem.CodeServiceUnavailable, "A part that the service needs is missing.",
		).With("checks", checks)
	case s.draining.Load():
		return openapi.Readiness{}, problem.New(
			problem.CodeServiceUnavailable, "The process is shutting down.",
		).With("checks", checks)
	}
	return openapi.Readiness{Status: "ready", Checks: checks}, nil
}
