package api

import (
	"cmp"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"levy/internal/fair"
	"levy/service"
	"levy/service/limit"
)

// Options configure a server.
type Options struct {
	service.Options
	// Trace is the middleware that opens a span for a request; nil for none.
	Trace gin.HandlerFunc
	// Observe receives every answer for metrics; nil for none. route is the pattern of the contract, empty
	// for no route.
	Observe func(method, route string, status int, took time.Duration)
	// Mount adds other handlers under path prefixes such as /codec. They authenticate their callers themselves.
	Mount map[string]http.Handler
	// Missing is the page for a browser whose address has no route; nil for none.
	Missing http.Handler
	// TrustedProxies are addresses and networks of proxies whose X-Forwarded-For names the client.
	// Without them the address of the connection counts.
	TrustedProxies []string
	// DrainDelay is the time between failed readiness and the refusal of new connections, so that load balancers first
	// send requests elsewhere.
	DrainDelay time.Duration
	// AtOnce reports that a server that ends for this cause of its context takes no new work, whatever DrainDelay says.
	AtOnce func(cause error) bool
}

// Server serves the HTTP API.
type Server struct {
	service    *service.Service
	log        *slog.Logger
	now        func() time.Time
	resets     *limit.Resets
	large      *fair.Slots // slots of pages that are written in parts
	engine     *gin.Engine
	bodies     *limit.Shares // bytes of large bodies
	rests      *limit.Shares // bodies whose rest is read
	observe    func(method, route string, status int, took time.Duration)
	drainDelay time.Duration
	atOnce     func(cause error) bool
	refused    []string // routes that only answer 405
}

// New returns a server with its service. Errors: those of service.New, and trusted proxies that are no addresses.
func New(deps service.Deps, o Options) (*Server, error) {
	served, err := service.New(deps, o.Options)
	if err != nil {
		return nil, err
	}
	return NewServer(served, o)
}

// NewServer returns a server of a service with the same options. Errors: trusted proxies that are no addresses.
func NewServer(served *service.Service, o Options) (*Server, error) {
	s := &Server{
		service: served, log: cmp.Or(o.Logger, slog.Default()), now: o.Now, observe: o.Observe, drainDelay: o.DrainDelay,
		atOnce: o.AtOnce,
	}
	if s.now == nil {
		s.now = time.Now
	}
	s.bodies, s.rests = limit.NewShares(largeBodies, s.now), limit.NewShares(rests, s.now)
	s.resets = limit.NewResets(s.now, o.TrustedProxies)
	s.large = fair.New(largePages, s.now)
	var err error
	if s.engine, err = s.routes(o); err != nil {
		return nil, err
	}
	return s, nil
}

// Service returns the service of the server, for other doors in the same process.
func (s *Server) Service() *service.Service { return s.service }

// routes returns the router with the checks in the order of the contract. Every request passes the first list;
// the rest depends on its route.
func (s *Server) routes(o Options) (*gin.Engine, error) {
	engine, err := newEngine(o.TrustedProxies)
	if err != nil {
		return nil, err
	}
	engine.Use(s.readRest, s.identify, requireTLS)
	if o.Trace != nil {
		engine.Use(o.Trace)
	}
	engine.Use(s.logAccess, s.recover)
	engine.NoRoute(limitHead, notFound(o.Missing))
	engine.NoMethod(limitHead, s.withoutRefused, methodNotAllowed)

	if err := s.handleOperations(engine); err != nil {
		return nil, err
	}
	s.makeRoom(engine, notFound(o.Missing))
	if s.service.HasProvider() {
		engine.GET(service.ProviderStartPath, limitHead, s.beginAtProvider)
		engine.GET(service.ProviderCallbackPath, limitHead, s.returnFromProvider)
	}
	if err := mountDocs(engine, notFound(o.Missing)); err != nil {
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

// newEngine returns a router that does not change paths.
func newEngine(trustedProxies []string) (*gin.Engine, error) {
	gin.SetMode(gin.ReleaseMode)
	engine := gin.New()
	engine.HandleMethodNotAllowed = true
	engine.RedirectTrailingSlash = false
	engine.RedirectFixedPath = false
	engine.UseEscapedPath = true // an encoded slash belongs to its segment
	engine.UnescapePathValues = false
	engine.ContextWithFallback = true
	engine.RemoteIPHeaders = []string{"X-Forwarded-For"}
	if err := engine.SetTrustedProxies(trustedProxies); err != nil {
		return nil, fmt.Errorf("trusted proxies: %w", err)
	}
	return engine, nil
}

// handleOperations adds the routes of the contract.
func (s *Server) handleOperations(engine *gin.Engine) error {
	for _, route := range routes {
		op := s.service.Operation(route.Operation)
		if op == nil {
			return fmt.Errorf("operation %s is not in the contract", route.Operation)
		}
		engine.Handle(route.Method, route.Path, limitHead, unescapePath, func(c *gin.Context) { s.serveOperation(c, op) })
	}
	s.refuseOthers(engine, routes)
	return nil
}
