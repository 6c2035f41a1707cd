package content

import (
	"errors"
	"fmt"

	"levy/tax/calendar"
)

// Publication is the number of a bundle among those of its publisher. Earlier releases wrote bundles without one: their
// Publication is the zero value.
type Publication struct {
	Sequence  int64  `json:"sequence,omitempty"`  // 1 for the first bundle, and one more for each next one
	Published string `json:"published,omitempty"` // the day, 2006-01-02
	NextBy    string `json:"next_by,omitempty"`   // the last day on which the publisher promises the next bundle
}

// The bundle does not follow the one that was taken last.
var (
	ErrReplayed    = errors.New("it is older than the bundle that was taken last")
	ErrForked      = errors.New("it has the number of the bundle that was taken last, and another text")
	ErrUnnumbered  = errors.New("it has no number, and the bundle that was taken last has one")
	ErrDatedBefore = errors.New("it is dated before the bundle that was taken last, and has a higher number")
)

// mostPublicationDays bounds the days between two bundles. A publisher without such a bound could not be noticed as late.
const mostPublicationDays = 400

// fault says why the numbers are none; empty where they are.
func (p Publication) fault() string {
	if p == (Publication{}) {
		return ""
	}
	published, err := calendar.ParseDate(p.Published)
	nextBy, nextErr := calendar.ParseDate(p.NextBy)
	switch {
	case p.Sequence < 1:
		return fmt.Sprintf("its sequence is %d, and the first one is 1", p.Sequence)
	case err != nil || nextErr != nil:
		return fmt.Sprintf("published %q and next_by %q are not both days such as 2026-10-01", p.Published, p.NextBy)
	case nextBy <= published || nextBy > published.AddDays(mostPublicationDays):
		return fmt.Sprintf("the next bundle is promised by %s, which is not within %d days after %s", p.NextBy,
			mostPublicationDays, p.Published)
	}
	return ""
}

// After compares the number of a bundle with the one that was taken last. same reports whether their texts are equal.
// missed is how many bundles between them never arrived. Errors: ErrReplayed, ErrForked, ErrUnnumbered, ErrDatedBefore.
func (p Publication) After(last Publication, same bool) (missed int64, err error) {
	switch {
	case last.Sequence == 0:
		return 0, nil
	case p.Sequence == 0:
		return 0, ErrUnnumbered
	// guard: content: a server cannot give an old bundle again
	case p.Sequence < last.Sequence:
		return 0, ErrReplayed
	case p.Sequence == last.Sequence && !same:
		return 0, ErrForked
	case p.Sequence == last.Sequence:
		return 0, nil
	case p.Published < last.Published: // both are checked days
		return 0, ErrDatedBefore
	}
	return p.Sequence - last.Sequence - 1, nil
}

// DaysLate is how many days have passed since the day by which the next bundle was promised; 0 before.
func (p Publication) DaysLate(today calendar.Date) int {
	nextBy, err := calendar.ParseDate(p.NextBy)
	if err != nil || today <= nextBy {
		return 0
	}
	return int(today.Time().Sub(nextBy.Time()).Hours() / 24)
}
