package hmrc

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns/vat"
	"levy/test/prism"
)

const (
	// prismVariable names the program that reads the description of the API.
	prismVariable = "LEVY_RETURNS_PRISM"
	description   = "testdata/vat-api-1.0.yaml"
)

// described is a server that knows the API by its description alone. It stands between the adapter and a test.
type described struct {
	address string
	prefers func(*http.Request) string // the answer of the description that is wanted; nil where another server answers
	change  func(body []byte) []byte   // of a request; nil for none

	mu      sync.Mutex
	calls   int
	objects []prism.Violation
}

// ServeHTTP hands a call on, and keeps what the server objects to in it and in its answer.
func (d *described) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if d.change != nil && err == nil {
		body = d.change(body)
	}
	sent, failed := http.NewRequestWithContext(r.Context(), r.Method, d.address+r.URL.RequestURI(), bytes.NewReader(body))
	if err != nil || failed != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	sent.Header = r.Header.Clone()
	sent.Header.Del("Accept") // the description has no media type of the authority
	if d.prefers != nil {
		sent.Header.Set("Prefer", d.prefers(r))
	}
	answer, err := http.DefaultClient.Do(sent)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer answer.Body.Close()
	d.note(answer.Header)
	maps.Copy(w.Header(), answer.Header)
	w.WriteHeader(answer.StatusCode)
	_, _ = io.Copy(w, answer.Body)
}

func (d *described) note(header http.Header) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls++
	if text := header.Get(prism.ViolationsHeader); text != "" {
		found, err := prism.ReadViolations(text)
		if err != nil {
			found = []prism.Violation{{Location: []string{"header"}, Message: text}}
		}
		d.objects = append(d.objects, found...)
	}
}

// seen returns how many calls there were, and the objections, and begins anew.
func (d *described) seen() (calls int, objects []prism.Violation) {
	d.mu.Lock()
	defer d.mu.Unlock()
	calls, objects = d.calls, d.objects
	d.calls, d.objects = 0, nil
	return calls, objects
}

func prismProgram(t *testing.T) string {
	t.Helper()
	program := os.Getenv(prismVariable)
	if program == "" {
		t.Skip(prismVariable + " names no program: make returns does")
	}
	return program
}

// between puts the server between an adapter and its authority.
func (o *office) between(d *described) {
	o.answers(d.ServeHTTP)
}

// inOf2017 returns a submission of a period for which the description shows an obligation.
func (o *office) inOf2017(t *testing.T, amounts, start, end string) models.AuthoritySubmission {
	t.Helper()
	s := o.submission(t, 1, amounts, "")
	r, err := vat.ReadDocument(s.Document.Content)
	require.NoError(t, err)
	require.NoError(t, r.Start.UnmarshalText([]byte(start)))
	require.NoError(t, r.End.UnmarshalText([]byte(end)))
	s.Document.Content = r.Document()
	o.documents[1] = *s.Document
	return s
}

// A server that a program of others makes of the description takes each call of the adapter, and the adapter reads each of
// its answers.
func TestTheServerOfTheDescriptionTakesTheReturn(t *testing.T) {
	t.Parallel()
	program := prismProgram(t)
	o := newOffice(t)
	d := &described{address: prism.Start(t, program, "mock", description)}
	d.prefers = func(r *http.Request) string {
		switch {
		case r.Method == http.MethodPost:
			return "code=201"
		case strings.Contains(r.URL.Path, "/returns/"):
			return "code=404" // the authority has no return of an open period
		}
		return "code=200, example=example-1"
	}
	o.between(d)
	s := o.inOf2017(t, toPay, "2017-04-01", "2017-06-30")
	a, err := o.Submit(t.Context(), s)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityAccepted, a.Outcome, "%+v", a)
	require.Equal(t, "256660290587", a.Confirmation, "the number of the receipt in the description")
	require.Equal(t, models.PaymentNotTaken, a.Reason, "its payment indicator is BANK")
	calls, objects := d.seen()
	require.Equal(t, 3, calls, "obligations, return, submission")
	require.Empty(t, objects)

	// A return that the authority has is read and compared.
	d.prefers = func(*http.Request) string { return "code=200, example=example-1" }
	s = o.inOf2017(t, "105.50 -100.45 5.05 105.15 100.10 300 300 3000 3000", "2017-01-01", "2017-03-31")
	_, err = o.Check(t.Context(), s.Key)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown, "the example is of the period A001, and the obligation of 18A1")
	calls, objects = d.seen()
	require.Equal(t, 2, calls)
	require.Empty(t, objects)

	// Each error of the description is a rejection with its code.
	for example, code := range map[string]string{
		"invalidPeriodKey": "PERIOD_KEY_INVALID", "invalidTotalValue": "VAT_TOTAL_VALUE", "invalidNetValue": "VAT_NET_VALUE",
		"invalidNumericValue": "INVALID_NUMERIC_VALUE", "invalidMonetaryAmount": "INVALID_MONETARY_AMOUNT",
	} {
		d.prefers = func(r *http.Request) string {
			switch {
			case r.Method == http.MethodPost:
				return "code=400, example=" + example
			case strings.Contains(r.URL.Path, "/returns/"):
				return "code=404"
			}
			return "code=200, example=example-1"
		}
		a, err = o.Submit(t.Context(), o.inOf2017(t, toPay, "2017-04-01", "2017-06-30"))
		require.NoError(t, err)
		require.Equal(t, rejected(code), a, example)
	}
	_, objects = d.seen()
	require.Empty(t, objects)

	// A request that the description does not have is seen: otherwise the comparison proves nothing.
	d.change = func(body []byte) []byte { return bytes.Replace(body, []byte(`"periodKey"`), []byte(`"periodKeys"`), 1) }
	_, err = o.Submit(t.Context(), o.inOf2017(t, toPay, "2017-04-01", "2017-06-30"))
	_, objects = d.seen()
	require.NotEmpty(t, objects, "%v", err)
}

// The sandbox answers as the description says, to requests as it says: a program of others compares both.
func TestTheSandboxKeepsTheDescription(t *testing.T) {
	t.Parallel()
	program := prismProgram(t)
	o := newOffice(t)
	broken := false
	upstream := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if broken {
			write(w, http.StatusOK, map[string]string{"obligations": "none"})
			return
		}
		r.Header.Set("Accept", accepts) // as the adapter had sent it
		o.sandbox.ServeHTTP(w, r)
	}))
	t.Cleanup(upstream.Close)
	d := &described{address: prism.Start(t, program, "proxy", description, upstream.URL)}
	o.between(d)
	for attempt, amounts := range []string{toPay, toClaim} {
		a, err := o.Submit(t.Context(), o.submission(t, attempt+1, amounts, ""))
		require.NoError(t, err)
		require.Equal(t, []models.AuthorityOutcome{models.AuthorityAccepted, models.AuthorityRejected}[attempt], a.Outcome, "%+v", a)
	}
	for _, scenario := range []string{"SIMULATE_REJECT", "SIMULATE_DUPLICATE"} {
		_, _ = o.Submit(t.Context(), o.submission(t, 3, toPay, scenario))
	}
	calls, objects := d.seen()
	require.Greater(t, calls, 5)
	require.Empty(t, objects)
	broken = true
	_, err := o.Submit(t.Context(), o.submission(t, 4, toPay, ""))
	require.Error(t, err)
	_, objects = d.seen()
	require.NotEmpty(t, objects, "an answer that the description does not have is seen")
}
