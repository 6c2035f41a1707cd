package api

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync/atomic"
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
	work        *fair.Places          // calls that are worked on, by partner
	writeLocks  *limit.KeyedSemaphore // writes of one record
	large       *fair.Places          // pages that are answered in parts, by partner
	engine      *gin.Engine
	validator   *Validator
	observe     func(method, route string, status int, took time.Duration)
	drainDelay  time.Duration
	draining    atomic.Bool
	stopping    chan struct{} // closed when the server begins to drain
	rules       models.OnboardingRules
	feed        *eventFeed
	streamTimes StreamTimes
	steps       *limit.KeyedSemaphore // of onboardings, one at a time for an organization
	exports     *limit.TenantQuota    // those under way
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
		drainDelay: o.DrainDelay, stopping: make(chan struct{}),
		rules: o.OnboardingRules, streamTimes: cmp.Or(o.Streams, contractStreams),
		approaching: cmp.Or(o.NexusApproaching, nexus.ApproachingPercent),
	}
	if s.rules.Expiry == 0 {
		s.rules = models.DefaultOnboardingRules()
	}
	s.feed = newEventFeed(deps.Events)
	s.steps = limit.NewKeyedSemaphore(1)
	s.exports = limit.NewTenantQuota(maxExports, maxExportsOfOne)
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
	var err error
	if s.validator, err = newValidator(validate.Options{
		Sources: o.Sources, Category: s.knownCategory, Jurisdiction: s.knownJurisdiction,
		WebhookURL: o.WebhookHosts.Wrong,
		Checks:     s.bodyChecks(),
	}, s.now); err != nil {
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

	if err := s.handleOperations(engine, o); err != nil {
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
		engine.Any(prefix, s.noteCaller, gin.WrapH(handler))
		if prefix != "/" {
			engine.Any(prefix+"/*rest", plainPath, s.noteCaller, gin.WrapH(handler))
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

// handleOperations routes the operations of the contract, each behind its checks.
func (s *Server) handleOperations(engine *gin.Engine, o Options) error {
	operations := contract.Operations(s)
	if o.Operations != nil {
		operations = o.Operations(s)
	}
	routes := Routes(operations, s.reply, s.stream)
	for _, route := range routes {
		rule := accessRules[route.Operation]
		if err := rule.check(); err != nil {
			return fmt.Errorf("access rule of operation %s: %w", route.Operation, err)
		}
		engine.Handle(route.Method, route.Path, s.chain(o, route, rule)...)
	}
	s.refuseOthers(engine, routes)
	return nil
}

// chain is the order of the checks of one operation.
func (s *Server) chain(o Options, route Route, rule accessRule) gin.HandlersChain {
	validator, operation := s.validator, s.validator.operations[route.Method+" "+route.Path]
	clock, concurrency := limitTime(operation.timeout), s.limitConcurrency(operation)
	if route.Stream {
		clock = func(*gin.Context) {} // it bounds itself
		concurrency = clock           // and is bounded by its number
	}
	if rule.public {
		return gin.HandlersChain{limitHead, clock, validator.Middleware(), route.Handler}
	}
	if rule.signIn {
		return gin.HandlersChain{
			limitHead, s.meet, awaitRequest(operation.timeout), s.readBody(validator, operation, o.ImportLimit), clock,
			validator.Middleware(), route.Handler,
		}
	}
	chain := gin.HandlersChain{
		limitHead, unescapePath, // 414, 431
		s.authenticate,             // 401, or 429 after too many of them
		s.limitCalls(route.Stream), // 429
		s.organization(rule),       // 400, 404
		awaitRequest(operation.timeout),
		s.authorizeFile(operation, rule),                // a file is not received of whom it would be refused
		s.readBody(validator, operation, o.ImportLimit), // 415, 413
		clock,       // from here on the clock of the answer runs
		concurrency, // others of the partner first
		s.serializeWrites(operation),
		s.idempotent(operation), // replay, 400, 409
	}
	if step := stepsByOperation[route.Operation]; step > 0 {
		chain = append(chain, s.afterRefusal(step, rule))
	}
	return append(chain,
		validator.Middleware(), // 400 of JSON, then of all fields; 404 of an impossible path
		releaseConcurrency(operation),
		s.authorize(rule), // 404 of the path, then 403
		s.noteRead(route.Operation),
		route.Handler, // 404 of the path, then of references; 409 of state, then of uniqueness
	)
}

// reply writes the answer of a handler, or its error.
func (s *Server) reply(c *gin.Context, status int, answer any, err error) {
	if err != nil {
		s.fail(c, err)
		return
	}
	call := callOf(c.Request.Context())
	setSession(c, call)
	if call.total != nil {
		c.Header("X-Total-Count", strconv.FormatInt(*call.total, 10))
	}
	if call.next != nil {
		c.Header("X-Next-Cursor", *call.next)
	}
	if call.parts != nil {
		s.answerInParts(c, status, answer, call.parts)
		return
	}
	if held, ok := c.Writer.(*heldAnswer); ok {
		if err := held.withhold(answer); err != nil {
			s.fail(c, err)
			return
		}
	}
	s.nameFixed(c, answer)
	writeJSON(c, status, answer)
}
