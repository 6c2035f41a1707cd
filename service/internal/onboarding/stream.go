package onboarding

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/output"
)

// StreamOnboarding writes an onboarding as it is now and then once for every change, of which the
// feed of events tells, until it is over, the key is refused, the server stops, or the time is up. Of
// changes that come faster than the client reads it writes the last one.
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
	// What is no number counts as an older version.
	seen, _ := strconv.ParseInt(out.LastEventID(), 10, 64)
	if seen != now.Version {
		sendOnboarding(stream, now.Version, o.OnboardingAnswer(now))
	}
	if isOver(now) {
		return nil
	}
	o.outputs.Follow(ctx, stream, scope, happened, func() bool {
		next, err := o.deps.Onboardings.Onboarding(ctx, scope)
		// The key may be revoked with the change that was just read.
		if err != nil || next.Version != now.Version && !call.Of(ctx).StillAdmitted(ctx, scope) {
			return false
		}
		if next.Version != now.Version {
			now = next
			sendOnboarding(stream, now.Version, o.OnboardingAnswer(now))
		}
		return !isOver(now)
	})
	c := call.Of(ctx)
	ownKey := c.Person == nil && c.Principal.OrganizationID == scope.OrganizationID
	if now.Status.Undone() || !ownKey || call.Of(ctx).StillAdmitted(ctx, scope) {
		return nil
	}
	// Undoing an onboarding revokes the keys of its client, which is told of the end all the same.
	if last, err := o.deps.Onboardings.Onboarding(ctx, scope); err == nil && last.Status.Undone() {
		sendOnboarding(stream, last.Version, o.OnboardingAnswer(last))
	}
	return nil
}

func sendOnboarding(stream *output.EventStream, version int64, onboarding contract.Onboarding) {
	stream.Send("onboarding", strconv.FormatInt(version, 10), onboarding)
}
