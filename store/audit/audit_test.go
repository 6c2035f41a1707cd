package audit_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// trail is the audit trail of an organization.
type trail struct {
	*storetest.Bundle
	sealer *secret.Sealer
	keys   string
}

func newTrail(t *testing.T) *trail {
	t.Helper()
	l := &trail{Bundle: storetest.Setup(t, 2, 8), keys: secret.NewMasterKey("k1")}
	l.sealer = sealerOf(t, l.keys)
	return l
}

func sealerOf(t *testing.T, keys string) *secret.Sealer {
	t.Helper()
	ring, err := secret.ParseRing(keys)
	require.NoError(t, err)
	return secret.NewSealer(ring)
}

// write adds rows, as a statement of the service does.
func (l *trail) write(t *testing.T, first, last int) {
	t.Helper()
	storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id, detail)
		SELECT $1, 'audt_' || to_char(n, 'FM00000'), 'update', 'product', 'prod_1', '{"fields": ["name"], "to": null}'
		FROM generate_series($2::int, $3::int) n`,
		l.Scope.OrganizationID, first, last)
}

func (l *trail) seal(t *testing.T) {
	t.Helper()
	require.NoError(t, l.Store.Audit.SealAll(t.Context(), l.sealer))
}

func (l *trail) verify(t *testing.T, kept *models.AuditHead) models.AuditResult {
	t.Helper()
	v, err := l.Store.Audit.VerifyAudit(t.Context(), l.sealer, l.Scope.OrganizationID, kept)
	require.NoError(t, err)
	return v
}

// pastTheGuards changes rows as the owner of the database can.
func (l *trail) pastTheGuards(t *testing.T, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), l.URL)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, sql := range append([]string{"SET session_replication_role = replica"}, statements...) {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

func TestTheAuditTrailCannotBeChanged(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	l.write(t, 1, 3)
	l.seal(t)
	for _, sql := range []string{
		"UPDATE audit SET api_key_id = 'akey_1'", "DELETE FROM audit", "DELETE FROM audit WHERE false", "TRUNCATE audit",
		"UPDATE audit_seals SET seal = sha256('')", "DELETE FROM audit_seals", "TRUNCATE audit_seals",
	} {
		_, err := l.SQL.Exec(t.Context(), sql)
		require.ErrorContains(t, err, "are only added", sql)
	}
	require.Equal(t, 3, l.Count(t, "SELECT count(*) FROM audit"))
}

// Without a master key, the owner of the database cannot change the audit trail unnoticed. Verification names the first
// row or seal that differs.
func TestVerificationNamesTheFirstChangedRow(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	for part := range 3 {
		l.write(t, part*10, part*10+9)
		l.seal(t)
	}
	other := storetest.Organization(t, l.URL)
	storetest.Execute(t, l.URL, `INSERT INTO audit (organization_id, id, action, entity_type, entity_id)
		VALUES ($1, 'audt_00001', 'create', 'product', 'p')`, other.OrganizationID)
	l.seal(t)
	l.write(t, 90, 91) // and two that wait for their seal
	whole := l.verify(t, nil)
	require.Equal(t, models.AuditResult{OrganizationID: l.Scope.OrganizationID, Rows: 30, CoveredFrom: 1, Seals: 3, Head: whole.Head},
		whole)
	kept := &models.AuditHead{Number: 3, Seal: whole.Head}
	l.pastTheGuards(t, "CREATE TABLE kept AS TABLE audit", "CREATE TABLE kept_seals AS TABLE audit_seals")

	own := " organization_id = '" + l.Scope.OrganizationID + "' AND "
	for _, c := range []struct{ broken, harm string }{
		{"row audt_00012 of seal 2 was changed",
			"UPDATE audit SET api_key_id = 'akey_2' WHERE id IN ('audt_00012', 'audt_00025')"},
		{"row audt_00003 of seal 1 was changed", `UPDATE audit SET detail = '{"fields": ["name"]}' WHERE id = 'audt_00003'`},
		{"row audt_00029 of seal 3 was changed",
			"UPDATE audit SET at = at + interval '1 microsecond' WHERE id = 'audt_00029'"},
		{"row audt_00004 of seal 1 was changed", "UPDATE audit SET staff = 'bob' WHERE id = 'audt_00004'"},
		{"row audt_00011 of seal 2 is missing", "DELETE FROM audit WHERE id IN ('audt_00011', 'audt_00020')"},
		{"row audt_00001 of seal 1 is missing", "UPDATE audit SET organization_id = 'org_x' WHERE" + own +
			"id = 'audt_00001'"},
		{"row audt_00050 was added past the guards",
			"INSERT INTO audit (organization_id, id, action, entity_type, entity_id) VALUES ('" +
				l.Scope.OrganizationID + "', 'audt_00050', 'create', 'product', 'p')"},
		{"row audt_00091, which is not sealed yet, is missing", "DELETE FROM audit WHERE id = 'audt_00091'"},
		{"seal 2 was changed, whose first row is audt_00010",
			"UPDATE audit_seals SET digests = sha256('a') || substr(digests, 33) WHERE" + own + "number = 2"},
		{"seal 1 was changed, whose first row is audt_00000", "UPDATE audit_seals SET seal = sha256('a') WHERE" + own +
			"number = 1"},
		{"seal 1 was changed, whose first row is audt_00000", "UPDATE audit_seals SET organization_id = 'org_y' WHERE" +
			own + "true; UPDATE audit_seals SET organization_id = '" + l.Scope.OrganizationID +
			"', ids = '{audt_00000}' WHERE organization_id = '" + other.OrganizationID + "'"},
		{"seal 2 is missing", "DELETE FROM audit_seals WHERE" + own + "number = 2"},
		{"seal 1 is missing", "DELETE FROM audit_seals WHERE" + own + "number = 1"},
		{"seal 3, which was kept, is missing: the chain ends with seal 2", "DELETE FROM audit_seals WHERE" + own +
			"number = 3; DELETE FROM audit WHERE id BETWEEN 'audt_00020' AND 'audt_00029'"},
	} {
		l.pastTheGuards(t, c.harm)
		require.Equal(t, c.broken, l.verify(t, kept).Broken, c.harm)
		l.pastTheGuards(t, "DELETE FROM audit", "INSERT INTO audit SELECT * FROM kept", "DELETE FROM audit_seals",
			"INSERT INTO audit_seals SELECT * FROM kept_seals")
		require.Equal(t, whole, l.verify(t, kept), "all changes were rolled back")
	}
	l.seal(t)
	require.Equal(t, int64(32), l.verify(t, kept).Rows)
}

// A row that is deleted before it is sealed is reported as missing.
func TestARowThatIsDeletedBeforeItIsSealedIsReported(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	l.write(t, 1, 3)
	l.pastTheGuards(t, "DELETE FROM audit WHERE id = 'audt_00002'")
	l.seal(t)
	require.Equal(t, "row audt_00002 of seal 1 is missing", l.verify(t, nil).Broken)
}

// Rows that are cut off at the end break the chain of the seals that follow.
func TestASealFollowsFromTheOneBeforeIt(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	for part := range 3 {
		l.write(t, part*10, part*10+9)
		l.seal(t)
	}
	l.pastTheGuards(t, "CREATE TABLE kept AS SELECT * FROM audit_seals WHERE number = 3",
		"CREATE TABLE kept_rows AS SELECT * FROM audit WHERE id >= 'audt_00020'",
		"DELETE FROM audit_seals WHERE number > 1", "DELETE FROM audit WHERE id >= 'audt_00010'")
	l.write(t, 50, 59)
	l.seal(t)
	require.Empty(t, l.verify(t, nil).Broken)
	l.pastTheGuards(t, "INSERT INTO audit_seals SELECT * FROM kept", "INSERT INTO audit SELECT * FROM kept_rows")
	require.Equal(t, "seal 3 was changed, whose first row is audt_00020", l.verify(t, nil).Broken)
}

// A seal has at most a thousand rows, and a step about ten thousand. Older seals can be verified after the master key
// was replaced, as long as the old key is known.
func TestLongTrailsAndMasterKeys(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	for part := range 4 {
		l.write(t, part*4000, part*4000+3999)
	}
	more, err := l.Store.Audit.Seal(t.Context(), l.sealer)
	require.NoError(t, err)
	require.True(t, more)
	l.sealer = sealerOf(t, secret.NewMasterKey("k2")+","+l.keys)
	l.seal(t)
	v := l.verify(t, nil)
	require.Equal(t, []int64{16000, 16}, []int64{v.Rows, v.Seals})
	require.Empty(t, v.Broken)
	l.sealer = sealerOf(t, secret.NewMasterKey("k2"))
	require.Equal(t, "seal 1 was made with master key k1, which is not in LEVY_MASTER_KEYS, and no other key has sealed it again",
		l.verify(t, nil).Broken)
}

// Several processes seal while others write: every row is sealed once, and no writer waits.
func TestRowsAreSealedOnceWhileTheyAreWritten(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	var writers, sealers sync.WaitGroup
	written := make(chan struct{})
	for w := range 4 {
		writers.Go(func() {
			for n := range 25 {
				if err := l.Intake.Accept(t.Context(), storetest.Draft(l.Scope, fmt.Sprintf("ORDER-%d-%d", w, n))); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for range 3 {
		sealers.Go(func() {
			for {
				if _, err := l.Store.Audit.Seal(t.Context(), l.sealer); err != nil {
					t.Error(err)
				}
				select {
				case <-written:
					return
				default:
				}
			}
		})
	}
	writers.Wait()
	close(written)
	sealers.Wait()
	l.seal(t)
	require.Equal(t, 100, l.Count(t, "SELECT count(*) FROM audit"))
	require.Equal(t, 100, l.Count(t, "SELECT coalesce(sum(cardinality(ids)), 0) FROM audit_seals"))
	require.Zero(t, l.Count(t, "SELECT count(*) FROM audit_unsealed"))
	require.Equal(t, int64(100), l.verify(t, nil).Rows)
	require.Empty(t, l.verify(t, nil).Broken)
}

// A sealer that dies leaves no partial seal: its rows are in the queue again.
func TestASealIsWrittenTogetherWithItsRows(t *testing.T) {
	t.Parallel()
	l := newTrail(t)
	l.write(t, 1, 3)
	_, err := l.SQL.Exec(t.Context(), "ALTER TABLE audit_seals ADD CONSTRAINT broken CHECK (false) NOT VALID")
	require.NoError(t, err)
	_, err = l.Store.Audit.Seal(t.Context(), l.sealer)
	require.Error(t, err)
	require.Equal(t, 1, l.Count(t, "SELECT count(*) FROM audit_unsealed"))
	_, err = l.SQL.Exec(t.Context(), "ALTER TABLE audit_seals DROP CONSTRAINT broken")
	require.NoError(t, err)
	l.seal(t)
	require.Equal(t, int64(3), l.verify(t, nil).Rows)
}
