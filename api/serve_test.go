package api

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"
)

// pipes is a listener whose connections stay in the process.
type pipes struct {
	opened chan net.Conn
	closed chan struct{}
	close  func()
}

func newPipes() *pipes {
	closed := make(chan struct{})
	return &pipes{make(chan net.Conn), closed, sync.OnceFunc(func() { close(closed) })}
}

func (p *pipes) Accept() (net.Conn, error) {
	select {
	case conn := <-p.opened:
		return conn, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

func (p *pipes) Close() error { p.close(); return nil }

func (p *pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	ours, theirs := net.Pipe()
	select {
	case p.opened <- theirs:
		return ours, nil
	case <-p.closed:
		return nil, net.ErrClosed
	}
}

// Load balancers need some time to notice that /readyz fails. Until then a draining server accepts new connections.
func TestAServerThatEndsServesForTheDrainDelay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const delay = 20 * time.Second
		engine := gin.New()
		engine.GET("/", func(*gin.Context) {})
		s := &Server{engine: engine, log: slog.New(slog.DiscardHandler), drainDelay: delay, service: emptyService(t)}
		listener := newPipes()
		client := http.Client{Transport: &http.Transport{DialContext: listener.dial, DisableKeepAlives: true}}
		served := func() bool {
			response, err := client.Get("http://levy/")
			if err != nil {
				return false
			}
			require.NoError(t, response.Body.Close())
			return response.StatusCode == http.StatusOK
		}
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- s.Serve(ctx, listener) }()
		require.True(t, served())
		stop()
		synctest.Wait()
		require.True(t, s.service.Draining(), "readiness says no")
		<-time.After(delay - time.Nanosecond) // by the clock of the test
		require.True(t, served())
		require.NoError(t, <-ended)
		require.False(t, served())
	})
}

// A server that ends for a cause that allows no new work does not wait for load balancers.
func TestAServerThatMustEndTakesNoNewWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		retired := errors.New("retired")
		s := &Server{
			engine: gin.New(), log: slog.New(slog.DiscardHandler), drainDelay: time.Hour, service: emptyService(t),
			atOnce: func(cause error) bool { return errors.Is(cause, retired) },
		}
		ctx, end := context.WithCancelCause(t.Context())
		end(retired)
		began := time.Now()
		require.NoError(t, s.Serve(ctx, newPipes()))
		require.Less(t, time.Since(began), time.Hour)
	})
}
