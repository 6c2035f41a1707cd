package installation

import (
	"context"
	"time"

	"levy/contract"
	"levy/contract/problem"
)

// checkTimeout bounds the time of a dependency in a readiness check.
const checkTimeout = time.Second

// These are the states of a readiness check.
const (
	checkOK       = "ok"
	checkFailed   = "failed"
	checkDegraded = "degraded"
)

// GetHealth answers while the process runs.
func (o *Operations) GetHealth(context.Context, contract.GetHealthRequest) (contract.Health, error) {
	return contract.Health{Status: "ok"}, nil
}

// GetReadiness reports whether the process can serve requests. It can do so without Temporal,
// because accepted transactions are processed later.
func (o *Operations) GetReadiness(ctx context.Context, _ contract.GetReadinessRequest) (contract.Readiness, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTimeout)
	defer cancel()
	database, workflows := o.deps.Database(ctx), o.deps.Workflows(ctx)

	checks := map[string]string{"postgres": checkOK, "content": checkOK, "temporal": checkOK}
	if database != nil {
		checks["postgres"] = checkFailed
	}
	if len(o.deps.Catalogue.Categories()) == 0 {
		checks["content"] = checkFailed
	}
	if workflows != nil {
		checks["temporal"] = checkDegraded
	}
	switch {
	case checks["postgres"] != checkOK || checks["content"] != checkOK:
		return contract.Readiness{}, problem.New(
			problem.CodeServiceUnavailable, "A part that the service needs is missing.",
		).With("checks", checks)
	case o.outputs.Draining():
		return contract.Readiness{}, problem.New(
			problem.CodeServiceUnavailable, "The process is shutting down.",
		).With("checks", checks)
	}
	return contract.Readiness{Status: "ready", Checks: checks}, nil
}
