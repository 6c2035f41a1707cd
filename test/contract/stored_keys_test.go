package contract_test

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// storedKeys are requests with their fingerprints. Those are literals, because databases hold them: the SHA-256 of
// method, path, query and the SHA-256 of the body, all as they arrive, with a zero byte after each of the first three.
// The body of an upload counts as the SHA-256 of the file in hexadecimal.
var storedKeys = []struct {
	name, method, target, body, fingerprint string
	status                                  int
}{
	{
		"body", "POST", "/v1/products", `{"external_id":"KEPT","name":"Widget","product_category":"PHYSICAL"}`,
		"1e6fb5aa0220b9620ba5a841244733ba20f67ed6e5c0e89047eae64d33a53c98", 200,
	},
	{
		"query", "POST", "/v1/customers?b=2&a=%31", `{"external_id":"KEPT","name":"Ada"}`,
		"c8dd77ca972ae3fc8fa63a9b2ccaf514a8cd4382445e2b73843c845615469825", 200,
	},
	{
		"slash-at-the-end", "PUT", "/v1/bank_details/", `{"account_type":"CHECKING","routing_number":"021000021",` +
			`"account_number":"1234567890","account_holder_name":"Ada"}`,
		"cbe8e2f2f699a898728eac871b96013b606568f30e25001dc19e3b0ef57be79a", 200,
	},
	{
		"escaped-path", "PUT", "/v1/customers/cust_00000000000000000000%30%30%30%30%30%30", `{"name":"Ada"}`,
		"275def74b07db12df08399c84354b8e8f1f13af085d8191606e2dff5b14ae764", 200,
	},
	{
		"file", "POST", "/v1/transactions/imports", fileStart + ",amount\nKEPT,SALE,2026-05-15T10:00:00Z,C-1,P-1,1.00\n",
		"8cc8dbb1c75d9e8b1cc77800eb1e3f5dc2e1f268cae07a8085cfd82fcbc752db", 202,
	},
	{
		"no-body", "DELETE", "/v1/products/prod_00000000000000000000000000", "",
		"02a4075ac0399563c33e94ee11c1b479ef8460d833d03e5c19be23f022db0186", 204,
	},
}

// A key that is in the database answers the repeat of its request, byte for byte, and refuses any other request.
func TestStoredIdempotencyKeysAreReplayed(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	for _, c := range storedKeys {
		stored := []byte("{ \"stored\": \"before\" }\n")
		if c.status == http.StatusNoContent {
			stored = nil
		}
		fingerprint, err := hex.DecodeString(c.fingerprint)
		require.NoError(t, err)
		hash := sha256.Sum256([]byte(client.organization + "\x00" + c.name)) // of who owns the API key, and the key
		in.execute(`INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, status, body, expires_at)
			VALUES ($1, $2, $3, $4, $5, now() + interval '1 day')`, client.organization, hash[:], fingerprint, c.status, stored)
		r := request{as: client, method: c.method, target: c.target, body: c.body,
			header: http.Header{"Idempotency-Key": {c.name}}}
		_, a := in.do(r) // the stored answer is none of the contract
		require.Equal(t, c.status, a.status, "%s: %s", c.name, a.body)
		require.Equal(t, "true", a.header.Get("Idempotency-Replayed"), c.name)
		require.Equal(t, string(stored), string(a.body), c.name)
		r.target += map[bool]string{true: "&", false: "?"}[c.name == "query"] + "other=1"
		require.Equal(t, "idempotency_key_reused", in.send(t, r).problem(t).Code, c.name)
	}
	for path, total := range map[string]int{"/v1/products": 1, "/v1/customers": 0, "/v1/transactions/imports": 0} {
		require.EqualValues(t, total, in.call(client, "GET", path, "", 200).member(t, "total"), "%s: nothing happens again", path)
	}
}

// A key is stored with the fingerprint by which every version finds it.
func TestIdempotencyKeysAreStoredWithTheirFingerprint(t *testing.T) {
	t.Parallel()
	in := install(t)
	in.onboard(in.root)
	checked := 0
	for _, c := range storedKeys {
		_, a := in.do(request{as: in.root, method: c.method, target: c.target, body: c.body,
			header: http.Header{"Idempotency-Key": {c.name}}})
		if a.status >= 400 { // of a record that does not exist: nothing is stored
			require.Equal(t, 404, a.status, "%s: %s", c.name, a.body)
			continue
		}
		checked++
		hash := sha256.Sum256([]byte(in.root.organization + "\x00" + c.name))
		var stored []byte
		in.query(&stored, "SELECT fingerprint FROM idempotency_keys WHERE organization_id = $1 AND key_hash = $2",
			in.root.organization, hash[:])
		require.Equal(t, c.fingerprint, hex.EncodeToString(stored), c.name)
	}
	require.Equal(t, 4, checked)
}
