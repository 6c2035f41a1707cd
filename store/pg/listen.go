package pg

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// listenCheck is how often a silent connection is pinged and how long it has to answer. A broken connection is noticed
	// after twice that time.
	listenCheck = 400 * time.Millisecond
	// listenPause is the pause before a lost connection is replaced.
	listenPause = 200 * time.Millisecond
)

// Listener receives the notifications of database transactions.
type Listener struct {
	// Connected is called when the connection listens: earlier notifications may have been missed.
	Connected func()
	// Received is called with each payload, in commit order.
	Received func(payload string)
	// Lost is called when the connection broke or could not be opened.
	Lost func(error)
}

// Listen listens to a channel until ctx ends, on one connection outside the pool. It reconnects without limit.
func (db *DB) Listen(ctx context.Context, channel string, l Listener) {
	for ctx.Err() == nil {
		err := db.listenOnce(ctx, channel, l)
		if ctx.Err() != nil {
			return
		}
		l.Lost(Translate(err))
		select {
		case <-ctx.Done():
		case <-time.After(listenPause):
		}
	}
}

// listenOnce listens until the connection is lost.
func (db *DB) listenOnce(ctx context.Context, channel string, l Listener) error {
	cfg := db.pool.Config().ConnConfig
	cfg.RuntimeParams["application_name"], cfg.Tracer = "levy-listens", nil
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	defer func() {
		closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), listenCheck)
		defer cancel()
		_ = conn.Close(closing) // the connection is dropped either way
	}()
	if _, err := conn.Exec(ctx, "LISTEN "+pgx.Identifier{channel}.Sanitize()); err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	l.Connected()
	for {
		notification, err := nextNotification(ctx, conn)
		if err != nil {
			return err
		}
		if notification != nil {
			l.Received(notification.Payload)
		}
	}
}

// nextNotification waits for a notification. It returns nil if the connection was silent and still answers.
func nextNotification(ctx context.Context, conn *pgx.Conn) (*pgconn.Notification, error) {
	waiting, cancel := context.WithTimeout(ctx, listenCheck)
	notification, err := conn.WaitForNotification(waiting)
	cancel()
	if err == nil || ctx.Err() != nil || !pgconn.Timeout(err) {
		return notification, err
	}
	pinging, cancel := context.WithTimeout(ctx, listenCheck)
	defer cancel()
	return nil, conn.Ping(pinging)
}
