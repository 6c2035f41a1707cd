package feed

import (
	"time"

	"levy/models"
	"levy/service/internal/deps"
	"levy/service/internal/filings"
	"levy/service/internal/nexus"
	"levy/service/internal/onboarding"
	"levy/service/internal/output"
	"levy/service/internal/people"
	"levy/service/internal/registrations"
	"levy/service/internal/transactions"
)

// Operations are the operations of events, webhooks, exceptions and the audit trail.
type Operations struct {
	deps          *deps.Deps
	now           func() time.Time
	outputs       *output.Outputs
	feed          *output.EventFeed
	rules         models.OnboardingRules
	transactions  *transactions.Operations
	filings       *filings.Operations
	registrations *registrations.Operations
	nexus         *nexus.Operations
	onboarding    *onboarding.Operations
	people        *people.Operations
}

// New returns the operations.
func New(
	deps *deps.Deps,
	now func() time.Time,
	outputs *output.Outputs,
	feed *output.EventFeed,
	rules models.OnboardingRules,
	transactions *transactions.Operations,
	filings *filings.Operations,
	registrations *registrations.Operations,
	nexus *nexus.Operations,
	onboarding *onboarding.Operations,
	people *people.Operations,
) *Operations {
	return &Operations{
		deps: deps, now: now, outputs: outputs, feed: feed, rules: rules,
		transactions: transactions, filings: filings, registrations: registrations, nexus: nexus,
		onboarding: onboarding, people: people,
	}
}
