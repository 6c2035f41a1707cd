package api

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"
)

// These are the timeouts of the contract. The time of the answer begins when the request has arrived,
// so a slow sender does not use it up.
const (
	headTimeout     = 5 * time.Second
	RequestTimeout  = 15 * time.Second
	responseTimeout = 15 * time.Second
	idleTimeout     = 60 * time.Second
)

// maxStreams bounds the calls under way on one connection of HTTP/2. A client that opens many more
// and resets them loses its connection.
const maxStreams = 100

// Handler returns the server as an http.Handler, for tests and for other servers.
func (s *Server) Handler() http.Handler { return timed(s.engine) }

// Serve answers on the listener until ctx ends. Then readiness fails at once, and Serve waits
// for the drain delay, unless the cause does not allow it, and for the requests under way.
// Errors: those of the listener and of an incomplete shutdown.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	server := s.httpServer(ctx)
	served := make(chan error, 1)
	go func() { served <- server.Serve(resetListener{listener, s}) }()
	select {
	case err := <-served:
		return fmt.Errorf("serve http: %w", err)
	case <-ctx.Done():
	}
	s.service.Drain()
	if s.atOnce == nil || !s.atOnce(context.Cause(ctx)) {
		<-time.After(s.drainDelay)
	}
	stop, cancel := context.WithTimeout(context.WithoutCancel(ctx), RequestTimeout+responseTimeout)
	defer cancel()
	if err := server.Shutdown(stop); err != nil {
		return fmt.Errorf("shut down http: %w", err)
	}
	if err := <-served; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve http: %w", err)
	}
	return nil
}

// httpServer returns the server of net/http with the limits of the contract.
func (s *Server) httpServer(ctx context.Context) *http.Server {
	return &http.Server{
		Handler:                      countResets(s.Handler()),
		ReadHeaderTimeout:            headTimeout,
		ReadTimeout:                  RequestTimeout,
		WriteTimeout:                 responseTimeout,
		IdleTimeout:                  idleTimeout,
		MaxHeaderBytes:               serverHeadLimit,
		DisableGeneralOptionsHandler: true,
		Protocols:                    protocols(),
		HTTP2:                        &http.HTTP2Config{MaxConcurrentStreams: maxStreams},
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelDebug), // errors of broken clients
		// Requests under way continue while the server drains.
		BaseContext: func(net.Listener) context.Context { return context.WithoutCancel(ctx) },
		ConnContext: withConnection,
		ConnState:   noteAnswered,
	}
}

// protocols returns the protocols of the contract. TLS ends before Levy, so HTTP/2 comes without it.
func protocols() *http.Protocols {
	p := &http.Protocols{}
	p.SetHTTP1(true)
	p.SetUnencryptedHTTP2(true)
	return p
}
