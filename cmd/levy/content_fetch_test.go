package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// stateServer is a server of published files. Each has an ETag, which changes with its text.
type stateServer struct {
	sync.Mutex
	*httptest.Server

	files     map[string]string
	unchanged int // answers without a file
	broken    http.HandlerFunc
}

func newState(t *testing.T) *stateServer {
	t.Helper()
	s := &stateServer{files: map[string]string{}}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.Lock()
		defer s.Unlock()
		name := strings.TrimPrefix(r.URL.Path, "/files/")
		text, ok := s.files[name]
		switch {
		case s.broken != nil:
			s.broken(w, r)
			return
		case name == "":
			for name := range s.files {
				_, _ = fmt.Fprintf(w, "<li><a href=\"/files/%s\">%[1]s</a></li>\n", name)
			}
			return
		case !ok:
			http.NotFound(w, r)
			return
		}
		etag := strconv.Quote(strconv.Itoa(len(text)) + text[max(0, len(text)-60):])
		etag = strings.NewReplacer("\\r", "", "\\n", "", ",", "").Replace(etag)
		if r.Header.Get("If-None-Match") == etag {
			s.unchanged++
		}
		w.Header().Set("ETag", etag)
		http.ServeContent(w, r, "", time.Time{}, strings.NewReader(text))
	}))
	t.Cleanup(s.Close)
	return s
}

func (s *stateServer) publish(files ...string) {
	s.Lock()
	defer s.Unlock()
	s.files = map[string]string{}
	for i := 0; i < len(files); i += 2 {
		s.files[files[i]] = files[i+1]
	}
}

// The files of Georgia: its own rate only, and a boundary file that leads everywhere to Fulton County.
const georgiaRates = "13,45,13,0.04,0.04,0,0,19890401,29991231\r\n"

func georgiaEverywhere(high string) string {
	return columns(map[int]string{1: "Z", 2: "20260101", 3: "29991231", 18: "30000", 20: high, 23: "13", 25: "121"})
}

// fulton has a district, too.
func fulton(code string) string {
	return columns(map[int]string{1: "A", 2: "20260101", 3: "29991231", 4: "1", 5: "99", 6: "B", 8: "PEACHTREE", 9: "ST",
		16: "30303", 23: "13", 25: "121", 31: code, 32: "63"})
}

func TestThePairOfAStateIsFetched(t *testing.T) {
	t.Parallel()
	o, s := newOperator(t), newState(t)
	source := func() models.PublishedSource {
		found, err := o.store.Content.Source(t.Context(), "GA")
		require.NoError(t, err)
		return found
	}
	inForce := func() string {
		version, err := o.store.Content.ActiveContent(t.Context())
		require.NoError(t, err)
		return version
	}
	for fault, args := range map[string][]string{
		"files come by https":              {"GA", "--rates=http://example.com/", "--boundaries=" + s.URL},
		"an address with a password":       {"GA", "--rates=https://me:hunter2@example.com/", "--boundaries=" + s.URL},
		"levy content import-csv":          {"TX", "--rates=" + s.URL, "--boundaries=" + s.URL},
		"must be one of \"ask\",\"apply\"": {"GA", "--rates=" + s.URL, "--boundaries=" + s.URL, "--policy=none"},
	} {
		_, err := o.levy(append([]string{"sources", "set"}, args...)...)
		require.ErrorContains(t, err, fault)
		require.NotContains(t, err.Error(), "hunter2")
	}
	o.must("fetch")
	set := func(policy string) {
		o.must("sources", "set", "ga", "--rates="+s.URL+"/files/", "--boundaries="+s.URL+"/files/", "--policy="+policy)
	}
	set("apply")
	before := inForce()
	s.publish("GAR2026Q3JUN01.csv", "", "GAR2026Q4SEP01.csv", georgiaRates, "GAB2026Q4SEP01.csv", georgiaEverywhere("39999"),
		"ALR2027Q1.csv", "")

	require.Contains(t, o.must("fetch"), "0 of 1 rates change")
	require.NotEqual(t, before, inForce(), "what changes little comes into force by the policy")
	require.Equal(t, models.SourceCurrent, source().Status)
	require.Contains(t, o.must("list"), "Fetched GAR2026Q4SEP01.csv and GAB2026Q4SEP01.csv.")
	require.Contains(t, o.must("fetch", "ga"), "GA: nothing new; its files are current.")
	require.Equal(t, 2, s.unchanged, "the server was asked whether they have changed")

	before = inForce()
	atlanta := tax.Address{Street1: "50 Peachtree Street", City: "Atlanta", State: "GA", PostalCode: "30303"}
	rate := o.rate(atlanta, tax.ClassPhysical, 20261101)
	for fault, files := range map[string][2]string{
		"half a pair":                                    {"GAR2027Q1.csv", georgiaRates},
		"its name is none of a file R of GA":             {"", ""},
		"GAR2026Q4.csv:2: general rate: 0.5 is not":      {"GAR2026Q4.csv", georgiaRates + "13,00,121,0.5,0.5,,,20261001,29991231\r\n"},
		"GAR2026Q4.csv:1: 1 columns instead of 9":        {"GAR2026Q4.csv", "<html>moved</html>\r\n"},
		"GAR2026Q4.csv:2: the jurisdiction 88888":        {"GAR2026Q4.csv", georgiaRates + "13,63,88888,0.01,0.01,,,20260101,29991231\r\n"},
		"GAR2026Q4.zip:1: its form is unknown: ":         {"GAR2026Q4.zip", "PK"},
		"GAB2026Q4.csv:2: the jurisdiction 66666":        {"GAB2026Q4.csv", georgiaEverywhere("39999") + fulton("66666")},
		"GAB2026Q4.csv:1: the file ends, and ZIP 30":     {"GAB2026Q4.csv", georgiaEverywhere("30001")},
		"GAB2026Q4.csv:2: 1 columns instead of at least": {"GAB2026Q4.csv", georgiaEverywhere("39999") + "cut"},
	} {
		rates, boundaries := [2]string{"GAR2026Q4.csv", georgiaRates}, [2]string{"GAB2026Q4.csv", georgiaEverywhere("39999")}
		switch {
		case strings.HasPrefix(files[0], "GAB"):
			boundaries = files
		case files[0] != "":
			rates = files
		}
		s.publish(rates[0], rates[1], boundaries[0], boundaries[1])
		if files[0] == "" {
			o.must("sources", "set", "GA", "--rates="+s.URL+"/rates.csv", "--boundaries="+s.URL+"/files/", "--policy=apply")
		}
		_, err := o.levy("fetch", "GA")
		require.ErrorContains(t, err, fault)
		require.Equal(t, models.SourceRefused, source().Status, fault)
		require.Contains(t, source().Said, fault)
		require.Contains(t, o.must("sources", "list"), "The files of GA were refused, and what is in force stays")
		set("apply")
	}
	require.Equal(t, before, inForce(), "what is refused changes nothing")
	require.Equal(t, rate, o.rate(atlanta, tax.ClassPhysical, 20261101))

	s.publish("GAR2026Q3.csv", georgiaRates+"\r\n", "GAB2026Q3.csv", georgiaEverywhere("39999"))
	_, err := o.levy("fetch", "GA")
	require.ErrorContains(t, err, "the rate file of 2026Q4 is imported already", "an old pair")

	for fault, broken := range map[string]http.HandlerFunc{
		"503 Service Unavailable": func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
		"has no link to a file R": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("moved")) },
	} {
		s.broken = broken
		_, err := o.levy("fetch", "GA")
		require.ErrorContains(t, err, fault)
		require.NotNil(t, source().FailingSince)
	}
	s.broken = nil
	s.publish("GAR2026Q4SEP01.csv", georgiaRates, "GAB2026Q4SEP01.csv", georgiaEverywhere("39999"))
	o.must("fetch", "GA")
	require.Equal(t, models.SourceCurrent, source().Status, "the files that were taken are there again")
	require.Equal(t, before, inForce())

	s.publish("GAR2026Q4.csv", georgia, "GAB2026Q4.csv", georgiaEverywhere("39999")+fulton("77777"))
	require.Contains(t, o.must("fetch", "GA"), "change 2 of 3 rates, more than 5 %")
	require.Equal(t, models.SourceQuarantined, source().Status)
	require.Nil(t, source().FailingSince)
	require.Equal(t, before, inForce(), "what changes much waits, also by the policy apply")
	require.Regexp(t, `GA +Fulton County +\* +3 % +3\.5 % +2026-10-01`, o.must("accept", "GA", "--show"))
	require.Equal(t, before, inForce())

	o.must("activate", o.recorded(o.must("import-csv",
		o.file("own.csv", csvHeader+",,,CO,STATE,Colorado,0.07,2027-01-01,,me\n"))))
	require.Contains(t, o.must("accept", "ga"), "is in force.")
	require.Equal(t, "850.00", o.rate(atlanta, tax.ClassPhysical, 20261101))
	require.Contains(t, o.must("list"), "own.csv", "it is put on what came into force in between")
	_, err = o.levy("accept", "GA")
	require.ErrorContains(t, err, "no pair of GA waits: it is CURRENT")

	set("ask")
	s.publish("GAR2026Q4.csv", georgia+"13,00,121,.03,.03,,,20110101,20261001\r\n",
		"GAB2026Q4.csv", georgiaEverywhere("39999")+fulton("77777"))
	before = inForce()
	require.Contains(t, o.must("fetch"), "levy content accept GA --show")
	require.Equal(t, models.SourceProposed, source().Status)
	require.Equal(t, before, inForce())
	o.must("accept", "GA")
	o.must("sources", "remove", "GA")
	_, err = o.levy("fetch", "GA")
	require.ErrorContains(t, err, "GA has no addresses: levy content sources set GA")
}

// A pair never undoes a version that came into force while it was put together.
func TestAPairUndoesNothing(t *testing.T) {
	t.Parallel()
	o := newOperator(t)
	o.must("list")
	base, err := o.store.Content.ActiveContent(t.Context())
	require.NoError(t, err)
	version := o.recorded(o.must("import-rates", o.file("GAR2026Q4.csv", georgia)))
	require.ErrorIs(t, o.store.Content.ActivateContentOn(t.Context(), "another", version, "test"), models.ErrContentChanged)
	require.NoError(t, o.store.Content.ActivateContentOn(t.Context(), base, version, "test"))
}
