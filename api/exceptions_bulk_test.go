package api_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A bulk call decides each exception on its own: what is unknown or not allowed is refused with its reason, the rest is
// done. Sending it again changes nothing more.
func TestABulkCallDecidesEachException(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	in.onboarded(client)
	for _, as := range []credentials{client, other} {
		in.do(as, "POST", "/v1/products", aProduct).expect(200)
	}
	held := func(as credentials, number string) string {
		id := record(t, in, as, sale(number, "")).text("id")
		in.execute(`INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason) VALUES ($1, $2, 1, 'ADDRESS')`,
			as.organizationID, id)
		return id
	}
	first, second, foreign := held(client, "ORDER-1"), held(client, "ORDER-2"), held(other, "ORDER-3")
	body := func(action string, ids ...string) string {
		rows := ""
		for i, id := range ids {
			if i > 0 {
				rows += ","
			}
			rows += fmt.Sprintf(`{"type":"TRANSACTION_UNRESOLVED","object_id":%q}`, id)
		}
		return fmt.Sprintf(`{"action":%q,"assignee":"Ada","exceptions":[%s]}`, action, rows)
	}
	statuses := func(a answer) (all []any) {
		for _, item := range a.expect(200).member("items").([]any) {
			all = append(all, item.(map[string]any)["status"], item.(map[string]any)["code"])
		}
		return all
	}
	const path = "/v1/exceptions/bulk"
	want := []any{"DONE", nil, "REFUSED", "resource_not_found", "DONE", nil}
	for range 2 {
		require.Equal(t, want, statuses(in.do(client, "POST", path, body("ASSIGN", first, foreign, second))))
	}
	require.Equal(t, 2, in.count("SELECT count(*) FROM exception_notes WHERE assignee = 'Ada'"))
	require.Equal(t, 4, in.count("SELECT count(*) FROM audit WHERE action = 'assign' AND entity_type = 'exception'"))

	// A partner with an earlier grant assigns, and processes nothing.
	in.granted(client, models.GrantAsBefore)
	pat := in.memberOf(in.root, "pat@example.com", "admin")
	require.Equal(t, []any{"REFUSED", "forbidden_for_key"},
		statuses(in.asPerson(pat, client.organizationID, "POST", path, body("REPROCESS", first))))
	require.Equal(t, []any{"DONE", nil}, statuses(in.asPerson(pat, client.organizationID, "POST", path, body("ASSIGN", first))))
	in.granted(client, models.GrantPreparer)
	require.Equal(t, []any{"DONE", nil},
		statuses(in.asPerson(pat, client.organizationID, "POST", path, body("REPROCESS", first))))
	for range 2 {
		require.Equal(t, want, statuses(in.do(client, "POST", path, body("REPROCESS", first, foreign, second))))
	}
	in.do(client, "POST", path, `{"action":"REPROCESS","exceptions":[]}`).expect(400, "validation_failed")
	in.do(client, "POST", path, body("APPROVE", first)).expect(400, "validation_failed")
}

// The first page's figures and causes are those of the organizations that the caller sees.
func TestFiguresAreOfTheCallersOrganizations(t *testing.T) {
	t.Parallel()
	in := install(t)
	client, other := in.client("Client"), in.client("Other")
	in.do(client, "POST", "/v1/products", aProduct).expect(200)
	id := record(t, in, client, sale("ORDER-1", "")).text("id")
	in.execute(`INSERT INTO transaction_refetches (organization_id, transaction_id, epoch, reason) VALUES ($1, $2, 1, 'ADDRESS')`,
		client.organizationID, id)
	groups := func(as credentials) []any {
		return in.do(as, "GET", "/v1/exceptions/groups", "").expect(200).member("items").([]any)
	}
	require.Empty(t, groups(other))
	require.Len(t, groups(client), 1)
	require.Equal(t, id, groups(client)[0].(map[string]any)["first_object_id"])
	require.Len(t, groups(in.root), 1)
	_, err := in.store.Transactions.RollUpCounts(t.Context())
	require.NoError(t, err)
	require.NoError(t, in.store.Work.CountFigures(t.Context()))
	require.Empty(t, in.do(other, "GET", "/v1/figures", "").expect(200).member("untaxable"))
	figures := in.do(client, "GET", "/v1/figures", "").expect(200)
	require.Len(t, figures.member("untaxable"), 1)
	require.Len(t, figures.member("months"), 13)
	require.Equal(t, true, figures.member("up_to_date"))
}

// aProduct is the product of sale.
const aProduct = `{"external_id":"P-1","name":"Lamp","product_category":"PHYSICAL"}`
