package contract_test

import (
	"encoding/json"
	"fmt"
	"maps"
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

// A write that is sent twice with the same Idempotency-Key happens once and has one answer; the key with anything
// else than that write is refused (contract 5). That holds for every operation of the document, so that one without a
// body here fails. Accepted writes are in the audit trail, with their key and their request, and so are the reads
// that must be recorded, and no others.
func TestAKeyMakesEveryWriteHappenOnce(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	in.onboard(client)
	recorded := in.digests()
	for _, id := range slices.Sorted(maps.Keys(in.contract.operations)) {
		op := in.contract.operations[id]
		if id == "signIn" || id == "getSignInLink" || id == "signOut" || ofPeople[id] { // of sessions, and of who has one
			continue
		}
		if op.method == http.MethodGet {
			if !public[id] && !isStream(op.path) {
				require.Equal(t, op.hasTrail(), in.isAudited(op, client), id)
			}
			continue
		}
		in.endUnusedKeys()
		r := in.effective(op, client)
		r.header = http.Header{"Idempotency-Key": {in.next("once")}}
		before := recorded()
		first := in.send(t, r)
		require.Less(t, first.status, 300, "%s: %s", id, first.body)
		after := recorded()
		again := in.send(t, r)
		other := anotherOf(op, r)
		refused := in.send(t, other)

		if id == "makePaymentFile" { // it has numbers of accounts, so it is stored nowhere, and made again
			require.Empty(t, again.header.Get("Idempotency-Replayed"), id)
			require.Positive(t, in.auditedBy(again), "%s is not in the audit trail", id)
			require.Less(t, refused.status, 300, "%s: %s", id, refused.body)
			continue
		}
		require.Equal(t, after, recorded(), "%s happened twice", id)
		require.Empty(t, first.header.Get("Idempotency-Replayed"), id)
		if slices.Contains(calculations, id) {
			require.Equal(t, before, after, "%s is no write", id)
			require.Empty(t, again.header.Get("Idempotency-Replayed"), id)
			require.Less(t, refused.status, 300, "%s: %s", id, refused.body)
			continue
		}
		require.NotEqual(t, before, after, "%s had no effect, so repeating it proves nothing", id)
		require.Positive(t, in.auditedBy(first), "%s is not in the audit trail", id)
		require.Equal(t, first.status, again.status, id)
		require.Equal(t, withoutSecret(t, first), withoutSecret(t, again), id)
		for _, secret := range shownOnce(t, first) {
			require.NotContains(t, string(again.body), secret, id)
		}
		require.Equal(t, "true", again.header.Get("Idempotency-Replayed"), id)
		require.NotEqual(t, first.header.Get("X-Request-Id"), again.header.Get("X-Request-Id"), id)
		require.Equal(t, []any{409, "idempotency_key_reused"}, []any{refused.status, refused.problem(t).Code}, id)
	}
}

// auditedReads are the reads of personal data, and the export without a choice of formats.
var auditedReads = []string{"listUsers", "exportRejectedRows", "getExemptionAttachment", "getNoticeDocument", "getFilingReturn",
	"getOrganizationDetails", "getBankDetails"}

// hasTrail reports whether the trail must have each call of a read: of those above, and of each other export of a list.
func (op operation) hasTrail() bool {
	id := strings.TrimSuffix(op.OperationID, "Alias")
	return slices.Contains(auditedReads, id) || strings.HasPrefix(id, "export") && op.needsFormat()
}

// auditedBy counts the entries of the trail that name the request of an answer and a key.
func (in *installation) auditedBy(a answer) (entries int) {
	in.t.Helper()
	in.query(&entries, "SELECT count(*) FROM audit WHERE request_id = $1 AND api_key_id IS NOT NULL",
		a.header.Get("X-Request-Id"))
	return entries
}

// isAudited reports whether a read leaves an entry.
func (in *installation) isAudited(op operation, client credentials) bool {
	in.t.Helper()
	a := in.send(in.t, in.ordinary(op, client))
	require.Less(in.t, a.status, 300, "%s: %s", op.OperationID, a.body)
	return in.auditedBy(a) > 0
}

// effective is a call of an operation that finds something to do.
func (in *installation) effective(op operation, client credentials) request {
	in.t.Helper()
	r := in.ordinary(op, client)
	in.readyToChange(op, strings.Split(r.target+"///", "/")[3])
	switch op.OperationID {
	case "resumeTransactionImport":
		in.call(client, "POST", strings.Replace(r.target, "/resume", "/pause", 1), "", 200)
	case "archiveTransactions":
		id, _ := in.transaction(client)
		r.body = fmt.Sprintf(`{"transaction_ids":[%q]}`, id)
	case "archiveTransactionsByDate":
		id, _ := in.transaction(client)
		in.execute("UPDATE transactions SET date = '1990-01-01T10:00:00Z' WHERE id = $1", id)
	case "approveFilings":
		id := in.object(anyFiling, client).id
		in.readyToChange(in.contract.operations["approveFiling"], id)
		amount := in.call(client, "GET", "/v1/filings/"+id, "", 200).text(in.t, "amount")
		r.body = fmt.Sprintf(`{"filings":[{"filing_id":%q,"expected_amount":%q}]}`, id, amount)
	case "changeExceptions":
		r.body = fmt.Sprintf(`{"action":"ASSIGN","assignee":"Ada Example","exceptions":[{"type":"IMPORT_FAILED","object_id":%q}]}`,
			in.object(anyException, client).id)
	}
	return r
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

// onceMembers are shown once, when they are made.
var onceMembers = []string{"api_key", "secret", "sign_in_path", "path"}

// shownOnce are the secrets in an answer.
func shownOnce(t tester, a answer) (secrets []string) {
	var body any
	if len(a.body) > 0 {
		require.NoError(t, json.Unmarshal(a.body, &body), "%s", a.body)
	}
	object, _ := body.(map[string]any)
	for _, name := range onceMembers {
		if secret, ok := object[name].(string); ok && object["secret_available"] == true {
			secrets = append(secrets, secret)
		}
	}
	return secrets
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
		for _, name := range onceMembers {
			delete(object, name)
		}
	}
	return body
}

// digests returns a function that digests everything that is recorded about organizations, by table. The last use of
// a key is no effect of a write, and neither are stored answers, remaining tokens, and files that are not kept: a
// file arrives before the service can know that it is a repeat.
func (in *installation) digests() func() map[string]string {
	in.t.Helper()
	var tables string
	in.query(&tables, `
		SELECT string_agg(format('SELECT %L AS name, count(*) || '' '' || coalesce(sum(%s), 0) AS digest FROM %I t %s',
		         name, CASE WHEN 'last_used_at' = ANY (columns)
		           THEN 'hashtextextended((to_jsonb(t) - ''last_used_at'')::text, 0)'
		           ELSE 'hashtextextended(t::text, 0)' END,
		         name, CASE WHEN 'status' = ANY (columns)
		           THEN 'WHERE status IS DISTINCT FROM ''UPLOADING''' END), ' UNION ALL ')
		  FROM (SELECT c.relname AS name, array_agg(a.attname::text) AS columns
		          FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		         WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		         GROUP BY 1) t
		 WHERE ('organization_id' = ANY (columns) OR name = 'organizations')
		   AND name NOT IN ('idempotency_keys', 'rate_limits', 'transaction_import_pieces', 'partner_storage',
		     'organization_storage')`)
	return func() map[string]string {
		in.t.Helper()
		var digests map[string]string
		in.query(&digests, "SELECT json_object_agg(name, digest) FROM ("+tables+") d")
		return digests
	}
}
