package service

import (
	"cmp"

	"levy/contract"
	"levy/models"
	"levy/service/internal/catalog"
	"levy/service/internal/feed"
	"levy/service/internal/filings"
	"levy/service/internal/installation"
	"levy/service/internal/nexus"
	"levy/service/internal/notices"
	"levy/service/internal/onboarding"
	"levy/service/internal/output"
	"levy/service/internal/people"
	"levy/service/internal/registrations"
	"levy/service/internal/transactions"
	"levy/service/limit"
	taxnexus "levy/tax/nexus"
)

// These are the operations by subject.
type (
	catalogOperations      = catalog.Operations
	feedOperations         = feed.Operations
	filingOperations       = filings.Operations
	installationOperations = installation.Operations
	nexusOperations        = nexus.Operations
	noticeOperations       = notices.Operations
	onboardingOperations   = onboarding.Operations
	peopleOperations       = people.Operations
	registrationOperations = registrations.Operations
	transactionOperations  = transactions.Operations
)

// subjects are the operations of all subjects. Service does not embed them: a door that has a Service must enter first.
type subjects struct {
	*catalogOperations
	*feedOperations
	*filingOperations
	*installationOperations
	*nexusOperations
	*noticeOperations
	*onboardingOperations
	*peopleOperations
	*registrationOperations
	*transactionOperations
}

var _ contract.Operations = subjects{}

// newSubjects returns the operations of all subjects with their shared parts.
func (s *Service) newSubjects(o Options, rules models.OnboardingRules) (all subjects) {
	events := output.NewEventFeed(s.deps.Events)
	all.catalogOperations = catalog.New(s.deps, s.now, s.outputs, s.principals)
	all.filingOperations = filings.New(s.deps, s.now, s.outputs)
	all.installationOperations = installation.New(s.deps, s.outputs, s.calls)
	all.nexusOperations = nexus.New(s.deps, s.now, s.outputs, cmp.Or(o.NexusApproaching, taxnexus.ApproachingPercent))
	all.noticeOperations = notices.New(s.deps, s.now, s.outputs)
	all.onboardingOperations = onboarding.New(
		s.deps, s.now, o.Keys, s.outputs, events, s.principals, rules, limit.NewKeyedSemaphore(1),
	)
	all.peopleOperations = people.New(
		s.deps, s.now, s.outputs, o.Keys, s.log, limit.NewAccounts(s.now), s.failures, people.NewPasswords(),
		people.NewRelyingParty(o.PublicURL, s.HasProvider()), s.principals, s.checkQuery,
	)
	all.peopleOperations.Mails = o.Mails
	if o.Mails {
		all.onboardingOperations.Mails = o.MailsPerDay
	}
	all.registrationOperations = registrations.New(s.deps, s.now, s.outputs, s.principals)
	all.transactionOperations = transactions.New(
		s.deps, s.now, s.outputs, limit.NewShares(transactions.Uploads, s.now),
		all.catalogOperations,
	)
	all.feedOperations = feed.New(
		s.deps, s.now, s.outputs, events, rules, all.transactionOperations, all.filingOperations, all.registrationOperations,
		all.nexusOperations, all.onboardingOperations, all.peopleOperations,
	)
	return all
}
