package main

import (
	"bytes"
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
