package webhook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

const (
	// timeout is how long a receiver may take, from the look-up of its name to the end of what is read of its reply.
	timeout = 15 * time.Second
	// mostOfReply is how much of a reply is read.
	mostOfReply = 64 << 10
	// connections to one host stay open for the next requests.
	connections, idleTimeout = 32, 30 * time.Second
)

// Resolver says what a name means now; *net.Resolver is one.
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// Options say how a client behaves. The zero value is for a deployment that allows no private hosts.
type Options struct {
	Hosts    Hosts
	Resolver Resolver      // nil for that of the machine
	TLS      *tls.Config   // nil for the authorities that the machine trusts
	Timeout  time.Duration // 0 for 15 seconds
	Now      func() time.Time
}

// Client calls addresses that clients chose. It is safe for concurrent use.
type Client struct {
	Options

	http *http.Client
}

// NewClient makes a client. It uses no proxy and follows no redirect.
func NewClient(o Options) *Client {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	o.Timeout = cmp.Or(o.Timeout, timeout)
	if o.Now == nil {
		o.Now = time.Now
	}
	c := &Client{Options: o}
	c.http = &http.Client{
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &http.Transport{
			Proxy:       nil, // the environment has no say
			DialContext: c.dial, TLSClientConfig: o.TLS, ForceAttemptHTTP2: true, DisableCompression: true,
			MaxIdleConnsPerHost: connections, IdleConnTimeout: idleTimeout, MaxResponseHeaderBytes: mostOfReply,
		},
	}
	return c
}

// CheckAddress checks an address and what its name means now. Errors: *RefusedError; others when no server can say at
// the moment what the name means.
func (c *Client) CheckAddress(ctx context.Context, text string) error {
	if err := c.Hosts.checkURL(text); err != nil {
		return err
	}
	u, err := url.Parse(text)
	if err != nil || c.Hosts.allow(u.Hostname()) {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, c.Timeout/3)
	defer cancel()
	_, err = c.resolve(ctx, u.Hostname())
	if unknown, ok := errors.AsType[*net.DNSError](err); ok && unknown.IsNotFound {
		return &RefusedError{"The host has no address."}
	}
	return err
}

// resolve returns the addresses of a host, all of which must be public.
func (c *Client) resolve(ctx context.Context, host string) ([]netip.Addr, error) {
	found, err := c.Resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil, err
	}
	for _, at := range found {
		if !c.Hosts.allow(host) && !IsPublic(at) {
			return nil, errPrivate
		}
	}
	return found, nil
}

// dial connects to the first address of the host that answers. The name is resolved here, for each connection anew,
// and Control has the last word on the address that is dialled.
func (c *Client) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	found, err := c.resolve(ctx, host)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{Control: OnlyPublic}
	if c.Hosts.allow(host) {
		dialer.Control = nil
	}
	err = &net.DNSError{Err: "no such host", Name: host, IsNotFound: true}
	for _, at := range found {
		var conn net.Conn
		if conn, err = dialer.DialContext(ctx, network, net.JoinHostPort(at.String(), port)); err == nil {
			return conn, nil
		}
	}
	return nil, err
}

// OnlyPublic is a Control of a net.Dialer. It refuses to connect to addresses outside the public internet.
func OnlyPublic(_, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !IsPublic(at.Addr()) {
		return errPrivate
	}
	return nil
}

// Why a request got no answer.
const (
	FailedTimeout    = "timeout"               // it took longer than 15 seconds
	FailedAddress    = "address_not_allowed"   // the host has an address that is not public
	FailedName       = "name_not_resolved"     // the name of the host means nothing, or no name server could say what
	FailedTLS        = "tls_failed"            // the certificate is not valid for the host
	FailedRefused    = "connection_refused"    // no server listens there
	FailedConnection = "connection_lost"       // the connection broke, or the reply is no HTTP
	FailedRedirect   = "redirect_not_followed" // the answer is a redirect
)

// Reply is what came of a request.
type Reply struct {
	Status     int           // of HTTP; 0 for none
	Failed     string        // why there was no answer, or none that counts: one of the Failed… constants
	RetryAfter time.Duration // that the answer asked for
	Took       time.Duration
}

// Post sends a body once. It always returns within the timeout; when ctx ends before, the reply is a timeout.
func (c *Client) Post(ctx context.Context, address string, headers http.Header, body []byte) Reply {
	began := c.Now()
	ctx, cancel := context.WithTimeout(ctx, c.Timeout)
	defer cancel()
	reply := c.post(ctx, address, headers, body)
	reply.Took = c.Now().Sub(began)
	return reply
}

func (c *Client) post(ctx context.Context, address string, headers http.Header, body []byte) Reply {
	if err := c.Hosts.checkURL(address); err != nil { // the allowed hosts may have changed since the registration
		return Reply{Failed: FailedAddress}
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return Reply{Failed: FailedAddress}
	}
	request.Header = headers
	answer, err := c.http.Do(request)
	if err != nil {
		return Reply{Failed: failureOf(err)}
	}
	defer func() { _ = answer.Body.Close() }()
	reply := Reply{Status: answer.StatusCode, RetryAfter: c.retryAfter(answer.Header.Get("Retry-After"))}
	if reply.Status >= 300 && reply.Status < 400 {
		reply.Failed = FailedRedirect
	}
	// The reply is read, so that the connection can be used again; what is behind the limit closes it.
	if _, err := io.Copy(io.Discard, io.LimitReader(answer.Body, mostOfReply)); err != nil {
		return Reply{Status: reply.Status, Failed: failureOf(err), RetryAfter: reply.RetryAfter}
	}
	return reply
}

func failureOf(err error) string {
	if _, refused := errors.AsType[*RefusedError](err); refused {
		return FailedAddress
	}
	if name, ok := errors.AsType[*net.DNSError](err); ok && !name.IsTimeout {
		return FailedName
	}
	if network, ok := errors.AsType[net.Error](err); ok && network.Timeout() || errors.Is(err, context.DeadlineExceeded) ||
		errors.Is(err, context.Canceled) {
		return FailedTimeout
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return FailedTLS
	}
	if _, ok := errors.AsType[tls.RecordHeaderError](err); ok {
		return FailedTLS
	}
	if errors.Is(err, syscall.ECONNREFUSED) {
		return FailedRefused
	}
	return FailedConnection
}

// retryAfter reads seconds or a date.
func (c *Client) retryAfter(text string) time.Duration {
	if seconds, err := strconv.ParseUint(text, 10, 31); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(0, at.Sub(c.Now()))
	}
	return 0
}
