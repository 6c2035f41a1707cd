package authority

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"levy/models"
)

// Ledger is the memory of the sandbox. It outlives the processes, so that a
// submission repeated after a crash is answered as it was before.
type Ledger interface {
	// Receive counts a contact and keeps the receipt, unless one of that key has an
	// answer already; it returns the one that stands.
	Receive(ctx context.Context, r models.SandboxReceipt) (models.SandboxReceipt, error)
	// Receipt reads one. Errors: models.ErrNotFound.
	Receipt(ctx context.Context, key models.AuthorityKey) (models.SandboxReceipt, error)
	// AcceptedBefore is the accepted receipt of an earlier attempt of the same record.
	// Errors: models.ErrNotFound.
	AcceptedBefore(ctx context.Context, key models.AuthorityKey) (models.SandboxReceipt, error)
}

// Sandbox simulates an authority. It accepts a submission after a delay. Its Behaviour, and keywords in the notes of a
// record, cause faults: see Script.
type Sandbox struct {
	ledger    Ledger
	behaviour Behaviour
}

// NewSandbox makes a sandbox that remembers in ledger.
func NewSandbox(ledger Ledger, behaviour Behaviour) *Sandbox {
	return &Sandbox{ledger: ledger, behaviour: behaviour}
}

// Name implements Gateway.
func (*Sandbox) Name() string { return SimulatedName }

// rejection is the reason of a rejection that was asked for, OtherFigures that of a
// second return that says something else than the accepted one.
const (
	rejection    = "SIMULATED_REJECTION"
	OtherFigures = "ALREADY_ACCEPTED_WITH_OTHER_FIGURES"
	negative     = "NEGATIVE_AMOUNT"
)

// rejectionWords and resubmittedWords are the messages of these rejections.
const (
	rejectionWords   = "The sandbox was asked to reject it."
	negativeWords    = "No authority takes a payment below zero: what is left of a return is carried or claimed."
	resubmittedWords = "A return of this period was accepted with other figures."
)

// Submit implements Gateway. A submission during a simulated outage is not received.
func (s *Sandbox) Submit(ctx context.Context, sub models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	script := s.behaviour.Script(sub.Key, sub.Notes)
	if _, err := script.Knock(ctx, s.ledger, sub.Key); err != nil {
		return models.AuthorityAnswer{}, err
	}
	receipt, err := s.decide(ctx, sub, script)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	kept, err := s.ledger.Receive(ctx, receipt)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	if script.Timeout && kept.Contacts == 1 {
		return models.AuthorityAnswer{}, fmt.Errorf("%w: the authority took too long", models.ErrOutcomeUnknown)
	}
	return answerTo(kept), nil
}

// Check implements Gateway.
func (s *Sandbox) Check(ctx context.Context, key models.AuthorityKey) (models.AuthorityAnswer, error) {
	kept, err := s.ledger.Receipt(ctx, key)
	if err == nil && kept.Answer.Outcome == "" {
		err = models.ErrNotFound // an outage kept it from being received
	}
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	return answerTo(kept), nil
}

// decide returns the future answer of the authority. An accepted period stays accepted in later attempts, and is closed
// to other figures.
func (s *Sandbox) decide(
	ctx context.Context, sub models.AuthoritySubmission, script Script,
) (models.SandboxReceipt, error) {
	receipt := models.SandboxReceipt{Key: sub.Key, Digest: digest(sub), Decides: script.Delay}
	before, err := s.ledger.AcceptedBefore(ctx, sub.Key)
	switch {
	case err == nil && before.Digest == receipt.Digest:
		receipt.Answer = before.Answer
	case err == nil:
		receipt.Answer = models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: OtherFigures,
			Message: resubmittedWords}
	case !isNotFound(err):
		return receipt, err
	case sub.Return != nil && strings.HasPrefix(sub.Return.Amount, "-"):
		receipt.Answer = models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: negative, Message: negativeWords}
	case script.Reject:
		receipt.Answer = models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: rejection, Message: rejectionWords}
	default:
		receipt.Answer = models.AuthorityAnswer{Outcome: models.AuthorityAccepted, Confirmation: confirmation(sub.Key, "")}
		if sub.Return != nil && sub.Return.Amount != "0.00" {
			receipt.Answer.PaymentConfirmation = confirmation(sub.Key, "payment")
		}
	}
	return receipt, nil
}

// answerTo is the answer at the age of the receipt.
func answerTo(r models.SandboxReceipt) models.AuthorityAnswer {
	if left := r.Decides - r.Age; left > 0 {
		return models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: max(left, 100*time.Millisecond)}
	}
	return r.Answer
}

// confirmation is the same for the same submission.
func confirmation(key models.AuthorityKey, what string) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %d %s", key.OrganizationID, key.Kind, key.RecordID, key.Attempt, what))
	return models.SimulatedConfirmation + strings.ToUpper(hex.EncodeToString(sum[:6]))
}

// digest identifies what a return says: its figures, and the bytes of its document without its ids, which are others in
// each attempt.
func digest(sub models.AuthoritySubmission) string {
	raw, err := json.Marshal(sub.Return)
	if err != nil {
		panic(err) // texts and numbers only
	}
	// guard: documents: the sandbox compares what it gets
	if d := sub.Document; d != nil {
		said := d.Content
		for _, id := range []string{d.TransmissionID, d.DocumentID} {
			said = bytes.ReplaceAll(said, []byte(id), nil)
		}
		raw = append(raw, said...)
	}
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}
