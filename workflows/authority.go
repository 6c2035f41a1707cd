package workflows

import (
	"errors"

	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/models"
)

// noAnswer is why there is no answer of an authority, in the words of a record.
type noAnswer struct {
	unreachable string
	undecided   string
	unknown     string // though it had taken it
	defect      string // of ours
}

// answer is the rejection that stands for an answer when an activity has used up its
// tries, with the reason that the kind of call gives unless the error says more. An error
// that says that the record has changed since stays one.
func (n noAnswer) answer(err error, reason string, changed func(error) bool) (models.AuthorityAnswer, error) {
	if changed(err) {
		return models.AuthorityAnswer{}, err
	}
	if app, ok := errors.AsType[*temporal.ApplicationError](err); ok {
		switch app.Type() {
		case activities.ErrTypeUnexpected:
			reason = n.defect
		case activities.ErrTypeNotFound:
			reason = n.unknown
		}
	}
	return models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: reason}, nil
}
