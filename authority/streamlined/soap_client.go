package streamlined

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"levy/authority"
	"levy/models"
	"levy/returns/ser/soap"
)

const (
	// mostOfAnswer is how many bytes of an answer are read.
	mostOfAnswer = 4 << 20
	// mostOfUnreadable is how many bytes of an answer are kept that cannot be read.
	mostOfUnreadable = 256 << 10
	// soapTimeout is how long a call of a state may take. It is shorter than a hold of a queue.
	soapTimeout = 30 * time.Second
)

// ReasonNotConnected is the reason of a return that a state did not take because of the one who signs in.
const ReasonNotConnected = authority.NotConnected

// ReasonRefused is the reason of a return that the service of a state refuses as a message.
const ReasonRefused = "AUTHORITY_REFUSES_MESSAGE"

// RefusedError means that a state took nothing, and takes nothing like it. It says no value of a document and no password.
type RefusedError struct{ Reason, Message string }

func (e *RefusedError) Error() string { return e.Reason + ": " + e.Message }

// errNotCalled means that the service was not called.
var errNotCalled = errors.New("the service was not called")

// UnreadableError is an answer that cannot be read. It is a models.ErrOutcomeUnknown.
type UnreadableError struct {
	Body []byte // as far as it is kept
	err  error
}

func (e *UnreadableError) Error() string {
	return "the answer of the service cannot be read: " + e.err.Error()
}

// Is makes it a lost answer.
func (*UnreadableError) Is(target error) bool { return target == models.ErrOutcomeUnknown }

// SOAP is the transport by the web service of a state. It implements Transport.
type SOAP struct {
	address   string
	passwords map[string]string // by PasswordKey
	client    *http.Client
	sandbox   string // the password of all transmitters at a sandbox; "" for a state
}

// PasswordKey names the password of a transmitter that an organization has. An organization
// that gives the id of another one gets no password of it.
func PasswordKey(organizationID, transmitter string) string {
	return organizationID + "/" + transmitter
}

// NewSOAP returns the transport to a service at an address. security is nil for the authorities of the machine. It follows no
// redirect, which could carry a password elsewhere, and keeps no connection between calls, so that none breaks unnoticed.
func NewSOAP(address string, passwords map[string]string, security *tls.Config) *SOAP {
	if security == nil {
		security = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	return &SOAP{address: address, passwords: passwords, client: &http.Client{
		Timeout: soapTimeout,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, TLSClientConfig: security, DisableKeepAlives: true, DisableCompression: true,
			ForceAttemptHTTP2: false, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
}

// ToSandbox makes it the transport to a sandbox, at which all transmitters have one password. Each transmission names its attempt, and
// the faults that its notes want. No state gets either.
func (s *SOAP) ToSandbox(password string) *SOAP {
	s.sandbox = password
	return s
}

// Send implements Transport. Errors besides: *RefusedError.
func (s *SOAP) Send(ctx context.Context, t Transmission) ([]byte, error) {
	who, err := s.credentials(t.Key.OrganizationID, t.Transmitter)
	if err != nil {
		return nil, err
	}
	body, err := soap.SendRequest(t.Document)
	if err != nil {
		return nil, &RefusedError{ReasonRefused, "The stored document cannot be read: tell your operator."}
	}
	header := http.Header{}
	if s.sandbox != "" {
		header = sandboxHeader(t)
	}
	answer, err := s.call(ctx, soap.Send, who, body, header)
	if err == nil && answer == nil {
		err = &UnreadableError{nil, errors.New("no receipt")}
	}
	return answer, err
}

// Ack implements Transport. Errors besides: *RefusedError.
func (s *SOAP) Ack(ctx context.Context, m Mailbox) ([]byte, error) { return s.ask(ctx, soap.Ack, m) }

// LastAck implements Transport. An answer that cannot be read is an *UnreadableError.
func (s *SOAP) LastAck(ctx context.Context, m Mailbox) ([]byte, error) {
	return s.ask(ctx, soap.LastAck, m)
}

func (s *SOAP) ask(ctx context.Context, operation string, m Mailbox) ([]byte, error) {
	who, err := s.credentials(m.OrganizationID, m.Transmitter)
	if err != nil {
		return nil, err
	}
	return s.call(ctx, operation, who, soap.AckRequest(operation, m.Transmitter), nil)
}

// credentials returns what a transmitter of an organization signs in with. Errors: *RefusedError if there is no password.
func (s *SOAP) credentials(organizationID, transmitter string) (*soap.Credentials, error) {
	password := cmp.Or(s.sandbox, s.passwords[PasswordKey(organizationID, transmitter)])
	// guard: streamlined: without a password nothing is sent
	if password == "" {
		return nil, fmt.Errorf("%w: %w", errNotCalled, &RefusedError{
			ReasonNotConnected,
			"Levy has no password for the Streamlined id of the organization, so nothing was sent: tell your operator, then retry.",
		})
	}
	return &soap.Credentials{User: transmitter, Password: password}, nil
}

// call calls an operation, and returns the message in its answer. Errors: models.ErrUnavailable when nothing was handed over;
// models.ErrOutcomeUnknown when it may have been; *RefusedError.
func (s *SOAP) call(ctx context.Context, operation string, who *soap.Credentials, body []byte, header http.Header) ([]byte, error) {
	var begun atomic.Bool
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteHeaders: func() { begun.Store(true) }})
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.address, bytes.NewReader(soap.Message(who, body)))
	if err != nil {
		return nil, fmt.Errorf("%w: the address of the service cannot be called", models.ErrUnavailable)
	}
	// A repetition inside the transport would be a second transmission.
	request.GetBody = nil
	for name, values := range header {
		request.Header[name] = values
	}
	request.Header.Set("Content-Type", soap.MediaType)
	request.Header.Set("Soapaction", soap.Action(operation))
	answer, err := s.client.Do(request)
	if err != nil {
		// guard: streamlined: a connection that carried nothing is an outage, any other has lost an answer
		if !begun.Load() {
			return nil, fmt.Errorf("%w: the service was not reached: %s", models.ErrUnavailable, kindOf(err))
		}
		return nil, fmt.Errorf("%w: the service did not answer: %s", models.ErrOutcomeUnknown, kindOf(err))
	}
	defer func() { _ = answer.Body.Close() }()
	content, err := io.ReadAll(io.LimitReader(answer.Body, mostOfAnswer+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: the answer of the service was cut off", models.ErrOutcomeUnknown)
	// guard: streamlined: an answer that is too large is none
	case len(content) > mostOfAnswer:
		return nil, unreadable(content, fmt.Errorf("more than %d bytes", mostOfAnswer))
	}
	return readAnswer(operation, answer.StatusCode, content)
}

// kindOf names why a call failed, without the address.
func kindOf(err error) string {
	var certificate *tls.CertificateVerificationError
	timeout, ok := errors.AsType[interface {
		error
		Timeout() bool
	}](err)
	switch {
	case errors.As(err, &certificate):
		return "its certificate is not valid for this machine"
	case ok && timeout.Timeout():
		return "it took too long"
	}
	return "the connection failed"
}

func unreadable(content []byte, err error) error {
	return &UnreadableError{bytes.Clone(content[:min(len(content), mostOfUnreadable)]), err}
}

// readAnswer returns the message in an answer of HTTP.
func readAnswer(operation string, status int, content []byte) ([]byte, error) {
	_, body, err := soap.Read(content)
	if code, ok := soap.Fault(body); ok {
		return nil, faultOf(code)
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return nil, notConnected(strconv.Itoa(status))
	case status == http.StatusServiceUnavailable || status == http.StatusTooManyRequests:
		return nil, fmt.Errorf("%w: the service answered %d", models.ErrUnavailable, status)
	// guard: streamlined: a redirect is not followed
	case status >= http.StatusMultipleChoices && status < http.StatusBadRequest:
		return nil, fmt.Errorf("%w: the service answered %d, which leads elsewhere: compare its address", models.ErrUnavailable, status)
	// guard: streamlined: a failure of the service says nothing about a transmission
	case status != http.StatusOK:
		return nil, fmt.Errorf("%w: the service answered %d", models.ErrOutcomeUnknown, status)
	case err != nil:
		return nil, unreadable(content, err)
	}
	message, err := soap.MessageIn(body, operation)
	if err != nil {
		return nil, unreadable(content, err)
	}
	return message, nil
}

// signInFaults are the codes of faults of Web Services Security 1.0 (section 12) about the one who signs in.
var signInFaults = []string{
	"UnsupportedSecurityToken", "InvalidSecurity", "InvalidSecurityToken", "FailedAuthentication", "SecurityTokenUnavailable",
}

// faultOf returns what a fault of SOAP means.
func faultOf(code string) error {
	kind, _, _ := strings.Cut(code, ".")
	switch {
	case slices.Contains(signInFaults, code):
		return notConnected(code)
	// The guide refuses so what it cannot read, and operations and transmitters that it does not know.
	case kind == "Client":
		return &RefusedError{
			ReasonRefused, "The service of the state took nothing and refuses the message (" + code + "): tell your operator, or file by hand.",
		}
	case kind == "MustUnderstand" || kind == "VersionMismatch":
		return fmt.Errorf("%w: the service refuses this kind of message (%s)", models.ErrUnavailable, code)
	}
	return fmt.Errorf("%w: the service failed (%s)", models.ErrOutcomeUnknown, code)
}

func notConnected(code string) error {
	return &RefusedError{
		ReasonNotConnected,
		"The state does not accept the Streamlined id or its password (" + code + "), and took nothing: tell your operator, then retry.",
	}
}

var _ Transport = (*SOAP)(nil)
