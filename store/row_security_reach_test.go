package store_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

// After any use, a connection returns to the pool without an organization and in the role of the API.
func TestAConnectionKeepsNoOrganization(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	failed, cancel := context.WithCancel(s.asMine)
	cancel()
	uses := map[string]func(ctx context.Context) error{
		"one statement": func(ctx context.Context) error {
			_, err := s.api.Exec(ctx, "SELECT FROM bank_details")
			return err
		},
		"rows that are not read": func(ctx context.Context) error {
			rows, err := s.api.Query(ctx, "SELECT FROM bank_details, generate_series(1, 1000)")
			if err == nil {
				rows.Next()
				rows.Close()
			}
			return err
		},
		"a row that is not there": func(ctx context.Context) error {
			err := s.api.QueryRow(ctx, "SELECT id FROM bank_details WHERE id = 'none'").Scan(nil)
			require.ErrorIs(t, err, pgx.ErrNoRows)
			return nil
		},
		"a statement that fails": func(ctx context.Context) error {
			_, err := s.api.Exec(ctx, "SELECT 1 / (revision - 1) FROM bank_details")
			require.ErrorContains(t, err, "division by zero")
			return nil
		},
		"GORM": func(ctx context.Context) error {
			return s.api.GORM(ctx).Exec("UPDATE bank_details SET revision = revision").Error
		},
		"a search by key": func(ctx context.Context) error {
			rows, err := s.api.Query(pg.ByKey(ctx), "SELECT current_setting('plan_cache_mode') FROM bank_details")
			require.NoError(t, err)
			modes, err := pgx.CollectRows(rows, pgx.RowTo[string])
			if _, all := models.ReachOf(ctx).Organizations(); !all {
				require.Equal(t, []string{"force_generic_plan"}, modes)
			}
			return err
		},
		"a database transaction": func(ctx context.Context) error {
			return s.api.InTx(ctx, func(ctx context.Context) error {
				_, err := s.api.Exec(ctx, "UPDATE bank_details SET revision = revision")
				return err
			})
		},
		"one that is rolled back": func(ctx context.Context) error {
			err := s.api.InTx(ctx, func(ctx context.Context) error {
				if _, err := s.api.Exec(ctx, "UPDATE bank_details SET revision = revision"); err != nil {
					return err
				}
				return pg.ErrRollback
			})
			require.ErrorIs(t, err, pg.ErrRollback)
			return nil
		},
		"a pipeline": func(ctx context.Context) error {
			return s.api.Snapshot(ctx, func(conn *pg.Pipeline, batch *pgx.Batch) error {
				n := 0
				batch.Queue("SELECT count(*) FROM bank_details").QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
				conn.Commit(batch)
				err := conn.Send(ctx, batch)
				require.Positive(t, n)
				return err
			})
		},
		"a search for a key": func(ctx context.Context) error {
			_, err := s.api.Organizations.FindPrincipal(ctx, [][]byte{make([]byte, 32)})
			require.ErrorIs(t, err, models.ErrNotFound)
			return nil
		},
	}
	for name, use := range uses {
		for _, ctx := range []context.Context{s.asMine, s.asService} {
			require.NoError(t, use(ctx), name)
			var role string
			var organizations *string
			var mode, scans string
			require.NoError(t, s.api.QueryRow(t.Context(), `SELECT current_user::text,
				  nullif(current_setting('levy.organizations', true), ''),
				current_setting('plan_cache_mode'), current_setting('enable_seqscan')`).Scan(&role, &organizations, &mode, &scans))
			require.Equal(t, []string{"levy_api", "force_custom_plan", "on"}, []string{role, mode, scans}, name)
			require.Nil(t, organizations, name)
		}
	}
	require.Error(t, uses["one statement"](failed))
	var n int
	require.NoError(t, s.api.QueryRow(t.Context(), "SELECT count(*) FROM bank_details").Scan(&n))
	require.Zero(t, n)
}

// openings counts how often the organization of a connection is set.
type openings struct{ n atomic.Int64 }

func (o *openings) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (o *openings) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}
func (o *openings) TraceBatchStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceBatchStartData) context.Context {
	for _, q := range d.Batch.QueuedQueries {
		if strings.Contains(q.SQL, "set_config($1, $2, true)") {
			o.n.Add(1)
		}
	}
	return ctx
}
func (o *openings) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (o *openings) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

// withReachOf is a context with the reach of another one.
func withReachOf(ctx, reach context.Context) context.Context {
	of := models.ReachOf(reach)
	if of == nil {
		return ctx
	}
	ids, all := of.Organizations()
	if all {
		return models.AcrossOrganizations(ctx)
	}
	ctx = models.WithReach(ctx, strings.Split(ids, ",")[0])
	for _, id := range strings.Split(ids, ",") {
		models.ReachOf(ctx).Add(id)
	}
	return ctx
}

// The organization of a database transaction is set once, and again when it may have changed. It may change with
// another reach, after a savepoint, and after work of the service itself.
func TestADatabaseTransactionSetsItsOrganizationOnce(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	told := &openings{}
	api := storetest.Open(t, store.Options{URL: s.address, Role: pg.RoleAPI, MaxConnections: 1, Tracer: told})
	both := models.WithReach(t.Context(), s.mine.OrganizationID)
	models.ReachOf(both).Add(s.theirs.OrganizationID)
	sees := func(ctx, reach context.Context, rows int) {
		t.Helper()
		ctx = withReachOf(ctx, reach)
		var n int
		require.NoError(t, api.GORM(ctx).Raw("SELECT count(*) FROM bank_details").Scan(&n).Error)
		require.Equal(t, rows, n)
		require.NoError(t, api.QueryRow(ctx, "SELECT count(*) FROM audit").Scan(&n))
		require.Equal(t, rows, n)
	}
	pipeline := func(ctx, reach context.Context, end func(*pg.Pipeline, *pgx.Batch)) {
		ctx = withReachOf(ctx, reach)
		conn, err := api.Pipeline(ctx)
		require.NoError(t, err)
		defer conn.Release()
		n, batch := 0, &pgx.Batch{}
		conn.Begin(batch, "")
		conn.Set(ctx, batch, "set_config('work_mem', '5MB', true)")
		batch.Queue("SELECT count(*) FROM bank_details").QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
		end(conn, batch)
		require.NoError(t, conn.Send(ctx, batch))
		require.Equal(t, 2, n)
		if len(batch.QueuedQueries) == 3 {
			conn.Rollback(ctx)
		}
	}
	nothing := func(*pg.Pipeline, *pgx.Batch) {}
	require.NoError(t, api.InTx(s.asMine, func(ctx context.Context) error {
		for range 3 {
			sees(ctx, s.asMine, 1)
		}
		require.EqualValues(t, 1, told.n.Load())
		sees(ctx, both, 2)
		sees(ctx, s.asMine, 1)
		pipeline(ctx, both, nothing)
		sees(ctx, both, 2)
		sees(ctx, s.asMine, 1)
		for _, end := range []error{nil, pg.ErrRollback} {
			for _, inside := range []context.Context{both, s.asService} {
				require.ErrorIs(t, api.InTx(ctx, func(ctx context.Context) error { sees(ctx, inside, 2); return end }), end)
				sees(ctx, inside, 2)
				sees(ctx, s.asMine, 1)
			}
		}
		pipeline(ctx, s.asService, nothing)
		pipeline(ctx, both, nothing)
		sees(ctx, s.asMine, 1)
		pipeline(ctx, both, (*pg.Pipeline).Commit)
		sees(ctx, s.asMine, 1)
		return nil
	}))
	sees(t.Context(), t.Context(), 0)
	before := told.n.Load()
	pipeline(t.Context(), both, (*pg.Pipeline).Commit)
	require.EqualValues(t, 1, told.n.Load()-before)
	sees(t.Context(), t.Context(), 0)
}

// A statement on a closed table that is sent without a reach sees no rows. In a database transaction it sees those that
// the transaction reaches.
func TestOpenTablesSeesNoRowsOfClosedTables(t *testing.T) {
	t.Parallel()
	s := newSecured(t)
	heard := 0
	open := storetest.Open(t, store.Options{
		URL: s.address, Role: pg.RoleAPI, MaxConnections: 1, OnOpenTables: func(string) { heard++ },
	})
	require.NoError(t, open.Ping(t.Context()))
	const count, ids = "SELECT count(*) FROM bank_details", "SELECT id FROM bank_details"
	reads := []func(context.Context) (int, error){
		func(ctx context.Context) (n int, err error) {
			err = open.OpenTables().QueryRow(ctx, count).Scan(&n)
			return n, err
		},
		func(ctx context.Context) (int, error) {
			rows, err := open.OpenTables().Query(ctx, ids)
			require.NoError(t, err)
			found, err := pgx.CollectRows(rows, pgx.RowTo[string])
			return len(found), err
		},
		func(ctx context.Context) (n int, err error) {
			batch := &pgx.Batch{}
			batch.Queue(count).QueryRow(func(row pgx.Row) error { return row.Scan(&n) })
			err = open.OpenTables().SendBatch(ctx, batch).Close()
			return n, err
		},
		func(ctx context.Context) (n int, err error) {
			err = open.OpenTables().GORM(ctx).Raw(count).Scan(&n).Error
			return n, err
		},
		func(ctx context.Context) (int, error) {
			tag, err := open.OpenTables().Exec(ctx, "UPDATE bank_details SET revision = revision")
			return int(tag.RowsAffected()), err
		},
	}
	for i, read := range reads {
		heard = 0
		for _, ctx := range []context.Context{s.asMine, s.asService} {
			n, err := read(ctx)
			require.NoError(t, err, i)
			require.Zero(t, n, i)
		}
		require.NoError(t, open.InTx(s.asMine, func(ctx context.Context) error {
			n, err := read(ctx)
			require.Equal(t, 1, n, i)
			return err
		}))
		require.Equal(t, 3, heard, i)
	}
}
