package authority

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"levy/models"
)

// Gateway hands submissions over to an authority. It is safe for concurrent use.
//
// Submit is idempotent by the key: the same submission again, from whichever
// process, is received once and answered as the first one was. Errors:
// models.ErrUnavailable when nothing was handed over; models.ErrOutcomeUnknown when
// the answer was lost and the submission may have been received. Either way the
// same submission is handed over again. Any other error is a defect, of which there
// is no use in trying for long.
type Gateway interface {
	// Name is the adapter, as it stands on records and in answers.
	Name() string
	Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error)
	// Check asks what became of a submission that was received. Errors as for Submit,
	// and models.ErrNotFound when the authority knows nothing of it.
	Check(ctx context.Context, key models.AuthorityKey) (models.AuthorityAnswer, error)
}

// Names of the adapters of this package.
const (
	ManualName    = models.ManualAuthority
	SimulatedName = "simulated"
)

// Switchboard chooses the adapter of each submission. Submissions of test organizations always go to a sandbox.
// Others go to the adapter of their jurisdiction, or to the fallback if it has none. So do registrations where the adapter takes returns
// alone.
type Switchboard struct {
	sandbox  Gateway
	fallback Gateway
	byPlace  map[string]Gateway // "US-NV", "DE"
	tests    map[string]Gateway // of the returns of test organizations, by place
	byName   map[string]Gateway
	outages  Outages                      // nil: every call is made
	count    func(adapter, result string) // nil: nothing is counted
}

// NewSwitchboard connects sandbox, fallback and the adapters of jurisdictions, which
// are named as in "US-NV" or "DE".
func NewSwitchboard(sandbox, fallback Gateway, byPlace map[string]Gateway) *Switchboard {
	b := &Switchboard{sandbox: sandbox, fallback: fallback, byPlace: byPlace, byName: map[string]Gateway{}}
	b.byName[sandbox.Name()], b.byName[fallback.Name()] = sandbox, fallback
	for _, gateway := range byPlace {
		b.byName[gateway.Name()] = gateway
	}
	return b
}

// WithTestReturns has the returns of test organizations go to other sandboxes, by place. Their registrations stay with the
// sandbox of all.
func (b *Switchboard) WithTestReturns(sandboxes map[string]Gateway) *Switchboard {
	b.tests = sandboxes
	for _, gateway := range sandboxes {
		b.byName[gateway.Name()] = gateway
	}
	return b
}

// simulated reports whether a gateway is a sandbox.
func (b *Switchboard) simulated(gateway Gateway) bool {
	return gateway == b.sandbox || slices.Contains(slices.Collect(maps.Values(b.tests)), gateway)
}

// Names returns the names of all adapters, in alphabetical order.
func (b *Switchboard) Names() []string { return slices.Sorted(maps.Keys(b.byName)) }

// callTimeout is how long an adapter may take for a call.
const callTimeout = 2 * time.Minute

// Submit hands a submission over; the answer says which adapter took it. Errors:
// those of Gateway, as *models.UnansweredError where the authority was not reached; *models.AuthorityDownError, which is
// a models.ErrUnavailable.
func (b *Switchboard) Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	gateway := b.gateway(s)
	answer, err := b.through(ctx, gateway, s.Key.RecordID, func(ctx context.Context) (models.AuthorityAnswer, error) {
		return gateway.Submit(ctx, s)
	})
	answer.Authority = gateway.Name()
	return answer, err
}

// Check asks the adapter that took a submission. Errors: those of Gateway;
// models.ErrUnavailable also when this process has no such adapter: while a new one is
// rolled out, another process has.
func (b *Switchboard) Check(
	ctx context.Context, adapter string, key models.AuthorityKey,
) (models.AuthorityAnswer, error) {
	gateway, ok := b.byName[adapter]
	if !ok {
		return models.AuthorityAnswer{}, fmt.Errorf("%w: no adapter %q", models.ErrUnavailable, adapter)
	}
	answer, err := b.through(ctx, gateway, key.RecordID, func(ctx context.Context) (models.AuthorityAnswer, error) {
		return gateway.Check(ctx, key)
	})
	answer.Authority = adapter
	return answer, err
}

// answerQueue is a gateway whose authority hands each of its answers out once.
type answerQueue interface {
	// Fetch reads the queue of a transmitter and returns how many messages came.
	Fetch(ctx context.Context, transmitter, organizationID string) (int, error)
}

// FetchAnswers has an adapter read a queue of answers, and returns how many came. Errors: those of Check.
func (b *Switchboard) FetchAnswers(ctx context.Context, q models.QueueToRead) (n int, err error) {
	gateway, ok := b.byName[q.Authority]
	queue, reads := gateway.(answerQueue)
	if !ok || !reads {
		return 0, fmt.Errorf("%w: no adapter %q", models.ErrUnavailable, q.Authority)
	}
	_, err = b.through(ctx, gateway, q.OrganizationID, func(ctx context.Context) (answer models.AuthorityAnswer, err error) {
		n, err = queue.Fetch(ctx, q.Transmitter, q.OrganizationID)
		return answer, err
	})
	return n, err
}

// returnTaker is a gateway that takes returns and no registrations.
type returnTaker interface{ TakesReturnsAlone() }

func returnsAlone(gateway Gateway) bool {
	_, alone := gateway.(returnTaker)
	return alone
}

func (b *Switchboard) gateway(s models.AuthoritySubmission) Gateway {
	if s.Test {
		if gateway, ok := b.tests[s.Country+"-"+s.State]; ok && s.Return != nil {
			return gateway
		}
		return b.sandbox
	}
	for _, place := range []string{s.Country + "-" + s.State, s.Country} {
		if gateway, ok := b.byPlace[place]; ok && (s.Return != nil || !returnsAlone(gateway)) {
			return gateway
		}
	}
	return b.fallback
}
