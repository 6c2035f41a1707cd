package main

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// canaryOfDocument stands in the document of a return and nowhere else.
const canaryOfDocument = "601078051"

// newReturnedWithKeys is a return whose database has master keys that the command is given, too.
func newReturnedWithKeys(t *testing.T) *returned {
	t.Helper()
	keys := secret.NewMasterKey("k1")
	ring, err := secret.ParseRing(keys)
	require.NoError(t, err)
	r := &returned{operator: &operator{t: t, database: storetest.URL(t), folder: t.TempDir()}}
	r.env = []string{"LEVY_DATABASE_URL=" + r.database, "LEVY_MASTER_KEYS=" + keys}
	r.store = storetest.Open(t, store.Options{URL: r.database, MasterKeys: ring})
	r.scope = storetest.Organization(t, r.database)
	r.filing = storetest.Return(t, r.store, r.database, r.scope, 25)
	return r
}

func (r *returned) command(args ...string) (string, error) {
	var out bytes.Buffer
	err := run(r.t.Context(), append([]string{"return"}, args...), r.env, &out, &out)
	return out.String(), err
}

// kept stores a document of the present attempt of the return.
func (r *returned) kept() {
	r.t.Helper()
	f, err := r.store.Filings.Filing(r.t.Context(), r.scope, r.filing)
	require.NoError(r.t, err)
	_, err = r.store.Filings.KeepDocument(r.t.Context(), r.scope, models.Attempt{RecordID: f.ID, Number: f.Attempt},
		models.FilingDocument{
			Attempt: f.Attempt, Layout: "US-NY-FILE/1", MediaType: "text/plain", FileName: "US-NY.txt", Transmitter: "LEVY-FILE",
			TransmissionID: "T1", DocumentID: "D1", Day: 20260202, Content: []byte("ACCOUNT, " + canaryOfDocument + "\n"),
			Findings: []models.ReturnFinding{},
		})
	require.NoError(r.t, err)
}

// An export has what a person types in or uploads. Its files are for their owner alone.
func TestTheFilesOfAReturn(t *testing.T) {
	t.Parallel()
	r := newReturnedWithKeys(t)
	to := filepath.Join(r.folder, "export")
	require.NoError(t, os.Mkdir(to, 0o700))
	readable := filepath.Join(to, r.filing+"-findings.json")
	require.NoError(t, os.WriteFile(readable, []byte("earlier"), 0o644)) //nolint:gosec // others could read it
	out, err := r.command("export", r.scope.OrganizationID, r.filing, "--to", to)
	require.NoError(t, err)
	require.Equal(t, 4, strings.Count(out, "\n"), out)
	lines, err := os.ReadFile(filepath.Join(to, r.filing+"-worksheet.csv"))
	require.NoError(t, err)
	const beginning = "line,name,amount,unit,rule,confidence,figures\r\n1,Gross sales and services,"
	require.True(t, strings.HasPrefix(string(lines), beginning), string(lines))
	figures, err := os.ReadFile(filepath.Join(to, r.filing+"-figures.csv"))
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(figures), "figure,level,jurisdiction,"), string(figures))
	findings, err := os.ReadFile(filepath.Join(to, r.filing+"-findings.json"))
	require.NoError(t, err)
	require.Contains(t, string(findings), `"layout": "US-NY-ST-100-FILE/1"`)
	require.Contains(t, string(findings), `"code": "LAYOUT_LOW"`)
	payment, err := os.ReadFile(filepath.Join(to, r.filing+"-payment.json"))
	require.NoError(t, err)
	require.Contains(t, string(payment), `"method": "PORTAL"`)
	info, err := os.Stat(readable)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	_, err = r.command("export", r.scope.OrganizationID, "file_none", "--to", to)
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A proof has the document that the authority got, and the same bytes however often it is written.
func TestTheProofOfAReturn(t *testing.T) {
	t.Parallel()
	r := newReturnedWithKeys(t)
	proof := func(name string) (map[string]string, []byte) {
		to := filepath.Join(r.folder, name)
		_, err := r.command("proof", r.scope.OrganizationID, r.filing, "--to", to)
		require.NoError(t, err)
		info, err := os.Stat(to)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		content, err := os.ReadFile(to)
		require.NoError(t, err)
		archive, err := zip.NewReader(bytes.NewReader(content), int64(len(content)))
		require.NoError(t, err)
		files := map[string]string{}
		for _, file := range archive.File {
			opened, err := file.Open()
			require.NoError(t, err)
			text, err := io.ReadAll(opened)
			require.NoError(t, err)
			files[file.Name] = string(text)
		}
		return files, content
	}
	_, err := r.command("proof", r.scope.OrganizationID, r.filing)
	require.ErrorContains(t, err, "there is a proof once the return is FILED")
	b := &storetest.FilingBundle{Bundle: &storetest.Bundle{Store: r.store, Scope: r.scope}}
	_, err = b.Approve(r.filing)
	require.NoError(t, err)
	r.kept()
	_, err = b.Transition(r.filing, models.FilingFiled)
	require.NoError(t, err)

	files, first := proof("one.zip")
	require.Equal(t, "ACCOUNT, "+canaryOfDocument+"\n", files["document/US-NY.txt"])
	for _, want := range []string{
		`"transmission_id": "T1"`, `"return_confirmation_id": "CONF-1"`, `"approved_by": "akey_1"`, `"day": "2026-02-02"`,
	} {
		require.Contains(t, files["return.json"], want)
	}
	require.Contains(t, files["history.json"], `"action": "FILED"`)
	require.NotContains(t, files["return.json"]+files["history.json"], canaryOfDocument)
	require.Equal(t, 3, strings.Count(files["SHA256SUMS"], "\n"))
	require.Contains(t, files["SHA256SUMS"], "  document/US-NY.txt\n")
	_, again := proof("two.zip")
	require.Equal(t, first, again)
}
