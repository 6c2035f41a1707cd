package api

import (
	"context"
	"strconv"

	"levy/contract"
	"levy/models"
)

// StreamOnboarding writes an onboarding as it is now and then once for every change, of which the
// feed of events tells, until it is over, the key is refused, the server stops, or the time is up. Of
// changes that come faster than the client reads it writes the last one.
func (s *Server) StreamOnboarding(
	ctx context.Context, r contract.StreamOnboardingRequest, out contract.Stream,
) error {
	scope, err := s.within(ctx, r.OrganizationID)
	var now models.Onboarding
	if err == nil {
		now, err = s.deps.Onboardings.Onboarding(ctx, scope)
	}
	if err != nil {
		return err
	}
	happened, unsubscribe := s.feed.subscribe(ctx, scope.OrganizationID)
	defer unsubscribe()

	stream := newEventStream(out)
	// What is no number counts as an older version.
	seen, _ := strconv.ParseInt(out.LastEventID(), 10, 64)
	if seen != now.Version {
		stream.sendOnboarding(now.Version, s.onboardingAnswer(now))
	}
	if isOver(now) {
		return nil
	}
	s.outputs.follow(ctx, stream, scope, happened, func() bool {
		next, err := s.deps.Onboardings.Onboarding(ctx, scope)
		// The key may be revoked with the change that was just read.
		if err != nil || next.Version != now.Version && !callOf(ctx).stillAdmitted(ctx, scope) {
			return false
		}
		if next.Version != now.Version {
			now = next
			stream.sendOnboarding(now.Version, s.onboardingAnswer(now))
		}
		return !isOver(now)
	})
	call := callOf(ctx)
	ownKey := call.person == nil && call.principal.OrganizationID == scope.OrganizationID
	if now.Status.Undone() || !ownKey || callOf(ctx).stillAdmitted(ctx, scope) {
		return nil
	}
	// Undoing an onboarding revokes the keys of its client, which is told of the end all the same.
	if last, err := s.deps.Onboardings.Onboarding(ctx, scope); err == nil && last.Status.Undone() {
		stream.sendOnboarding(last.Version, s.onboardingAnswer(last))
	}
	return nil
}

func (e *eventStream) sendOnboarding(version int64, onboarding contract.Onboarding) {
	e.send("onboarding", strconv.FormatInt(version, 10), onboarding)
}
