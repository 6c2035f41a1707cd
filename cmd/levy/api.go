package main

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"sync"
	"time"

	"levy/activities"
	"levy/api"
	"levy/api/oidc"
	"levy/internal/secret"
	"levy/internal/telemetry"
	"levy/models"
	"levy/service"
	"levy/service/limit"
	"levy/store/masterkeys"
	"levy/store/pg"
	"levy/worker"
)

type apiCmd struct{}

// Run serves the API until the program receives a signal to end.
func (apiCmd) Run(p *program) error {
	if err := p.config.validate(needHTTP, needDatabase, needTemporal, needMasterKeys); err != nil {
		return err
	}
	boundMemory(apiPace)
	go giveMemoryBack(p.ctx)
	return serveAPI(p.ctx, p.config, p.serviceLog())
}

// How intake groups transactions: two database transactions at a time keep the
// disk busy while the next groups gather.
const (
	intakeCommitters = 2
	intakeGroup      = 128
)

// serveAPI serves HTTP on cfg.HTTPAddr, with /readyz there and on
// cfg.PrivateAddr, until ctx ends; then it drains: requests first, then what they
// left to do.
func serveAPI(ctx context.Context, cfg Config, log io.Writer) (err error) {
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	p, err := openParts(ctx, cfg, pg.RoleAPI, log)
	if err != nil {
		return err
	}
	p.end = end
	defer func() { err = errors.Join(err, endedBy(ctx), p.close(context.WithoutCancel(ctx))) }()
	p.warnOfLockedOut(ctx)
	intake := p.store.Transactions.StartIntake(intakeCommitters, intakeGroup)
	work := p.newDispatching()
	server, err := p.newServer(intake, work.dispatcher)
	if err != nil {
		return err
	}
	listener, err := cfg.listen(ctx)
	if err != nil {
		return err
	}
	private, err := p.listenPrivate(ctx)
	if err != nil {
		return errors.Join(err, listener.Close())
	}

	mailing, err := p.mailing(secret.NewKeyHasher(p.ring), server.Service().ReturnWants)
	if err != nil {
		return errors.Join(err, listener.Close(), private.Close())
	}
	p.registry.MustRegister(newNoisyCollector(server.Service()))
	background, stop := context.WithCancel(models.AcrossOrganizations(context.WithoutCancel(ctx)))
	var running sync.WaitGroup
	inBackground(background, &running, slices.Concat([]func(context.Context){
		work.dispatcher.Run,
		func(ctx context.Context) { server.Service().FollowPrincipals(ctx, p.store.Organizations) },
		p.store.Events.Follow,
		func(ctx context.Context) { server.Service().ShareLimits(ctx, p.store.Work) },
	}, work.sweepers, mailing, p.inEveryProcess(), []func(context.Context){
		func(ctx context.Context) { _ = p.store.AnalyzeNew(ctx) }, // ends with an error only when its context ends
		p.store.Idempotency.ForgetAnswers,
		p.store.Imports.ForgetImports,
		p.keepEventDays,
		p.takeOver.Keep,
	})...)
	running.Go(func() { p.servePrivate(background, private) })
	p.log.InfoContext(ctx, "API listens", "address", listener.Addr().String())
	err = server.Serve(ctx, listener)

	intake.Close()
	p.drain(background, work.dispatcher)
	stop()
	running.Wait()
	return err
}

// drain starts what was accepted, for as long as drainTimeout.
func (p *parts) drain(ctx context.Context, dispatcher *worker.Dispatcher) {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	if err := dispatcher.Drain(ctx); err != nil {
		p.log.WarnContext(ctx, "some accepted transactions are left to the relay", "error", err.Error())
	}
}

// identityProvider is where people sign in; nil where they have passwords.
func (c Config) identityProvider() service.IdentityProvider {
	if c.OIDCIssuer == "" {
		return nil
	}
	return oidc.New(oidc.Config{
		Issuer: c.OIDCIssuer, ClientID: c.OIDCClientID, ClientSecret: c.OIDCClientSecret.Reveal(),
		RedirectURL: c.OIDCRedirectURL, Domains: c.OIDCDomains,
	})
}

// newServer is the server of the API with all that it answers.
func (p *parts) newServer(intake service.Intake, dispatcher service.Dispatcher) (*api.Server, error) {
	s, hasher := p.store, secret.NewKeyHasher(p.ring)
	options := p.serviceOptions(hasher)
	consents, consentOf, err := p.vatConsents()
	if err != nil {
		return nil, err
	}
	served, err := service.New(service.Deps{
		Principals: s.Organizations, Organizations: s.Organizations,
		APIKeys: s.Organizations, Onboardings: s.Organizations, Links: s.Organizations, CalendarFeeds: s.Organizations,
		Products: s.Products(), Customers: s.Catalog, Exemptions: s.Catalog, Sales: s.Catalog,
		Registrations: s.Registrations, Nexus: s.Evaluation(),
		RateOverrides: s.Content, Filings: s.Filings, Reports: s.Filings, SentTo: p.cfg.sentTo(),
		Transactions: s.Transactions, Intake: intake, CreditNotes: s.Transactions, Dispatcher: dispatcher,
		Imports: s.Imports, Idempotency: s.Idempotency, Audit: s.Audit, Events: s.Feed(),
		Webhooks: s.Webhooks, Addresses: p.webhookClient(), People: s.People, Provider: p.cfg.identityProvider(), Work: s.Work,
		Notices: s.Notices, Connections: s.Registrations, Consents: consents,
		Law: p.taxes, Catalogue: p.taxes, Places: p.taxes, Engine: p.taxes,
		Steps: worker.NewOnboardings(p.client, p.log), Edits: activities.NewEdits(p.onboardings()), Vault: p.vault,
		Database: s.Ping, Workflows: p.checkTemporal, Status: p.status, ContentChanges: p.contentChanges,
		MasterKeys: p.masterKeys,
	}, options)
	if err != nil {
		return nil, err
	}
	mount, missing, err := pages(served, &p.cfg)
	if err != nil {
		return nil, err
	}
	if consentOf != nil {
		mount[consentPage] = consentOf
	}
	mount[codecPath] = p.codecEndpoint(hasher,
		func(r *http.Request, hash []byte, find func() error) (time.Duration, error) {
			return served.LookUpFor(r.Context(), hash, find)
		})
	return api.NewServer(served, api.Options{
		Options:        options,
		DrainDelay:     p.cfg.DrainDelay,
		AtOnce:         func(cause error) bool { return errors.Is(cause, masterkeys.ErrRetired) },
		TrustedProxies: p.cfg.TrustedProxies,
		Trace:          tracing(telemetry.Exporting()),
		Observe:        newHTTPMetrics(p.registry).observe,
		Mount:          mount,
		Missing:        missing,
	})
}

// serviceOptions say how the service behaves.
func (p *parts) serviceOptions(hasher *secret.KeyHasher) service.Options {
	return service.Options{
		Keys: hasher, Logger: p.log,
		Limits: limit.Config{
			Rate:       models.RateLimit{PerMinute: p.cfg.RateLimit, Burst: p.cfg.RateBurst},
			Concurrent: p.cfg.RateConcurrent,
		},
		Sources:          p.cfg.TransactionSources,
		OnboardingRules:  p.cfg.onboardingRules(),
		WebhookHosts:     p.cfg.WebhookHosts,
		NexusApproaching: p.cfg.NexusApproaching,
		ImportLimit:      p.cfg.ImportLimit << 20,
		PublicURL:        p.cfg.PublicURL,
		Mails:            p.cfg.SMTPAddr != "",
		MailsPerDay:      p.cfg.SMTPDaily,
	}
}
