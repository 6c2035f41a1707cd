package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
)

// levy audit cover covers what an earlier release wrote, and levy status says until then how far it is.
func TestAuditCoverGivesTheMark(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	env := []string{
		"LEVY_DATABASE_URL=" + o.database, "LEVY_MASTER_KEYS=" + secret.NewMasterKey("k1"), "LEVY_TEMPORAL_ADDRESS=127.0.0.1:1",
	}
	must := func(args ...string) string {
		t.Helper()
		var out, log bytes.Buffer
		require.NoError(t, run(t.Context(), args, env, &out, &log), args)
		return out.String()
	}
	status := func() string {
		t.Helper()
		var out, log bytes.Buffer
		require.ErrorIs(t, run(t.Context(), []string{"status"}, env, &out, &log), errAlarms, "there is no backup")
		return out.String()
	}
	must("bootstrap", "--test")
	require.Contains(t, must("audit", "verify"), `"covered_from":1`)
	conn, err := pgx.Connect(t.Context(), o.database)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `SET session_replication_role = replica; DELETE FROM audit_unsealed; DELETE FROM audit_seals;
		UPDATE installation SET ledger_from_before = true;
		INSERT INTO audit_unsealed (organization_ids, ids) SELECT array_agg(organization_id::text), array_agg(id::text) FROM audit`)
	require.NoError(t, err)
	require.NotContains(t, must("audit", "verify"), "covered_from")
	const advice = "The ledger does not cover what a version from before wrote; 0 of 1 organizations are done: run levy audit cover"
	require.Contains(t, status(), advice)
	require.Equal(t, "1 of 1 organizations, 0 transactions\nthe ledger covers all organizations\n", must("audit", "cover"))
	require.Contains(t, must("audit", "verify"), `"covered_from":2`)
	require.NotContains(t, status(), "The ledger")
	require.Equal(t, "the ledger covers all organizations\n", must("audit", "cover"), "a repetition")

	_, err = conn.Exec(t.Context(), "DELETE FROM audit_seals WHERE number = 2")
	require.NoError(t, err)
	var out, log bytes.Buffer
	require.Error(t, run(t.Context(), []string{"audit", "verify"}, env, &out, &log))
	require.Contains(t, out.String(), `"broken":"no seal has the mark of the ledger"`)
}

// Commands of the operator are in the trail with the name of the operator. levy audit verify reports that the trail is
// complete, and fails if it is not.
func TestAuditVerifyFailsForAChangedTrail(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	env := []string{"LEVY_DATABASE_URL=" + o.database, "LEVY_MASTER_KEYS=" + secret.NewMasterKey("k1")}
	levy := func(args ...string) (string, error) {
		var out, log bytes.Buffer
		err := run(t.Context(), args, env, &out, &log)
		return out.String(), err
	}
	must := func(args ...string) string {
		t.Helper()
		out, err := levy(args...)
		require.NoError(t, err, args)
		return out
	}
	var made credentials
	require.NoError(t, json.Unmarshal([]byte(must("bootstrap", "--test")), &made))
	must("organization", "set", made.OrganizationID, "--billing-plan", "GROWTH")
	must("limit", made.OrganizationID, "--per-minute", "100", "--burst", "10")
	must("limit", made.OrganizationID, "--default")
	_, err := levy("limit", "org_x", "--default")
	require.ErrorContains(t, err, "org_x: record not found")
	for _, command := range [][]string{
		{"audit", "verify", "org_x"}, {"audit", "list", "org_x"}, {"nexus", "recount", "org_x"},
	} {
		_, err = levy(command...)
		require.ErrorContains(t, err, "organization org_x: record not found", command)
	}

	conn, err := pgx.Connect(t.Context(), o.database)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var named []string
	require.NoError(t, conn.QueryRow(t.Context(),
		`SELECT array_agg(entity_type ORDER BY entity_type) FROM audit WHERE staff = $1`,
		staff().Staff).Scan(&named))
	require.Equal(t, []string{"api_key", "organization", "organization_settings", "rate_limit", "rate_limit"}, named)

	require.Equal(t, 5, strings.Count(must("audit", "list", made.OrganizationID), `"staff":"`+staff().Staff+`"`))
	latest := must("audit", "list", made.OrganizationID, "--object", made.OrganizationID, "--limit", "1")
	require.Equal(t, 1, strings.Count(latest, "\n"))
	require.Contains(t, latest, `"object_type":"rate_limit","object_id":"`+made.OrganizationID+`"`)
	require.Empty(t, must("audit", "list", made.OrganizationID, "--action", "decode"))

	first := must("audit", "verify")
	require.Contains(t, first, `"organization_id":"`+made.OrganizationID+`","rows":5,"seals":1,`)
	require.Equal(t, first, must("audit", "verify", made.OrganizationID))
	heads := filepath.Join(o.folder, "heads.json")
	require.NoError(t, os.WriteFile(heads, []byte(first), 0o600))
	must("limit", made.OrganizationID, "--per-minute", "200", "--burst", "20")
	require.Contains(t, must("audit", "verify", "--heads", heads), `"rows":6,"seals":2,`)

	_, err = conn.Exec(t.Context(), "SET session_replication_role = replica; DELETE FROM organizations")
	require.NoError(t, err)
	require.Contains(t, must("audit", "verify", made.OrganizationID), `"rows":6,"seals":2,`)
	require.Equal(t, 6, strings.Count(must("audit", "list", made.OrganizationID), "\n"), "the trail outlives the record")
	_, err = conn.Exec(t.Context(), "DELETE FROM audit_seals; DELETE FROM audit")
	require.NoError(t, err)
	must("audit", "verify") // only the seals that were kept show that rows existed
	out, err := levy("audit", "verify", "--heads", heads)
	require.EqualError(t, err, "audit trails are broken: 1 of 1")
	require.Contains(t, out, "seal 1, which was kept, is missing")
	require.NoError(t, os.WriteFile(heads, []byte(strings.Repeat("x", 9)), 0o600))
	_, err = levy("audit", "verify", "--heads", heads)
	require.ErrorContains(t, err, "line 1: not a line of levy audit verify")
}
