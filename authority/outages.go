package authority

import (
	"context"
	"errors"
	"fmt"

	"levy/models"
)

// Outages remembers for all processes which adapters do not reach their authority.
type Outages interface {
	// Admit reports whether an adapter may be called for a record. It may always be called until it is known to be down,
	// and then once a minute for all records together.
	Admit(ctx context.Context, adapter, record string) (models.AuthorityAdmission, error)
	// Failed notes that a call for a record did not reach the authority.
	Failed(ctx context.Context, adapter, record, reason string) error
	// Reached notes that it answers.
	Reached(ctx context.Context, adapter string) error
}

// SubmissionError is an error about one submission. It says nothing about whether the authority answers to others.
type SubmissionError struct{ Err error }

func (e *SubmissionError) Error() string { return e.Err.Error() }

// Unwrap returns the error of the submission.
func (e *SubmissionError) Unwrap() error { return e.Err }

// aboutOne reports whether an error is about one submission alone.
func aboutOne(err error) bool {
	_, one := errors.AsType[*SubmissionError](err)
	return one
}

// WithOutages has the switchboard call an authority that is down once a minute for all records. A
// sandbox is always called: its outages are those of single submissions.
func (b *Switchboard) WithOutages(o Outages) *Switchboard {
	b.outages = o
	return b
}

// Results are the possible results of a call of an adapter, as CountedBy counts them.
var Results = []string{ResultAnswered, ResultUnreached, ResultFailed}

// ResultUnreached means that the authority may not have received the submission, ResultFailed that the call met a
// defect.
const (
	ResultAnswered  = "answered"
	ResultUnreached = "unreached"
	ResultFailed    = "failed"
)

// CountedBy calls count after every call of an adapter.
func (b *Switchboard) CountedBy(count func(adapter, result string)) *Switchboard {
	b.count = count
	return b
}

func (b *Switchboard) note(adapter string, err error) {
	switch {
	case b.count == nil:
	case outage(err) != "":
		b.count(adapter, ResultUnreached)
	case err == nil || isNotFound(err):
		b.count(adapter, ResultAnswered)
	default:
		b.count(adapter, ResultFailed)
	}
}

// through calls a gateway unless its authority is down. Errors: those of call, as *models.UnansweredError where the
// authority was not reached; *models.AuthorityDownError when it was not called.
func (b *Switchboard) through(
	ctx context.Context, gateway Gateway, record string, call func(ctx context.Context) (models.AuthorityAnswer, error),
) (models.AuthorityAnswer, error) {
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	name := gateway.Name()
	called := func() (models.AuthorityAnswer, error) {
		answer, err := call(limited)
		if ctx.Err() != nil { // the process ends: the result is unknown
			return answer, err
		}
		b.note(name, err)
		if outage(err) != "" {
			err = &models.UnansweredError{Err: err}
		}
		return answer, err
	}
	if b.outages == nil || b.simulated(gateway) {
		return called()
	}
	admission, err := b.outages.Admit(ctx, name, record)
	if err != nil {
		return models.AuthorityAnswer{}, fmt.Errorf("is authority %s down? %w", name, err)
	}
	if !admission.May {
		return models.AuthorityAnswer{}, &models.AuthorityDownError{Authority: name, Again: admission.Again}
	}
	answer, err := called()
	switch reason := outage(err); {
	case ctx.Err() != nil || aboutOne(err): // the process ends, or one submission has no answer: the result is unknown
	case reason != "":
		return answer, errors.Join(err, b.outages.Failed(ctx, name, record, reason))
	case admission.Failing && (err == nil || isNotFound(err)):
		return answer, errors.Join(err, b.outages.Reached(ctx, name))
	}
	return answer, err
}

// outage names the way in which an authority was not reached; empty when it was.
func outage(err error) string {
	switch {
	case errors.Is(err, models.ErrUnavailable):
		return "unavailable"
	case errors.Is(err, models.ErrOutcomeUnknown):
		return "answer lost"
	case errors.Is(err, context.DeadlineExceeded):
		return "timeout"
	}
	return ""
}
