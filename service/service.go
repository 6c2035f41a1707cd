package service

import (
	"cmp"
	"log/slog"
	"time"

	"levy/contract"
	"levy/contract/validate"
	"levy/internal/fair"
	"levy/internal/secret"
	"levy/internal/webhook"
	"levy/models"
	"levy/service/internal/deps"
	"levy/service/internal/output"
	"levy/service/limit"
)

// Options configure a service.
type Options struct {
	Keys   *secret.KeyHasher // hashes API keys under the master keys
	Logger *slog.Logger      // nil for the default one
	// Sources are additional values for the source of a record.
	Sources []string
	Limits  limit.Config
	// Operations replaces operations in benchmarks of the common part of all calls; nil for none.
	Operations func(contract.Operations) contract.Operations
	// OnboardingRules are the times after which an onboarding expires; the zero value means the contract's times.
	OnboardingRules models.OnboardingRules
	// ImportLimit is the largest file of an import in bytes; 0 means that of the contract.
	ImportLimit int64
	// Streams bound streams of events; the zero value means the contract's times.
	Streams StreamTimes
	// WebhookHosts are hosts that may receive events although they are private or have no TLS.
	WebhookHosts webhook.Hosts
	// NexusApproaching is the share of a threshold, in percent, from which on nexus counts as approaching; 0 means the
	// contract's share.
	NexusApproaching int
	// PublicURL is the address under which people open the installation, to which passkeys belong; empty for no passkeys.
	PublicURL string
	// Mails sends sign-in links by e-mail, to their person alone.
	Mails bool
	// MailsPerDay is the number of e-mails of an organization with its clients in 24 hours.
	MailsPerDay int
	// PrincipalLifetime is how long the principal of a key is cached; 0 means 5 seconds.
	PrincipalLifetime time.Duration
	// Now is the clock; nil for the system's.
	Now func() time.Time
}

// Service carries out the operations of the contract for every caller that the gate admits.
type Service struct {
	deps       *deps.Deps
	keys       *secret.KeyHasher
	log        *slog.Logger
	now        func() time.Time
	principals *principalCache
	failures   *limit.Failures
	good       *limit.Good
	calls      *limit.Calls
	work       *fair.Slots           // concurrent calls
	documents  *limit.Shares         // bytes of files of typed calls in memory
	writeLocks *limit.KeyedSemaphore // writes of one record
	validator  *operations
	subjects   subjects
	operations contract.Operations // the subjects or their replacement; only run calls them
	outputs    *output.Outputs
}

// New returns a service. Errors: a contract that does not parse, or that has an operation without an access rule.
func New(d Deps, o Options) (*Service, error) {
	now, rules := o.Now, o.OnboardingRules
	if now == nil {
		now = time.Now
	}
	if rules.Expiry == 0 {
		rules = models.DefaultOnboardingRules()
	}
	d.Dispatcher = committedOffers{d.Dispatcher}
	s := &Service{
		deps: &d, keys: o.Keys, log: cmp.Or(o.Logger, slog.Default()), now: now,
		principals: newPrincipalCache(d.Principals, cmp.Or(o.PrincipalLifetime, principalTTL), now),
		failures:   limit.NewFailures(now), good: limit.NewGood(), calls: limit.NewCalls(o.Limits, now), work: newWork(now),
		writeLocks: limit.NewKeyedSemaphore(1), documents: limit.NewShares(documentBytes, now),
		outputs: output.NewOutputs(cmp.Or(o.Streams, output.ContractStreams)),
	}
	s.subjects = s.newSubjects(o, rules)
	s.operations = s.subjects
	if o.Operations != nil {
		s.operations = o.Operations(s.operations)
	}
	var err error
	s.validator, err = compileOperations(validate.Options{
		Sources: o.Sources, Category: d.KnownCategory,
		Categories:   func() []validate.Category { return categoryNames(d.Catalogue.Categories()) },
		Jurisdiction: d.KnownJurisdiction, WebhookURL: o.WebhookHosts.Wrong,
		Checks: s.bodyChecks(),
	})
	if err != nil {
		return nil, err
	}
	imports := s.validator.byID["createTransactionImport"]
	imports.BodyLimit = cmp.Or(o.ImportLimit, imports.BodyLimit)
	return s, nil
}

// Drain ends files and streams under way, because the process stops. Their clients connect to another process.
func (s *Service) Drain() { s.outputs.Drain() }

// Draining reports whether the process has begun to stop.
func (s *Service) Draining() bool { return s.outputs.Draining() }

// HasProvider reports whether people sign in at an OpenID provider.
func (s *Service) HasProvider() bool { return s.deps.Provider != nil }

// ReturnWants returns the data that returns want of registrations, by the current law.
func (s *Service) ReturnWants() models.ReturnWants { return s.deps.ReturnWants() }

// Operation returns the operation of the contract with an id; nil for none.
func (s *Service) Operation(id string) *Operation { return s.validator.byID[id] }

// StreamTimes returns how long streams of events last and wait.
func (s *Service) StreamTimes() StreamTimes { return s.outputs.Times }
