package onboarding

import (
	"time"

	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/deps"
	"levy/service/internal/output"
	"levy/service/limit"
)

// Operations are the operations of organizations and their onboarding.
type Operations struct {
	deps       *deps.Deps
	now        func() time.Time
	keys       *secret.KeyHasher
	outputs    *output.Outputs
	feed       *output.EventFeed
	principals deps.PrincipalCache
	rules      models.OnboardingRules
	steps      *limit.KeyedSemaphore
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	keys *secret.KeyHasher,
	outputs *output.Outputs,
	feed *output.EventFeed,
	principals deps.PrincipalCache,
	rules models.OnboardingRules,
	steps *limit.KeyedSemaphore,
) *Operations {
	return &Operations{deps: deps, now: now, keys: keys, outputs: outputs, feed: feed, principals: principals, rules: rules, steps: steps}
}
