package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// A view is seen by the people of the organization that its person shares it with. It has an address of its own there, and
// ends with the role of that person. It grants nothing: its address leads to the list alone.
func TestViewsAreSharedInAnOrganization(t *testing.T) { //nolint:paralleltest // openParts sets the logger of the process
	p := newAPIProcess(t)
	member := func(email, called, role string) (v *visitor, organization string) {
		at := slices.IndexFunc(p.callers, func(c caller) bool { return c.name == called })
		organization = p.callers[at].organization
		return p.invite(t, userInviteCmd{Email: email, Organization: organization, Role: role}), organization
	}
	owner, organization := member("owner@example.com", "the partner", "viewer")
	reader, _ := member("reader@example.com", "the partner", "admin")
	stranger, elsewhere := member("stranger@example.com", "another organization", "admin")
	type shared struct {
		ID, List, Name, Query string
		SharedWith            *string `json:"shared_with"`
		SharedBy              string  `json:"shared_by"`
	}
	list := func(v *visitor) (all struct{ Items, Shared []shared }) {
		require.NoError(t, json.Unmarshal(v.send("GET", viewsPath, "", "").Body.Bytes(), &all))
		return all
	}
	put := func(v *visitor, body string) (status int, answer string) {
		answered := v.send("PUT", viewsPath, "", body)
		return answered.Code, answered.Body.String()
	}
	const saved = `{"list":"transactions","name":"Large ones","query":"order_by=-total_amount"}`
	status, said := put(owner, saved)
	require.Equal(t, http.StatusOK, status, said)
	share := fmt.Sprintf(`{"list":"transactions","name":"large ONES","shared_with":%q}`, organization)
	status, said = put(owner, share)
	require.Equal(t, http.StatusOK, status, said)
	view := list(owner).Items[0]
	require.Equal(t, organization, *view.SharedWith)
	seen := list(reader).Shared
	require.Len(t, seen, 1)
	require.Equal(t, view.ID, seen[0].ID)
	require.NotEmpty(t, seen[0].SharedBy)
	require.Empty(t, list(owner).Shared)
	require.Empty(t, list(stranger).Shared)

	address := "/views/" + view.ID
	require.Equal(t, "/o/"+organization+"/transactions?order_by=-total_amount", reader.send("GET", address, "", "").Header().Get("Location"))
	require.Equal(t, http.StatusNotFound, stranger.send("GET", address, "", "").Code)
	page := reader.send("GET", "/o/"+organization+"/transactions", "", "").Body.String()
	require.Contains(t, page, "Large ones</bdi> <span class=\"quiet\">by")
	require.NotContains(t, page, `value="rename"`, "only its person changes it")
	require.Equal(t, http.StatusNotFound, stranger.send("GET", "/o/"+organization+"/transactions?order_by=-total_amount", "", "").Code)

	_, said = put(stranger, saved)
	require.Contains(t, said, view.Name)
	for body, says := range map[string]string{
		share: `no role in this organization`,
		`{"list":"transactions","name":"Large ones","shared_with":null,"new_name":"B"}`: `body.shared_with`,
		`{"list":"transactions","name":"Large ones","shared_with":null,"query":null}`:   `body.shared_with`,
	} {
		status, said = put(stranger, body)
		require.Equal(t, http.StatusBadRequest, status, body)
		require.Contains(t, said, says)
	}
	status, _ = put(owner, saved)
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, view.ID, list(reader).Shared[0].ID, "a view that is saved again stays shared")

	database := p.parts.cfg.DatabaseURL.Reveal()
	storetest.Execute(t, database, `INSERT INTO saved_views (user_id, list, name_key, name, query, updated_at, shared_with)
		SELECT $1, 'filings', 'n' || n, 'N', '', now(), $2 FROM generate_series(1, $3) n`, owner.self(), organization, models.MaxSharedViews)
	status, said = put(owner, share)
	require.Equal(t, http.StatusConflict, status)
	require.Contains(t, said, `"shared_view_limit_reached"`)
	ownerID := owner.self()
	move := func(to string) {
		storetest.Execute(t, database, "DELETE FROM memberships WHERE user_id = $1", ownerID)
		storetest.Execute(t, database, `INSERT INTO memberships (organization_id, user_id, role, created_at)
			VALUES ($1, $2, 'viewer', now())`, to, ownerID)
	}
	storetest.Execute(t, database, "UPDATE users SET status = 'DISABLED' WHERE id = $1", ownerID)
	_, said = put(reader, saved)
	require.Contains(t, said, view.Name)
	status, said = put(reader, share)
	require.Equal(t, http.StatusConflict, status, "a disabled person may be enabled again: "+said)
	status, _ = put(reader, `{"list":"transactions","name":"Large ones","query":null}`)
	require.Equal(t, http.StatusOK, status)
	storetest.Execute(t, database, "UPDATE users SET status = 'ACTIVE' WHERE id = $1", ownerID)
	move(organization)
	require.Empty(t, list(reader).Shared, "a person who comes back shares anew")
	status, said = put(owner, share)
	require.Equal(t, http.StatusOK, status, "views of people who have left take no room: "+said)
	storetest.Execute(t, database, "DELETE FROM saved_views WHERE list = 'filings'")

	form := url.Values{"action": {"share"}, "list": {"transactions"}, "name": {view.Name}, "organization_id": {organization}}
	require.Equal(t, http.StatusSeeOther, owner.send("POST", "/views", "", form.Encode()).Code)
	require.Empty(t, list(reader).Shared)
	ended := func() (n int) {
		require.NoError(t, storetest.SQL(t, database).QueryRow(t.Context(), `SELECT count(*) FROM audit
			WHERE organization_id = $1 AND detail ->> 'unshared_view' = $2`, organization, view.ID).Scan(&n))
		return n
	}
	require.Equal(t, 1, ended(), "its trail says that the view is no longer shared")
	form.Set("shared_with", organization)
	require.Equal(t, http.StatusSeeOther, owner.send("POST", "/views", "", form.Encode()).Code)
	require.Len(t, list(reader).Shared, 1)

	move(elsewhere)
	require.Empty(t, list(reader).Shared, "its person has left the organization")
	require.Empty(t, list(stranger).Shared)
	move(organization)
	require.Empty(t, list(reader).Shared, "a person who comes back shares anew")
	require.Equal(t, http.StatusSeeOther, owner.send("POST", "/views", "", form.Encode()).Code)
	for _, v := range []*visitor{owner, stranger} {
		status, _ = put(v, `{"list":"transactions","name":"Large ones","query":null}`)
		require.Equal(t, http.StatusOK, status)
	}
	require.Empty(t, list(reader).Shared)
	require.Equal(t, 2, ended(), "nor is one that its person has removed")
}
