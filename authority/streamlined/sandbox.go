package streamlined

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"levy/authority"
	"levy/models"
	"levy/returns/ser"
	"levy/tax"
)

// Ledger is the memory of the sandbox. Like a state it hands each acknowledgement out once.
type Ledger interface {
	authority.Ledger
	// HandOut hands out the next acknowledgement of a state to a transmitter: the receipt that it is of, with how many of it were
	// handed out. A submission has one for each contact, and one more. Errors: models.ErrNotFound if there is none.
	HandOut(ctx context.Context, state, transmitter string) (models.SandboxReceipt, error)
	// HandedOutLast returns what HandOut returned last. Errors: models.ErrNotFound.
	HandedOutLast(ctx context.Context, state, transmitter string) (models.SandboxReceipt, error)
}

// Sandbox is a state that checks the documents it gets by the schema and its rules. It answers with receipts, and later with
// acknowledgements. A document that it got twice has two. Notes cause faults: docs/authorities.md lists the words.
type Sandbox struct {
	ledger    Ledger
	documents authority.Documents
	behaviour authority.Behaviour
	content   func() *tax.Content
}

// NewSandbox makes a sandbox that remembers in ledger.
func NewSandbox(ledger Ledger, documents authority.Documents, behaviour authority.Behaviour, content func() *tax.Content) *Sandbox {
	return &Sandbox{ledger, documents, behaviour, content}
}

// Words of notes that spoil the acknowledgement of an accepted return. The sandbox stores them as the reason.
const (
	malformed = "SIMULATE_ANSWER_MALFORMED"
	foreign   = "SIMULATE_ANSWER_FOREIGN"
	doubled   = "SIMULATE_ANSWER_DOUBLED"
	missing   = "SIMULATE_ANSWER_MISSING"
	cut       = "SIMULATE_ANSWER_CUT" // lost when it is handed out first
)

var errOtherBytes = errors.New("a repetition has other bytes than the first transmission")

// Send implements Transport. A transmission during an outage is not received.
func (s *Sandbox) Send(ctx context.Context, t Transmission) ([]byte, error) {
	receipt, _, err := s.receive(ctx, t)
	return receipt, err
}

// receive is Send. first tells that the transmission came for the first time.
func (s *Sandbox) receive(ctx context.Context, t Transmission) (receipt []byte, first bool, err error) {
	script := s.behaviour.Script(t.Key, t.Notes)
	knocks, err := script.Knock(ctx, s.ledger, t.Key)
	if err != nil {
		return nil, false, err
	}
	answer, edition, err := s.answer(ctx, t, script.Reject)
	if err != nil {
		return nil, false, err
	}
	sum := sha256.Sum256(t.Document)
	digest := hex.EncodeToString(sum[:])
	kept, err := s.ledger.Receive(ctx, models.SandboxReceipt{Key: t.Key, Digest: digest, Decides: script.Delay, Answer: answer})
	first = kept.Contacts == knocks+1
	switch {
	case err != nil:
		return nil, false, err
	// guard: streamlined: the sandbox takes the same bytes alone under the same ids
	case kept.Digest != digest:
		return nil, false, errOtherBytes
	case script.Timeout && first:
		return nil, first, fmt.Errorf("%w: the state took too long", models.ErrOutcomeUnknown)
	}
	return ser.WriteReceipt(edition, ser.Receipt{Transmission: t.ID, ReceivedAt: moment, SentAt: moment}), first, nil
}

// moment is the time in all messages of the sandbox. Nothing rests on it, and it makes them the same however often they come.
const moment = "2000-01-01T00:00:00Z"

// Ack implements Transport. A submission without its document has no acknowledgement: the row says already that it was handed out.
func (s *Sandbox) Ack(ctx context.Context, m Mailbox) ([]byte, error) {
	for {
		kept, err := s.ledger.HandOut(ctx, m.State, m.Transmitter)
		if errors.Is(err, models.ErrNotFound) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		if kept.Answer.Reason == cut && kept.HandedOut == 1 {
			return nil, fmt.Errorf("%w: the acknowledgement was lost", models.ErrOutcomeUnknown)
		}
		if message, err := s.message(ctx, m.State, kept); !errors.Is(err, models.ErrNotFound) && (err != nil || message != nil) {
			return message, err
		}
	}
}

// LastAck implements Transport.
func (s *Sandbox) LastAck(ctx context.Context, m Mailbox) ([]byte, error) {
	kept, err := s.ledger.HandedOutLast(ctx, m.State, m.Transmitter)
	var message []byte
	if err == nil {
		message, err = s.message(ctx, m.State, kept)
	}
	if errors.Is(err, models.ErrNotFound) {
		return nil, nil
	}
	return message, err
}

// message returns the acknowledgement of a submission that was handed out last; nil if it has no more. The first one is what the
// sandbox decided. The others are of what it got again.
func (s *Sandbox) message(ctx context.Context, state string, kept models.SandboxReceipt) ([]byte, error) {
	d, err := authority.DocumentOf(ctx, s.documents, kept.Key)
	if err != nil {
		return nil, err
	}
	head, err := ser.ReadHead(d.Content)
	if err != nil {
		return nil, err
	}
	layout, err := s.layout(state, head)
	if err != nil {
		return nil, err
	}
	write := func(a ser.Acknowledgement) []byte { return ser.WriteAcknowledgement(layout.Edition, a, head) }
	switch {
	case kept.HandedOut == 1:
		return s.spoilt(acknowledgement(&kept.Answer, head), kept.Answer.Reason, head, write), nil
	case kept.HandedOut <= kept.Contacts:
		return write(refusal(head.Transmission, ser.Error{
			Number: ser.Duplicate, Message: "A transmission or document with this id was received already.",
		})), nil
	case kept.Answer.Reason == doubled:
		return write(refusal(head.Transmission, ser.Error{Number: ser.Malformed, Message: "The file is not well formed."})), nil
	}
	return nil, nil
}

// spoilt writes an acknowledgement, with the fault that its notes asked for.
func (*Sandbox) spoilt(a ser.Acknowledgement, word string, head ser.Head, write func(ser.Acknowledgement) []byte) []byte {
	switch word {
	case malformed:
		return []byte("<SSTPAcknowledgement")
	case foreign:
		a.Transmission = "S99999999" + head.Transmission[min(len(head.Transmission), len("S99999999")):]
	case missing:
		a.Documents = nil
	}
	return write(a)
}

// acknowledgement returns the message that says a stored answer.
func acknowledgement(stored *models.AuthorityAnswer, head ser.Head) ser.Acknowledgement {
	document := ser.DocumentAnswer{Document: head.Document, Accepted: true, Payment: stored.PaymentConfirmation}
	if stored.Outcome == models.AuthorityRejected {
		number, _ := strconv.Atoi(strings.TrimPrefix(stored.Reason, reasonPrefix))
		if ser.LevelOf(number) == ser.LevelTransmission {
			return refusal(head.Transmission, ser.Error{Number: number, Message: stored.Message})
		}
		document.Accepted, document.Payment = false, ser.PaymentNone
		document.Errors = []ser.AnswerError{{Number: number, Message: stored.Message}}
	}
	return ser.Acknowledgement{Transmission: head.Transmission, At: moment, Accepted: true, Documents: []ser.DocumentAnswer{document}}
}

func refusal(transmission string, e ser.Error) ser.Acknowledgement {
	return ser.Acknowledgement{
		Transmission: transmission, At: moment, Errors: []ser.AnswerError{{Number: e.Number, Message: e.Message}},
	}
}

// reasonPrefix stands before the number of an error in a stored answer.
const reasonPrefix = "SER_"

// States number their own errors from 1001, after the two digits of their code.
const (
	ownErrors      = 10_000
	periodAccepted = 1001
	simulated      = 1999
)

// answer decides about a transmission, and returns the edition of its schema. It stores the first error.
func (s *Sandbox) answer(ctx context.Context, t Transmission, reject bool) (models.AuthorityAnswer, string, error) {
	head, err := ser.ReadHead(t.Document)
	if err != nil {
		return models.AuthorityAnswer{}, "", err
	}
	layout, err := s.layout(t.State, head)
	if err != nil {
		return models.AuthorityAnswer{}, "", err
	}
	code, err := strconv.Atoi(layout.Code)
	if err != nil {
		return models.AuthorityAnswer{}, "", err
	}
	found := ser.Validate(t.Document, ser.Receiver{Layout: layout, Test: true, SignedIn: t.Transmitter, ContentType: ser.MediaType})
	for _, e := range ser.Errors() {
		if slices.Contains(strings.Fields(t.Notes), "SIMULATE_SER_"+strconv.Itoa(e.Number)) {
			found = append(found, ser.Error{Number: e.Number, Message: e.Rule})
		}
	}
	if reject {
		found = append(found, ser.Error{Number: code*ownErrors + simulated, Message: "The sandbox was asked to reject it."})
	}
	_, err = s.ledger.AcceptedBefore(ctx, t.Key)
	switch {
	// guard: streamlined: the sandbox takes a period once
	case err == nil && !head.Amended:
		found = append(found, ser.Error{Number: code*ownErrors + periodAccepted, Message: "A return of this period was accepted."})
	case err != nil && !errors.Is(err, models.ErrNotFound):
		return models.AuthorityAnswer{}, "", err
	}
	if len(found) > 0 {
		return models.AuthorityAnswer{
			Outcome: models.AuthorityRejected, Reason: reasonPrefix + strconv.Itoa(found[0].Number), Message: found[0].Message,
		}, layout.Edition, nil
	}
	accepted := models.AuthorityAnswer{
		Outcome: models.AuthorityAccepted, Confirmation: head.Document, PaymentConfirmation: ser.PaymentNone,
	}
	switch {
	case strings.Contains(t.Notes, "SIMULATE_PAYMENT_REFUSED"):
		accepted.PaymentConfirmation = ser.PaymentRefused
	case head.Payment:
		accepted.PaymentConfirmation = ser.PaymentTaken
	}
	for _, word := range []string{malformed, foreign, doubled, missing, cut} {
		if strings.Contains(t.Notes, word) {
			accepted.Reason = word
		}
	}
	return accepted, layout.Edition, nil
}

// layout returns what the state takes for the period of a document. Errors: models.ErrNotFound.
func (s *Sandbox) layout(state string, head ser.Head) (tax.SimplifiedReturn, error) {
	layout, ok := s.content().SimplifiedReturn(state, head.End)
	if !ok {
		return layout, fmt.Errorf("%w: %s takes no simplified return of this period", models.ErrNotFound, state)
	}
	return layout, nil
}

var _ Transport = (*Sandbox)(nil)
