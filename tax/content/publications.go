package content

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"levy/tax/calendar"
)

// The ways by which an operator imports the next edition of a table of rates.
const (
	FeedRates = "SST" // the rate file of a member state
	FeedCSV   = "CSV" // a table that the operator makes of what the state publishes
)

// PublicationRow says from which publication the rates of a state come, and until when they are confirmed. Both days are
// zero where a statute alone changes them. Next is the day on which its next edition is expected.
type PublicationRow struct {
	At                       RowRef
	State, Publication, Feed string
	Next, Until              calendar.Date
}

const publicationsTable = "publications.csv"

func addPublication(d *Data, r *row) {
	p := PublicationRow{At: r.at(), State: r.text("state"), Publication: r.text("publication"), Feed: r.text("feed"),
		Next: r.date("next_publication"), Until: r.date("confirmed_until")}
	switch ends := p.Until != 0; {
	case (p.Feed != "") != ends, p.Feed != "" && p.Feed != FeedRates && p.Feed != FeedCSV:
		r.fault("feed", errNotAValue)
	case (p.Next != 0) != ends:
		r.fault("next_publication", errNotAValue)
	}
	d.Publications = append(d.Publications, p)
}

// mostConfirmedDays bounds for how long an operator can confirm one edition by a day, which may be mistyped.
const mostConfirmedDays = 366

// The table of a state cannot be confirmed until that day.
var (
	ErrNoPublication = errors.New("no table of rates that ends")
	ErrConfirmed     = errors.New("not later than what is confirmed already, or by more than a year")
)

// ConfirmUntil says that the rates of a state are those of an edition that holds until a day. The edition after it is
// expected as long before its end as this one was. Errors: ErrNoPublication, ErrConfirmed.
func (t Tables) ConfirmUntil(state string, day calendar.Date) error {
	return t.confirm(state, day, mostConfirmedDays)
}

// confirm is ConfirmUntil for at most so many days more; 0 for any number of days.
func (t Tables) confirm(state string, day calendar.Date, most int) error {
	if _, known := t[publicationsTable]; !known { // a pack of an earlier program has none
		return fmt.Errorf("%s: %w", state, ErrNoPublication)
	}
	s, err := t.sheet(publicationsTable)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(s.rows, func(row []string) bool {
		return s.get(row, "state") == state && s.get(row, "confirmed_until") != ""
	})
	if i < 0 {
		return fmt.Errorf("%s: %w", state, ErrNoPublication)
	}
	until, err := calendar.ParseDate(s.get(s.rows[i], "confirmed_until"))
	if err != nil {
		return err
	}
	next, err := calendar.ParseDate(s.get(s.rows[i], "next_publication"))
	if err != nil {
		return err
	}
	longer := int(day.Time().Sub(until.Time()) / (24 * time.Hour))
	if longer <= 0 || most > 0 && longer > most {
		return fmt.Errorf("%s until %s: %w: %s", state, day, ErrConfirmed, until)
	}
	s.set(s.rows[i], "confirmed_until", day.String())
	s.set(s.rows[i], "next_publication", next.AddDays(longer).String())
	return t.put(s)
}

// confirmQuarter notes that the rate file of a quarter is imported; an older one changes nothing.
func (t Tables) confirmQuarter(name FeedName) error {
	end := calendar.DateOn(name.Year, time.Month(3*name.Quarter), 1).LastOfMonth()
	if err := t.confirm(name.State, end, 0); !errors.Is(err, ErrConfirmed) && !errors.Is(err, ErrNoPublication) {
		return err
	}
	return nil
}
