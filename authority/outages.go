package authority

import (
	"context"
	"errors"
	"fmt"

	"levy/models"
)

// Outages remembers for all processes which adapters do not reach their authority.
type Outages interface {
	// Admit says whether an adapter may be called for a record: always while it is not known to be
	// down, and then once a minute for all records together.
	Admit(ctx context.Context, adapter, record string) (models.AuthorityAdmission, error)
	// Failed notes that a call for a record did not reach the authority.
	Failed(ctx context.Context, adapter, record, reason string) error
	// Reached notes that it answers.
	Reached(ctx context.Context, adapter string) error
}

// WithOutages has the switchboard call an authority that is down once a minute for all records. The
// sandbox is always called: its outages are those of single submissions.
func (b *Switchboard) WithOutages(o Outages) *Switchboard {
	b.outages = o
	return b
}

// through calls a gateway unless its authority is down. Errors: those of call; *models.AuthorityDownError
// when it was not called.
func (b *Switchboard) through(
	ctx context.Context, gateway Gateway, record string, call func(ctx context.Context) (models.AuthorityAnswer, error),
) (models.AuthorityAnswer, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if b.outages == nil || gateway == b.sandbox {
		return call(limited)
	}
	name := gateway.Name()
	admission, err := b.outages.Admit(ctx, name, record)
	if err != nil {
		return models.AuthorityAnswer{}, fmt.Errorf("is authority %s down? %w", name, err)
	}
	if !admission.May {
		return models.AuthorityAnswer{}, &models.AuthorityDownError{Authority: name, Again: admission.Again}
	}
	answer, err := call(limited)
	switch reason := outage(err); {
	case ctx.Err() != nil: // the process ends: nobody knows
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
