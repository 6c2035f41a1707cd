// Package client calls a Levy service. Its models and methods are generated
// from the contract; this file sends the calls.
//
// A call that failed for a passing reason (no connection, 429, 503, or another
// problem the service marks as retryable) is repeated with growing pauses. Each call
// that writes carries an Idempotency-Key, the same one in all its repeats: whatever
// became of an earlier attempt, it is carried out once.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sort"
	"strings"
	"time"
)

// Object is a JSON object without a schema, as it is sent.
type Object = json.RawMessage

// Client calls one service as one organization. It is safe for concurrent use.
type Client struct {
	baseURL      string
	apiKey       string
	organization string
	http         *http.Client
	retry        retry
}

// Option configures a Client.
type Option func(*Client)

// WithHTTPClient sends the calls with another HTTP client. The default one gives
// up on a single attempt after 30 seconds. No redirect is followed: the key belongs to
// one service, and a write would become a read.
func WithHTTPClient(h *http.Client) Option { return func(c *Client) { c.http = h } }

// WithRetries sets how often a call is repeated and the first pause, which
// doubles from repeat to repeat. A Retry-After of the service makes it longer.
func WithRetries(repeats int, firstPause time.Duration) Option {
	return func(c *Client) { c.retry.repeats, c.retry.first = repeats, firstPause }
}

// New makes a client for the service at baseURL, with an API key and the id of
// the organization the calls are about.
func New(baseURL, apiKey, organizationID string, options ...Option) *Client {
	c := &Client{
		baseURL:      strings.TrimRight(baseURL, "/"),
		apiKey:       apiKey,
		organization: organizationID,
		http:         &http.Client{Timeout: 30 * time.Second},
		retry:        retry{repeats: 4, first: 200 * time.Millisecond, longest: 30 * time.Second},
	}
	for _, option := range options {
		option(c)
	}
	h := *c.http // that of the caller stays as it is
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c.http = &h
	return c
}

// ForOrganization is the same client for another organization, such as a client
// of a partner.
func (c *Client) ForOrganization(organizationID string) *Client {
	other := *c
	other.organization = organizationID
	return &other
}

// CallOption changes one call.
type CallOption func(*http.Request)

// WithRequestID names the call; the service's logs and answers carry the name. At
// most 64 letters, digits, dots, dashes and underscores.
func WithRequestID(id string) CallOption {
	return func(r *http.Request) { r.Header.Set("X-Request-Id", id) }
}

// WithIdempotencyKey names what a call does: a call with the same key, from this
// process or another, is carried out once within 24 hours. At most 255 visible ASCII
// characters. Without it every call has a key of its own, which only its repeats
// share.
func WithIdempotencyKey(key string) CallOption {
	return func(r *http.Request) { r.Header.Set("Idempotency-Key", key) }
}

// WithoutIdempotencyKey sends a call without one, and does not repeat it when its
// outcome is unknown. Transactions are then written faster under load, many at once;
// their external id keeps a repeat from being recorded twice.
func WithoutIdempotencyKey() CallOption {
	return func(r *http.Request) { r.Header.Del("Idempotency-Key") }
}

// Error is an answer of the service other than a success.
type Error struct {
	Problem
	StatusCode int // HTTP status
}

func (e *Error) Error() string {
	return fmt.Sprintf("levy: %d %s: %s (request %s)", e.StatusCode, e.Code, e.Detail, e.RequestID)
}

// ErrorCode is the stable code of the service's answer, or "" when err is
// something else, such as a connection that failed.
func ErrorCode(err error) string {
	if e := (*Error)(nil); errors.As(err, &e) {
		return e.Code
	}
	return ""
}

// path fills the placeholders of a template in their order.
func path(template string, values ...string) string {
	var b strings.Builder
	for _, value := range values {
		before, rest, _ := strings.Cut(template, "{")
		_, template, _ = strings.Cut(rest, "}")
		b.WriteString(before)
		b.WriteString(url.PathEscape(value))
	}
	b.WriteString(template)
	return b.String()
}

// query writes the parameters that are set; lists are separated by commas.
func query(params any) (string, error) {
	if params == nil {
		return "", nil
	}
	raw, err := json.Marshal(params)
	if err != nil {
		return "", err
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	values := url.Values{}
	for name, field := range fields {
		var list []string
		var text string
		switch {
		case json.Unmarshal(field, &list) == nil:
			values.Set(name, strings.Join(list, ","))
		case json.Unmarshal(field, &text) == nil:
			values.Set(name, text)
		default:
			values.Set(name, string(field))
		}
	}
	if len(values) == 0 {
		return "", nil
	}
	return "?" + values.Encode(), nil
}

// call sends one call until it is answered for good, and decodes the answer.
func (c *Client) call(ctx context.Context, method, path string, params, body, answer any, options []CallOption) error {
	search, err := query(params)
	if err != nil {
		return fmt.Errorf("levy: encode parameters: %w", err)
	}
	sent := payload{contentType: "application/json"}
	if body != nil {
		if sent.content, err = json.Marshal(body); err != nil {
			return fmt.Errorf("levy: encode body: %w", err)
		}
	}
	return c.carry(ctx, method, path+search, sent, answer, options)
}

// payload is a body as it is sent; without content there is none.
type payload struct {
	contentType string
	content     []byte
}

// carry sends one call until it is answered for good.
func (c *Client) carry(
	ctx context.Context, method, target string, body payload, answer any, options []CallOption,
) error {
	once := rand.Text()
	return c.retry.do(ctx, func() (time.Duration, error) {
		request, err := c.request(ctx, method, target, bytes.NewReader(body.content))
		if err != nil {
			return 0, err
		}
		request.Header.Set("Accept", "application/json")
		if body.content != nil {
			request.Header.Set("Content-Type", body.contentType)
		}
		if method != http.MethodGet {
			request.Header.Set("Idempotency-Key", once)
		}
		for _, option := range options {
			option(request)
		}
		return c.send(request, answer)
	})
}

// send makes one attempt. errRepeat in the error means that a repeat may help,
// after the pause at the earliest.
func (c *Client) send(request *http.Request, answer any) (pause time.Duration, err error) {
	safe := request.Method == http.MethodGet ||
		request.Header.Get("Idempotency-Key") != "" // to be sent again, whatever happened
	response, err := c.http.Do(request)
	if err != nil {
		return 0, repeatable(err, safe)
	}
	defer func() { _ = response.Body.Close() }()
	raw, err := io.ReadAll(response.Body)
	if err != nil {
		return 0, repeatable(err, safe)
	}
	if response.StatusCode >= 200 && response.StatusCode <= 299 {
		if answer == nil || response.StatusCode == http.StatusNoContent {
			return 0, nil
		}
		if err := json.Unmarshal(raw, answer); err != nil {
			return 0, fmt.Errorf("levy: decode answer: %w", err)
		}
		return 0, nil
	}
	failure := &Error{StatusCode: response.StatusCode}
	if json.Unmarshal(raw, &failure.Problem) != nil {
		failure.Problem = Problem{Detail: http.StatusText(response.StatusCode)}
	}
	switch {
	case response.StatusCode == http.StatusTooManyRequests, failure.Code == "service_unavailable": // nothing was written
		return retryAfter(response.Header.Get("Retry-After")), repeatable(failure, true)
	case failure.Retryable,
		response.StatusCode == http.StatusBadGateway,
		response.StatusCode == http.StatusServiceUnavailable,
		response.StatusCode == http.StatusGatewayTimeout:
		return retryAfter(response.Header.Get("Retry-After")), repeatable(failure, safe)
	default:
		return 0, failure
	}
}

func repeatable(err error, repeat bool) error {
	if repeat {
		return errors.Join(errRepeat, err)
	}
	return err
}

// ErrorFields lists the places and messages of an answer's problems, sorted, for
// logs and people.
func ErrorFields(err error) []string {
	e := (*Error)(nil)
	if !errors.As(err, &e) {
		return nil
	}
	fields := make([]string, 0, len(e.Errors))
	for _, f := range e.Errors {
		fields = append(fields, f.Location+": "+f.Message)
	}
	sort.Strings(fields)
	return fields
}
