package streamlined

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"levy/models"
	"levy/returns/ser"
)

// AcknowledgementStore stores acknowledgements and the holds of queues. A state hands each acknowledgement out once,
// so it is stored before anything else is done with it.
type AcknowledgementStore interface {
	// HoldQueue has a caller hold a queue, unless another one does or it was asked for less than a pause ago. unsure tells that a
	// message may have been handed out that is not stored. A hold ends by itself after a minute without RenewQueue.
	HoldQueue(ctx context.Context, q models.AcknowledgementQueue, holder string, pause time.Duration) (held, unsure bool, err error)
	// RenewQueue notes that the next message is asked for. Errors: models.ErrChangedMeanwhile if the hold is over.
	RenewQueue(ctx context.Context, q models.AcknowledgementQueue, holder string) error
	// ReleaseQueue ends a hold. done tells that nothing was handed out that is not stored; asked, that the pause begins.
	ReleaseQueue(ctx context.Context, q models.AcknowledgementQueue, holder string, done, asked bool) error
	// KeepAcknowledgement stores a message once and returns one of models.AcknowledgementResults.
	KeepAcknowledgement(ctx context.Context, q models.AcknowledgementQueue, a models.Acknowledgement) (result string, err error)
	// AcknowledgementsOf returns the stored messages of an authority to a document, then those that cannot be read and came since
	// it was built.
	AcknowledgementsOf(
		ctx context.Context, scope models.Scope, authority string, d models.FilingDocument,
	) ([]models.Acknowledgement, error)
}

const (
	// mostMessages is how many messages are read at once. More wait for the next time.
	mostMessages = 1000
	// messageTimeout is how long a state may take for one message. It is shorter than a hold.
	messageTimeout = 40 * time.Second
)

// Fetch reads the queue of a transmitter until it is empty, and stores each message. It reads nothing while another caller reads it,
// or if it was read less than a pause ago. A state that was out of reach is asked again without a pause. organizationID has sent by
// the transmitter: messages of no document are stored with it.
// It returns how many messages came. Errors: those of Transport, and of the store.
func (a *Adapter) Fetch(ctx context.Context, transmitter, organizationID string) (n int, err error) {
	q, holder := models.AcknowledgementQueue{Authority: a.Name(), Transmitter: transmitter}, rand.Text()
	held, unsure, err := a.kept.HoldQueue(ctx, q, holder, a.pause)
	if err != nil || !held {
		return 0, err
	}
	done := false
	defer func() {
		asked := !errors.Is(err, models.ErrUnavailable) && !errors.Is(err, errNotCalled)
		err = errors.Join(err, a.kept.ReleaseQueue(context.WithoutCancel(ctx), q, holder, done, asked))
	}()
	// guard: streamlined: what was handed out and not stored is asked for again
	if unsure {
		found, err := a.take(ctx, q, organizationID, a.lastAck)
		if err != nil {
			return 0, err
		}
		if found {
			n++
		}
	}
	for n < mostMessages {
		if err := a.kept.RenewQueue(ctx, q, holder); errors.Is(err, models.ErrChangedMeanwhile) {
			return n, nil // another caller goes on
		} else if err != nil {
			return n, err
		}
		more, err := a.take(ctx, q, organizationID, a.transport.Ack)
		if err != nil {
			return n, err
		}
		if !more {
			break
		}
		n++
	}
	done = true
	return n, nil
}

// lastAck asks for the message that was handed out last. One that cannot be read is a message all the same: it is not there a second
// time, and those after it have to be read.
func (a *Adapter) lastAck(ctx context.Context, m Mailbox) ([]byte, error) {
	message, err := a.transport.LastAck(ctx, m)
	// guard: streamlined: an answer that can never be read keeps no other one back
	if broken, ok := errors.AsType[*UnreadableError](err); ok && len(broken.Body) > 0 {
		return broken.Body, nil
	}
	return message, err
}

// take asks for a message and stores it; false if there is none. One that cannot be read is stored as well, and counted.
func (a *Adapter) take(
	ctx context.Context, q models.AcknowledgementQueue, organizationID string,
	next func(context.Context, Mailbox) ([]byte, error),
) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, messageTimeout)
	defer cancel()
	message, err := next(limited, Mailbox{State: a.state, Transmitter: q.Transmitter, OrganizationID: organizationID})
	if err != nil || message == nil {
		return false, err
	}
	kept := models.Acknowledgement{OrganizationID: organizationID, Message: message}
	switch kept.TransmissionID, err = ser.TransmissionOf(message); {
	case errors.Is(err, ser.ErrForeign):
		kept.Fault = models.AcknowledgementForeign
	// guard: streamlined: what cannot be read is malformed
	case err != nil:
		kept.Fault = models.AcknowledgementMalformed
	}
	result, err := a.kept.KeepAcknowledgement(context.WithoutCancel(ctx), q, kept)
	if err == nil && a.count != nil {
		a.count(q.Authority, result)
	}
	return err == nil, err
}
