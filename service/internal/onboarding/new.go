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

	// Mails is the number of e-mails of a partner with its clients in 24 hours; 0 where e-mail is off.
	Mails int
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
