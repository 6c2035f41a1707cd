package masterkeys_test

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/masterkeys"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

func ringOf(t *testing.T, keys string) *secret.Ring {
	t.Helper()
	ring, err := secret.ParseRing(keys)
	require.NoError(t, err)
	return ring
}

// process is a process of an installation with master keys.
type process struct {
	*store.Store

	ring   *secret.Ring
	hasher *secret.KeyHasher
	vault  *secret.Vault
}

// start starts a process. Errors: those of its keys.
func start(t *testing.T, address, keys string) (*process, error) {
	t.Helper()
	p := &process{ring: ringOf(t, keys)}
	p.Store = storetest.Open(t, store.Options{URL: address, MasterKeys: p.ring})
	p.hasher, p.vault = secret.NewKeyHasher(p.ring), secret.NewVault(p.ring, p.Organizations)
	if err := p.MasterKeys.Check(t.Context(), p.ring); err != nil {
		return p, err
	}
	return p, p.MasterKeys.Register(t.Context(), p.ring)
}

func started(t *testing.T, address, keys string) *process {
	t.Helper()
	p, err := start(t, address, keys)
	require.NoError(t, err)
	return p
}

// finish makes steps until nothing is left.
func (p *process) finish(t *testing.T) {
	t.Helper()
	work := p.MasterKeys.NewTakeOver(p.ring)
	for {
		more, err := work.Step(t.Context())
		require.NoError(t, err)
		if !more {
			return
		}
	}
}

// needs returns what needs a key, by kind.
func (p *process) needs(t *testing.T, id string) map[models.MasterKeyNeedKind]int64 {
	t.Helper()
	found, err := p.MasterKeys.Needs(t.Context(), id)
	require.NoError(t, err)
	by := map[models.MasterKeyNeedKind]int64{}
	for _, n := range found {
		by[n.Kind] = n.Count
	}
	return by
}

// installation is an installation with one value of each kind under the key k1.
type installation struct {
	address, old string
	scope        models.Scope
	operator     string
	used, unused string // API keys
	sealed       []byte // under the data key
	taxID        string
	document     secret.RecordKey
	piece        []byte
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	i := &installation{address: storetest.URL(t), old: secret.NewMasterKey("k1")}
	p := started(t, i.address, i.old)
	made, err := p.Organizations.Bootstrap(t.Context(), p.hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	i.scope, i.used, i.operator = models.Scope{OrganizationID: made.OrganizationID}, made.APIKey, made.OperatorKey
	var record *models.APIKey
	i.unused, record = storetest.NewKey(p.hasher)
	require.NoError(t, p.Organizations.CreateAPIKey(t.Context(), i.scope, storetest.Actor, record))
	key, err := p.vault.KeyOrNew(t.Context(), i.scope.OrganizationID)
	require.NoError(t, err)
	i.sealed = key.Seal("field", []byte("a value"))
	text, err := p.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	i.taxID = text.Seal("org_1", "12-3456789")
	i.addDocument(t, p)
	i.addPerson(t, p)
	require.NoError(t, p.Audit.SealAll(t.Context(), secret.NewSealer(p.ring)))
	return i
}

// addDocument writes the key of a document.
func (i *installation) addDocument(t *testing.T, p *process) {
	t.Helper()
	id := models.NewID(models.PrefixAttachment)
	key, wrapped := p.vault.NewRecordKey(i.scope.OrganizationID, id)
	i.document = secret.RecordKey{OrganizationID: i.scope.OrganizationID, RecordID: id}
	i.piece = key.Seal("piece", []byte("a document"))
	// Without its exemption, so that it needs no customer.
	conn, err := pgx.Connect(t.Context(), i.address)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), "SET session_replication_role = replica")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO exemption_attachments (organization_id, id, exemption_id, filename, content_type, size,
		  sha256, created_at, master_key_id, wrapped)
		VALUES ($1, $2, 'exem_1', 'a.pdf', 'application/pdf', 1, sha256(''), now(), $3, $4)`,
		i.scope.OrganizationID, id, wrapped.MasterKeyID, wrapped.Wrapped)
	require.NoError(t, err)
}

// person is the account of addPerson.
const person = "user_1"

// addPerson writes a person with a second factor, a recovery code and a session.
func (i *installation) addPerson(t *testing.T, p *process) {
	t.Helper()
	key, wrapped := p.vault.NewRecordKey(models.InstallationAudit, person)
	storetest.Execute(t, i.address, `INSERT INTO users (id, email, email_key, name, status, password_hash, created_at,
		  updated_at) VALUES ($1, 'ann@example.com', 'ann@example.com', 'Ann', 'ACTIVE', 'x', now(), now())`, person)
	f := models.SecondFactor{UserID: person, MasterKeyID: wrapped.MasterKeyID, Wrapped: wrapped.Wrapped,
		Sealed: key.Seal(models.SecondFactorField, []byte("secret"))}
	require.NoError(t, p.People.BeginSecondFactor(t.Context(), f))
	require.NoError(t, p.People.UseCode(t.Context(), models.Actor{UserID: person}, f, 1, [][]byte{p.hasher.Hash("code")}))
	storetest.Execute(t, i.address, `INSERT INTO sessions (hash, user_id, created_at, seen_at, ends_at)
		VALUES ($1, $2, now(), now(), now() + interval '1 hour')`, p.hasher.Hash("session"), person)
}

// requireReadable reads all that is encrypted.
func (i *installation) requireReadable(t *testing.T, p *process) {
	t.Helper()
	key, err := p.vault.Key(t.Context(), i.scope.OrganizationID)
	require.NoError(t, err)
	plain, err := key.Open("field", i.sealed)
	require.NoError(t, err)
	require.Equal(t, "a value", string(plain))
	text, err := p.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	number, err := text.Open("org_1", i.taxID)
	require.NoError(t, err)
	require.Equal(t, "12-3456789", number)
	stored := i.document
	require.NoError(t, storetest.SQL(t, i.address).QueryRow(t.Context(),
		"SELECT master_key_id, wrapped FROM exemption_attachments WHERE id = $1", stored.RecordID).
		Scan(&stored.MasterKeyID, &stored.Wrapped))
	document, err := p.vault.RecordKey(stored)
	require.NoError(t, err)
	plain, err = document.Open("piece", i.piece)
	require.NoError(t, err)
	require.Equal(t, "a document", string(plain))
	f, err := p.People.SecondFactor(t.Context(), person)
	require.NoError(t, err)
	require.NoError(t, p.vault.Opens(secret.RecordKey{OrganizationID: models.InstallationAudit, RecordID: person,
		WrappedKey: secret.WrappedKey{MasterKeyID: f.MasterKeyID, Wrapped: f.Wrapped}}))
	v, err := p.Audit.VerifyAudit(t.Context(), secret.NewSealer(p.ring), i.scope.OrganizationID, nil)
	require.NoError(t, err)
	require.Empty(t, v.Broken)
	require.Positive(t, v.Seals)
}

// longAgo lets it be three minutes since a process said which key it has in front.
func (i *installation) longAgo(t *testing.T) {
	t.Helper()
	storetest.Execute(t, i.address, "UPDATE master_keys SET in_front_at = in_front_at - interval '3 minutes'")
}

// The newest key takes over each kind of value. Keys that only their holders can move are named, and move when they are
// used. Then nothing needs the older key, it is retired, and processes work without it.
func TestAMasterKeyIsRetired(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	behind := started(t, i.address, i.old+","+second)
	behind.finish(t)
	require.Equal(t, int64(1), behind.needs(t, "k1")[models.NeedDataKey], "a key that is behind takes over nothing")
	run, err := behind.MasterKeys.Run(t.Context())
	require.NoError(t, err)
	require.Equal(t, models.MasterKeyRun{Newest: "k1"}, run, "and is not older")

	p := started(t, i.address, second+","+i.old)
	require.Equal(t, map[models.MasterKeyNeedKind]int64{
		models.NeedProcess: 1, models.NeedAPIKey: 2, models.NeedOperatorKey: 1, models.NeedDataKey: 1, models.NeedDocument: 1,
		models.NeedSecondFactor: 1, models.NeedInstallationKey: 1, models.NeedRecoveryCode: 1, models.NeedSession: 1,
		models.NeedAuditSeal: 2,
	}, p.needs(t, "k1"))
	p.finish(t)
	run, err = p.MasterKeys.Run(t.Context())
	require.NoError(t, err)
	require.NotNil(t, run.FinishedAt)
	require.Equal(t, []any{"k2", 1, int64(0)}, []any{run.Newest, run.Older, run.Left})
	require.Positive(t, run.SealedAgain)
	require.ErrorIs(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", false), masterkeys.ErrInFront)
	i.longAgo(t)
	require.Equal(t, map[models.MasterKeyNeedKind]int64{models.NeedAPIKey: 2, models.NeedOperatorKey: 1, models.NeedRecoveryCode: 1},
		withoutSessions(p.needs(t, "k1")))
	i.requireReadable(t, p)

	_, err = p.Organizations.FindPrincipal(t.Context(), p.hasher.Hashes(i.used))
	require.NoError(t, err)
	_, err = p.Organizations.FindOperator(t.Context(), p.hasher.Hashes(i.operator))
	require.NoError(t, err)
	holders, err := p.MasterKeys.Holders(t.Context(), "k1")
	require.NoError(t, err)
	require.Len(t, holders, 2)
	require.Equal(t, []string{"k1", "api_key", i.scope.OrganizationID, "Partner"},
		[]string{holders[0].MasterKeyID, string(holders[0].Kind), holders[0].OrganizationID, holders[0].OrganizationName})
	require.Equal(t, []string{"recovery_code", person, "Ann"}, []string{string(holders[1].Kind), holders[1].ID, holders[1].Name})
	require.NoError(t, p.Organizations.RevokeAPIKey(t.Context(), i.scope, storetest.Actor, holders[0].ID))
	storetest.Execute(t, i.address, "UPDATE recovery_codes SET used_at = now()")
	require.Empty(t, withoutSessions(p.needs(t, "k1")))
	storetest.Execute(t, i.address, `INSERT INTO backups (began_at, ended_at, place, end_lsn, bytes, schema_version, content_version,
		verified) VALUES (now(), now(), 'a', '0/1', 1, 1, 'a', true)`)
	require.NoError(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", false))
	backups, err := p.MasterKeys.BackupsThatNeed(t.Context())
	require.NoError(t, err)
	require.Equal(t, int64(1), backups, "API keys moved after all was taken over")

	alone := started(t, i.address, second)
	i.requireReadable(t, alone)
	for _, find := range []error{
		func() error {
			_, err := alone.Organizations.FindPrincipal(t.Context(), alone.hasher.Hashes(i.used))
			return err
		}(),
		func() error {
			_, err := alone.Organizations.FindOperator(t.Context(), alone.hasher.Hashes(i.operator))
			return err
		}(),
	} {
		require.NoError(t, find, "it has its new hash")
	}
	require.ErrorIs(t, p.MasterKeys.Check(t.Context(), ringOf(t, i.old+","+second)), masterkeys.ErrRetired)
	require.Error(t, p.MasterKeys.Register(t.Context(), ringOf(t, i.old+","+second)), "a process that was started before")
	started(t, i.address, second+","+i.old) // behind it does no harm
}

func withoutSessions(needs map[models.MasterKeyNeedKind]int64) map[models.MasterKeyNeedKind]int64 {
	delete(needs, models.NeedSession) // it ends by itself
	return needs
}

// A process that says which key it has in front learns that the key was retired meanwhile. One that is told to end just ends.
func TestAProcessLearnsThatItsKeyWasRetired(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := started(t, i.address, i.old)
	ended, end := context.WithCancel(t.Context())
	end()
	require.NoError(t, p.MasterKeys.NewTakeOver(p.ring).Say(ended))
	i.longAgo(t)
	require.NoError(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", true))
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second) // without the check it would go on until then
	defer cancel()
	require.ErrorIs(t, p.MasterKeys.NewTakeOver(p.ring).Say(ctx), masterkeys.ErrRetired)
}

// An attempt to say it that hangs ends after some seconds, and is made again.
func TestAProcessDoesNotWaitForeverToSayItsKey(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := started(t, i.address, i.old)
	db := storetest.SQL(t, i.address)
	held, err := db.Begin(t.Context())
	require.NoError(t, err)
	_, err = held.Exec(t.Context(), "SELECT FROM master_keys FOR UPDATE")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	said := make(chan error, 1)
	go func() { said <- p.MasterKeys.NewTakeOver(p.ring).Say(ctx) }()
	attempts := map[time.Time]bool{}
	require.Eventually(t, func() bool {
		var began time.Time
		err := db.QueryRow(t.Context(), `SELECT query_start FROM pg_stat_activity WHERE datname = current_database()
			AND wait_event_type = 'Lock' AND query LIKE 'UPDATE master_keys SET in_front_at%'`).Scan(&began)
		if err == nil {
			attempts[began] = true
		}
		return len(attempts) > 1
	}, 10*time.Second, 50*time.Millisecond, "the timeout of statements ends one later")
	cancel()
	require.NoError(t, <-said)
	require.NoError(t, held.Rollback(t.Context()))
}

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

// A process that lacks a key that stored values need does not start, and says which values those are. A key that is lost
// is named once; then processes start without it.
func TestAProcessWithoutANeededKeyDoesNotStart(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	_, err := start(t, i.address, second)
	require.ErrorIs(t, err, masterkeys.ErrMissing)
	require.ErrorContains(t, err, "k1 (2 API keys, 1 data keys, 1 keys of documents, 1 keys of the installation)")
	require.ErrorContains(t, err, "k1 (1 keys of second factors, 1 operator keys, 1 recovery codes)")
	wrapping, err := ringOf(t, second).WithWrapping(i.old)
	require.NoError(t, err)
	err = storetest.Open(t, store.Options{URL: i.address, Role: pg.RoleWorker}).MasterKeys.Check(t.Context(), wrapping)
	require.ErrorContains(t, err, ": k1 (2 API keys). ", "a key that wraps hashes nothing, and a worker reads no second factors")
	_, err = start(t, i.address, secret.NewMasterKey("k1"))
	require.ErrorIs(t, err, masterkeys.ErrOther)
	p := started(t, i.address, second+","+i.old)
	p.finish(t)
	_, err = start(t, i.address, second)
	require.ErrorContains(t, err, "k1 (2 API keys)")
	i.longAgo(t)
	require.NoError(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", true))
	started(t, i.address, second)
	keys, err := p.MasterKeys.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{"k2", true, "k1", true, false}, []any{keys[0].ID, keys[0].Newest, keys[1].ID, keys[1].Lost, keys[1].Newest})
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

// An organization gets one event for each API key that has not moved, and none for a key that has.
func TestOrganizationsAreAskedOnce(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	p := started(t, i.address, secret.NewMasterKey("k2")+","+i.old)
	_, err := p.Organizations.FindPrincipal(t.Context(), p.hasher.Hashes(i.used))
	require.NoError(t, err)
	for _, want := range []int64{1, 0} {
		asked, err := p.MasterKeys.Ask(t.Context(), models.Actor{}, "k1")
		require.NoError(t, err)
		require.Equal(t, want, asked)
	}
	var organization, record string
	require.NoError(t, storetest.SQL(t, i.address).QueryRow(t.Context(),
		"SELECT organization_id, record::text FROM events WHERE type = 'api_key.replacement_due'").Scan(&organization, &record))
	require.Equal(t, i.scope.OrganizationID, organization)
	require.NotContains(t, record, "hash")
	require.NotContains(t, record, "master_key_id")
	_, err = p.MasterKeys.Ask(t.Context(), models.Actor{}, "k2")
	require.ErrorIs(t, err, models.ErrForbidden)
	_, err = p.MasterKeys.Ask(t.Context(), models.Actor{}, "k9")
	require.ErrorIs(t, err, models.ErrNotFound)
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
