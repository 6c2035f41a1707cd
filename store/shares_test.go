package store_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// A partner whose statements block has all connections but one of the partners while nobody else asks. Another client,
// another partner and the service itself get one at once. Borrowed ones do not come back to it.
func TestAPartnerHasAShareOfTheConnections(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, store.Options{URL: storetest.URL(t), MaxConnections: 16})
	of := func(partner, organization string) context.Context {
		ctx := models.AcrossOrganizations(t.Context())
		return models.WithReachAndPartner(ctx, models.ReachOf(ctx), &models.Partner{ID: partner, Organization: organization})
	}
	const quarter, borrowed = 4, 8
	stand, standing := make(chan struct{}), make(chan struct{}, 30)
	var working sync.WaitGroup
	for range 30 {
		working.Go(func() {
			err := s.InTx(of("a", "greedy"), func(context.Context) error {
				standing <- struct{}{}
				<-stand
				return nil
			})
			if !errors.Is(err, models.ErrShareUsed) { // on a slow machine
				require.NoError(t, err)
			}
		})
	}
	for range borrowed {
		<-standing
	}
	othersAsk := func() {
		for _, ctx := range []context.Context{of("a", "small"), of("b", "its client"), models.AcrossOrganizations(t.Context())} {
			_, err := s.Exec(ctx, "SELECT 1")
			require.NoError(t, err)
		}
	}
	othersAsk()
	require.Equal(t, borrowed, s.ConnectionsOf("a"))
	for range borrowed - quarter + 1 {
		stand <- struct{}{}
	}
	require.Eventually(t, func() bool {
		othersAsk()
		return s.ConnectionsOf("a") == quarter-1
	}, 3*time.Minute, 10*time.Millisecond)
	close(stand)
	working.Wait()
	require.Zero(t, s.ConnectionsOf("a"))
}

// However a connection is acquired and released, its place in the quota is, too. A request that has one gets more
// with it: otherwise it would wait for itself.
func TestAConnectionIsGivenBackWithItsPlace(t *testing.T) {
	t.Parallel()
	s := storetest.Open(t, store.Options{URL: storetest.URL(t), MaxConnections: 4})
	ctx := partnerContext(t, "a")
	held := func() { require.Equal(t, 1, s.ConnectionsOf("a")) }
	one := func(ctx context.Context) error {
		_, err := s.Exec(ctx, "SELECT 1")
		held()
		return err
	}
	for name, do := range map[string]func() error{
		"a statement": func() error { _, err := s.Exec(ctx, "SELECT 1"); return err },
		"rows that are not read to their end": func() error {
			rows, err := s.Query(ctx, "SELECT generate_series(1, 100000)")
			rows.Next()
			held()
			rows.Close()
			return err
		},
		"a batch": func() error { b := &pgx.Batch{}; b.Queue("SELECT 1"); return s.SendBatch(ctx, b).Close() },
		"GORM":    func() error { return s.GORM(ctx).Exec("SELECT 1").Error },
		"a database transaction": func() error {
			return s.InTx(ctx, func(inside context.Context) error { return errors.Join(one(inside), one(ctx)) })
		},
		"one that fails": func() error {
			err := s.InTx(ctx, func(ctx context.Context) error { _, err := s.Exec(ctx, "SELECT 1/0"); return err })
			require.Error(t, err)
			return nil
		},
		"a snapshot": func() error { return s.InSnapshot(ctx, func(context.Context, pg.Querier) error { return one(ctx) }) },
		"a context that has ended": func() error {
			ended, end := context.WithCancel(ctx)
			end()
			_, err := s.Exec(ended, "SELECT 1")
			require.ErrorIs(t, err, context.Canceled)
			return nil
		},
	} {
		require.NoError(t, do(), name)
		require.Zero(t, s.ConnectionsOf("a"), name)
	}
}

// A quarter of the connections stays free for shared work, however many the requests of all partners use.
// Authentication, intake and the relay need no pool of their own.
func TestAQuarterOfTheConnectionsServesEverybody(t *testing.T) {
	t.Parallel()
	const connections, quarter = 16, 4
	s := storetest.Open(t, store.Options{URL: storetest.URL(t), MaxConnections: connections})
	stand, standing := make(chan struct{}), make(chan struct{}, 100)
	hold := func(context.Context) error {
		standing <- struct{}{}
		<-stand
		return nil
	}
	var working sync.WaitGroup
	for i := range 14 {
		working.Go(func() {
			ctx := partnerContext(t, fmt.Sprint(i%8))
			err := s.InTx(ctx, func(context.Context) error {
				standing <- struct{}{}
				return s.InTx(ctx, hold)
			})
			if !errors.Is(err, models.ErrUnavailable) {
				require.NoError(t, err)
			}
		})
	}
	defer working.Wait()
	defer close(stand)
	for range connections - quarter {
		<-standing
	}
	patient, cancel := context.WithTimeout(models.AcrossOrganizations(t.Context()), 3*time.Minute)
	defer cancel()
	begun := make(chan struct{}, quarter)
	for range quarter {
		working.Go(func() {
			_ = s.InTx(patient, func(ctx context.Context) error {
				begun <- struct{}{}
				return hold(ctx)
			})
		})
	}
	for range quarter {
		select {
		case <-begun: // all of them have a connection at once
		case <-patient.Done():
			require.Fail(t, "partners have all connections")
		}
	}
}

// On every connection statements and waits for locks have a timeout.
func TestEveryConnectionBoundsItsStatements(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	for _, role := range []pg.Role{pg.RoleLogin, pg.RoleAPI, pg.RoleWorker} {
		s := storetest.Open(t, store.Options{URL: url, Role: role, MaxConnections: 1})
		var statement, lock, idle string
		require.NoError(t, s.QueryRow(models.AcrossOrganizations(t.Context()), `SELECT current_setting('statement_timeout'),
			current_setting('lock_timeout'),
			  current_setting('idle_in_transaction_session_timeout')`).Scan(&statement, &lock, &idle))
		require.Equal(t, []string{"10s", "5s", "10s"}, []string{statement, lock, idle}, role)
	}
}

// partnerContext returns the context of a request of a partner that reaches all organizations.
func partnerContext(t *testing.T, id string) context.Context {
	t.Helper()
	ctx := models.AcrossOrganizations(t.Context())
	return models.WithReachAndPartner(ctx, models.ReachOf(ctx), &models.Partner{ID: id})
}
