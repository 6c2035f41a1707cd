package client

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"
)

// errRepeat marks a failure that may pass.
var errRepeat = errors.New("levy: may succeed later")

// retry repeats a call with pauses that double. A pause lasts a random time between half and all of its nominal length,
// so that many clients do not return at the same moment.
type retry struct {
	repeats int
	first   time.Duration
	longest time.Duration
}

// do runs attempt until it succeeds, fails for good, or the repeats are used up.
func (r retry) do(ctx context.Context, attempt func() (time.Duration, error)) error {
	pause := r.first
	for n := 0; ; n++ {
		wanted, err := attempt()
		if err == nil || !errors.Is(err, errRepeat) || n >= r.repeats || ctx.Err() != nil {
			return err
		}
		wait := pause
		if wait > 0 {
			wait = pause/2 + rand.N(pause/2+1)
		}
		timer := time.NewTimer(max(wait, wanted))
		select {
		case <-ctx.Done():
			timer.Stop()
			return errors.Join(ctx.Err(), err)
		case <-timer.C:
		}
		pause = min(2*pause, r.longest)
	}
}

// retryAfter reads the seconds of a Retry-After header; anything else is 0.
func retryAfter(header string) time.Duration {
	seconds, err := strconv.Atoi(header)
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 300)) * time.Second
}
