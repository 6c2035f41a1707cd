package api_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// failingBody fails the test when it is read.
type failingBody struct{ t *testing.T }

func (u failingBody) Read([]byte) (int, error) {
	u.t.Error("the body was read before its time")
	return 0, io.EOF
}

// Each request has one more fault than the one before. The first check that fails decides.
func TestOrderOfChecks(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client("Client")
	const path = "/v1/organizations" // a client's key may not post here
	send := func(as credentials, target, body string, change ...func(*http.Request)) answer {
		return in.do(as, "POST", target, body, change...)
	}
	badKey := credentials{client.organizationID, "wrong"}
	gzip, text := header("Content-Encoding", "gzip"), header("Content-Type", "text/plain")
	lost := header("x-organization-id", "org_x")
	long := path + "?q=" + strings.Repeat("a", 8<<10)
	notRead := func(r *http.Request) { r.Body = io.NopCloser(failingBody{t}) }
	huge := strings.Repeat("x", 1<<20+1)

	send(client, path, `{"name":"Taken"}`).expect(403, "forbidden_for_key")
	send(client, path, `{"name":7,"is_test":1}`).expect(400, "validation_failed")
	send(client, path, `{"name":7`).expect(400, "invalid_json")
	send(client, path, huge).expect(413, "payload_too_large")
	send(client, path, huge, text).expect(415, "unsupported_media_type")
	send(client, path, "x", notRead, gzip).expect(415, "unsupported_media_type")
	send(client, path, "x", notRead, text, lost).expect(404, "organization_not_found")
	send(client, path, "x", notRead, text, header("x-organization-id")).expect(400, "organization_header_missing")
	send(badKey, path, "x", notRead, text, lost).expect(401, "unauthenticated")
	send(badKey, long, "x", notRead, text, lost).expect(414, "uri_too_long")
	send(badKey, path, "x", notRead, text, lost, header("X-Long", strings.Repeat("a", 16<<10))).
		expect(431, "headers_too_large")
	in.do(badKey, "PATCH", long, "x", notRead, text, lost).expect(414, "uri_too_long") // too long to be repeated
	in.do(badKey, "PATCH", path, "x", notRead, text, lost).expect(405, "method_not_allowed")
	in.do(badKey, "POST", "/v1/organisations", "x", notRead, text, lost).expect(404, "route_not_found")

	// The file of a refused request is not received.
	client2 := in.client("Client of the files")
	partner := in.reader(client2)
	in.do(partner, "POST", "/v1/transactions/imports", "x", notRead, header("Content-Type", "text/csv")).expect(403,
		"forbidden_for_key")
	in.do(partner, "POST", "/v1/exemptions/exem_x/attachments", "x", notRead,
		header("Content-Type", "multipart/form-data; boundary=x")).
		expect(404, "resource_not_found")

	// In a request of HTTP/1.0 the server does not see whether chunks follow.
	old := in.do(in.root, "GET", "/healthz", "", func(r *http.Request) { r.Proto, r.ProtoMinor = "HTTP/1.0", 0 })
	require.Equal(t, "close", old.Header().Get("Connection"))

	// State and uniqueness are checked last.
	in.do(in.root, "POST", path, `{"name":"Client"}`).expect(409, "duplicate_name")
}

func TestRoutes(t *testing.T) {
	t.Parallel()
	in := install(t)
	for target, code := range map[string]int{
		"/": 404, "/v1": 404, "/v2/products": 404, "/v1/Products": 404, "//v1/products": 404, "/v1/products/": 404,
		"/v1//products":      404,
		"/v1/organizations/": 404, "/v1/../v1/products": 404, "/metrics": 404, "/v1/products/external/": 404,
		"/v1/api-keys/": 404,
		"/v1/products":  200, "/v1/product-categories": 200, "/v1/products/categories": 200, "/healthz": 200, "/readyz": 200,
		"/openapi.json": 200, "/docs": 200,
	} {
		require.Equal(t, code, in.do(in.root, "GET", target, "").Code, target)
	}
	for _, c := range []struct{ method, target, allow string }{
		{"PATCH", "/v1/products", "GET, POST"}, {"HEAD", "/v1/products", "GET, POST"},
		{"OPTIONS", "/v1/products", "GET, POST"},
		{"TRACE", "/v1/products", "GET, POST"}, {"CONNECT", "/v1/products", "GET, POST"},
		{"FETCH", "/v1/products", "GET, POST"},
		{"POST", "/v1/products/prod_x", "DELETE, GET, PUT"}, {"DELETE", "/healthz", "GET"},
		{"PUT", "/v1/api-keys", "GET, POST"},
	} {
		a := in.do(in.root, c.method, c.target, "").expect(405, "method_not_allowed")
		require.ElementsMatch(
			t, strings.Split(c.allow, ", "), strings.Split(a.Header().Get("Allow"), ", "), "%s %s", c.method,
			c.target,
		)
		require.Contains(t, a.Body.String(), "It takes "+a.Header().Get("Allow")+".")
		require.Empty(t, a.Header().Values("Access-Control-Allow-Origin"))
	}
	in.do(
		in.root, "GET", "/v1/products", "", header("X-HTTP-Method-Override", "DELETE"),
		header("X-Original-URL", "/v1/organizations"),
	).expect(200)
}

// A path of the contract allows its own methods, also where another path with a variable matches it.
func TestEveryPathAllowsOnlyItsMethods(t *testing.T) {
	t.Parallel()
	in := install(t)
	allowed := map[string][]string{}
	for _, route := range api.ContractRoutes() {
		allowed[route.Path] = append(allowed[route.Path], route.Method)
	}
	refused := 0
	for path, own := range allowed {
		target := regexp.MustCompile(":[a-z_]+").ReplaceAllString(path, "x-1")
		for _, method := range []string{"GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "TRACE", "FETCH"} {
			if slices.Contains(own, method) {
				continue
			}
			refused++
			a := in.do(in.root, method, target, "")
			require.Equal(t, 405, a.Code, "%s %s", method, target)
			require.ElementsMatch(t, own, strings.Split(a.Header().Get("Allow"), ", "), "%s %s", method, target)
		}
	}
	require.Greater(t, refused, 100)
}

func TestPathValues(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, id := range []string{"a/b", "a b+c", "%2F", "é😀", "a;b", "..", "categories"} {
		body := `{"external_id":"` + id + `","name":"Widget","product_category":"PHYSICAL"}`
		in.do(in.root, "POST", "/v1/products", body).expect(200)
	}
	for escaped, id := range map[string]string{
		"a%2Fb": "a/b", "a%2fb": "a/b", "a%20b+c": "a b+c", "a%20b%2Bc": "a b+c", "%252F": "%2F", "%C3%A9%F0%9F%98%80": "é😀",
		"a;b": "a;b", "..": "..", "categories": "categories",
	} {
		a := in.do(in.root, "GET", "/v1/products/external/"+escaped, "").expect(200)
		require.Equal(t, id, a.text("external_id"), escaped)
	}
	for _, bad := range []string{
		"../", "%2e%2e%2f", "%00", ";", strings.Repeat("a", 7000), "%F0%9F%98%80", "%FF",
		strings.ToUpper(models.NewID("prod")), models.NewID("cust"), "-1",
	} {
		for _, path := range []string{
			"/v1/products/", "/v1/transactions/", "/v1/organizations/", "/v1/api-keys/",
			"/v1/products/external/none-",
		} {
			a := in.do(in.root, "GET", path+bad, "")
			require.Equal(t, 404, a.Code, "%s%s: %s", path, bad, a.Body.String())
		}
	}
	require.NotContains(t, in.log.String(), "SQLSTATE", "no invalid value reaches the database")
}

func TestEveryAnswerHasItsHeaders(t *testing.T) {
	t.Parallel()
	in := install(t)
	for _, target := range []string{"/v1/products", "/healthz", "/nowhere", "/v1/products/x"} {
		a := in.do(in.root, "GET", target, "", header("X-Request-Id", "My-id_1.2"))
		require.Equal(t, "My-id_1.2", a.Header().Get("X-Request-Id"))
		require.Equal(t, "no-store", a.Header().Get("Cache-Control"))
		require.Equal(t, "nosniff", a.Header().Get("X-Content-Type-Options"))
		require.Regexp(t, `^app;dur=[0-9.]+$`, a.Header().Get("Server-Timing"))
	}
	for _, bad := range []string{"", "with space", "<script>", strings.Repeat("a", 65), "é"} {
		id := in.do(in.root, "GET", "/healthz", "", header("X-Request-Id", bad)).Header().Get("X-Request-Id")
		require.True(t, models.IsID(models.PrefixRequest, id), id)
	}
	a := in.do(in.root, "GET", "/v1/products", "").expect(200)
	require.Equal(t, "application/json; charset=utf-8", a.Header().Get("Content-Type"))
	require.Contains(t, in.log.String(), `"route":"/v1/products","status":200`)
	require.Contains(t, in.log.String(), `"organization_id":"`+in.root.organizationID+`"`)
}

// panicking panics in calls that no handler expects to panic.
type panicking struct{ service.Products }

func (panicking) Product(context.Context, models.Scope, string) (models.Product, error) {
	panic("broken inside")
}

func (panicking) ProductByExternalID(context.Context, models.Scope, string) (models.Product, error) {
	return models.Product{}, errors.New("disk on fire at /var/secret")
}

func TestDefectsAreLoggedNotShown(t *testing.T) {
	t.Parallel()
	in := install(t, func(d *service.Deps, _ *api.Options) { d.Products = panicking{d.Products} })
	for _, target := range []string{"/v1/products/" + models.NewID(models.PrefixProduct), "/v1/products/external/x"} {
		a := in.do(in.root, "GET", target, "").expect(500, "internal_error")
		require.NotContains(t, a.Body.String(), "broken")
		require.NotContains(t, a.Body.String(), "disk")
		require.Contains(t, in.log.String(), a.text("request_id"))
	}
	require.Contains(t, in.log.String(), "broken inside")
	require.Contains(t, in.log.String(), "order_test.go", "with the stack")
	require.Contains(t, in.log.String(), "disk on fire")
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	var database, workflows error
	in := install(t, func(d *service.Deps, _ *api.Options) {
		d.Database = func(context.Context) error { return database }
		d.Workflows = func(context.Context) error { return workflows }
	})
	nobody := credentials{}
	require.JSONEq(t, `{"status":"ok"}`, in.do(nobody, "GET", "/healthz", "").expect(200).Body.String())
	require.JSONEq(t, `{"status":"ready","checks":{"postgres":"ok","content":"ok","temporal":"ok"}}`,
		in.do(nobody, "GET", "/readyz", "").expect(200).Body.String())
	workflows = errors.New("down")
	require.JSONEq(t, `{"status":"ready","checks":{"postgres":"ok","content":"ok","temporal":"degraded"}}`,
		in.do(nobody, "GET", "/readyz", "").expect(200).Body.String())
	database = errors.New("down")
	a := in.do(nobody, "GET", "/readyz", "").expect(503, "service_unavailable")
	require.Equal(t, map[string]any{"postgres": "failed", "content": "ok", "temporal": "degraded"}, a.member("checks"))
}

func TestMount(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) {
		o.Mount = map[string]http.Handler{
			"/codec": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(
					w, r.Method+r.URL.Path,
				)
			}),
		}
	})
	for _, c := range [][2]string{{"POST", "/codec/decode"}, {"OPTIONS", "/codec/decode"}, {"GET", "/codec"}} {
		require.Equal(t, c[0]+c[1], in.do(credentials{}, c[0], c[1], "").expect(200).Body.String())
	}
}

// serve starts the server on a free port and returns its address and what ends it.
func (in *installation) serve() (address string, stop context.CancelFunc, ended chan error) {
	in.t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(in.t, err)
	ctx, stop := context.WithCancel(in.t.Context())
	in.t.Cleanup(stop)
	ended = make(chan error, 1)
	go func() { ended <- in.server.Serve(ctx, listener) }()
	return listener.Addr().String(), stop, ended
}

func TestServeLetsRequestsFinish(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	in := install(t, func(_ *service.Deps, o *api.Options) {
		o.Trace = func(c *gin.Context) {
			if c.FullPath() == "/openapi.json" {
				close(started)
				<-release
			}
		}
	})
	address, stop, ended := in.serve()
	answered := make(chan int, 1)
	go func() {
		response, err := http.Get("http://" + address + "/openapi.json")
		if err != nil {
			answered <- 0
			return
		}
		_ = response.Body.Close()
		answered <- response.StatusCode
	}()
	<-started
	stop()
	require.Eventually(t, func() bool {
		w := httptest.NewRecorder()
		in.handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/readyz", nil))
		return w.Code == 503
	}, 3*time.Minute, time.Millisecond, "readiness says no while the server drains")
	close(release)
	require.Equal(t, 200, <-answered)
	require.NoError(t, <-ended)
}

func TestRawRequests(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	ask := func(raw string) string {
		conn, err := net.Dial("tcp", address)
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
		go func() { _, _ = io.WriteString(conn, raw) }()
		all, _ := io.ReadAll(conn) // ends because the server closes
		return string(all)
	}
	auth := "Host: x\r\nX-API-KEY: " + in.root.key + "\r\nx-organization-id: " + in.root.organizationID + "\r\n"
	for name, c := range map[string]struct{ raw, status, contains string }{
		"white space around the key": {
			"GET /v1/products HTTP/1.1\r\nConnection: close\r\n" + auth + "\r\n", "200", `"items"`,
		},
		"endless chunks": {"POST /v1/products HTTP/1.1\r\nContent-Type: application/json\r\nTransfer-Encoding: " +
			"chunked\r\n" + auth + "\r\n" +
			strings.Repeat("10000\r\n"+strings.Repeat(" ", 0x10000)+"\r\n", 40), "413", "payload_too_large"},
		"a body announced too large": {
			"POST /v1/products HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n" +
				auth + "\r\n{",
			"413", "limit_bytes",
		},
		"a body that is not read": {
			"POST /v1/nothing HTTP/1.1\r\nContent-Length: 99999999\r\n" + auth + "\r\n{", "404",
			"route_not_found",
		},
		"two lengths": {
			"POST /v1/products HTTP/1.1\r\nContent-Length: 2\r\nContent-Length: 3\r\n" + auth + "\r\n{}", "400",
			"",
		},
		"length and chunks": {
			"POST /v1/products HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: " +
				"2\r\nTransfer-Encoding: xchunked\r\n" + auth + "\r\n{}",
			"400", "malformed_request",
		},
		"OPTIONS *": {
			"OPTIONS * HTTP/1.1\r\nConnection: close\r\n" + auth + "\r\n", "404", "route_not_found",
		},
		"a megabyte of header": {
			"GET /v1/products HTTP/1.1\r\n" + auth + "X-Long: " + strings.Repeat("a", 1_000_000) +
				"\r\nConnection: close\r\n\r\n",
			"431", "headers_too_large",
		},
		"a URL of 100 kB": {
			"GET /v1/products?q=" + strings.Repeat("a", 100_000) + " HTTP/1.1\r\nConnection: close\r\n" + auth + "\r\n",
			"414", "uri_too_long",
		},
	} {
		got := ask(c.raw)
		require.Regexp(t, `^HTTP/1\.[01] `+c.status, got[:min(len(got), 300)], name)
		require.Contains(t, got, c.contains, name)
		require.Equal(t, 1, strings.Count(got, "HTTP/1.1 "), name)
	}
}

func TestHTTP2(t *testing.T) {
	t.Parallel()
	in := install(t)
	address, _, _ := in.serve()
	transport := &http.Transport{Protocols: &http.Protocols{}}
	transport.Protocols.SetUnencryptedHTTP2(true)
	t.Cleanup(transport.CloseIdleConnections)
	send := func(body string) *http.Response {
		r, err := http.NewRequestWithContext(
			t.Context(), http.MethodPost, "http://"+address+"/v1/products", strings.NewReader(body),
		)
		require.NoError(t, err)
		r.Header.Set("X-API-KEY", in.root.key)
		r.Header.Set("x-organization-id", in.root.organizationID)
		r.Header.Set("Content-Type", "application/json")
		response, err := (&http.Client{Transport: transport}).Do(r)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		return response
	}
	response := send(`{"external_id":"P-1","name":"Widget","product_category":"PHYSICAL"}`)
	require.Equal(t, 2, response.ProtoMajor)
	require.Equal(t, 200, response.StatusCode)
	require.Equal(t, 413, send(strings.Repeat("x", 2<<20)).StatusCode)
}
