package main

import (
	"cmp"
	"fmt"
	"io"
	"text/tabwriter"
	"time"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/store"
	"levy/tax"
)

type contentDiffCmd struct {
	jsonFlag

	Version string `arg:"" optional:"" help:"The version to compare with the one in force; without it the newest one recorded since the last activation."`
	All     bool   `help:"Show every change, not only the first hundred."`
}

// shownChanges is how many changes of rates are listed without --all.
const shownChanges = 100

// diffDays is the period of sales on which a change is estimated.
const diffDays = 30

// Run shows which rates a version changes, from when, and what that would have
// meant for the sales of the last 30 days.
func (c contentDiffCmd) Run(p *program) error {
	return p.withContent(func(s *store.Store) error {
		if c.Version == "" {
			var err error
			if c.Version, err = s.Content.DraftContent(p.ctx); err != nil {
				return err
			}
		}
		old, err := s.Content.OpenCache(p.ctx)
		if err != nil {
			return err
		}
		next, err := readVersion(p, s, c.Version)
		if err != nil {
			return err
		}
		return tell(p, c.jsonFlag, func(p *program) (*contentDifference, error) { return c.show(p, s, old.Current(), next) })
	})
}

// contentDifference is what a version changes, for programs. It has all changes, also without --all.
type contentDifference struct {
	From    string            `json:"from"` // in force
	To      string            `json:"to"`
	Changes []contentRateDiff `json:"rate_changes"`
	// OwnRates are the rates that organizations set themselves where the content changes.
	OwnRates []ownRate   `json:"own_rates"`
	Sales    salesImpact `json:"sales"`
	// OtherBoundaries are the states with other boundary files, SalesThere the recent sales there.
	OtherBoundaries []string `json:"other_boundaries"`
	SalesThere      int64    `json:"sales_there"`
}

// contentRateDiff is a change of a rate. Rates are in percent; null: none.
type contentRateDiff struct {
	State        string  `json:"state"`
	Jurisdiction string  `json:"jurisdiction"`
	Class        string  `json:"tax_class"` // "": the general rate
	Old          *string `json:"old"`
	New          *string `json:"new"`
	From         string  `json:"from"`
	Until        *string `json:"until"` // null: open
}

// salesImpact is what the changes would have meant for the sales since a day: Difference is tax before rounding of each line.
type salesImpact struct {
	Since      string `json:"since"`
	Lines      int64  `json:"lines"`
	Difference string `json:"tax_difference"`
}

func contentRateDiffs(changes []tax.RateChange) []contentRateDiff {
	rate := func(r *decimal.Decimal) *string {
		if r == nil {
			return nil
		}
		return new(tax.FormatPercent(*r))
	}
	diffs := make([]contentRateDiff, len(changes))
	for i, c := range changes {
		diffs[i] = contentRateDiff{
			State: c.Jurisdiction.State, Jurisdiction: c.Jurisdiction.Name, Class: string(c.Class), Old: rate(c.Old), New: rate(c.New),
			From: c.From.String(),
		}
		if !c.To.IsZero() {
			diffs[i].Until = new(c.To.String())
		}
	}
	return diffs
}

// show prints what a version changes, and returns it.
func (c contentDiffCmd) show(p *program, s *store.Store, old, next *tax.Content) (*contentDifference, error) {
	changes := old.RateChanges(next)
	found := &contentDifference{
		From: old.Version(), To: next.Version(), Changes: contentRateDiffs(changes), OtherBoundaries: []string{},
	}
	fmt.Fprintf(
		p.stdout, "From %s (in force) to %s: %d changes of rates.\n", old.Version(), next.Version(),
		len(changes),
	)
	if err := c.list(p.stdout, changes); err != nil {
		return nil, err
	}
	var err error
	if found.OwnRates, err = c.listOverrides(p, s, changes); err != nil {
		return nil, err
	}
	since := time.Now().UTC().AddDate(0, 0, -diffDays)
	if found.Sales, err = printImpact(p, s, changes, since); err != nil {
		return nil, err
	}
	states := old.BoundaryChanges(next)
	if len(states) == 0 {
		return found, nil
	}
	sales, err := s.Content.SalesIn(p.ctx, states, since)
	if err != nil {
		return nil, err
	}
	found.OtherBoundaries, found.SalesThere = states, sales
	fmt.Fprintf(
		p.stdout,
		"Other boundary files: %v. %d sales of the last %d days went there; their places may become finer.\n",
		states, sales, diffDays,
	)
	return found, nil
}

func (c contentDiffCmd) list(out io.Writer, changes []tax.RateChange) error {
	w := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	for i, change := range changes {
		if i == 0 {
			fmt.Fprintln(w, "STATE\tJURISDICTION\tCLASS\tOLD\tNEW\tFROM\tUNTIL")
		}
		if i == shownChanges && !c.All {
			fmt.Fprintf(w, "... and %d more (--all)\n", len(changes)-i)
			break
		}
		class := cmp.Or(string(change.Class), "*")
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", change.Jurisdiction.State, change.Jurisdiction.Name, class,
			percent(change.Class, change.Old), percent(change.Class, change.New), change.From, change.To)
	}
	return w.Flush()
}

func percent(class tax.TaxClass, rate *decimal.Decimal) string {
	switch {
	case rate == nil && class != "":
		return "as *"
	case rate == nil:
		return "none"
	}
	return tax.FormatPercent(*rate)
}

// printImpact prints what the changes would have meant for recent sales. It taxes the sales of the old rate at the new
// rate, whenever the change begins.
func printImpact(p *program, s *store.Store, changes []tax.RateChange, since time.Time) (salesImpact, error) {
	var asked []models.RateChange
	for _, c := range changes {
		if c.Old == nil || c.New == nil || c.To != 0 {
			continue
		}
		for _, rule := range c.RuleIDs {
			asked = append(asked, models.RateChange{RuleID: rule, Old: *c.Old, New: *c.New})
		}
	}
	impact, err := s.Content.EstimateRateImpact(p.ctx, asked, since)
	if err != nil {
		return salesImpact{}, err
	}
	fmt.Fprintf(p.stdout, "On the sales since %s: %d lines taxed at an old rate, tax %s before rounding of each.\n",
		since.Format(time.DateOnly), impact.Lines, signed(impact.Difference))
	return salesImpact{since.Format(time.DateOnly), impact.Lines, impact.Difference}, nil
}

func signed(amount string) string {
	if len(amount) > 0 && amount[0] != '-' {
		return "+" + amount
	}
	return amount
}
