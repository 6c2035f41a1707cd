package remote

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"strconv"
	"strings"
	"time"

	"levy/internal/webhook"
)

// Limits bound a download.
type Limits struct {
	Bytes    int64         // of the file
	Whole    time.Duration // for all of it
	Silence  time.Duration // without a byte, also before the first one
	Attempts int           // requests for one file; each goes on where the one before was cut
}

// Validators say which edition of a file is known. Servers compare them (RFC 9110, 13.1).
type Validators struct{ ETag, LastModified string }

// File is what an address gave.
type File struct {
	Unchanged bool // since the validators; the other fields are then empty
	Validators

	Name   string // the last part of the address, after redirects
	SHA256 string // in hexadecimal digits
	Bytes  int64
}

// The server broke the protocol.
var (
	ErrTooLarge = errors.New("the file is larger than allowed")
	ErrCut      = errors.New("the server ended the file before its end, in every attempt")
	ErrSilent   = errors.New("the server sent nothing for too long")
)

// Client downloads files. It follows redirects to safe addresses only.
type Client struct {
	limits Limits
	own    *url.URL // the address that the operator has set; nil where it is what is asked for
}

const redirects = 3

// NewClient returns a client with limits.
func NewClient(limits Limits) *Client { return &Client{limits: limits} }

// For returns a client for the addresses to which one that the operator has set leads, by links and redirects. Those of
// this machine and of inner networks are refused, unless the own address is of this machine. The host of the own address
// may be in an inner network.
func (c *Client) For(own string) *Client {
	at, err := url.Parse(own)
	if err != nil {
		at = &url.URL{} // leads nowhere else
	}
	return &Client{limits: c.limits, own: at}
}

// through returns the HTTP client for what an own address leads to. A proxy of the environment chooses addresses itself.
func through(own *url.URL) *http.Client {
	client := &http.Client{CheckRedirect: func(to *http.Request, via []*http.Request) error {
		if len(via) > redirects {
			return fmt.Errorf("more than %d redirects", redirects)
		}
		return leads(own, to.URL)
	}}
	if !webhook.OfThisMachine(own.Hostname()) {
		client.Transport = outside{own: own.Hostname(), public: publicTransport()}
	}
	return client
}

// outside sends requests to public addresses, to the own host of the operator and to proxies.
type outside struct {
	own    string
	public http.RoundTripper
}

// RoundTrip implements http.RoundTripper.
func (o outside) RoundTrip(req *http.Request) (*http.Response, error) {
	proxy, err := http.ProxyFromEnvironment(req)
	if err != nil {
		return nil, err
	}
	if proxy != nil || strings.EqualFold(req.URL.Hostname(), o.own) {
		return http.DefaultTransport.RoundTrip(req)
	}
	return o.public.RoundTrip(req)
}

// publicTransport connects to public addresses only, whatever a name means by then.
func publicTransport() http.RoundTripper {
	dialer := &net.Dialer{Timeout: 30 * time.Second, Control: webhook.OnlyPublic}
	return &http.Transport{
		DialContext: dialer.DialContext, ForceAttemptHTTP2: true, TLSHandshakeTimeout: 10 * time.Second,
		IdleConnTimeout: 30 * time.Second,
	}
}

// leads refuses an address that is not safe, and one by http to which another than one of this machine leads.
func leads(own, to *url.URL) error {
	if to.Scheme == "http" && !webhook.OfThisMachine(own.Hostname()) {
		return fmt.Errorf("%s://%s: files come by https where a server names their address", to.Scheme, to.Host)
	}
	return Safe(to)
}

// Safe refuses an address that is neither TLS nor of this machine: others on the way could change what it gives.
func Safe(at *url.URL) error {
	if at.Scheme == "https" || at.Scheme == "http" && webhook.OfThisMachine(at.Hostname()) {
		return nil
	}
	return fmt.Errorf("%s://%s: files come by https, or by http from this machine", at.Scheme, at.Host)
}

// Get writes the file of an address to a path, unless the server says that it has not changed. progress is told the bytes
// so far and the size of the file, -1 where it is unknown. Errors name no password of the address.
func (c *Client) Get(
	ctx context.Context, address string, known Validators, to string, progress func(done, size int64),
) (f File, err error) {
	at, err := url.Parse(address)
	if err != nil {
		return f, errors.New("not an address")
	}
	own := cmp.Or(c.own, at)
	if err := cmp.Or(Safe(at), leads(own, at)); err != nil {
		return f, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.limits.Whole)
	defer cancel()
	d := download{client: c, http: through(own), address: at, known: known, progress: progress}
	if d.out, err = os.Create(to); err != nil {
		return f, err
	}
	defer func() { err = errors.Join(err, d.out.Close()) }()
	for range max(1, c.limits.Attempts) {
		var ended bool
		if ended, err = d.attempt(ctx); ended {
			break
		}
	}
	if err != nil {
		return f, fmt.Errorf("%s: %w", at.Redacted(), err)
	}
	if d.unchanged {
		return File{Unchanged: true}, nil
	}
	f = File{Validators: d.is, Name: d.name}
	f.SHA256, f.Bytes, err = sum(d.out)
	return f, err
}

// download is one file on its way.
type download struct {
	client    *Client
	http      *http.Client
	address   *url.URL
	known     Validators
	out       *os.File
	progress  func(done, size int64)
	done      int64
	is        Validators // of the file of which done bytes are here
	name      string
	unchanged bool
}

// attempt asks for the file, or for the rest of it. ended is false where another attempt can go on.
func (d *download) attempt(ctx context.Context) (ended bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	silence := time.AfterFunc(d.client.limits.Silence, func() { cancel(ErrSilent) })
	defer silence.Stop()
	answer, err := d.ask(ctx)
	if err != nil {
		return ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrSilent), because(ctx, err)
	}
	defer func() { _ = answer.Body.Close() }()
	if ended, err := d.begin(answer); ended || err != nil {
		return true, err
	}
	size := int64(-1)
	if answer.ContentLength >= 0 {
		size = d.done + answer.ContentLength
	}
	// guard: content: a download is bounded
	if size > d.client.limits.Bytes {
		return true, fmt.Errorf("%w: %d bytes, and %d are", ErrTooLarge, size, d.client.limits.Bytes)
	}
	err = d.copy(answer.Body, size, func() { silence.Reset(d.client.limits.Silence) })
	switch {
	case errors.Is(err, ErrTooLarge):
		return true, err
	case err != nil:
		return ctx.Err() != nil && !errors.Is(context.Cause(ctx), ErrSilent), because(ctx, fmt.Errorf("%w: %w", ErrCut, err))
	}
	return true, nil
}

// because prefers the reason for which the client gave up.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

func (d *download) ask(ctx context.Context) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.address.String(), http.NoBody)
	if err != nil {
		return nil, errors.New("not an address")
	}
	req.Header.Set("Accept-Encoding", "identity") // the checksum and ranges are of the file
	// A range of a file that can have changed in between needs a strong validator (RFC 9110, 13.1.5).
	if d.done > 0 && d.is.ETag != "" && !strings.HasPrefix(d.is.ETag, "W/") {
		req.Header.Set("Range", "bytes="+strconv.FormatInt(d.done, 10)+"-")
		req.Header.Set("If-Range", d.is.ETag)
	}
	if d.known.ETag != "" {
		req.Header.Set("If-None-Match", d.known.ETag)
	}
	if d.known.LastModified != "" {
		req.Header.Set("If-Modified-Since", d.known.LastModified)
	}
	answer, err := d.http.Do(req)
	var outer *url.Error // repeats the address, with what may be a password
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return answer, err
}

// begin reads the head of an answer. It starts the file anew where the server gives the whole of it.
func (d *download) begin(answer *http.Response) (ended bool, err error) {
	switch answer.StatusCode {
	case http.StatusNotModified:
		if d.known == (Validators{}) {
			return true, errors.New("the server says that the file has not changed, although it was not asked")
		}
		d.unchanged = true
		return true, nil
	case http.StatusPartialContent:
		if from, ok := rangeStart(answer.Header.Get("Content-Range")); !ok || from != d.done || d.done == 0 {
			return true, fmt.Errorf("the server gives another part of the file than asked for")
		}
		return false, nil
	case http.StatusOK:
	default:
		return true, fmt.Errorf("the server answers %s", answer.Status)
	}
	d.done = 0
	d.is = Validators{ETag: answer.Header.Get("ETag"), LastModified: answer.Header.Get("Last-Modified")}
	d.name = path.Base(answer.Request.URL.Path)
	if _, err := d.out.Seek(0, io.SeekStart); err != nil {
		return true, err
	}
	return false, d.out.Truncate(0)
}

// rangeStart reads "bytes 100-199/200".
func rangeStart(text string) (int64, bool) {
	text, ok := strings.CutPrefix(text, "bytes ")
	from, _, cut := strings.Cut(text, "-")
	n, err := strconv.ParseInt(from, 10, 64)
	return n, ok && cut && err == nil
}

func (d *download) copy(from io.Reader, size int64, alive func()) error {
	buf := make([]byte, 256<<10)
	for {
		n, err := from.Read(buf)
		if n > 0 {
			alive()
			if d.done+int64(n) > d.client.limits.Bytes {
				return fmt.Errorf("%w: more than %d bytes", ErrTooLarge, d.client.limits.Bytes)
			}
			if _, err := d.out.Write(buf[:n]); err != nil {
				return err
			}
			d.done += int64(n)
			d.progress(d.done, size)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func sum(file *os.File) (sha string, bytes int64, err error) {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return "", 0, err
	}
	hash := sha256.New()
	bytes, err = io.Copy(hash, file)
	return hex.EncodeToString(hash.Sum(nil)), bytes, err
}
