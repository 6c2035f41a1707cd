package streamlined

import (
	"context"
	"errors"
	"fmt"
	"time"

	"levy/authority"
	"levy/models"
	"levy/returns/ser"
)

// Transmission is what a state gets of one attempt.
type Transmission struct {
	Key         models.AuthorityKey
	State       string // "MI"
	Transmitter string // the number that signs in
	ID          string
	Document    []byte
	Notes       string // of the filing, when it is sent: the sandbox reads them
}

// Transport carries messages to a state and back. It is safe for concurrent use.
type Transport interface {
	// Send hands the bytes of a transmission over, and returns the receipt as it came. Errors: models.ErrUnavailable when
	// nothing was handed over; models.ErrOutcomeUnknown when the receipt was lost.
	Send(ctx context.Context, t Transmission) (receipt []byte, err error)
	// Ack returns the next acknowledgement of a queue as it came, and takes it out of the queue; nil if there is none. They are in
	// no order. Errors: as for Send; after models.ErrOutcomeUnknown, LastAck has it.
	Ack(ctx context.Context, m Mailbox) ([]byte, error)
	// LastAck returns the acknowledgement that was taken out last; nil if there is none. Errors: models.ErrUnavailable.
	LastAck(ctx context.Context, m Mailbox) ([]byte, error)
}

// Mailbox names the queue of acknowledgements that a state has for a transmitter. OrganizationID has sent by it.
type Mailbox struct{ State, Transmitter, OrganizationID string }

// Adapter files with one state. It implements authority.Gateway for returns.
type Adapter struct {
	name      string
	state     string
	transport Transport
	documents authority.Documents
	kept      AcknowledgementStore
	pause     time.Duration // until the state is asked again
	now       func() time.Time
	count     func(authority, result string) // nil: acknowledgements are not counted
}

// NewAdapter makes the adapter of a state, such as "MI". Each state has one of its own, so that one which is down stops no
// other.
func NewAdapter(
	state string, transport Transport, documents authority.Documents, kept AcknowledgementStore, pause time.Duration,
) *Adapter {
	return &Adapter{
		name: models.StreamlinedAuthority(state, true), state: state, transport: transport, documents: documents, kept: kept,
		pause: max(pause, shortestPause), now: time.Now,
	}
}

// CountedBy calls count with each acknowledgement and one of models.AcknowledgementResults.
func (a *Adapter) CountedBy(count func(authority, result string)) *Adapter {
	a.count = count
	return a
}

const (
	shortestPause = 100 * time.Millisecond
	// answerTime is how long a state may take for an acknowledgement, by its guide.
	answerTime = 72 * time.Hour
)

// Live makes it the adapter to a real state. Its name differs from that of the sandbox of the same state, because answers are kept
// and asked for by name.
func (a *Adapter) Live() *Adapter {
	a.name = models.StreamlinedAuthority(a.state, false)
	return a
}

// TakesReturnsAlone has the switchboard send no registration.
func (*Adapter) TakesReturnsAlone() {}

// Name implements authority.Gateway.
func (a *Adapter) Name() string { return a.name }

// Submit implements authority.Gateway. A repetition sends the same bytes. What a state refuses without taking it is rejected,
// unless it may have taken the return before. Errors: those of Transport; models.ErrOutcomeUnknown also for such a refusal, and for a
// receipt that cannot be read.
func (a *Adapter) Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	if s.Document == nil {
		return authority.Incomplete, nil
	}
	edition, ok := models.SimplifiedEdition(s.Document.Layout)
	if !ok {
		return authority.Incomplete, nil // of a file that a person uploads
	}
	t := a.transmission(s.Key, s.Document)
	t.Notes = s.Notes
	message, err := a.transport.Send(ctx, t)
	refused, ok := errors.AsType[*RefusedError](err)
	switch {
	case ok && s.Unsure:
		return models.AuthorityAnswer{}, unanswered(err)
	case ok:
		return models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: refused.Reason, Message: refused.Message}, nil
	case err != nil:
		return models.AuthorityAnswer{}, err
	}
	receipt, err := ser.ReadReceipt(message, edition)
	// guard: streamlined: a receipt of another transmission is none
	if err == nil && receipt.Transmission != t.ID {
		err = fmt.Errorf("%w: a receipt of another transmission", ser.ErrForeign)
	}
	if err != nil {
		return models.AuthorityAnswer{}, a.unreadable(err)
	}
	return models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: a.pause}, nil
}

// Check implements authority.Gateway. It looks among the stored acknowledgements first, and then reads the queue of the state. One
// that cannot be read counts as none: the filing shows that its authority does not answer, and nothing else changes. Errors: those
// of Transport; models.ErrOutcomeUnknown for such an answer, and if none has come in time.
func (a *Adapter) Check(ctx context.Context, key models.AuthorityKey) (models.AuthorityAnswer, error) {
	d, err := authority.DocumentOf(ctx, a.documents, key)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	edition, ok := models.SimplifiedEdition(d.Layout)
	if !ok {
		return models.AuthorityAnswer{}, models.ErrNotFound
	}
	scope := models.Scope{OrganizationID: key.OrganizationID}
	answer, unreadable := a.answerTo(ctx, scope, edition, &d)
	if unreadable == nil && answer.Outcome != models.AuthorityPending {
		return answer, nil
	}
	n, err := a.Fetch(ctx, d.Transmitter, key.OrganizationID)
	// guard: streamlined: a state that took a return and refuses to answer has not answered
	if _, refused := errors.AsType[*RefusedError](err); refused {
		err = unanswered(err)
	}
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	if n > 0 {
		answer, unreadable = a.answerTo(ctx, scope, edition, &d)
	}
	// guard: streamlined: an answer that does not come is seen
	if unreadable == nil && answer.Outcome == models.AuthorityPending && a.now().Sub(d.BuiltAt) > answerTime {
		unreadable = unanswered(fmt.Errorf("%s has not answered for three days", a.Name()))
	}
	return answer, unreadable
}

// answerTo returns what the stored acknowledgements mean for a document. Errors: those of the store; models.ErrOutcomeUnknown if
// they cannot be read.
func (a *Adapter) answerTo(
	ctx context.Context, scope models.Scope, edition string, d *models.FilingDocument,
) (models.AuthorityAnswer, error) {
	stored, err := a.kept.AcknowledgementsOf(ctx, scope, a.Name(), *d)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	messages := make([][]byte, len(stored))
	for i := range stored {
		messages[i] = stored[i].Message
	}
	decision, err := ser.DecideMessages(messages, edition, ser.IDsOf(d))
	if err != nil {
		return models.AuthorityAnswer{}, a.unreadable(err)
	}
	if decision.Outcome == models.AuthorityPending {
		decision.Again = a.pause
	}
	return decision.AuthorityAnswer, nil
}

// unreadable is the error for an answer that says nothing. It names no value of the document.
func (a *Adapter) unreadable(err error) error {
	return unanswered(fmt.Errorf("an answer of %s cannot be read: %w", a.Name(), err))
}

// unanswered is the error for a return that has no answer. It says nothing about the other returns of the state.
func unanswered(err error) error {
	return &authority.SubmissionError{Err: fmt.Errorf("%w: %w", models.ErrOutcomeUnknown, err)}
}

func (a *Adapter) transmission(key models.AuthorityKey, d *models.FilingDocument) Transmission {
	return Transmission{Key: key, State: a.state, Transmitter: d.Transmitter, ID: d.TransmissionID, Document: d.Content}
}
