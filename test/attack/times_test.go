package attack_test

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// times are those of two requests that were made one right after the other, many times.
type times struct{ one, other, differences []time.Duration }

func (t *times) add(one, other time.Duration) {
	t.one, t.other, t.differences = append(t.one, one), append(t.other, other), append(t.differences, one-other)
}

// difference is the median of the differences, with the interval in which that of all
// such pairs lies with a probability of 95 %: between two of the ordered differences, so
// that it does not matter how they are distributed.
func (t *times) difference() string {
	slices.Sort(t.differences)
	n := float64(len(t.differences))
	reach := 1.96 * math.Sqrt(n) / 2
	low, high := max(0, int(n/2-reach)), min(len(t.differences)-1, int(math.Ceil(n/2+reach)))
	return fmt.Sprintf("%+.1f (%+.1f to %+.1f)", microseconds(t.differences[int(n/2)]),
		microseconds(t.differences[low]), microseconds(t.differences[high]))
}

func inMicroseconds(all []time.Duration) string {
	slices.Sort(all)
	return fmt.Sprintf("%.0f µs", microseconds(all[len(all)/2]))
}

func microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }
