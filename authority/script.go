package authority

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"time"

	"levy/models"
)

// Behaviour is how the sandbox treats submissions that do not ask for anything.
type Behaviour struct {
	// Delay is the time from receipt to decision.
	Delay time.Duration
	// One submission of so many meets the fault; 0 for none. The key of a submission decides, so the same submission
	// always meets the same faults.
	RejectOneOf, TimeoutOneOf, OutageOneOf int
}

// Script is what happens to one submission.
type Script struct {
	Delay   time.Duration
	Reject  bool // rejected, with a reason
	Timeout bool // received, but the first answer is lost
	Outage  bool // not received at first
	Down    bool // never received
}

// slow is the delay of SIMULATE_DELAY.
const slow = 30 * time.Second

// Script reads the notes of a record for the words that ask for something, and adds what befalls
// the submission by chance.
func (b Behaviour) Script(key models.AuthorityKey, notes string) Script {
	asks := func(word string) bool { return strings.Contains(notes, word) }
	script := Script{
		Delay:   b.Delay,
		Reject:  asks("SIMULATE_REJECT") || struck(key, "reject", b.RejectOneOf),
		Timeout: asks("SIMULATE_TIMEOUT") || struck(key, "timeout", b.TimeoutOneOf),
		Outage:  asks("SIMULATE_OUTAGE") || struck(key, "outage", b.OutageOneOf),
		Down:    asks("SIMULATE_DOWN"),
	}
	if asks("SIMULATE_DELAY") {
		script.Delay = slow
	}
	return script
}

func struck(key models.AuthorityKey, fault string, oneOf int) bool {
	if oneOf < 1 {
		return false
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%s %s %s %d", fault, key.Kind, key.RecordID, key.Attempt)
	return h.Sum64()%uint64(oneOf) == 0
}

// outageContacts is how many contacts fail before an outage is over.
const outageContacts = 2

var errClosed = fmt.Errorf("%w: the authority is closed", models.ErrUnavailable)

// Knock finds an authority closed that is down, and at the first contacts of an outage. The ledger counts those of an outage:
// knocks are how many it has when the first submission is received. Errors: models.ErrUnavailable; those of ledger.
func (s Script) Knock(ctx context.Context, ledger Ledger, key models.AuthorityKey) (knocks int, err error) {
	switch {
	case s.Down:
		return 0, errClosed
	case !s.Outage:
		return 0, nil
	}
	knocked, err := ledger.Receive(ctx, models.SandboxReceipt{Key: key})
	if err == nil && knocked.Contacts <= outageContacts {
		err = errClosed
	}
	return outageContacts + 1, err
}

// ParseFaults reads faults such as "reject/20,timeout/5,outage/10": one submission
// of 20 is rejected, and so on.
func (b Behaviour) ParseFaults(text string) (Behaviour, error) {
	to := map[string]*int{"reject": &b.RejectOneOf, "timeout": &b.TimeoutOneOf, "outage": &b.OutageOneOf}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, number, _ := strings.Cut(strings.TrimSpace(part), "/")
		n, err := strconv.Atoi(number)
		if to[name] == nil || err != nil || n < 1 {
			return b, fmt.Errorf("fault %q: want reject/n, timeout/n or outage/n", part)
		}
		*to[name] = n
	}
	return b, nil
}

func isNotFound(err error) bool { return errors.Is(err, models.ErrNotFound) }
