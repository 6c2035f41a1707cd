package onboarding

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/output"
)

// StreamOnboarding sends an onboarding now and after every change. It ends if the onboarding is over,
// the key is refused, the process stops, or the time is up. If changes come faster than the client reads,
// it sends the last one.
func (o *Operations) StreamOnboarding(
	ctx context.Context, r contract.StreamOnboardingRequest, out contract.Stream,
) error {
	scope, err := o.within(ctx, r.OrganizationID)
	var now models.Onboarding
	if err == nil {
		now, err = o.deps.Onboardings.Onboarding(ctx, scope)
	}
	if err != nil {
		return err
	}
	happened, unsubscribe := o.feed.Subscribe(ctx, scope.OrganizationID)
	defer unsubscribe()

	stream := output.NewEventStream(out)
	// A text that is no number counts as an older version.
	seen, _ := strconv.ParseInt(out.LastEventID(), 10, 64)
	if seen != now.Version {
		sendOnboarding(stream, now.Version, o.Answer(now))
	}
	if isOver(now) {
		return nil
	}
	o.outputs.Follow(ctx, stream, scope, happened, func() bool {
		next, err := o.deps.Onboardings.Onboarding(ctx, scope)
		// The change that was just read may have revoked the key.
		if err != nil || next.Version != now.Version && !call.Of(ctx).StillAdmitted(ctx, scope) {
			return false
		}
		if next.Version != now.Version {
			now = next
			sendOnboarding(stream, now.Version, o.Answer(now))
		}
		return !isOver(now)
	})
	c := call.Of(ctx)
	ownKey := c.Person == nil && c.Principal.OrganizationID == scope.OrganizationID
	if now.Status.Undone() || !ownKey || call.Of(ctx).StillAdmitted(ctx, scope) {
		return nil
	}
	// Undoing an onboarding revokes the client's keys, but the client still gets the last state.
	if last, err := o.deps.Onboardings.Onboarding(ctx, scope); err == nil && last.Status.Undone() {
		sendOnboarding(stream, last.Version, o.Answer(last))
	}
	return nil
}

func sendOnboarding(stream *output.EventStream, version int64, onboarding contract.Onboarding) {
	stream.Send("onboarding", strconv.FormatInt(version, 10), onboarding)
}
