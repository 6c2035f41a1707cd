package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/storetest"
)

// A check of one organization reads its records and those of no other, and says so.
func TestACheckOfOneOrganizationReadsItsRecords(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	other := storetest.Organization(t, b.URL)
	keys := secret.NewMasterKey("k1")
	check := func(args ...string) (string, error) {
		var out, log bytes.Buffer
		env := []string{"LEVY_DATABASE_URL=" + b.URL, "LEVY_MASTER_KEYS=" + keys, "LEVY_HOME=" + t.TempDir()}
		err := run(t.Context(), append([]string{"check"}, args...), env, &out, &log)
		return out.String(), err
	}
	out, err := check(b.Scope.OrganizationID)
	require.NoError(t, err)
	require.Contains(t, out, "rules hold. All records of "+b.Scope.OrganizationID+" were read.\n")
	require.NotContains(t, out, "Temporal")

	storetest.Execute(t, b.URL, "INSERT INTO organization_figures VALUES ($1, 'FILED', '2020-01-01', 'USD', 7, 1)", other.OrganizationID)
	_, err = check(b.Scope.OrganizationID)
	require.NoError(t, err)
	out, err = check(other.OrganizationID)
	require.ErrorIs(t, err, errDefects)
	require.Contains(t, out, "DEFECT: the kept figures of the first page are wrong for 1 organizations: "+other.OrganizationID)
	_, err = check("org_unknown")
	require.Error(t, err)
	require.NotErrorIs(t, err, errDefects)
}

// A check without Temporal tells the rest, and ends with the code of what cannot be told. A defect is told all the same.
func TestACheckWithoutTemporalCannotTell(t *testing.T) {
	t.Parallel()
	url, keys := storetest.URL(t), secret.NewMasterKey("k1")
	check := func(args ...string) (out, said string, code int) {
		var printed, log bytes.Buffer
		env := []string{
			"LEVY_DATABASE_URL=" + url, "LEVY_MASTER_KEYS=" + keys, "LEVY_HOME=" + t.TempDir(),
			"LEVY_TEMPORAL_ADDRESS=127.0.0.1:1",
		}
		err := run(t.Context(), append([]string{"check"}, args...), env, &printed, &log)
		if err != nil {
			said = err.Error()
		}
		return printed.String(), said, exitCode(err)
	}
	out, said, code := check()
	require.Equal(t, 2, code, out)
	require.Contains(t, out, "Temporal: was not asked which runs there are.")
	require.Contains(t, out, "Last backup: ", "what comes behind it is told")
	require.Regexp(t, "^no defect was found, but it is not known which runs Temporal lacks: [^\n]*127.0.0.1:1[^\n]*$", said)
	out, _, code = check("--json")
	require.Equal(t, 2, code)
	var document checked
	require.NoError(t, json.Unmarshal([]byte(out), &document))
	require.False(t, document.Whole)
	require.Empty(t, document.Defects)
	require.NotEmpty(t, document.Facts)

	id := storetest.Organization(t, url).OrganizationID
	storetest.Execute(t, url, "INSERT INTO organization_figures VALUES ($1, 'FILED', '2020-01-01', 'USD', 7, 1)", id)
	out, _, code = check()
	require.Equal(t, 1, code)
	require.Contains(t, out, "DEFECT: the kept figures of the first page are wrong for 1 organizations: "+id)
}
