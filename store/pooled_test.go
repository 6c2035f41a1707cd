package store_test

import (
	"io"
	"net"
	"net/url"
	"testing"

	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// A pooler that shares connections between transactions refuses the settings of a connection, or is configured to
// ignore them. A process reports this at its start. It must not wait for a database that is running.
func TestAPoolerIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	for name, refuses := range map[string]bool{"it refuses settings": true, "it ignores settings": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			direct, err := url.Parse(storetest.URL(t))
			require.NoError(t, err)
			pooler, err := net.Listen("tcp", "127.0.0.1:0")
			require.NoError(t, err)
			t.Cleanup(func() { _ = pooler.Close() })
			go func() {
				for {
					conn, err := pooler.Accept()
					if err != nil {
						return
					}
					go pool(conn, direct.Host, refuses)
				}
			}()
			through := *direct
			through.Host = pooler.Addr().String()
			require.ErrorIs(t, storetest.Open(t, store.Options{URL: through.String()}).CheckDirect(t.Context()), pg.ErrPooled)
			require.NoError(t, storetest.Open(t, store.Options{URL: direct.String()}).CheckDirect(t.Context()))
		})
	}
}

// pool forwards a connection without its settings, or refuses them.
func pool(conn net.Conn, server string, refuses bool) {
	defer conn.Close()
	client := pgproto3.NewBackend(conn, conn)
	message, err := client.ReceiveStartupMessage()
	if err != nil {
		return
	}
	startup, ok := message.(*pgproto3.StartupMessage)
	if !ok {
		return
	}
	if refuses {
		client.Send(&pgproto3.ErrorResponse{Severity: "FATAL", Code: "08P01",
			Message: "unsupported startup parameter: plan_cache_mode"})
		_ = client.Flush()
		return
	}
	delete(startup.Parameters, "plan_cache_mode")
	onward, err := net.Dial("tcp", server)
	if err != nil {
		return
	}
	defer onward.Close()
	frontend := pgproto3.NewFrontend(onward, onward)
	frontend.Send(startup)
	if frontend.Flush() != nil {
		return
	}
	go func() { _, _ = io.Copy(onward, conn) }()
	_, _ = io.Copy(conn, onward)
}
