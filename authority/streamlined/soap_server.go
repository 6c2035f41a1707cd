package streamlined

import (
	"bytes"
	"context"
	"crypto/subtle"
	"errors"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"levy/models"
	"levy/returns/ser"
	"levy/returns/ser/soap"
)

// Headers by which a transmission names its attempt and the faults that it wants of the sandbox. A real service knows neither.
const (
	attemptHeader = "Levy-Sandbox-Attempt"
	wantedHeader  = "Levy-Sandbox-Notes"
)

// sandboxHeader returns the headers of a transmission. Of the notes it has the words that ask for faults alone.
func sandboxHeader(t Transmission) http.Header {
	return http.Header{
		attemptHeader: {strings.Join([]string{t.Key.OrganizationID, t.Key.RecordID, strconv.Itoa(t.Key.Attempt)}, "/")},
		wantedHeader:  {strings.Join(wantedWords.FindAllString(t.Notes, -1), " ")},
	}
}

var wantedWords = regexp.MustCompile(`SIMULATE_[A-Z0-9_]+`)

// Words of notes that spoil the answer to a transmission, when it comes for the first time. It was received by then.
const (
	spoiltFault     = "SIMULATE_SOAP_FAULT"     // a fault of the server
	spoiltRedirect  = "SIMULATE_SOAP_REDIRECT"  // an answer that leads elsewhere
	spoiltHalf      = "SIMULATE_SOAP_HALF"      // an answer that ends in its midst
	spoiltText      = "SIMULATE_SOAP_NOT_XML"   // a page for people
	spoiltEntities  = "SIMULATE_SOAP_ENTITIES"  // an answer with a document type
	spoiltOversized = "SIMULATE_SOAP_OVERSIZED" // more than a client reads
	spoiltSlow      = "SIMULATE_SOAP_SLOW"      // no answer until the client gives up
)

// Server is the web service of the sandboxes of all states, at a path for each, such as /MI. It speaks the messages that SOAP sends,
// and answers as a Sandbox does. An outage of the sandbox is the answer 503, and a lost answer a connection that is cut.
type Server struct {
	sandbox  *Sandbox
	password string
}

// NewServer returns the web service of a sandbox. All transmitters have one password.
func NewServer(sandbox *Sandbox, password string) *Server { return &Server{sandbox, password} }

// mostOfRequest is how many bytes of a request are read: a document with its envelope.
const mostOfRequest = ser.MostBytes + 64<<10

// errCut means that the connection is to be cut without an answer.
var errCut = errors.New("the connection is cut")

// soapFault is a refusal of a request.
type soapFault struct{ code, text string }

func (f *soapFault) Error() string { return f.code + ": " + f.text }

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	operation, message, err := s.answer(w, r)
	var fault *soapFault
	switch {
	case errors.Is(err, errCut) || errors.Is(err, models.ErrOutcomeUnknown):
		panic(http.ErrAbortHandler) // it closes the connection
	case errors.Is(err, models.ErrUnavailable):
		w.WriteHeader(http.StatusServiceUnavailable)
	case errors.As(err, &fault):
		writeFault(w, fault)
	case err != nil:
		writeFault(w, &soapFault{"soap:Server", "The sandbox failed."})
	case operation != "":
		writeMessage(w, http.StatusOK, soap.Message(nil, soap.Response(operation, message)))
	}
}

func writeMessage(w http.ResponseWriter, status int, message []byte) {
	w.Header().Set("Content-Type", soap.MediaType)
	w.WriteHeader(status)
	_, _ = w.Write(message) // a client that is gone needs no answer
}

func writeFault(w http.ResponseWriter, f *soapFault) {
	writeMessage(w, http.StatusInternalServerError, soap.Message(nil, soap.Refusal(f.code, f.text)))
}

// answer carries an operation out, and returns its name and the message of its answer. Without a name it has written the answer.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) (operation string, message []byte, err error) {
	state := strings.TrimPrefix(r.URL.Path, "/")
	content, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostOfRequest))
	if err != nil {
		return "", nil, errCut
	}
	header, body, err := soap.Read(content)
	if err != nil || body == nil {
		return "", nil, &soapFault{"soap:Client", "The request is no message of SOAP."}
	}
	operation = body.Local
	known := slices.Contains(soap.Operations, operation) && body.Space == soap.ServiceSpace
	if !known || r.Header.Get("Soapaction") != soap.Action(operation) {
		return "", nil, &soapFault{"soap:Client", "The operation is unknown."}
	}
	user, err := s.signedIn(header)
	if err != nil {
		return "", nil, err
	}
	if operation == soap.Send {
		receipt, err := s.send(r.Context(), w, r, state, user, body)
		if receipt == nil && err == nil {
			return "", nil, nil // a spoilt answer is written already
		}
		return operation, receipt, err
	}
	if named := body.Child(soap.TransmitterElement); named == nil || named.Text != user {
		return "", nil, &soapFault{"soap:Client", "The transmitter is unknown."}
	}
	next := s.sandbox.Ack
	if operation == soap.LastAck {
		next = s.sandbox.LastAck
	}
	message, err = next(r.Context(), Mailbox{State: state, Transmitter: user})
	return operation, message, err
}

// signedIn returns the user that a header names. Errors: *soapFault.
func (s *Server) signedIn(header *soap.Part) (string, error) {
	refused := &soapFault{"wsse:FailedAuthentication", "The security token could not be authenticated."}
	if header == nil || header.Child("Security") == nil || header.Child("Security").Space != soap.SecuritySpace {
		return "", &soapFault{"wsse:InvalidSecurity", "The header Security is missing."}
	}
	token := header.Child("Security").Child("UsernameToken")
	if token == nil || token.Child("Username") == nil || token.Child("Password") == nil {
		return "", refused
	}
	if subtle.ConstantTimeCompare([]byte(token.Child("Password").Text), []byte(s.password)) == 0 {
		return "", refused
	}
	return token.Child("Username").Text, nil
}

// send hands a transmission to the sandbox. Without a receipt and an error it has written an answer.
func (s *Server) send(ctx context.Context, w http.ResponseWriter, r *http.Request, state, user string, body *soap.Part) ([]byte, error) {
	t := Transmission{State: state, Transmitter: user, Notes: r.Header.Get(wantedHeader)}
	sent := body.Child(soap.TransmissionElement)
	if sent == nil || len(sent.Parts) != 1 {
		return nil, &soapFault{"soap:Client", "The request has no transmission."}
	}
	t.Document = sent.Parts[0].Raw
	head, err := ser.ReadHead(t.Document)
	if err != nil {
		return nil, &soapFault{"soap:Client", "The transmission cannot be read."}
	}
	t.ID = head.Transmission
	names := strings.Split(r.Header.Get(attemptHeader), "/")
	if len(names) != 3 {
		return nil, &soapFault{"soap:Client", "The attempt is unknown."}
	}
	t.Key = models.AuthorityKey{OrganizationID: names[0], Kind: models.AuthorityReturn, RecordID: names[1]}
	t.Key.Attempt, _ = strconv.Atoi(names[2])
	receipt, first, err := s.sandbox.receive(ctx, t)
	switch {
	case errors.Is(err, errOtherBytes):
		return nil, &soapFault{"soap:Client", "The ids were received with another document."}
	case err != nil || !first:
		return receipt, err
	}
	return s.spoil(w, r, t.Notes, receipt)
}

// spoil writes the answer to a transmission that its notes ask for; else it returns the receipt.
func (*Server) spoil(w http.ResponseWriter, r *http.Request, notes string, receipt []byte) ([]byte, error) {
	whole := soap.Message(nil, soap.Response(soap.Send, receipt))
	for _, word := range strings.Fields(notes) {
		switch word {
		case spoiltFault:
			return nil, &soapFault{"soap:Server", "The service failed."}
		case spoiltRedirect:
			http.Redirect(w, r, "/elsewhere", http.StatusTemporaryRedirect)
		case spoiltHalf:
			w.Header().Set("Content-Length", strconv.Itoa(len(whole)))
			_, _ = w.Write(whole[:len(whole)/2])
			return nil, errCut
		case spoiltText:
			_, _ = w.Write([]byte("<p>Maintenance until noon.<br>"))
		case spoiltEntities:
			writeMessage(w, http.StatusOK, bytes.Replace(whole, []byte("<soap:Envelope"), []byte(`<!DOCTYPE a [<!ENTITY b "b">]><soap:Envelope`), 1))
		case spoiltOversized:
			writeMessage(w, http.StatusOK, append(whole, bytes.Repeat([]byte(" "), mostOfAnswer)...))
		case spoiltSlow:
			<-r.Context().Done()
			return nil, errCut
		default:
			continue
		}
		return nil, nil
	}
	return receipt, nil
}
