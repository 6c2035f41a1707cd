package attack_test

import (
	"bufio"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/stretchr/testify/require"

	"levy/test/testbed"
)

func itoa(n int) string { return strconv.Itoa(n) }

// address is where the service listens.
func (b *attackRun) address() string { return strings.TrimPrefix(b.bed.API.URL(), "http://") }

// hostileRequests are ones that a lenient parser, or one behind another, could take for
// something else.
func hostileRequests(b *attackRun) {
	h, last := b.attacker.head, "Connection: close\r\n\r\n"
	const hidden = "GET /v1/organizations HTTP/1.1\r\nHost: levy\r\n\r\n"
	ids := []string{"..%2f..%2fetc%2fpasswd", "%00", "%252e%252e", ";", "a;b=c", "%0d%0aX-A:%20b", "'%20OR%201=1--",
		"%F0%9F%92%A9", strings.Repeat("a", 7000), "-1", "NaN", "txn_", "TXN_01JX4M0Q5TB7CYD2F6G8H9J1K3", "*", "%ff%fe"}
	requests := []string{
		h("GET", "/v1/products") + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n" + hidden,
		h("POST", "/v1/products") + "Content-Length: 5\r\nContent-Length: 6\r\n\r\n" + hidden,
		h("POST", "/v1/products") + "Transfer-Encoding : chunked\r\n\r\n" + hidden,
		h("POST", "/v1/products") + "Transfer-Encoding: \x0bchunked\r\n\r\n" + hidden,
		h("GET", "/v1/products") + "x-organization-id: " + b.victim.organization + "\r\n" + last,
		h("GET", "/v1/products") + "X-API-KEY: " + b.victim.key[:20] + "\r\n" + last,
		strings.Replace(h("GET", "/v1/products"), b.attacker.organization,
			b.attacker.organization+","+b.victim.organization, 1) + last,
		strings.Replace(h("GET", "/v1/products"), b.attacker.organization, b.victim.organization, 1) + last,
		h("GET", "/v1/products?api_key="+b.victim.key) + last,
		h("GET", "//v1/products") + last, h("GET", "/v1/../v1/products") + last, h("GET", "/V1/PRODUCTS") +
			last, h("GET", "/v1/products/.") + last, h("GET", "/debug/pprof/") + last, h("GET", "/metrics") + last,
		h("GET", "/v1/products") + "X-Original-URL: /v1/organizations\r\nX-Forwarded-For: " +
			"127.0.0.1\r\nX-HTTP-Method-Override: DELETE\r\n" + last,
		h("GET", "/v1/transactions?search_query=%00&size=1e9&size=1") +
			last, h("GET", "/v1/transactions?order_by=(select+1)") +
			last, h("GET", "/v1/transactions?page=99999999999999999999") + last,
		h("GET", "/v1/transactions?"+strings.Repeat("a=1&", 2000)) +
			last, h("GET", "/v1/transactions?"+strings.Repeat("%", 100)) +
			last, h("GET", "/v1/products?q="+strings.Repeat("a", 100_000)) + last,
		h("GET", "/v1/products") + "X-Long: " + strings.Repeat("a", 900_000) + "\r\n" + last,
		h("GET", "/v1/products") + "X-Endless: " + strings.Repeat("a", 4<<20) + "\r\n" + last,
		h("GET", "/v1/products") + strings.Repeat("X-Many: 1\r\n", 10_000) + last,
		h("POST", "/v1/transactions") +
			"Content-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 99999999999999999999\r\n" + last,
		h("POST", "/v1/transactions") + "Content-Type: application/json\r\nIdempotency-Key: " +
			strings.Repeat("k", 300) + "\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}",
		h("GET", "/v1/onboarding/"+b.victim.organization+"/events") + "Last-Event-ID: -99999999999999999999\r\n" + last,
		"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", "\r\n\r\n\r\n", strings.Repeat("\x00", 1000),
		"GET / HTTP/1.1\r\n" + strings.Repeat("a", 2<<20),
	}
	for _, id := range ids {
		requests = append(requests, h("GET", "/v1/transactions/"+id)+last,
			h("GET", "/v1/transactions/external/"+id)+last,
			h("PUT", "/v1/products/"+id)+"Content-Length: 2\r\n"+last+"{}")
	}
	b.parallel(8, func(i int) {
		for n := i; n < len(requests); n += 8 {
			b.ask(requests[n])
		}
	})
	b.only("200", "400", "401", "404", "413", "414", "415", "417", "431", "connection closed")
}

// ask sends bytes and counts all answers until the connection ends.
func (b *attackRun) ask(request string) {
	conn := b.attacker.dial()
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
	go func() { _, _ = io.WriteString(conn, request) }()
	reader := bufio.NewReader(conn)
	for n := 0; ; n++ {
		response, err := http.ReadResponse(reader, nil)
		if err != nil {
			require.NotErrorIs(b, err, os.ErrDeadlineExceeded, "the connection stays open: %.200q", request)
			if n == 0 {
				b.saw("connection closed")
			}
			return
		}
		body, err := io.ReadAll(response.Body)
		if err == nil {
			require.NotContains(b, strings.ReplaceAll(string(body), "/v1/onboarding/"+b.victim.organization, ""),
				b.victim.organization)
			require.NotContains(b, string(body), "goroutine ")
		}
		_ = response.Body.Close()
		b.saw(itoa(response.StatusCode))
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return
		}
	}
}

// resetStreams opens streams of HTTP/2 and resets each at once: the server must not
// work on more of them than it would on calls that stay.
func resetStreams(b *attackRun) {
	request := []byte("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n") // made once: to make it costs more than to serve it
	request = append(request, frame(4, 0, 0, nil)...)     // settings
	headers := b.attacker.packed()
	for stream := uint32(1); stream < 2000; stream += 2 {
		request = append(request, frame(1, 4|1, stream, headers)...)          // headers, all of them, no body
		request = append(request, frame(3, 0, stream, []byte{0, 0, 0, 8})...) // reset: cancelled
	}
	b.while(8, func(int, int) {
		conn, err := b.attacker.dialContext(b.Context(), "tcp", b.address())
		if err != nil { // the address has reset too many
			b.saw("connection closed")
			return
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(20 * time.Second))
		go func() { _, _ = io.Copy(io.Discard, conn) }()
		if _, err := conn.Write(request); err != nil {
			b.saw("connection closed")
			return
		}
		b.saw("1,000 streams sent")
	})
	b.only("connection closed", "1,000 streams sent")
}

// frame is a frame of HTTP/2.
func frame(kind, flags byte, stream uint32, payload []byte) []byte {
	n := len(payload)
	head := []byte{byte(n >> 16), byte(n >> 8), byte(n), kind, flags}
	return append(binary.BigEndian.AppendUint32(head, stream), payload...)
}

// packed is a request for the list of transactions, in the headers of HTTP/2, each as it is.
func (of *tenant) packed() []byte {
	var packed []byte
	for _, h := range [][2]string{
		{":method", "GET"}, {":scheme", "http"}, {":path", "/v1/transactions?size=100"}, {":authority", "levy"},
		{"x-api-key", of.key}, {"x-organization-id", of.organization},
	} {
		packed = append(packed, 0, byte(len(h[0])))
		packed = append(packed, h[0]...)
		packed = append(packed, byte(len(h[1])))
		packed = append(packed, h[1]...)
	}
	return packed
}

// guessedIDs: the victim's ids do not exist for the attacker, byte for byte as ids that
// nobody has.
func guessedIDs(b *attackRun) {
	read, err := b.victim.send(b.Context(), http.MethodGet, "/v1/transactions/external/VICTIM-0", "")
	require.NoError(b, err)
	foreign, unknown := read.Field("id"), "txn_01jx4m0q5tb7cyd2f6g8h9j1k3"
	product, err := b.victim.send(b.Context(), http.MethodGet, "/v1/products/external/P-1", "")
	require.NoError(b, err)
	for _, target := range []string{"", "/history", "/revisions", "/revisions/1", "/explanation",
		"/related_transactions"} {
		theirs, nobodys := b.attack(http.MethodGet, sales+"/"+foreign+target, ""),
			b.attack(http.MethodGet, sales+"/"+unknown+target, "")
		require.Equal(b, withoutID(nobodys.Body, unknown), withoutID(theirs.Body, foreign), target)
	}
	b.attack(http.MethodPut, sales+"/"+foreign, saleBody("MINE", 1))
	b.attack(http.MethodPost, sales+"/"+foreign+"/credit_notes", encoded(testbed.CreditNote("NOTE", "1.00")))
	b.attack(http.MethodGet, "/v1/products/"+product.Field("id"), "")
	b.attack(http.MethodPut, "/v1/products/"+product.Field("id"), `{"name":"mine"}`)
	b.attack(http.MethodGet, "/v1/organizations/"+b.victim.organization, "")
	b.attack(http.MethodGet, "/v1/onboarding/"+b.victim.organization, "")
	b.attack(http.MethodGet, "/v1/onboarding/"+b.victim.organization+"/events", "")
	b.parallel(8, func(i int) {
		for n := range 20 {
			b.attack(http.MethodGet, "/v1/transactions/external/VICTIM-"+itoa(i*20+n), "")
		}
	})
	b.only("404", "403 forbidden", "429 rate_limited")
}

// withoutID is a problem without what names its request.
func withoutID(body []byte, id string) string {
	text := strings.ReplaceAll(string(body), id, "ID")
	before, after, _ := strings.Cut(text, `"request_id":"`)
	_, after, _ = strings.Cut(after, `"`)
	return before + after
}
