package contract_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// calculations change nothing, and take no notice of an Idempotency-Key. Every other
// operation that does not read is a write.
var calculations = []string{
	"estimateTax", "searchAddress", "suggestAddresses", "simulateNexus", "previewReclassification", "verifyFiling",
}

// changesNothing are writes that find everything as they want it, as they are sent here.
var changesNothing = []string{"archiveTransactions", "archiveTransactionsByDate", "undisregardNexus", "retryFiling"}

// A write that is sent twice with the same Idempotency-Key happens once and has one
// answer; the key with anything else than that write is refused (contract 5). That holds
// for every operation of the document, so that one without a body here fails.
func TestAKeyMakesEveryWriteHappenOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.aboard(client)
	for id, op := range in.contract.operations {
		if op.method == http.MethodGet {
			continue
		}
		in.endUnusedKeys()
		r := in.ordinary(op, client)
		in.readyToMove(op, strings.Split(r.target+"///", "/")[3])
		r.header = http.Header{"Idempotency-Key": {in.next("once")}}
		before := in.recorded()
		first := in.send(t, r)
		require.Less(t, first.status, 300, "%s: %s", id, first.body)
		after := in.recorded()
		again := in.send(t, r)
		other := anotherOf(op, r)
		refused := in.send(t, other)

		require.Equal(t, after, in.recorded(), "%s happened twice", id)
		require.Empty(t, first.header.Get("Idempotency-Replayed"), id)
		if slices.Contains(calculations, id) {
			require.Equal(t, before, after, "%s is no write", id)
			require.Empty(t, again.header.Get("Idempotency-Replayed"), id)
			require.Less(t, refused.status, 300, "%s: %s", id, refused.body)
			continue
		}
		if slices.Contains(changesNothing, id) {
			require.Equal(t, before, after, "%s needs no excuse", id)
		} else {
			require.NotEqual(t, before, after, "%s did nothing, so nothing is shown by doing it twice", id)
		}
		require.Equal(t, first.status, again.status, id)
		require.Equal(t, withoutSecret(t, first), withoutSecret(t, again), id)
		require.Equal(t, "true", again.header.Get("Idempotency-Replayed"), id)
		require.NotEqual(t, first.header.Get("X-Request-Id"), again.header.Get("X-Request-Id"), id)
		require.Equal(t, []any{409, "idempotency_key_reused"}, []any{refused.status, refused.problem(t).Code}, id)
	}
}

// anotherOf is a request that differs from r in as little as possible.
func anotherOf(op operation, r request) request {
	switch {
	case op.isForm():
		r.body = strings.Replace(r.body, "%PDF", " %PDF", 1)
	case r.body != "":
		r.body += "\n"
	default:
		r.target += "?a=1"
	}
	return r
}

// withoutSecret is an answer as it may be repeated: a key is shown once.
func withoutSecret(t tester, a answer) any {
	if len(a.body) == 0 {
		return nil
	}
	var body any
	require.NoError(t, json.Unmarshal(a.body, &body), "%s", a.body)
	if object, ok := body.(map[string]any); ok && object["secret_available"] != nil {
		delete(object, "secret_available")
		delete(object, "api_key")
	}
	return body
}

// recorded is a digest of everything that is recorded about organizations, by table. When
// a key was used last is no effect of a write, and neither are the memory of answers and
// the tokens that are left.
func (in *installation) recorded() map[string]string {
	in.t.Helper()
	var digests map[string]string
	in.query(&digests, `
		SELECT json_object_agg(c.table_name, (xpath('//d/text()', query_to_xml(format(
		         'SELECT md5(coalesce(string_agg(r, chr(10) ORDER BY r), '''')) AS d FROM (SELECT (to_jsonb(t) - ''last_used_at'')::text AS r FROM %I t) x',
		         c.table_name), false, true, '')))[1]::text)
		  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
		 WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE'
		   AND (c.column_name = 'organization_id' OR c.table_name = 'organizations' AND c.column_name = 'id')
		   AND c.table_name NOT IN ('idempotency_keys', 'rate_limits')`)
	return digests
}
