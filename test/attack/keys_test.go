package attack_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/stretchr/testify/require"
)

// narrowKeys: a key that only reads changes nothing, makes no other that does, and what it uploads is refused
// before it is sent. One that ends makes none that ends later.
func narrowKeys(b *attackRun) {
	whole := *b.attacker
	narrow := b.keyOf(&whole, `{"scopes":["read"]}`)
	as := func(of *tenant, method, target, body string) string {
		answer, err := of.send(b.Context(), method, target, body)
		b.ended(answer, err)
		return string(answer.Body)
	}
	require.NotContains(b, as(narrow, http.MethodGet, "/v1/products", ""), "forbidden")
	for target, body := range map[string]string{
		sales: saleBody("NARROW", 1), sales + "/batch": `{"transactions":[` + saleBody("NARROW", 1) + `]}`,
		"/v1/products": `{"external_id":"NARROW","name":"Narrow","product_category":"PHYSICAL"}`,
		"/v1/api-keys": `{"scopes":["write"]}`, "/v1/users": `{"email":"narrow@example.com","name":"N","role":"admin"}`,
		"/v1/webhook_endpoints": `{"url":"https://example.com/hook","enabled_events":["*"]}`,
	} {
		require.NotContains(b, as(narrow, http.MethodPost, target, body), `"id":`, target)
	}
	people := b.keyOf(&whole, `{"scopes":["people"]}`)
	require.Contains(b, as(people, http.MethodPost, "/v1/api-keys", `{"scopes":["people","write"]}`), `"scope":"write"`)
	ending := b.keyOf(&whole, `{"expires_at":"2090-01-01T00:00:00Z"}`)
	for _, body := range []string{"{}", `{"expires_at":null}`, `{"expires_at":"2090-01-01T00:00:01Z"}`} {
		require.NotContains(b, as(ending, http.MethodPost, "/v1/api-keys", body), `"api_key"`, body)
	}
	b.only("200", "403 forbidden_for_key", "404 route_not_found")

	conn := narrow.dial()
	_, err := io.WriteString(conn,
		narrow.head("POST", sales+"/imports")+"Content-Type: text/csv\r\nContent-Length: 1000000\r\n\r\nexternal_id")
	require.NoError(b, err)
	require.NoError(b, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
	said := make([]byte, 12)
	_, err = io.ReadFull(conn, said)
	require.NoError(b, err, "the refusal does not wait for the file")
	require.Equal(b, "HTTP/1.1 403", string(said))
}

// keyOf makes a key of the organization of a tenant, and returns who calls with it.
func (b *attackRun) keyOf(of *tenant, body string) *tenant {
	answer, err := of.send(b.Context(), http.MethodPost, "/v1/api-keys", body)
	require.NoError(b, err)
	require.Equal(b, http.StatusOK, answer.Status, "%s", answer.Body)
	var made struct {
		APIKey string `json:"api_key"`
	}
	require.NoError(b, json.Unmarshal(answer.Body, &made))
	narrow := *of
	narrow.key = made.APIKey
	return &narrow
}

// oldChunks: HTTP/1.0 knows no chunks. What stands behind them is not another request, and the connection ends.
func oldChunks(b *attackRun) {
	hidden := strings.Replace(b.attacker.head("GET", "/v1/products"), "HTTP/1.1", "HTTP/1.0", 1) + "\r\n"
	for _, target := range []string{sales, "/v1/products", "/onboarding/../metrics", "/../metrics", "/v1/../metrics"} {
		conn := b.attacker.dial()
		head := strings.Replace(b.attacker.head("POST", target), "HTTP/1.1", "HTTP/1.0", 1)
		_, err := io.WriteString(conn, head+"Connection: keep-alive\r\nContent-Type: application/json\r\n"+
			"Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n"+hidden)
		require.NoError(b, err)
		require.NoError(b, conn.SetReadDeadline(time.Now().Add(30*time.Second)))
		said, err := io.ReadAll(conn)
		require.NoError(b, err, "the connection ends")
		require.Equal(b, 1, strings.Count(string(said), "HTTP/1."), "%s: %s", target, said)
		var status int
		_, err = fmt.Sscanf(string(said)[len("HTTP/1.x "):], "%d", &status)
		require.NoError(b, err)
		b.saw(fmt.Sprint(status))
	}
	b.only("400", "404", "405")
}
