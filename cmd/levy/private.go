package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"time"

	"levy/internal/telemetry"
)

// readyTimeout bounds one check of a part that readiness depends on.
const readyTimeout = 2 * time.Second

// listenPrivate opens the private listener. Without it a process is not started: another program at its address would
// answer for it and make it seem healthy.
func (p *parts) listenPrivate(ctx context.Context) (net.Listener, error) {
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", p.cfg.PrivateAddr)
	if err != nil {
		return nil, fmt.Errorf("LEVY_PRIVATE_ADDR: %w", err)
	}
	return listener, nil
}

// servePrivate serves /metrics, /healthz, /readyz and, where it is on, /debug/pprof on the private listener until ctx
// ends.
func (p *parts) servePrivate(ctx context.Context, listener net.Listener) {
	mux := http.NewServeMux()
	for path, handler := range p.privateRoutes() {
		mux.Handle(path, handler)
	}
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	p.log.InfoContext(ctx, "private listener", "address", listener.Addr().String())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		p.log.ErrorContext(ctx, "private listener ended", "error", err.Error())
	}
}

// privateRoutes are what the private listener serves, by path. No caller needs a key.
func (p *parts) privateRoutes() map[string]http.Handler {
	routes := map[string]http.Handler{"/metrics": telemetry.MetricsRoute(p.registry)}
	// guard: profiles: no caller reads them unless the operator asks for it
	if p.cfg.Profiles {
		maps.Copy(routes, telemetry.ProfileRoutes())
	}
	routes["GET /healthz"] = http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string]any{"status": "ok"})
	})
	routes["GET /readyz"] = http.HandlerFunc(p.ready)
	return routes
}

// ready says whether the process can work: without PostgreSQL it cannot. While Temporal does
// not answer, or hands no work to workers, accepted work waits: that is a warning.
func (p *parts) ready(w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	checks := map[string]string{"postgres": "ok", "temporal": "ok"}
	status := http.StatusOK
	err := p.checkTemporal(ctx)
	if err != nil {
		checks["temporal"] = "degraded"
	}
	if (err == nil || errors.Is(err, errNotDispatching)) && p.registered != nil && !p.registered.Load() {
		// A roll-out that ended the release before would leave no worker.
		checks["worker"] = "starting"
		status = http.StatusServiceUnavailable
	}
	if err := p.store.Ping(ctx); err != nil {
		checks["postgres"] = "failed"
		status = http.StatusServiceUnavailable
	}
	checks["row_security"] = "ok"
	if !p.store.RowsSecured() {
		checks["row_security"] = "off" // it serves without: see levy migrate
	}
	writeJSON(w, status, map[string]any{"checks": checks})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}
