package masterkeys_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/masterkeys"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

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

// A process that lacks a key that stored values need does not start, and says which values those are. A key that is lost
// is named once; then processes start without it.
func TestAProcessWithoutANeededKeyDoesNotStart(t *testing.T) {
	t.Parallel()
	i := newInstallation(t)
	second := secret.NewMasterKey("k2")
	_, err := start(t, i.address, second)
	require.ErrorIs(t, err, masterkeys.ErrMissing)
	require.ErrorContains(t, err, ": k1 (2 API keys, 1 data keys, 1 keys of documents, 1 keys of the installation, "+
		"1 keys of second factors, 1 operator keys, 1 recovery codes). ")
	wrapping, err := ringOf(t, second).WithWrapping(i.old)
	require.NoError(t, err)
	err = storetest.Open(t, store.Options{URL: i.address, Role: pg.RoleWorker}).MasterKeys.Check(t.Context(), wrapping)
	require.ErrorContains(t, err, ": k1 (2 API keys). ", "a key that wraps hashes nothing, and a worker reads no second factors")
	_, err = start(t, i.address, secret.NewMasterKey("k1"))
	require.ErrorIs(t, err, masterkeys.ErrOther)
	p := started(t, i.address, second+","+i.old)
	p.finish(t)
	_, err = start(t, i.address, second)
	require.ErrorContains(t, err, "k1 (2 API keys, 1 operator keys, 1 recovery codes)")
	i.longAgo(t)
	require.NoError(t, p.MasterKeys.Retire(t.Context(), models.Actor{}, "k1", true))
	started(t, i.address, second)
	keys, err := p.MasterKeys.List(t.Context())
	require.NoError(t, err)
	require.Equal(t, []any{"k2", true, "k1", true, false}, []any{keys[0].ID, keys[0].Newest, keys[1].ID, keys[1].Lost, keys[1].Newest})
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
