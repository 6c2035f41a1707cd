package onboarding_test

import (
	"context"
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

// The master key is replaced while the service serves: every call before, during and after the rotation succeeds, a
// rotation that is killed in the middle is repeated, and afterwards nothing needs the old key.
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
	documents := c.keepDocuments(old, 600) // more than one batch of the rotation
	wrapped := func(by string) int {
		return bed.Count("SELECT count(*) FROM data_keys WHERE master_key_id = $1", by)
	}
	bed.Set("LEVY_MASTER_KEYS", old+","+next) // every process can decrypt values of the new key before one encrypts with it
	restart(bed)
	bed.Set("LEVY_MASTER_KEYS", next+","+old)
	restart(bed)
	require.Equal(t, http.StatusOK, c.step(6).status)
	require.Equal(t, []int{sealing, 0}, []int{wrapped("test"), wrapped("next")})

	stop, served := make(chan struct{}), 0
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			for _, n := range []int{3, 6} { // each decrypts values of the old key
				a, err := c.try(n)
				if err != nil || a.status != http.StatusOK {
					t.Errorf("step %d during the rotation: %d %s %v", n, a.status, a.raw, err)
					return
				}
				served++
			}
		}
	})
	bed.Set("LEVY_FAILPOINTS", "after_rewrap=skip*1,kill") // after the data keys, and between two batches of documents
	_, _, err := bed.Try("keys", "rotate")
	require.ErrorContains(t, err, "killed")
	require.Equal(t, []int{0, sealing}, []int{wrapped("test"), wrapped("next")})
	installation := "SELECT count(*) FROM installation_keys WHERE master_key_id = $1"
	require.Equal(t, 1, bed.Count(installation, "test"), "it was in the middle")
	require.Equal(t, 100, bed.Count("SELECT count(*) FROM exemption_attachments WHERE master_key_id = 'test'"),
		"of the documents too")
	bed.Set("LEVY_FAILPOINTS", "")
	require.Contains(t, string(bed.Run("keys", "rotate")),
		"0 data keys, 100 keys of documents, 0 of second factors and 1 of the installation")
	require.Contains(t, string(bed.Run("keys", "rotate")),
		"0 data keys, 0 keys of documents, 0 of second factors and 0 of the installation", "again")
	documents.requireOpen(next)
	close(stop)
	serving.Wait()
	require.Positive(t, served)
	require.Zero(t, bed.Count(installation, "test"))

	// Other values of the old key: the hashes of API keys, and the payloads of runs.
	partner, err := c.call(bed.API, bed.APIKey, bed.OrganizationID, "POST", "/v1/organizations/api_keys", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, partner.status, partner.raw)
	before := bed.APIKey
	bed.APIKey = partner.body["api_key"].(string)
	require.Equal(t, http.StatusOK, c.step(2).status)
	require.NoError(t, bed.Temporal().TerminateWorkflow(t.Context(), workflows.OnboardingID(c.id), "",
		"it began under the old key"))
	bed.Set("LEVY_MASTER_KEYS", next)
	restart(bed)
	refused, err := c.call(bed.API, before, bed.OrganizationID, "GET", "/v1/onboarding", "")
	require.NoError(t, err)
	require.Equal(t, http.StatusUnauthorized, refused.status)
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
