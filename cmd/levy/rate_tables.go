package main

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
)

// endedTable is a table of rates that says nothing about the present day.
type endedTable struct {
	State       string `json:"state"`
	Publication string `json:"publication"`
	Until       string `json:"confirmed_until"`
	Expected    string `json:"next_edition_expected"`
	Import      string `json:"import"`
	// Registered reports whether an organization is registered there.
	Registered bool `json:"registered"`

	age time.Duration
}

// endedTables are the tables of the content in force that have ended on a day. Those of states in which an organization is
// registered are marked.
func endedTables(ctx context.Context, s *store.Store, today calendar.Date) (found []endedTable, err error) {
	taxes, err := s.Content.InForce(ctx)
	if err != nil {
		return nil, err
	}
	ended := taxes.EndedTables(today)
	for _, t := range ended {
		found = append(found, endedTable{
			State: t.State, Publication: t.Publication, Until: t.Until.String(), Expected: t.Next.String(), Import: t.Import,
			age: today.Time().Sub(t.Until.Time()),
		})
	}
	if len(found) == 0 {
		return nil, nil
	}
	registered, err := s.Registrations.RegisteredAmong(ctx, statesOfTables(ended))
	for i := range found {
		found[i].Registered = slices.Contains(registered, found[i].State)
	}
	return found, err
}

// statesOfTables lists the states of tables.
func statesOfTables(tables []tax.RateTable) []string {
	states := make([]string, len(tables))
	for i, t := range tables {
		states[i] = t.State
	}
	return states
}

// sayEnded names the states whose tables have ended in the log of a process that starts.
func sayEnded(ctx context.Context, log *slog.Logger, taxes *tax.Content, today calendar.Date) {
	if states := statesOfTables(taxes.EndedTables(today)); len(states) > 0 {
		log.WarnContext(ctx, "the rates of some states are not confirmed any more: `levy status` says what to import",
			"content", taxes.Version(), "states", strings.Join(states, " "))
	}
}

// inWords names an ended table and what to import.
func (t endedTable) inWords() string {
	return fmt.Sprintf("The rates of %s are confirmed until %s only: import its next edition (%s) with %s, or install a "+
		"newer release of the content with levy content update.", t.State, t.Until, t.Publication, t.Import)
}

// statesEnded names the states whose tables have ended.
func (c contentState) statesEnded() string {
	states := make([]string, len(c.Ended))
	for i, t := range c.Ended {
		states[i] = t.State
	}
	return strings.Join(states, ", ")
}

// day is the present day of the installation.
func day(now time.Time) calendar.Date { return calendar.DateOf(now.UTC()) }
