package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/content"
)

// publisher makes bundles of changed tables.
type publisher struct {
	t              *testing.T
	folder         string
	public, secret string
	sequence       int
}

func newPublisher(t *testing.T) *publisher {
	t.Helper()
	p := &publisher{t: t, folder: t.TempDir()}
	p.secret = filepath.Join(p.folder, "key")
	out := p.must(nil, "key", p.secret)
	_, rest, ok := strings.Cut(out, "LEVY_CONTENT_KEYS=")
	require.True(t, ok, out)
	p.public = strings.TrimSpace(rest)
	return p
}

func (p *publisher) must(env []string, args ...string) string {
	p.t.Helper()
	var out, log bytes.Buffer
	err := run(p.t.Context(), append([]string{"content"}, args...), env, &out, &log)
	require.NoError(p.t, err)
	return out.String()
}

// publish makes a bundle of the tables of this program with another version and another rate of Colorado, and of
// the places of Denver only.
func (p *publisher) publish(version, rate string) (folder string) {
	p.t.Helper()
	tables := filepath.Join(p.folder, version+rate)
	require.NoError(p.t, os.CopyFS(tables, os.DirFS("../../tax/content/data")))
	require.NoError(p.t, os.WriteFile(filepath.Join(tables, "VERSION"), []byte(version+"\n"), 0o600))
	p.edit(tables, "rates.csv", func(line string) string {
		if strings.HasPrefix(line, "US-CO,") {
			return strings.Replace(line, ",0.029,", ","+rate+",", 1)
		}
		return line
	})
	p.edit(tables, "places.csv", func(line string) string {
		if strings.HasPrefix(line, "802") || strings.HasPrefix(line, "zip") {
			return line
		}
		return ""
	})
	p.sequence++
	p.build(tables, tables+"-bundle", fmt.Sprintf("--sequence=%d", p.sequence))
	return tables + "-bundle"
}

func (p *publisher) build(tables, to string, number ...string) {
	p.t.Helper()
	p.must([]string{"LEVY_CONTENT_SIGNING_KEY_FILE=" + p.secret},
		append([]string{"build", "--tables=" + tables, "--out=" + to}, number...)...)
}

func (p *publisher) edit(folder, file string, change func(string) string) {
	p.t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, file))
	require.NoError(p.t, err)
	var b strings.Builder
	for line := range strings.Lines(string(text)) {
		b.WriteString(change(line))
	}
	require.NoError(p.t, os.WriteFile(filepath.Join(folder, file), []byte(b.String()), 0o600))
}

func TestABundleKeepsContentCurrent(t *testing.T) {
	t.Parallel()
	o, p := newOperator(t), newPublisher(t)
	o.env = []string{"LEVY_CONTENT_KEYS=" + p.public}
	denver := tax.Address{City: "Denver", State: "CO", PostalCode: "80202"}
	before := o.rate(denver, tax.ClassPhysical, 20261201)
	newer := p.publish("2099.1.2", "0.039")

	out := o.must("update", "--from="+newer)
	require.Contains(t, out, "levy content activate 2099.1.2")
	require.Contains(t, out, "3.9 %", "what it changes is shown")
	require.Equal(t, before, o.rate(denver, tax.ClassPhysical, 20261201), "nothing counts before it is activated")
	out = o.must("update", "--activate", "--from="+newer)
	require.Contains(t, out, "2099.1.2 is in force.")
	require.Equal(t, plus(t, before, "100.00"), o.rate(denver, tax.ClassPhysical, 20261201))
	require.Contains(t, o.must("update", "--activate", "--from="+newer), "in force already")
	require.Equal(t, 2, o.count("SELECT count(*) FROM content_activations"), "the same bundle again changes nothing")
	require.Contains(t, o.must("list"), "signed by "+p.public)

	_, err := o.levy("update", "--activate", "--from="+p.publish("2099.1.2", "0.049"))
	require.ErrorContains(t, err, "another content is recorded here as 2099.1.2")
	older := p.publish("2099.1.1", "0.059")
	_, err = o.levy("update", "--activate", "--from="+older)
	require.ErrorContains(t, err, "2099.1.1 is older than 2099.1.2, which is in force")
	require.Equal(t, 2, o.count("SELECT count(*) FROM content_versions"), "a refused bundle is not recorded")
	o.must("update", "--activate", "--allow-older", "--from="+older)

	o.must("activate", o.recorded(o.must("import-csv",
		o.file("own.csv", csvHeader+",,,CO,STATE,Colorado,0.07,2027-01-01,,me\n"))))
	require.Contains(t, o.must("update", "--activate", "--from="+older), "in force already", "with an import on top")
	out, err = o.levy("update", "--activate", "--allow-older", "--from="+newer)
	require.ErrorContains(t, err, "--drop-imports")
	require.Contains(t, out, "2099.1.2 lacks: own.csv")
	o.must("update", "--activate", "--drop-imports", "--allow-older", "--from="+newer)

	require.NoError(t, o.store.Content.InstallContent(t.Context(), "2098.12.1", content.Packed()))
	require.Contains(t, o.must("list"), "*  2099.1.2", "a program with older content does not undo a bundle")
	require.NoError(t, o.store.Content.InstallContent(t.Context(), "2099.10.1", content.Packed()))
	require.Contains(t, o.must("list"), "*  2099.10.1", "one with newer content brings it into force")

	for setting, fault := range map[string]string{
		"":                                     "names no key",
		"LEVY_CONTENT_KEYS=AAAA":               "key 1 is not 32 bytes",
		"LEVY_CONTENT_KEYS=" + stranger(t):     "none of the 1 trusted keys signed it",
		"LEVY_CONTENT_KEYS=" + p.public + ",x": "key 2 is not 32 bytes",
	} {
		o.env = []string{setting}
		_, err = o.levy("update", "--from="+newer)
		require.ErrorContains(t, err, fault)
	}
}

// A server that gives an old bundle, leaves some out or gives none any more is noticed.
func TestABundleThatIsKeptBackIsNoticed(t *testing.T) {
	t.Parallel()
	o, p := newOperator(t), newPublisher(t)
	o.env = []string{"LEVY_CONTENT_KEYS=" + p.public}
	first := p.publish("2099.1.1", "0.029")
	tables := strings.TrimSuffix(first, "-bundle")
	bundle := func(number ...string) (folder string) {
		folder = t.TempDir()
		p.build(tables, folder, number...)
		return folder
	}
	status := func() (publicationState, string) {
		state, err := readPublication(t.Context(), o.store, time.Now())
		require.NoError(t, err)
		require.NotNil(t, state)
		var all advice
		all.aboutPublication(state)
		return *state, strings.Join(all, "\n")
	}
	none, err := readPublication(t.Context(), o.store, time.Now())
	require.NoError(t, err)
	require.Nil(t, none)
	require.Contains(t, o.must("update", "--from="+first), "Bundle 1 of ")
	_, said := status()
	require.Empty(t, said)

	gap := bundle("--sequence=5")
	require.Contains(t, o.must("update", "--from="+gap), "Bundles 2 to 4 never arrived here.")
	require.Contains(t, o.must("update", "--from="+gap), "Bundle 5 of ")
	require.Equal(t, 2, o.count("SELECT count(*) FROM content_publications"), "the same bundle again is not another one")
	state, said := status()
	require.EqualValues(t, 3, state.Missed)
	require.Contains(t, said, "Bundles 2 to 4 never arrived here.")

	soon := time.Now().AddDate(0, 2, 0).Format(time.DateOnly)
	for fault, folder := range map[string]string{
		"it is older than the bundle that was taken last: 5 of": bundle("--sequence=4"),
		"it has the number of the bundle that was taken last":   bundle("--sequence=5", "--next-by="+soon),
		"is dated before the bundle that was taken last":        bundle("--sequence=6", "--published=2020-01-01"),
		"which is in the future":                                bundle("--sequence=6", "--published=2098-12-31"),
	} {
		_, err := o.levy("update", "--from="+folder)
		require.ErrorContains(t, err, fault)
	}
	require.Equal(t, 2, o.count("SELECT count(*) FROM content_publications"))

	late := bundle("--sequence=6", "--published=2020-01-01", "--next-by=2020-04-01")
	require.Contains(t, o.must("update", "--allow-older", "--from="+late), "was promised by 2020-04-01 and is ")
	state, said = status()
	require.Positive(t, state.DaysLate)
	require.Contains(t, said, "The bundle after number 6 was promised by 2020-04-01")
	o.must("update", "--from="+bundle("--sequence=7"))
	_, said = status()
	require.Empty(t, said, "the next bundle ends it")

	p.build(tables, gap)
	require.Contains(t, o.must("update", "--allow-older", "--from="+gap), "Bundle 6 of ", "one more than the bundle in the folder")
	var out, log bytes.Buffer
	err = run(t.Context(), []string{"content", "build", "--tables=" + tables, "--out=" + t.TempDir()},
		[]string{"LEVY_CONTENT_SIGNING_KEY_FILE=" + p.secret}, &out, &log)
	require.ErrorContains(t, err, "--sequence=1 for the first one")
}

func stranger(t *testing.T) string {
	t.Helper()
	return newPublisher(t).public
}

// A bundle that is refused never reaches the database.
func TestABundleIsReadFromSafeSourcesOnly(t *testing.T) {
	t.Parallel()
	p := newPublisher(t)
	files := http.FileServer(http.Dir(p.publish("2099.1.2", "0.029")))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; {
		case strings.HasPrefix(path, "/away/"):
			http.Redirect(w, r, "http://example.com/manifest.json", http.StatusFound)
		case strings.HasPrefix(path, "/round/"):
			http.Redirect(w, r, path, http.StatusFound)
		case strings.HasPrefix(path, "/large/"):
			_, _ = w.Write(make([]byte, content.MaxManifest+1))
		case strings.HasPrefix(path, "/good/"):
			http.StripPrefix("/good", files).ServeHTTP(w, r)
		default:
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	update := func(from string) error {
		var out, log bytes.Buffer
		return run(t.Context(), []string{"content", "update", "--from=" + from},
			[]string{"LEVY_CONTENT_KEYS=" + p.public}, &out, &log)
	}
	for from, fault := range map[string]string{
		server.URL + "/away":                 "files come by https",
		server.URL + "/round":                "more than 3 redirects",
		server.URL + "/large":                "more than the 1048576 bytes",
		server.URL + "/none":                 "404",
		server.URL + "/good":                 "LEVY_DATABASE_URL",
		"http://example.com/content":         "files come by https",
		"https://example.com/content?token=": "without ? and #",
		t.TempDir():                          "no such file",
	} {
		require.ErrorContains(t, update(from), fault, from)
	}
	err := update(strings.Replace(server.URL, "//", "//me:hunter2@", 1) + "/none")
	require.NotContains(t, err.Error(), "hunter2")
}
