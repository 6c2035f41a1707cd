package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/report"
	"levy/store/storetest"
)

// returned is a return of 25 sales with its report saved to a file.
type returned struct {
	*operator
	scope          models.Scope
	filing, report string
}

func newReturned(t *testing.T) *returned {
	t.Helper()
	r := &returned{operator: newOperator(t)}
	r.scope, r.report = storetest.Organization(t, r.database), filepath.Join(r.folder, "report.json")
	r.filing = storetest.Return(t, r.store, r.database, r.scope, 25)
	return r
}

func (r *returned) save() string {
	r.t.Helper()
	var out bytes.Buffer
	var w *report.JSONWriter
	require.NoError(r.t, r.store.Filings.ReadReport(r.t.Context(), r.scope, r.filing, report.Reader{
		Head: func(h *report.Head) (err error) {
			w, err = report.NewJSONWriter(&out, h)
			return err
		},
		Transaction: func(t *report.Transaction) error { return w.Transaction(t) },
	}))
	require.NoError(r.t, w.End())
	require.NoError(r.t, os.WriteFile(r.report, out.Bytes(), 0o600))
	return out.String()
}

func (r *returned) verify(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(r.t.Context(), append([]string{"verify-filing"}, args...), []string{
		"LEVY_DATABASE_URL=" + r.database,
	}, &out, &out)
	return out.String(), err
}

func TestVerifyFiling(t *testing.T) {
	t.Parallel()
	r := newReturned(t)
	organization := r.scope.OrganizationID
	_, err := r.verify(organization, r.filing)
	require.ErrorContains(t, err, "is UNFILED")
	storetest.File(t, r.store, r.scope, r.filing)
	written := r.save()

	for what, args := range map[string][]string{
		"what the database holds": {organization, r.filing}, "a saved report": {"--report", r.report}, "both": {
			organization, r.filing, "--report", r.report,
		},
	} {
		out, err := r.verify(args...)
		require.NoError(t, err, what)
		require.Contains(t, out, "same: ", what)
		require.NotContains(t, out, "different", what)
	}

	// All sums are changed with it, so that only a saved report shows what was changed.
	conn, err := pgx.Connect(t.Context(), r.database)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), "UPDATE transactions SET external_id = 'ORDER-X' WHERE external_id = 'ORDER-7'")
	require.NoError(t, err)
	out, err := r.verify(organization, r.filing)
	require.ErrorIs(t, err, errReportDiffers)
	require.Contains(t, out, "different: database of "+r.filing)
	require.Contains(t, out, "report_hash")
	require.NotContains(t, out, "ORDER-X")
	out, err = r.verify(organization, r.filing, "--report", r.report)
	require.ErrorIs(t, err, errReportDiffers)
	require.Regexp(t, "external_id +ORDER-7 +ORDER-X", out)

	require.NoError(
		t,
		os.WriteFile(
			r.report, []byte(strings.Replace(written, `"net_amount":"100.00"`, `"net_amount":"10.00"`, 1)),
			0o600,
		),
	)
	out, err = r.verify("--report", r.report)
	require.ErrorIs(t, err, errReportDiffers)
	require.Regexp(t, "totals.amount_sales +2233.34 +2143.34", out)
	require.NoError(t, os.WriteFile(r.report, []byte("{}"), 0o600))
	_, err = r.verify("--report", r.report)
	require.ErrorIs(t, err, report.ErrNotReport)
}

func TestVerifyFilingRefusesMissingArguments(t *testing.T) {
	t.Parallel()
	o := &returned{operator: &operator{t: t}}
	for _, args := range [][]string{{}, {"org_1"}} {
		_, err := o.verify(args...)
		require.ErrorContains(t, err, "name an organization and its filing, or a saved report")
	}
	_, err := o.verify("org_1", "file_1")
	require.ErrorContains(t, err, "LEVY_DATABASE_URL must be set")
}
