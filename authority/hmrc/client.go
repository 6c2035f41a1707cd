package hmrc

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"levy/models"
	"levy/returns/vat"
	"levy/tax/calendar"
)

// accepts is the version of the API that answers are wanted in.
const accepts = "application/vnd.hmrc.1.0+json"

// mostOfAnswer is how many bytes of an answer are read.
const mostOfAnswer = 1 << 20

// callTimeout is how long a call of the API may take.
const callTimeout = 30 * time.Second

// Client calls the API. It is safe for concurrent use.
type Client struct {
	base   string
	app    Application
	client *http.Client
}

// Application is how the authority knows the program.
type Application struct {
	ID, Secret string
	Version    string // of Levy
}

// NewClient returns a client of the API at an address, such as "http://127.0.0.1:8080". It follows no redirects, which could
// carry a token elsewhere.
func NewClient(base string, app Application) *Client {
	return &Client{strings.TrimSuffix(base, "/"), app, &http.Client{
		Timeout:       callTimeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// reply is what came back of a call.
type reply struct {
	status int
	header http.Header
	body   []byte
}

// call is a call of the API for an organization.
type call struct {
	method, path string
	query        url.Values
	token        string
	header       http.Header
	body         []byte
}

// do calls. Errors: models.ErrUnavailable when the authority took nothing; models.ErrOutcomeUnknown when it may have taken a
// submission.
func (c *Client) do(ctx context.Context, x call) (reply, error) {
	lost := models.ErrUnavailable
	if x.method == http.MethodPost && x.token != "" {
		lost = models.ErrOutcomeUnknown
	}
	address := c.base + x.path
	if len(x.query) > 0 {
		address += "?" + x.query.Encode()
	}
	request, err := http.NewRequestWithContext(ctx, x.method, address, bytes.NewReader(x.body))
	if err != nil {
		return reply{}, fmt.Errorf("a call of the VAT API: %s", x.method) // the error would have the number in the address
	}
	for name, values := range x.header {
		request.Header[name] = values
	}
	request.Header.Set("Accept", accepts)
	if x.token != "" {
		request.Header.Set("Authorization", "Bearer "+x.token)
	}
	if request.Header.Get("Content-Type") == "" && x.body != nil {
		request.Header.Set("Content-Type", vat.MediaType)
	}
	// A repetition inside the transport would be a second submission.
	request.GetBody = nil
	answer, err := c.client.Do(request)
	if err != nil {
		var dialled *net.OpError
		// guard: hmrc: a connection that was refused has carried nothing
		if errors.As(err, &dialled) && dialled.Op == "dial" {
			lost = models.ErrUnavailable
		}
		return reply{}, fmt.Errorf("%w: the VAT API did not answer", lost)
	}
	defer func() { _ = answer.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostOfAnswer))
	switch {
	case err != nil:
		return reply{}, fmt.Errorf("%w: the answer of the VAT API was cut off", lost)
	case answer.StatusCode == http.StatusTooManyRequests:
		return reply{}, fmt.Errorf("%w: the VAT API takes no more calls now", models.ErrUnavailable)
	// guard: hmrc: a failure of the authority says nothing about a submission
	case answer.StatusCode >= http.StatusInternalServerError:
		return reply{}, fmt.Errorf("%w: the VAT API answered %d", lost, answer.StatusCode)
	}
	return reply{answer.StatusCode, answer.Header, body}, nil
}

// code returns the code of an error in an answer; "" for none that can be read.
func (r *reply) code() string {
	var said struct {
		Code  string `json:"code"`
		Error string `json:"error"` // of the sign-in
	}
	if json.Unmarshal(r.body, &said) != nil {
		return ""
	}
	code := said.Code + said.Error
	for _, letter := range code {
		if letter != '_' && (letter < 'A' || letter > 'Z') && (letter < 'a' || letter > 'z') {
			return "" // it could be anything, and stands in records
		}
	}
	if len(code) > mostOfCode {
		return ""
	}
	return strings.ToUpper(code)
}

// mostOfCode is the longest reason that a record has.
const mostOfCode = 50

// Obligation is a period for which the authority wants a return.
type Obligation struct {
	Start     calendar.Date `json:"start"`
	End       calendar.Date `json:"end"`
	Due       calendar.Date `json:"due"`
	Status    string        `json:"status"` // "O" for open, "F" for fulfilled
	PeriodKey string        `json:"periodKey"`
	Received  calendar.Date `json:"received,omitzero"`
}

// fulfilled is the status of an obligation whose return was received.
const fulfilled = "F"

func organisation(vrn string) string { return "/organisations/vat/" + url.PathEscape(vrn) }

// obligations asks for the obligations of a period.
func (c *Client) obligations(ctx context.Context, s *session, r *vat.Return) (reply, error) {
	return c.do(ctx, call{
		method: http.MethodGet, path: organisation(r.VRN) + "/obligations", token: s.token, header: s.header,
		query: url.Values{"from": {r.Start.String()}, "to": {r.End.String()}},
	})
}

// submit submits the boxes of a period.
func (c *Client) submit(ctx context.Context, s *session, r *vat.Return, periodKey string) (reply, error) {
	return c.do(ctx, call{
		method: http.MethodPost, path: organisation(r.VRN) + "/returns", token: s.token, header: s.header,
		body: r.Boxes.Request(periodKey),
	})
}

// view asks for the return that the authority has for a period.
func (c *Client) view(ctx context.Context, s *session, r *vat.Return, periodKey string) (reply, error) {
	return c.do(ctx, call{
		method: http.MethodGet, path: organisation(r.VRN) + "/returns/" + url.PathEscape(periodKey), token: s.token, header: s.header,
	})
}
