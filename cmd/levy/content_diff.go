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
		return c.show(p, s, old.Current(), next)
	})
}

func (c contentDiffCmd) show(p *program, s *store.Store, old, next *tax.Content) error {
	changes := old.RateChanges(next)
	fmt.Fprintf(
		p.stdout, "From %s (in force) to %s: %d changes of rates.\n", old.Version(), next.Version(),
		len(changes),
	)
	if err := c.list(p.stdout, changes); err != nil {
		return err
	}
	if err := c.listOverrides(p, s, changes); err != nil {
		return err
	}
	since := time.Now().UTC().AddDate(0, 0, -diffDays)
	if err := printImpact(p, s, changes, since); err != nil {
		return err
	}
	states := old.BoundaryChanges(next)
	if len(states) == 0 {
		return nil
	}
	sales, err := s.Content.SalesIn(p.ctx, states, since)
	if err != nil {
		return err
	}
	fmt.Fprintf(
		p.stdout,
		"Other boundary files: %v. %d sales of the last %d days went there; their places may become finer.\n",
		states, sales, diffDays,
	)
	return nil
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
func printImpact(p *program, s *store.Store, changes []tax.RateChange, since time.Time) error {
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
		return err
	}
	fmt.Fprintf(p.stdout, "On the sales since %s: %d lines taxed at an old rate, tax %s before rounding of each.\n",
		since.Format(time.DateOnly), impact.Lines, signed(impact.Difference))
	return nil
}

func signed(amount string) string {
	if len(amount) > 0 && amount[0] != '-' {
		return "+" + amount
	}
	return amount
}
