package onboarding_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/test/testbed"
	"levy/workflows"
)

// restart restarts API and worker with other master keys.
func restart(bed *testbed.Bed) {
	bed.API.Stop()
	bed.Worker.Stop()
	bed.API.Start()
	bed.Worker.Start()
}

// The master key is replaced while the service serves: every call before, during and after succeeds. The API takes over
// what the old key wrapped and sealed, also after it was killed in the middle. The old key is retired once its last holders
// have moved, and nothing needs it afterwards.
func TestMasterKeyIsReplacedWhileTheServiceServes(t *testing.T) {
	t.Parallel()
	testbed.Kills(t)
	const sealing = 4
	bed := testbed.New(t, testbed.Options{Failpoints: true})
	bed.API.Start()
	bed.Worker.Start()
	clients := make([]*client, sealing)
	for i := range clients {
		clients[i] = newClient(t, bed, fmt.Sprintf("Client %d", i))
		clients[i].upTo(3)
	}
	c := clients[0]
	c.upFrom(4, 6)
	old, next := bed.MasterKeys, secret.NewMasterKey("next")
	documents := c.keepDocuments(old, 250) // more than one step
	wrapped := func(table string) int {
		return bed.Count("SELECT count(*) FROM " + table + " WHERE master_key_id = 'test'")
	}
	bed.Set("LEVY_MASTER_KEYS", old+","+next) // every process can decrypt values of the new key before one encrypts with it
	restart(bed)
	bed.Set("LEVY_MASTER_KEYS", next+","+old)
	bed.API.Stop()
	bed.API.Launch("before_rewrap_commit=skip*3,kill") // the second step is in the middle of the documents
	bed.API.WaitKilled()
	require.Equal(t, []int{0, 0, 150}, []int{wrapped("data_keys"), wrapped("installation_keys"), wrapped("exemption_attachments")})
	bed.API.Start()
	bed.Worker.Stop()
	bed.Worker.Start()

	stop, served := make(chan struct{}), 0
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, n := range []int{3, 6} { // each decrypts values that the old key wrapped
				a, err := c.try(n)
				if err != nil || a.status != http.StatusOK {
					t.Errorf("step %d meanwhile: %d %s %v", n, a.status, a.raw, err)
					return
				}
				served++
			}
		}
	})
	bed.Eventually("everything is taken over", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM master_keys WHERE id = 'next' AND finished_at IS NOT NULL") == 1, nil
	})
	close(stop)
	serving.Wait()
	require.Positive(t, served)
	documents.requireOpen(next)
	require.Contains(t, string(bed.Run("keys", "rotate")),
		"0 data keys, 0 keys of documents, 0 of second factors and 0 of the installation")

	// What only its holder can move is named. API keys move when they are used.
	_, problems, err := bed.Try("keys", "retire", "test")
	require.Error(t, err)
	for _, what := range []string{"processes that have it in front", "4 API keys", "1 operator keys", "open runs in Temporal"} {
		require.Contains(t, problems, what)
	}
	holders := string(bed.Run("keys", "list", "test", "--csv"))
	for _, other := range clients[1:] {
		require.Contains(t, holders, other.id)
		a, err := c.call(bed.API, other.key, other.id, "GET", "/v1/onboarding", "")
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, a.status, a.raw)
	}
	require.NotContains(t, holders, c.id, "its key was used")
	partner, err := c.call(bed.API, bed.APIKey, bed.OrganizationID, "GET", "/v1/onboarding", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, partner.status, partner.raw)
	bed.Exec("UPDATE operator_keys SET revoked_at = now()")
	require.NoError(t, bed.Temporal().TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "",
		"it began under the old key"))
	bed.Exec("UPDATE master_keys SET in_front_at = in_front_at - interval '10 minutes' WHERE id = 'test'") // no process has it in front
	bed.Eventually("the old key is retired", func(context.Context) (bool, error) {                         // its last seals are taken over
		out, problems, err := bed.Try("keys", "retire", "test")
		if err != nil {
			return false, errors.New(problems)
		}
		require.Contains(t, string(out), "Master key test is retired.")
		return true, nil
	})
	require.Contains(t, string(bed.Run("keys", "list")), "retired at")

	bed.Set("LEVY_MASTER_KEYS", next)
	restart(bed)
	require.Equal(t, http.StatusOK, c.step(2).status)
	for n := 6; n <= 8; n++ {
		a := c.step(n)
		require.Equal(t, http.StatusOK, a.status, "step %d without the old key: %s", n, a.raw)
	}
	require.Equal(t, "COMPLETED", c.onboarding()["status"])
	c.cancelled(clients[1])
}

// documentKeys are the keys of documents without content, by id: a value that each has sealed.
type documentKeys struct {
	*client
	sealed map[string][]byte
}

// keepDocuments stores documents of an exemption, whose keys a master key wraps.
func (c *client) keepDocuments(master string, n int) documentKeys {
	c.t.Helper()
	create := func(path, body string) string {
		a, err := c.call(c.bed.API, c.key, c.id, "POST", path, body)
		require.NoError(c.t, err)
		require.Equal(c.t, http.StatusOK, a.status, a.raw)
		return a.body["id"].(string)
	}
	customer := create("/v1/customers", `{"external_id":"C-1","name":"Bo Buyer"}`)
	exemption := create("/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+customer+`","start_date":"2026-01-01"}`)
	ring, err := secret.ParseRing(master)
	require.NoError(c.t, err)
	vault, ids, wrapped := secret.NewVault(ring, nil), make([]string, n), make([][]byte, n)
	d := documentKeys{c, map[string][]byte{}}
	for i := range n {
		ids[i] = models.NewID(models.PrefixAttachment)
		key, made := vault.NewRecordKey(c.id, ids[i])
		wrapped[i], d.sealed[ids[i]] = made.Wrapped, key.Seal("piece", []byte(ids[i]))
	}
	c.bed.Exec(`INSERT INTO exemption_attachments (organization_id, id, exemption_id, filename, content_type, size, sha256,
		  created_at, master_key_id, wrapped)
		SELECT $1, id, $2, 'a.pdf', 'application/pdf', 1, sha256(''), now(), 'test', wrapped
		FROM unnest($3::text[], $4::bytea[]) k (id, wrapped)`,
		c.id, exemption, ids, wrapped)
	return d
}

// requireOpen decrypts a value of every key, with one master key alone.
func (d documentKeys) requireOpen(master string) {
	d.t.Helper()
	ring, err := secret.ParseRing(master)
	require.NoError(d.t, err)
	vault := secret.NewVault(ring, nil)
	rows := d.bed.Rows("SELECT id, master_key_id, wrapped FROM exemption_attachments WHERE organization_id = $1", d.id)
	require.Len(d.t, rows, len(d.sealed))
	for _, row := range rows {
		id := row["id"].(string)
		key, err := vault.RecordKey(secret.RecordKey{OrganizationID: d.id, RecordID: id,
			WrappedKey: secret.WrappedKey{MasterKeyID: row["master_key_id"].(string), Wrapped: row["wrapped"].([]byte)}})
		require.NoError(d.t, err)
		plain, err := key.Open("piece", d.sealed[id])
		require.NoError(d.t, err)
		require.Equal(d.t, id, string(plain))
	}
}

// cancelled ends another client whose data key was wrapped again.
func (c *client) cancelled(other *client) {
	c.t.Helper()
	temporal := c.bed.Temporal()
	require.NoError(c.t, temporal.TerminateWorkflow(context.Background(), workflows.OnboardingID(other.id), "",
		"it began under the old key"))
	a := other.cancel()
	require.Equal(c.t, http.StatusOK, a.status, a.raw)
	other.waitUndone()
	require.Zero(c.t, c.bed.Count("SELECT count(*) FROM data_keys WHERE organization_id = $1", other.id))
}

// A process whose master key was retired while it could not say that it has it in front ends by itself and says why. It
// does not start again.
func TestAProcessWhoseMasterKeyWasRetiredEnds(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	bed.API.Start()
	bed.Worker.Start()
	_, err := bed.DB.Exec(t.Context(), "UPDATE master_keys SET in_front_at = now() - interval '1 hour', retired_at = now()")
	require.NoError(t, err)
	for _, process := range []*testbed.Service{bed.API, bed.Worker} {
		bed.Eventually("it ends", func(context.Context) (bool, error) { return process.Ended(), nil })
		require.Contains(t, process.LastLogLine(), "levy: the first key of LEVY_MASTER_KEYS was retired: put another one in front: test")
		process.Launch()
		bed.Eventually("it does not start", func(context.Context) (bool, error) { return process.Ended(), nil })
		require.Contains(t, process.LastLogLine(), "levy: the first key of LEVY_MASTER_KEYS was retired")
	}
}
