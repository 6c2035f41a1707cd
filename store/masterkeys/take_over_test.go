package masterkeys_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/masterkeys"
	"levy/store/storetest"
)

// A process whose key is not the newest one leaves hashes as they are. So processes before and after the change of a key
// do not replace those of each other.
func TestOnlyTheNewestKeyReplacesHashes(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	before := started(t, i.address, i.old+","+second)
	after := started(t, i.address, second+","+i.old)
	require.NoError(t, before.MasterKeys.Register(t.Context(), before.ring)) // says again what it has in front
	use := func(p *process) string {
		_, err := p.Organizations.FindPrincipal(t.Context(), p.hasher.Hashes(i.used))
		require.NoError(t, err)
		var id string
		require.NoError(t, storetest.SQL(t, i.address).QueryRow(t.Context(),
			"SELECT master_key_id FROM api_keys WHERE hash = ANY ($1)", p.hasher.Hashes(i.used)).Scan(&id))
		return id
	}
	require.Equal(t, "k1", use(before))
	require.Equal(t, "k2", use(after))
	require.Equal(t, "k2", use(before))
	record := func(p *process) string {
		_, k := storetest.NewKey(p.hasher)
		require.NoError(t, p.Organizations.CreateAPIKey(t.Context(), i.scope, storetest.Actor, k))
		return *k.MasterKeyID
	}
	require.Equal(t, "k1", record(before), "a key names what its hash was made with")
	require.Equal(t, "k2", record(after))
}

// A key that was lost and is found is taken over, also if everything else was before. Until then processes need it.
func TestALostKeyIsFound(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	p := started(t, i.address, second+","+i.old)
	i.longAgo(t)
	require.NoError(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", true))
	started(t, i.address, second).finish(t)
	p.finish(t)
	require.Equal(t, int64(1), p.needs(t, "k1")[models.NeedDataKey], "nothing is done about a lost one")

	found := started(t, i.address, second+","+i.old)
	key, err := found.MasterKeys.Key(t.Context(), "k1")
	require.NoError(t, err)
	require.False(t, key.Lost)
	_, err = start(t, i.address, second)
	require.ErrorIs(t, err, masterkeys.ErrMissing)
	found.finish(t)
	require.NotContains(t, found.needs(t, "k1"), models.NeedDataKey)
	i.requireReadable(t, found)
}

// Hashes that a release before has written have no key. It becomes known where there was never another one, or when the
// API key is used; until then each key may be theirs.
func TestHashesOfTheReleaseBeforeGetTheirKey(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	forget := func() {
		for _, table := range []string{"api_keys", "operator_keys", "recovery_codes"} {
			storetest.Execute(t, i.address, "UPDATE "+table+" SET master_key_id = NULL")
		}
	}
	unknown := func() int {
		var n int
		require.NoError(t, storetest.SQL(t, i.address).QueryRow(t.Context(), `
			SELECT (SELECT count(*) FROM api_keys WHERE master_key_id IS NULL)
			+ (SELECT count(*) FROM operator_keys WHERE master_key_id IS NULL)
			+ (SELECT count(*) FROM recovery_codes WHERE master_key_id IS NULL)`).Scan(&n))
		return n
	}
	forget()
	require.Equal(t, 4, unknown())
	started(t, i.address, i.old).finish(t)
	require.Zero(t, unknown())
	forget()
	p := started(t, i.address, secret.NewMasterKey("k2")+","+i.old)
	p.finish(t)
	require.Equal(t, 4, unknown(), "either key may be theirs")
	require.Equal(t, int64(2), p.needs(t, "k1")[models.NeedAPIKey])
	_, err := p.Organizations.FindPrincipal(t.Context(), p.hasher.Hashes(i.unused))
	require.NoError(t, err)
	require.Equal(t, int64(1), p.needs(t, "k1")[models.NeedAPIKey])
}

// counter cancels a context at a statement, as a process that is killed there: PostgreSQL rolls back what it has begun.
type counter struct {
	n    atomic.Int64
	at   int64
	kill context.CancelFunc
}

func (c *counter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, d pgx.TraceQueryStartData) context.Context {
	if c.n.Add(1) == c.at {
		c.kill()
	}
	return ctx
}

func (c *counter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// A process that ends at any statement of the work leaves it to the next one, which finds each value readable.
func TestTakingOverGoesOnWhereAProcessWasKilled(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	both := second + "," + i.old
	next := started(t, i.address, both)
	killed := 0
	for at := int64(1); ; at++ {
		ctx, kill := context.WithCancel(t.Context())
		c := &counter{at: at, kill: kill}
		ring := ringOf(t, both)
		s := storetest.Open(t, store.Options{URL: i.address, MasterKeys: ring, Tracer: c, MaxConnections: 2})
		work := s.MasterKeys.NewTakeOver(ring)
		more, err := true, error(nil)
		for more && err == nil {
			more, err = work.Step(ctx)
		}
		kill()
		s.Close()
		i.requireReadable(t, next)
		if err == nil && c.n.Load() < at {
			break
		}
		killed++
	}
	require.Greater(t, killed, 10)
	require.NotContains(t, next.needs(t, "k1"), models.NeedDataKey)
	require.NotContains(t, next.needs(t, "k1"), models.NeedAuditSeal)
}

// Two processes take over at once while others write with the older key. Each value is taken over once the last of these
// has ended, and none is lost.
func TestTakingOverBesideWritersOfTheOlderKey(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	older := started(t, i.address, i.old+","+second)
	newer := []*process{started(t, i.address, second+","+i.old), started(t, i.address, second+","+i.old)}
	var scopes []models.Scope
	for range 12 {
		scopes = append(scopes, storetest.Organization(t, i.address))
	}
	sealed := make([][]byte, len(scopes))
	var running sync.WaitGroup
	running.Go(func() {
		for n, scope := range scopes {
			key, err := older.vault.KeyOrNew(t.Context(), scope.OrganizationID)
			require.NoError(t, err)
			sealed[n] = key.Seal("field", fmt.Appendf(nil, "value %d", n))
			_, record := storetest.NewKey(older.hasher)
			require.NoError(t, older.Organizations.CreateAPIKey(t.Context(), scope, storetest.Actor, record))
			require.NoError(t, older.Audit.SealAll(t.Context(), secret.NewSealer(older.ring)))
		}
	})
	for _, p := range newer {
		running.Go(func() {
			work := p.MasterKeys.NewTakeOver(p.ring)
			for range 15 {
				_, err := work.Step(t.Context())
				require.NoError(t, err)
			}
		})
	}
	running.Wait()
	newer[0].finish(t)
	needs := newer[0].needs(t, "k1")
	require.NotContains(t, needs, models.NeedDataKey)
	require.NotContains(t, needs, models.NeedAuditSeal)
	alone := secret.NewVault(ringOf(t, second), newer[0].Organizations)
	for n, scope := range scopes {
		key, err := alone.Key(t.Context(), scope.OrganizationID)
		require.NoError(t, err)
		plain, err := key.Open("field", sealed[n])
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("value %d", n), string(plain))
		v, err := newer[0].Audit.VerifyAudit(t.Context(), secret.NewSealer(ringOf(t, second)), scope.OrganizationID, nil)
		require.NoError(t, err)
		require.Empty(t, v.Broken)
	}
}

// A database that is restored to before the change of a key needs the older key again, says so, and the newest takes over
// again.
func TestARestoredDatabaseNeedsTheOlderKey(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	storetest.Execute(t, i.address, "DELETE FROM master_keys") // of a release before
	second := secret.NewMasterKey("k2")
	_, err := start(t, i.address, second)
	require.ErrorIs(t, err, masterkeys.ErrMissing)
	p := started(t, i.address, second+","+i.old)
	p.finish(t)
	require.NotContains(t, p.needs(t, "k1"), models.NeedDataKey)
	i.requireReadable(t, p)
}
