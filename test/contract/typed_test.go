package contract_test

import (
	"bufio"
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"
)

// typedVariable names the folder with the generator of clients and the program that drives one.
const typedVariable = "LEVY_CONTRACT_CLIENT"

// typed is a client in TypeScript that a third-party generator made of the published contract. It parses every
// request before it is sent, and every answer.
type typed struct {
	contract *contract
	mu       sync.Mutex // one call at a time
	calls    io.Writer
	answers  *bufio.Scanner
	made     map[string]int    // calls that succeeded, by operationId
	found    map[string]string // what it could not parse, and the call
}

// typedCall is one call as the program reads it.
type typedCall struct {
	Operation    string            `json:"operation"`
	Path         map[string]string `json:"path"`
	Query        map[string]string `json:"query"`
	Headers      map[string]string `json:"headers"`
	Key          string            `json:"key"`
	Organization string            `json:"organization"`
	Body         json.RawMessage   `json:"body,omitempty"`
	Text         string            `json:"text,omitempty"`
	File         string            `json:"file,omitempty"`
}

// typedAnswer is its answer. Without a status no request was sent.
type typedAnswer struct {
	Status  int
	Headers [][2]string
	Body    []byte
	Fault   string
}

func startTyped(t *testing.T, tools string, in *installation) *typed {
	t.Helper()
	folder := t.TempDir()
	for _, name := range []string{"node_modules", "package.json"} { // what the code finds its packages by
		require.NoError(t, os.Symlink(filepath.Join(tools, name), filepath.Join(folder, name)))
	}
	published(t, in.handler, folder)
	run := func(name string, args ...string) {
		t.Helper()
		command := exec.CommandContext(t.Context(), filepath.Join(tools, "node_modules", ".bin", name), args...)
		command.Dir = folder
		said, err := command.CombinedOutput()
		require.NoError(t, err, "%s", said)
	}
	run("openapi-ts", "-f", filepath.Join(tools, "openapi-ts.config.mjs"))
	run("tsc", "--strict", "--target", "es2022", "--module", "nodenext", "--lib", "es2022,dom,dom.iterable", "--outDir",
		"code",
		"source/sdk.gen.ts", "source/zod.gen.ts", "source/client.gen.ts")
	driver := exec.CommandContext(t.Context(), "node", filepath.Join(tools, "drive.mjs"), folder, serve(t, in.handler))
	driver.Stderr = os.Stderr
	calls, err := driver.StdinPipe()
	require.NoError(t, err)
	answers, err := driver.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, driver.Start())
	t.Cleanup(func() {
		_ = calls.Close()
		_ = driver.Wait()
	})
	client := &typed{contract: in.contract, calls: calls, answers: bufio.NewScanner(answers), made: map[string]int{},
		found: map[string]string{}}
	client.answers.Buffer(nil, 64<<20)
	return client
}

// takes reports whether a typed program can make the call: the call has only members that the contract has.
func (c *typed) takes(r request, sent *http.Request) bool {
	op, ok := c.operation(sent)
	if !ok || len(r.target) > 8<<10 || len(r.body) > importLimit {
		return false
	}
	for name, values := range sent.URL.Query() {
		if len(values) > 1 || !slices.ContainsFunc(queryOf(op), func(p *openapi3.Parameter) bool { return p.Name == name }) {
			return false
		}
	}
	for _, values := range sent.Header {
		if len(values) > 1 || len(values[0]) > 8<<10 {
			return false
		}
	}
	form := op.isForm() && strings.HasSuffix(r.body, formEnd)
	return r.body == "" || op.RequestBody != nil && (form || op.isFile() || !op.isForm() && json.Valid([]byte(r.body)))
}

func (c *typed) operation(sent *http.Request) (operation, bool) {
	path, item := c.contract.find(escapedPath(sent))
	if item == nil || item.GetOperation(sent.Method) == nil {
		return operation{}, false
	}
	return operation{item.GetOperation(sent.Method), sent.Method, path, item}, true
}

// do makes a call by the function of the operation. A request that the client refuses is sent directly: a program
// cannot send it by that client, so the refusal is a defect only if the service accepts the request.
func (c *typed) do(t *testing.T, sent *http.Request, body string, direct func() answer) answer {
	t.Helper()
	op, _ := c.operation(sent)
	call := typedCall{Operation: op.OperationID, Path: map[string]string{}, Query: map[string]string{},
		Headers: map[string]string{peerHeader: sent.RemoteAddr}}
	for name, values := range sent.Header {
		switch name {
		case "X-Api-Key":
			call.Key = values[0]
			if op.Security != nil && !slices.ContainsFunc(*op.Security,
				func(r openapi3.SecurityRequirement) bool { return r["ApiKey"] != nil }) {
				call.Headers[name] = values[0] // it is for people alone, so the client would send none
			}
		case "X-Organization-Id":
			call.Organization = values[0]
			if op.Security != nil { // it needs none, so the client would send none
				call.Headers[name] = values[0]
			}
		case "Content-Type":
			if kind, _, _ := strings.Cut(values[0], ";"); op.RequestBody != nil && op.RequestBody.Value.Content[kind] == nil {
				call.Headers[name] = values[0]
			}
		default:
			call.Headers[name] = values[0]
		}
	}
	segments := strings.Split(escapedPath(sent), "/")
	for i, part := range strings.Split(op.path, "/") {
		if strings.HasPrefix(part, "{") {
			text, err := url.PathUnescape(segments[i])
			require.NoError(t, err)
			call.Path[strings.Trim(part, "{}")] = text
		}
	}
	for name, values := range sent.URL.Query() {
		call.Query[name] = values[0]
	}
	switch {
	case op.isForm():
		_, file, _ := strings.Cut(strings.TrimSuffix(body, formEnd), "\r\n\r\n")
		call.File = file
	case op.isFile():
		call.Text = body
	case body != "":
		call.Body = json.RawMessage(body)
	}
	said := c.exchange(t, call)
	a := answer{said.Status, http.Header{}, said.Body}
	for _, header := range said.Headers {
		a.header.Add(header[0], header[1])
	}
	if said.Status == 0 || strings.HasPrefix(a.header.Get("Content-Type"), "text/event-stream") {
		a = direct() // of a stream the program has read one event
	}
	if said.Status > 0 && said.Status < 300 {
		c.made[op.OperationID]++
	}
	if said.Fault != "" && (said.Status > 0 || a.status < 300) {
		c.found[op.OperationID+": "+said.Fault] = sent.Method + " " + sent.RequestURI + " " + body + "\n\t" + string(a.body)
	}
	return a
}

func (c *typed) exchange(t *testing.T, call typedCall) (said typedAnswer) {
	t.Helper()
	line, err := json.Marshal(call)
	require.NoError(t, err)
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err = c.calls.Write(append(line, '\n'))
	require.NoError(t, err)
	require.True(t, c.answers.Scan(), "the program ended: %v", c.answers.Err())
	require.NoError(t, json.Unmarshal(c.answers.Bytes(), &said), "%s", c.answers.Bytes())
	return said
}

// A typed client made by a generator of others has a function for every operation, takes every request
// that the service accepts, and parses every answer.
func TestATypedClientReadsEveryAnswer(t *testing.T) {
	t.Parallel()
	tools := os.Getenv(typedVariable)
	if tools == "" {
		t.Skip("make contract runs this: it needs Node")
	}
	in := install(t)
	client := startTyped(t, tools, in)
	in.between = client
	broken := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/healthz", http.NoBody)
	broken.Header.Set(brokenHeader, "1")
	client.do(t, broken, "", nil)
	require.Len(t, client.found, 1, "a client that reports no fault here proves nothing")
	clear(client.found)
	in.callEverything()
	writeBackWhatIsRead(t, in)
	for what, call := range client.found {
		t.Errorf("%s\n\tin %s", what, call[:min(len(call), 2000)])
	}
	require.Equal(t, slices.Sorted(maps.Keys(in.contract.operations)), slices.Sorted(maps.Keys(client.made)))
}
