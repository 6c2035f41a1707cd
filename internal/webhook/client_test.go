package webhook_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/webhook"
)

// names answers DNS queries: the nth with the nth list, and further ones with the last list.
type names struct {
	answers [][]string
	asked   atomic.Int64
	err     error
}

func (n *names) LookupNetIP(context.Context, string, string) ([]netip.Addr, error) {
	if n.err != nil {
		return nil, n.err
	}
	at := min(int(n.asked.Add(1)), len(n.answers)) - 1
	found := make([]netip.Addr, len(n.answers[at]))
	for i, text := range n.answers[at] {
		found[i] = netip.MustParseAddr(text)
	}
	return found, nil
}

func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"93.184.216.34", "8.8.8.8", "::ffff:8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"} {
		require.True(t, webhook.IsPublic(netip.MustParseAddr(text)), text)
	}
	for name, text := range map[string]string{
		"loopback": "127.0.0.1", "all of it": "127.255.255.254", "loopback of IPv6": "::1", "unspecified": "0.0.0.0",
		"this network": "0.1.2.3", "unspecified of IPv6": "::", "private": "10.1.2.3", "private too": "172.31.0.1",
		"private as well": "192.168.1.1", "link-local": "169.254.1.1", "metadata": "169.254.169.254",
		"metadata of IPv6": "fd00:ec2::254", "carrier": "100.64.0.1", "unique local": "fc00::1",
		"link-local of IPv6": "fe80::1",
		"with a zone":        "fe80::1%eth0", "multicast": "224.0.0.1", "multicast of IPv6": "ff02::1",
		"broadcast": "255.255.255.255",
		"mapped":    "::ffff:127.0.0.1", "mapped metadata": "::ffff:a9fe:a9fe", "compatible": "::127.0.0.1",
		"NAT64": "64:ff9b::7f00:1", "local NAT64": "64:ff9b:1::1", "6to4": "2002:7f00:1::", "Teredo": "2001::1",
		"benchmarks": "198.18.0.1", "documentation": "2001:db8::1", "reserved": "240.0.0.1",
	} {
		require.False(t, webhook.IsPublic(netip.MustParseAddr(text)), name)
	}
	require.False(t, webhook.IsPublic(netip.Addr{}))
}

func TestHostsOfThisMachine(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"localhost", "127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1"} {
		require.True(t, webhook.OfThisMachine(host), host)
	}
	for _, host := range []string{"", "localhost.example.com", "example.com", "10.0.0.1", "::2", "[::1]", "127.0.0.1:80"} {
		require.False(t, webhook.OfThisMachine(host), host)
	}
}

func TestAddressesThatMayNotBeRegistered(t *testing.T) {
	t.Parallel()
	public := webhook.NewClient(webhook.Options{Resolver: &names{answers: [][]string{{"93.184.216.34"}}}})
	require.NoError(t, public.CheckAddress(t.Context(), "https://example.com/levy?a=1"))
	for name, address := range map[string]string{
		"http": "http://example.com/", "other scheme": "ftp://example.com/", "no host": "https:///levy",
		"opaque": "https:example.com",
		"user":   "https://ada@example.com/", "password": "https://ada:x@example.com/", "fragment": "https://example.com/#a",
		"empty fragment": "https://example.com/#", "nothing": "", "no address": "https://exa mple.com/",
		"loopback": "https://127.0.0.1/", "loopback of IPv6": "https://[::1]/", "metadata": "https://169.254.169.254/latest",
		"too long": "https://example.com/" + strings.Repeat("a", 2000),
	} {
		var refused *webhook.RefusedError
		require.ErrorAs(t, public.CheckAddress(t.Context(), address), &refused, name)
	}
	for name, found := range map[string]*names{
		// Such as https://0x7f000001/ or https://2130706433/ where the resolver reads numbers.
		"a name of loopback":       {answers: [][]string{{"127.0.0.1"}}},
		"one of several addresses": {answers: [][]string{{"93.184.216.34", "10.0.0.1"}}},
		"a name without address":   {err: &net.DNSError{IsNotFound: true}},
	} {
		var refused *webhook.RefusedError
		client := webhook.NewClient(webhook.Options{Resolver: found})
		require.ErrorAs(t, client.CheckAddress(t.Context(), "https://0x7f000001/"), &refused, name)
	}
	unsure := webhook.NewClient(webhook.Options{Resolver: &names{err: &net.DNSError{IsTemporary: true}}})
	var refused *webhook.RefusedError
	err := unsure.CheckAddress(t.Context(), "https://example.com/")
	require.Error(t, err)
	require.NotErrorAs(t, err, &refused, "not known at present")

	allowed := webhook.NewClient(webhook.Options{Hosts: webhook.Hosts{"localhost", "::1", "hooks.internal"}})
	for _, address := range []string{"http://localhost:9/", "https://LOCALHOST/", "http://[::1]:8000/",
		"http://hooks.internal/a"} {
		require.NoError(t, allowed.CheckAddress(t.Context(), address))
	}
	require.ErrorAs(t, allowed.CheckAddress(t.Context(), "http://127.0.0.1/"), &refused, "only the named host is allowed")
}

// receiver is a server on loopback that counts what reaches it.
func receiver(t *testing.T, handle http.HandlerFunc) (address string, reached *atomic.Int64) {
	t.Helper()
	reached = &atomic.Int64{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		handle(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL, reached
}

func post(t *testing.T, c *webhook.Client, address string) webhook.Reply {
	t.Helper()
	return c.Post(t.Context(), address, http.Header{"Content-Type": {"application/json"}}, []byte(`{}`))
}

// A host resolves to a public address at its registration, and later to the service's own network. The connection is
// refused (A-75 of the attacks), whatever the first answer was.
func TestAHostThatResolvesToAPrivateAddressLaterIsRefused(t *testing.T) {
	t.Parallel()
	address, reached := receiver(t, func(http.ResponseWriter, *http.Request) {})
	u, err := url.Parse(address)
	require.NoError(t, err)
	found := &names{answers: [][]string{{"93.184.216.34"}, {"127.0.0.1"}}}
	client := webhook.NewClient(webhook.Options{Resolver: found})
	name := "https://example.com:" + u.Port() + "/"
	require.NoError(t, client.CheckAddress(t.Context(), name))
	require.Equal(t, webhook.FailedAddress, post(t, client, name).Failed)
	require.Zero(t, reached.Load())
	require.EqualValues(t, 2, found.asked.Load(), "the name is resolved again for the connection")
}

func TestOnlyTheConnectedAddressIsChecked(t *testing.T) {
	t.Parallel()
	address, reached := receiver(t, func(http.ResponseWriter, *http.Request) {})
	client := webhook.NewClient(webhook.Options{})
	require.Equal(t, webhook.FailedAddress, post(t, client, address).Failed)
	require.Equal(t, webhook.FailedAddress, post(t, client, strings.Replace(address, "http:", "https:", 1)).Failed)
	require.Zero(t, reached.Load())
}

// answerRaw writes a text to the connection and closes it.
func answerRaw(w http.ResponseWriter, text string) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_, _ = io.WriteString(conn, text)
		_ = conn.Close()
	}
}

// hang waits until the client has disconnected, which a server notices once it has read the body.
func hang(r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// local is a client that is allowed to reach the servers of the test.
func local(o webhook.Options) *webhook.Client {
	o.Hosts = webhook.Hosts{"127.0.0.1", "hooks.test"}
	return webhook.NewClient(o)
}

func TestAnswersOfReceiversAreClassified(t *testing.T) {
	t.Parallel()
	elsewhere, reachedElsewhere := receiver(t, func(http.ResponseWriter, *http.Request) {})
	for name, test := range map[string]struct {
		handle http.HandlerFunc
		want   webhook.Reply
	}{
		"success": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) },
			webhook.Reply{Status: 204}},
		"busy": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "120")
			w.WriteHeader(http.StatusTooManyRequests)
		}, webhook.Reply{Status: 429, RetryAfter: 2 * time.Minute}},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		}, webhook.Reply{Status: 307, Failed: webhook.FailedRedirect}},
		"cut": {func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "")
		}, webhook.Reply{Failed: webhook.FailedConnection}},
		"lie": {func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\nshort")
		}, webhook.Reply{Status: 200, Failed: webhook.FailedConnection}},
		"no HTTP": {func(w http.ResponseWriter, _ *http.Request) {
			answerRaw(w, "220 mail.example.com ESMTP\r\n")
		}, webhook.Reply{Failed: webhook.FailedConnection}},
		"hang": {func(_ http.ResponseWriter, r *http.Request) { hang(r) }, webhook.Reply{Failed: webhook.FailedTimeout}},
		"hang in the reply": {func(w http.ResponseWriter, r *http.Request) {
			_, _ = io.WriteString(w, "so far")
			_ = http.NewResponseController(w).Flush()
			hang(r)
		}, webhook.Reply{Status: 200, Failed: webhook.FailedTimeout}},
		"endless reply": {func(w http.ResponseWriter, _ *http.Request) {
			for {
				if _, err := w.Write(make([]byte, 32<<10)); err != nil {
					return // nothing is read any more
				}
			}
		}, webhook.Reply{Status: 200}},
		"endless headers": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-A", strings.Repeat("a", 1<<20))
		}, webhook.Reply{Failed: webhook.FailedConnection}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address, _ := receiver(t, test.handle)
			limit := 10 * time.Second
			if test.want.Failed == webhook.FailedTimeout {
				limit = 300 * time.Millisecond
			}
			reply := post(t, local(webhook.Options{Timeout: limit}), address)
			require.Positive(t, reply.Took)
			reply.Took = 0
			require.Equal(t, test.want, reply)
		})
	}
	require.Zero(t, reachedElsewhere.Load())
}

func TestCertificatesAreVerified(t *testing.T) {
	t.Parallel()
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	require.Equal(t, webhook.FailedTLS, post(t, local(webhook.Options{}), server.URL).Failed)
	trusted := x509.NewCertPool()
	trusted.AddCert(server.Certificate())
	config := &tls.Config{RootCAs: trusted}
	require.Equal(t, 200, post(t, local(webhook.Options{TLS: config}), server.URL).Status)
	u, err := url.Parse(server.URL)
	require.NoError(t, err)
	other := local(webhook.Options{TLS: config, Resolver: &names{answers: [][]string{{"127.0.0.1"}}}})
	require.Equal(t, webhook.FailedTLS, post(t, other, "https://hooks.test:"+u.Port()).Failed, "it is for another name")
}

func TestAHostThatDoesNotResolveIsAFailedAttempt(t *testing.T) {
	t.Parallel()
	client := webhook.NewClient(webhook.Options{Resolver: &names{err: &net.DNSError{IsNotFound: true}}})
	require.Equal(t, webhook.FailedName, post(t, client, "https://example.com/").Failed)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	require.Equal(t, webhook.FailedRefused, post(t, local(webhook.Options{}), "http://"+listener.Addr().String()).Failed)
}
