package contract_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/prism"
)

// proxyVariable names the program of a third-party validator. It reads the contract as clients get it, with a parser
// of its own, and finds faults that ours overlooks.
const proxyVariable = "LEVY_CONTRACT_PROXY"

// independent is that validator, as a proxy in front of an installation. It also forwards invalid requests, and
// reports the violation in a header of the answer.
type independent struct {
	address string
	client  *http.Client
	calls   int
	found   map[string]string // what it objected to, and the call
}

const (
	peerHeader   = "X-Peer-Of-The-Test"  // carries an address to the service
	brokenHeader = "X-Broken-On-Purpose" // asks for an answer that the contract does not have
)

// serve listens for the calls of another program. It returns the address.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Host = "example.com" // as in direct calls: cookies have another name at loopback
		r.Header.Del("Accept") // programs between add their own, by which errors have another media type
		r.RemoteAddr = r.Header.Get(peerHeader)
		r.Header.Del(peerHeader)
		if r.Header.Get(brokenHeader) != "" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"status":"odd"}`)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(service.Close)
	return service.URL
}

// published writes the contract into a folder as clients get it. It returns the path.
func published(t *testing.T, handler http.Handler, folder string) string {
	t.Helper()
	document := filepath.Join(folder, "openapi.json")
	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/openapi.json", http.NoBody))
	require.NoError(t, os.WriteFile(document, answer.Body.Bytes(), 0o600))
	return document
}

func startIndependent(t *testing.T, program string, handler http.Handler) *independent {
	t.Helper()
	service := serve(t, handler)
	document := published(t, handler, t.TempDir())
	return &independent{address: prism.Start(t, program, "proxy", document, service), client: &http.Client{Timeout: time.Minute},
		found: map[string]string{}}
}

// takes reports whether the proxy can forward a request: it refuses bodies that are no JSON or too long by itself,
// ends at a form without an end, and waits for the end of streams.
func (i *independent) takes(r request, sent *http.Request) bool {
	long := 0
	for name, values := range sent.Header {
		long += len(name) + len(strings.Join(values, ""))
	}
	whole := true
	switch mediaType, _, _ := strings.Cut(sent.Header.Get("Content-Type"), ";"); mediaType {
	case "application/json":
		whole = json.Valid([]byte(r.body))
	case "multipart/form-data":
		whole = strings.HasSuffix(r.body, formEnd)
	}
	return whole && len(r.body) <= importLimit && long+len(r.target) < 8<<10 && !isStream(strings.Split(r.target, "?")[0])
}

// do sends a request through the proxy. What it objects to in an answer, or in a request
// that the service accepts, is a defect of the contract or of the service.
func (i *independent) do(t *testing.T, sent *http.Request, body string, _ func() answer) answer {
	t.Helper()
	body = strings.Replace(body, "filename=\"certificate.pdf\"\r\n",
		"filename=\"certificate.pdf\"\r\nContent-Type: application/pdf\r\n", 1) // it ends at a part without a type
	through, err := http.NewRequestWithContext(sent.Context(), sent.Method, i.address+sent.RequestURI,
		strings.NewReader(body))
	require.NoError(t, err)
	through.Header = sent.Header.Clone()
	through.Header.Set(peerHeader, sent.RemoteAddr)
	response, err := i.client.Do(through)
	require.NoError(t, err)
	defer response.Body.Close()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	violations := prism.ViolationsOf(t, response.Header)
	i.calls++
	for _, v := range violations {
		if response.StatusCode < 300 || v.Location[0] == "response" {
			i.found[strings.Join(v.Location, ".")+": "+v.Message] = sent.Method + " " + sent.RequestURI + " " + body +
				"\n\t" + response.Status + " " + string(content)
		}
	}
	for _, name := range []string{prism.ViolationsHeader, "Access-Control-Allow-Origin", "Access-Control-Allow-Headers",
		"Access-Control-Allow-Credentials", "Access-Control-Expose-Headers"} {
		response.Header.Del(name)
	}
	return answer{response.StatusCode, response.Header, content}
}

// callEverything makes every operation succeed, and fail in the ways that all can.
func (in *installation) callEverything() {
	in.t.Helper()
	client := in.client()
	in.onboard(client)
	for _, op := range in.contract.operations {
		in.endUnusedKeys()
		in.succeed(op, client)
		in.provoke(op, client)
	}
	in.provokeConflicts(client)
	in.provokeOnboarding()
}

// A third-party validator finds no violation in any answer, nor in any request that the service accepts.
func TestAnIndependentValidatorAcceptsEveryAnswer(t *testing.T) {
	t.Parallel()
	program := os.Getenv(proxyVariable)
	if program == "" {
		t.Skip("make contract runs this: it needs Node")
	}
	in := install(t)
	proxy := startIndependent(t, program, in.handler)
	in.between = proxy
	broken := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", http.NoBody)
	broken.Header.Set(brokenHeader, "1")
	proxy.do(t, broken, "", nil)
	require.Len(t, proxy.found, 1, "a validator that reports no violation here proves nothing")
	clear(proxy.found)
	in.callEverything()
	for what, call := range proxy.found {
		if len(call) > 2000 {
			call = call[:2000]
		}
		t.Errorf("%s\n\tin %s", what, call)
	}
	require.Greater(t, proxy.calls, 10*len(in.contract.operations))
	t.Logf("%d calls of %d operations", proxy.calls, len(in.contract.operations))
}
