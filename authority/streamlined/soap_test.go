package streamlined

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/authority"
	"levy/models"
	"levy/returns/ser/soap"
)

const sandboxPassword = `p<&"w`

// newWebOffice is an office whose state is reached by its web service.
func newWebOffice(t *testing.T) *office {
	t.Helper()
	o := newOffice(t)
	server := httptest.NewServer(NewServer(o.sandbox(), sandboxPassword))
	t.Cleanup(server.Close)
	o.transport = NewSOAP(server.URL+"/MI", nil, nil).ToSandbox(sandboxPassword)
	return o
}

// transmission is an attempt without an office.
func transmission(o *office, t *testing.T, notes string) Transmission {
	t.Helper()
	sub := o.submission(t, 1, notes)
	sent := o.Adapter.transmission(sub.Key, sub.Document)
	sent.Notes = notes
	return sent
}

// By the web service a return ends as it does inside the process, whatever happens on the way. It is sent again as the same bytes
// until it has a receipt, and the sandbox takes no others.
func TestTheWebServiceDecidesAsTheSandbox(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		notes  string
		first  error // of the first submission
		reason string
	}{
		{"", nil, ""},
		{"SIMULATE_REJECT", nil, "SER_261999"},
		{"SIMULATE_SER_14", nil, "SER_14"},
		{"SIMULATE_PAYMENT_REFUSED", nil, models.PaymentRefused},
		{"SIMULATE_TIMEOUT", models.ErrOutcomeUnknown, ""},
		{"SIMULATE_OUTAGE", models.ErrUnavailable, ""},
		{spoiltFault, models.ErrOutcomeUnknown, ""},
		{spoiltRedirect, models.ErrUnavailable, ""},
		{spoiltHalf, models.ErrOutcomeUnknown, ""},
		{spoiltText, models.ErrOutcomeUnknown, ""},
		{spoiltEntities, models.ErrOutcomeUnknown, ""},
		{spoiltOversized, models.ErrOutcomeUnknown, ""},
		{"Please: SIMULATE_SOAP_HALF, SIMULATE_PAYMENT_REFUSED", models.ErrOutcomeUnknown, models.PaymentRefused},
	} {
		t.Run(test.notes, func(t *testing.T) {
			t.Parallel()
			o := newWebOffice(t)
			sub := o.submission(t, 1, test.notes)
			_, err := o.Submit(t.Context(), sub)
			require.ErrorIs(t, err, test.first)
			for range 2 {
				if err != nil {
					_, err = o.Submit(t.Context(), sub)
				}
			}
			require.NoError(t, err)
			answer, err := o.decided(t, 1)
			require.NoError(t, err)
			require.Equal(t, test.reason, answer.Reason)
			if !strings.HasPrefix(test.reason, reasonPrefix) {
				require.Equal(t, o.documents[1].DocumentID, answer.Confirmation)
			}
			require.Len(t, o.Receipts(), 1)
		})
	}
}

// What the queue of a state does wrong is kept and decides nothing, or is asked for again, as inside the process.
func TestTheWebServiceHandsAcknowledgementsOut(t *testing.T) {
	t.Parallel()
	for _, word := range []string{malformed, foreign, doubled, missing} {
		t.Run(word, func(t *testing.T) {
			t.Parallel()
			o := newWebOffice(t)
			o.hand(t, 1, word)
			_, err := o.decided(t, 1)
			require.ErrorIs(t, err, models.ErrOutcomeUnknown)
			require.ErrorContains(t, err, "cannot be read")
		})
	}
	t.Run("one that is lost is asked for again", func(t *testing.T) {
		t.Parallel()
		for _, o := range []*office{newOffice(t), newWebOffice(t)} {
			o.hand(t, 1, cut)
			_, err := o.decided(t, 1)
			require.ErrorIs(t, err, models.ErrOutcomeUnknown)
			answer, err := o.decided(t, 1)
			require.NoError(t, err)
			require.Equal(t, models.AuthorityAccepted, answer.Outcome)
		}
	})
}

// Other bytes under the same ids, another state's way of an operation, and a wrong password are refused, and nothing is taken.
func TestTheWebServiceRefuses(t *testing.T) {
	t.Parallel()
	o := newWebOffice(t)
	sub := o.submission(t, 1, "")
	_, err := o.Submit(t.Context(), sub)
	require.NoError(t, err)
	sub.Document.Content = []byte(strings.ReplaceAll(string(sub.Document.Content), "100.00", "200.00"))
	answer, err := o.Submit(t.Context(), sub)
	require.NoError(t, err)
	require.Equal(t, models.AuthorityRejected, answer.Outcome)
	require.Equal(t, ReasonRefused, answer.Reason)

	wrong := newWebOffice(t)
	wrong.transport.(*SOAP).sandbox = "wrong"
	answer, err = wrong.Submit(t.Context(), wrong.submission(t, 1, ""))
	require.NoError(t, err)
	require.Equal(t, models.AuthorityRejected, answer.Outcome)
	require.Equal(t, ReasonNotConnected, answer.Reason)
	require.Empty(t, wrong.Receipts())
	again := wrong.submission(t, 1, "")
	again.Unsure = true
	_, err = wrong.Submit(t.Context(), again)
	require.ErrorIs(t, err, models.ErrOutcomeUnknown, "the state may have the return of the call before")
	_, err = wrong.Check(t.Context(), keyOf(1))
	require.ErrorIs(t, err, models.ErrOutcomeUnknown, "a state that refuses to answer has not answered")
	var one *authority.SubmissionError
	require.ErrorAs(t, err, &one, "others may have answers")
	_, err = wrong.Fetch(t.Context(), "S00004711", "org_1")
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	require.NotErrorIs(t, err, models.ErrUnavailable, "the queues of others are read")
}

// Without a password of the organization for the transmitter nothing leaves. That of another organization is none.
func TestWithoutAPasswordNothingIsSent(t *testing.T) {
	t.Parallel()
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { calls++ }))
	defer server.Close()
	o := newOffice(t)
	o.transport = NewSOAP(server.URL, map[string]string{PasswordKey("org_1", "S99999999"): "x", PasswordKey("org_2", "S00004711"): "y"}, nil)
	answer, err := o.Submit(t.Context(), o.submission(t, 1, ""))
	require.NoError(t, err)
	require.Equal(t, ReasonNotConnected, answer.Reason)
	_, err = o.Fetch(t.Context(), "S00004711", "org_1")
	require.ErrorContains(t, err, ReasonNotConnected)
	require.Equal(t, 0, calls)
}

// A state gets the document, the transmitter and its password, and neither notes nor the names of records.
func TestWhatAStateGets(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body strings.Builder
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		_, _ = fmt.Fprint(&body, r.Header)
		buffer := make([]byte, 1<<20)
		for {
			n, err := r.Body.Read(buffer)
			body.Write(buffer[:n])
			if err != nil {
				break
			}
		}
		writeMessage(w, http.StatusOK, soap.Message(nil, soap.Response(soap.Send, []byte("<SSTReceipt/>"))))
	}))
	defer server.Close()
	trust := x509.NewCertPool()
	trust.AddCert(server.Certificate())
	passwords := map[string]string{PasswordKey("org_1", "S00004711"): "canary-of-a-password"}
	state := NewSOAP(server.URL, passwords, &tls.Config{RootCAs: trust, MinVersion: tls.VersionTLS12})
	sent := transmission(newOffice(t), t, "SIMULATE_REJECT canary-of-notes")
	receipt, err := state.Send(t.Context(), sent)
	require.NoError(t, err)
	require.Equal(t, `<SSTReceipt xmlns=""/>`, string(receipt))
	require.Equal(t, soap.Action(soap.Send), got.Header.Get("Soapaction"))
	require.Equal(t, soap.MediaType, got.Header.Get("Content-Type"))
	require.Contains(t, body.String(), "canary-of-a-password")
	for _, secret := range []string{"canary-of-notes", "SIMULATE", "org_1", "fili_1"} {
		require.NotContains(t, body.String(), secret)
	}

	_, err = NewSOAP(server.URL, state.passwords, nil).Send(t.Context(), sent)
	require.ErrorIs(t, err, models.ErrUnavailable, "a certificate that nobody has signed carries nothing")
	require.ErrorContains(t, err, "certificate")
	require.NotContains(t, err.Error(), "canary")
}

// A connection that carried nothing is an outage. One that broke later has lost an answer, and so has a service that takes too long.
func TestWhetherAnythingWasHandedOver(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		answer http.HandlerFunc
		want   error
	}{
		"cut":  {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, models.ErrOutcomeUnknown},
		"slow": {func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, models.ErrOutcomeUnknown},
		"redirect to the same": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path, http.StatusPermanentRedirect)
		}, models.ErrUnavailable},
	}
	sent := transmission(newOffice(t), t, "")
	for name, test := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var calls atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls.Add(1)
				_, _ = io.Copy(io.Discard, r.Body) // before that the server does not see that a client is gone
				test.answer(w, r)
			}))
			defer server.Close()
			transport := NewSOAP(server.URL, map[string]string{PasswordKey("org_1", "S00004711"): "x"}, nil)
			ctx, cancel := t.Context(), context.CancelFunc(func() {})
			if name == "slow" {
				ctx, cancel = context.WithTimeout(ctx, 200*time.Millisecond)
			}
			defer cancel()
			_, err := transport.Send(ctx, sent)
			require.ErrorIs(t, err, test.want)
			require.EqualValues(t, 1, calls.Load(), "it is not repeated, and no redirect is followed")
		})
	}
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	_, err := NewSOAP(closed.URL, map[string]string{PasswordKey("org_1", "S00004711"): "x"}, nil).Send(t.Context(), sent)
	require.ErrorIs(t, err, models.ErrUnavailable)
	require.NotErrorIs(t, err, models.ErrOutcomeUnknown)
}

// What an answer of HTTP means.
func TestAnswersOfAService(t *testing.T) {
	t.Parallel()
	fault := func(code string) []byte { return soap.Message(nil, soap.Refusal(code, "TIN 987654321")) }
	receipt := soap.Message(nil, soap.Response(soap.Send, []byte("<SSTReceipt/>")))
	for _, test := range []struct {
		name    string
		status  int
		content []byte
		want    error
		reason  string
	}{
		{"a receipt", 200, receipt, nil, ""},
		{"the answer to another operation", 200, soap.Message(nil, soap.Response(soap.Ack, nil)), models.ErrOutcomeUnknown, ""},
		{"a page", 200, []byte("<p>sorry"), models.ErrOutcomeUnknown, ""},
		{"a page with a failure", 502, []byte("<p>sorry"), models.ErrOutcomeUnknown, ""},
		{"a failure with what looks like a receipt", 500, receipt, models.ErrOutcomeUnknown, ""},
		{"not found", 404, nil, models.ErrOutcomeUnknown, ""},
		{"no content", 204, nil, models.ErrOutcomeUnknown, ""},
		{"closed", 503, nil, models.ErrUnavailable, ""},
		{"too many", 429, nil, models.ErrUnavailable, ""},
		{"moved", 302, nil, models.ErrUnavailable, ""},
		{"not signed in", 401, nil, nil, ReasonNotConnected},
		{"not allowed", 403, nil, nil, ReasonNotConnected},
		{"a wrong password", 500, fault("wsse:FailedAuthentication"), nil, ReasonNotConnected},
		{"a message that cannot be read", 500, fault("soap:Client"), nil, ReasonRefused},
		{"a part of a message", 400, fault("soap:Client.Body"), nil, ReasonRefused},
		{"a fault of the service", 500, fault("soap:Server"), models.ErrOutcomeUnknown, ""},
		{"a fault without a code", 500, fault(""), models.ErrOutcomeUnknown, ""},
		{"another version", 500, fault("soap:VersionMismatch"), models.ErrUnavailable, ""},
	} {
		message, err := readAnswer(soap.Send, test.status, test.content)
		var refused *RefusedError
		switch {
		case test.reason != "":
			require.ErrorAs(t, err, &refused, test.name)
			require.Equal(t, test.reason, refused.Reason, test.name)
		case test.want == nil:
			require.NoError(t, err, test.name)
			require.Equal(t, `<SSTReceipt xmlns=""/>`, string(message))
		default:
			require.ErrorIs(t, err, test.want, test.name)
			require.NotErrorAs(t, err, &refused, test.name)
		}
		if err != nil {
			require.NotContains(t, err.Error(), "987654321", test.name)
		}
	}
}

// broken is a queue whose messages cannot be read, by whatever operation.
type broken struct {
	Transport

	acks, lasts int
	left        int // messages that cannot be read
}

func (b *broken) Ack(context.Context, Mailbox) ([]byte, error) {
	b.acks++
	if b.left > 0 {
		b.left--
		return nil, unreadable([]byte("<p>sorry"), soap.ErrNoEnvelope)
	}
	return nil, nil
}

func (b *broken) LastAck(context.Context, Mailbox) ([]byte, error) {
	b.lasts++
	return nil, unreadable([]byte("<p>sorry"), soap.ErrNoEnvelope)
}

// An answer that can never be read is kept as malformed when it was asked for twice, and the next ones are read.
func TestAnAnswerThatCanNeverBeReadKeepsNoneBack(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	queue := &broken{left: 1}
	o.transport = queue
	_, err := o.Fetch(t.Context(), "S00004711", "org_1")
	require.ErrorIs(t, err, models.ErrOutcomeUnknown)
	require.Empty(t, o.messages)
	n, err := o.Fetch(t.Context(), "S00004711", "org_1")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, []models.Acknowledgement{{OrganizationID: "org_1", Fault: models.AcknowledgementMalformed, Message: []byte("<p>sorry")}},
		o.messages)
	require.Equal(t, []int{2, 1}, []int{queue.acks, queue.lasts})
	n, err = o.Fetch(t.Context(), "S00004711", "org_1")
	require.NoError(t, err)
	require.Equal(t, 0, n)
}

// A state at whose site people upload gets nothing of Levy.
func TestPeopleUpload(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	u := NewUpload("TN")
	require.Equal(t, "streamlined-TN-live", u.Name())
	answer, err := u.Submit(t.Context(), o.submission(t, 1, ""))
	require.NoError(t, err)
	require.Equal(t, models.AuthorityManual, answer.Outcome)
	n, err := u.Fetch(t.Context(), "S00004711", "org_1")
	require.NoError(t, err)
	require.Equal(t, 0, n)
	require.Equal(t, "streamlined-MI-live", newOffice(t).Live().Name())
}
