package api

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"levy/api/limit"
	"levy/contract"
	"levy/contract/validate"
	"levy/internal/fair"
	"levy/internal/secret"
	"levy/internal/webhook"
	"levy/models"
	"levy/tax/nexus"
)

// Options say how a server behaves.
type Options struct {
	Keys   *secret.KeyHasher // hashes API keys under the master keys
	Logger *slog.Logger      // nil for the default one
	// Sources are values the operator adds to the set of sources of records.
	Sources []string
	Limits  limit.Config
	// Trace is the middleware that opens a span for a request; nil for none.
	Trace gin.HandlerFunc
	// Observe is called for every answer, for metrics; nil for none. route is the pattern
	// of the contract, empty for no route.
	Observe func(method, route string, status int, took time.Duration)
	// Mount adds handlers of others under path prefixes such as /codec. They check
	// their callers themselves.
	Mount map[string]http.Handler
	// Missing is the page for people who open an address in a browser that no route takes; nil for none.
	Missing http.Handler
	// Operations replaces operations, for a benchmark that measures what all of them have in
	// common; nil for none.
	Operations func(contract.Operations) contract.Operations
	// TrustedProxies are addresses and networks of proxies whose X-Forwarded-For says who sends a
	// request; none means that the connection does.
	TrustedProxies []string
	// DrainDelay is the time between the moment readiness says no and the moment
	// new connections are refused, so that load balancers send requests elsewhere first.
	DrainDelay time.Duration
	// OnboardingRules are the times after which an onboarding expires; the zero value
	// means those of the contract.
	OnboardingRules models.OnboardingRules
	// Streams bound streams of events; the zero value means the contract's times.
	Streams StreamTimes
	// WebhookHosts are hosts that events may be sent to although they are private, or without TLS.
	WebhookHosts webhook.Hosts
	// ImportLimit is the largest file of an import in bytes; 0 means that of the contract.
	ImportLimit int64
	// NexusApproaching is the share of a threshold, in percent, from which on it is
	// approached; 0 means that of the contract.
	NexusApproaching int
	// PrincipalLifetime is how long it is kept what a key stands for, unless it changes; 0
	// means 5 seconds.
	PrincipalLifetime time.Duration
	// Now is the clock; nil for the system's.
	Now func() time.Time
}

// Server answers the HTTP API.
type Server struct {
	deps        Deps
	keys        *secret.KeyHasher
	log         *slog.Logger
	now         func() time.Time
	principals  *principalCache
	failures    *limit.Failures
	resets      *limit.Resets
	good        *limit.Good
	accounts    *limit.Accounts
	passwords   *passwords
	calls       *limit.Calls
	work        *fair.Slots           // calls that are worked on, by partner
	writeLocks  *limit.KeyedSemaphore // writes of one record
	large       *fair.Slots           // pages that are answered in parts, by partner
	engine      *gin.Engine
	validator   *operations
	operations  contract.Operations // of the records
	bodies      *limit.TenantQuota  // bytes of large bodies
	importLimit int64
	observe     func(method, route string, status int, took time.Duration)
	drainDelay  time.Duration
	rules       models.OnboardingRules
	feed        *eventFeed
	outputs     *outputs
	steps       *limit.KeyedSemaphore // of onboardings, one at a time for an organization
	uploads     *limit.TenantQuota    // likewise
	rests       *limit.TenantQuota    // bodies whose rest is read

	approaching int
	refused     []string // routes that only say 405
}

var _ contract.Operations = (*Server)(nil)

// New builds a server. Errors: a contract that does not parse, or that has an
// operation without an access rule.
func New(deps Deps, o Options) (*Server, error) {
	s := &Server{
		deps: deps, keys: o.Keys, log: cmp.Or(o.Logger, slog.Default()), now: o.Now, observe: o.Observe,
		drainDelay: o.DrainDelay, rules: o.OnboardingRules, outputs: newOutputs(cmp.Or(o.Streams, contractStreams)),
		approaching: cmp.Or(o.NexusApproaching, nexus.ApproachingPercent),
	}
	if s.rules.Expiry == 0 {
		s.rules = models.DefaultOnboardingRules()
	}
	s.feed = newEventFeed(deps.Events)
	s.steps = limit.NewKeyedSemaphore(1)
	s.uploads = limit.NewTenantQuota(maxUploads, maxUploadsOfOne)
	s.rests = limit.NewTenantQuota(maxRests, maxRestsOfOne)
	if s.now == nil {
		s.now = time.Now
	}
	s.deps.Dispatcher = committedOffers{deps.Dispatcher}
	s.principals = newPrincipalCache(deps.Principals, cmp.Or(o.PrincipalLifetime, principalTTL), s.now)
	s.failures, s.good = limit.NewFailures(s.now), limit.NewGood()
	s.resets = limit.NewResets(s.now, o.TrustedProxies)
	s.accounts = limit.NewAccounts(s.now)
	s.passwords = newPasswords()
	s.calls = limit.NewCalls(o.Limits, s.now)
	s.work = newWork(s.now)
	s.writeLocks = limit.NewKeyedSemaphore(1)
	s.large = fair.New(fair.Sizes{Total: maxLargePages, One: 1, Waits: largePageWaits}, s.now)
	s.bodies = limit.NewTenantQuota(largeBodies, largeBodiesOfOne)
	s.importLimit = o.ImportLimit
	s.operations = s
	if o.Operations != nil {
		s.operations = o.Operations(s)
	}
	var err error
	if s.validator, err = compileOperations(validate.Options{
		Sources: o.Sources, Category: s.deps.KnownCategory, Jurisdiction: s.deps.KnownJurisdiction, WebhookURL: o.WebhookHosts.Wrong,
		Checks: s.bodyChecks(),
	}); err != nil {
		return nil, err
	}
	if s.engine, err = s.routes(o); err != nil {
		return nil, err
	}
	return s, nil
}

// routes puts the checks in the order of the contract. Every request passes the
// first list; what follows depends on the route found.
func (s *Server) routes(o Options) (*gin.Engine, error) {
	engine, err := newEngine(o.TrustedProxies)
	if err != nil {
		return nil, err
	}
	engine.Use(s.takeRest, s.identify)
	if o.Trace != nil {
		engine.Use(o.Trace)
	}
	engine.Use(s.logAccess, s.recover)
	engine.NoRoute(limitHead, missing(o.Missing))
	engine.NoMethod(limitHead, s.withoutRefused, methodNotAllowed)

	if err := s.handleOperations(engine); err != nil {
		return nil, err
	}
	if s.deps.Provider != nil {
		engine.GET(providerStartPath, limitHead, s.beginAtProvider)
		engine.GET(ProviderCallbackPath, limitHead, s.comeFromProvider)
	}
	if err := mountDocs(engine, missing(o.Missing)); err != nil {
		return nil, err
	}
	for prefix, handler := range o.Mount {
		engine.Any(prefix, notePeer, gin.WrapH(handler))
		if prefix != "/" {
			engine.Any(prefix+"/*rest", plainPath, notePeer, gin.WrapH(handler))
		}
	}
	return engine, nil
}

// newEngine is the router, which takes paths as they are.
func newEngine(trustedProxies []string) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.RedirectFixedPath = false
	engine.UseEscapedPath = true // a %2F belongs to its segment
	engine.UnescapePathValues = false
	engine.ContextWithFallback = true
	engine.RemoteIPHeaders = []string{"X-Forwarded-For"}
	if err := engine.SetTrustedProxies(trustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	return engine, nil
}

// handleOperations routes the operations of the contract.
func (s *Server) handleOperations(engine *gin.Engine) error {
	for _, route := range routes {
		op := s.validator.byID[route.Operation]
		if op == nil {
			return fmt.Errorf("operation %s is not in the contract", route.Operation)
		}
		engine.Handle(route.Method, route.Path, limitHead, unescapePath, func(c *gin.Context) { s.serveOperation(c, op) })
	}
	s.refuseOthers(engine, routes)
	return nil
}
