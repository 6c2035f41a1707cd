package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/models"
)

// silence is why there is no answer of an authority, in the words of a record.
type silence struct {
	unreachable string
	undecided   string
	unknown     string // though it had taken it
	defect      string // of ours
}

// answer is the rejection that stands for an answer when an activity has used up its
// tries, with the reason that the kind of call gives unless the error says more. An error
// that says that the record has moved on stays one.
func (s silence) answer(err error, reason string, movedOn func(error) bool) (models.AuthorityAnswer, error) {
	if movedOn(err) {
		return models.AuthorityAnswer{}, err
	}
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		switch app.Type() {
		case activities.ErrTypeUnexpected:
			reason = s.defect
		case activities.ErrTypeNotFound:
			reason = s.unknown
		}
	}
	return models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: reason}, nil
}
