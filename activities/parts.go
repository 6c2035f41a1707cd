package activities

import (
	"context"

	"levy/models"
)

// partSize is how many transactions a stage works on at a time where others may wait for their turn: a tenth of a
// second of work for a slow machine. Larger parts cost less altogether.
const partSize = 100

// Turns say when a stage of what nobody waits for goes on.
type Turns interface {
	// Next returns when the next part of a stage may begin. It reports whether that may be all that is left.
	Next(ctx context.Context) (all bool)
}

type turnsKey struct{}

// WithTurns has the stages of the activity with this context work in parts and wait for their turn before each.
func WithTurns(ctx context.Context, turns Turns) context.Context {
	return context.WithValue(ctx, turnsKey{}, turns)
}

// TurnsOf are the turns of the activity with this context; nil when it has not to wait for any.
func TurnsOf(ctx context.Context) Turns {
	turns, _ := ctx.Value(turnsKey{}).(Turns)
	return turns
}

// inParts does a stage for some transactions after the other where the activity has to wait for its turns, otherwise
// for all at once. A part that is done stays done when a later one fails: the next attempt finds it so.
func inParts(
	ctx context.Context, refs []models.Ref, work func(context.Context, []models.Ref) ([]models.StageState, error),
) ([]models.StageState, error) {
	turns := TurnsOf(ctx)
	if turns == nil {
		return work(ctx, refs)
	}
	states := make([]models.StageState, 0, len(refs))
	for len(states) < len(refs) {
		part := refs[len(states):]
		if all := turns.Next(ctx); !all {
			part = part[:min(partSize, len(part))]
		}
		found, err := work(ctx, part)
		if err != nil {
			return nil, err
		}
		if len(found) != len(part) {
			return nil, errNotReached
		}
		states = append(states, found...)
	}
	return states, nil
}
