package api_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

// A client returns a person as it was read, with one field changed. Only that field changes: an unchanged status needs
// no further right, and a role that the person cannot have is null.
func TestAPersonIsReadChangedAndSentBack(t *testing.T) {
	t.Parallel()
	in := install(t)
	invited := in.do(in.root, "POST", "/v1/users", `{"email":"vi@example.com","name":"Vi","role":"viewer"}`).expect(200)
	path := "/v1/users/" + invited.text("id")
	read := func() map[string]any {
		var list struct{ Items []map[string]any }
		require.NoError(t, json.Unmarshal(in.do(in.root, "GET", "/v1/users", "").expect(200).Body.Bytes(), &list))
		require.Len(t, list.Items, 1)
		return list.Items[0]
	}
	put := func(record map[string]any) answer {
		body, err := json.Marshal(record)
		require.NoError(t, err)
		return in.do(in.root, "PUT", path, string(body))
	}
	put(read()).expect(200)
	require.Equal(t, "INVITED", read()["status"])
	for field, value := range map[string]string{"name": "Viola", "role": "approver", "status": "DISABLED"} {
		changed := read()
		changed[field] = value
		put(changed).expect(200)
		// read-only fields are ignored, and the answer has their values after the change
		changed["memberships"] = []any{map[string]any{"organization_id": in.root.organizationID, "role": changed["role"]}}
		require.Equal(t, changed, read())
	}

	for body, fault := range map[string]string{
		`{"status":"INVITED"}`:     "validation_failed not_allowed body.status",
		`{"role":null}`:            "validation_failed missing_field body.role",
		`{"status":null}`:          "validation_failed missing_field body.status",
		`{"staff_role":"auditor"}`: "validation_failed not_allowed body.staff_role",
	} {
		require.Equal(t, []string{fault}, in.do(in.root, "PUT", path, body).faults(), body)
	}
}
