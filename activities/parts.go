package activities

import (
	"context"

	"levy/models"
)

// partSize is how many transactions a stage processes at a time where others may wait. On a slow machine it is a tenth
// of a second of work. Larger parts cost less in total.
const partSize = 100

// Pacer says when a stage of background work goes on.
type Pacer interface {
	// Next returns when the next part of a stage may begin. It reports whether that may be all that is left.
	Next(ctx context.Context) (all bool)
}

type pacerKey struct{}

// WithPacer has the stages of the activity with this context work in parts and ask the pacer before each.
func WithPacer(ctx context.Context, pacer Pacer) context.Context {
	return context.WithValue(ctx, pacerKey{}, pacer)
}

// PacerOf is the pacer of the activity with this context; nil when it works at full speed.
func PacerOf(ctx context.Context) Pacer {
	pacer, _ := ctx.Value(pacerKey{}).(Pacer)
	return pacer
}

// inParts does a stage for some transactions after the other where the activity has a pacer, otherwise
// for all at once. A part that is done stays done when a later one fails: the next attempt finds it so.
func inParts(
	ctx context.Context, refs []models.Ref, work func(context.Context, []models.Ref) ([]models.StageState, error),
) ([]models.StageState, error) {
	pacer := PacerOf(ctx)
	if pacer == nil {
		return work(ctx, refs)
	}
	states := make([]models.StageState, 0, len(refs))
	for len(states) < len(refs) {
		part := refs[len(states):]
		if all := pacer.Next(ctx); !all {
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
