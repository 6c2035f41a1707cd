package main

import (
	"cmp"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"

	"levy/models"
	"levy/store"
	"levy/tax"
	"levy/tax/calendar"
)

// listOverrides lists the rates that organizations set themselves for jurisdictions whose content changes. These rates
// may have become useless; only the organization can tell.
func (c contentDiffCmd) listOverrides(p *program, s *store.Store, changes []tax.RateChange) error {
	var jurisdictions []string
	for _, change := range changes {
		if !slices.Contains(jurisdictions, change.Jurisdiction.ID) {
			jurisdictions = append(jurisdictions, change.Jurisdiction.ID)
		}
	}
	if len(jurisdictions) == 0 {
		return nil
	}
	all, err := s.Content.RateOverridesIn(p.ctx, jurisdictions)
	if err != nil {
		return err
	}
	all = slices.DeleteFunc(all, func(o models.RateOverride) bool {
		return !slices.ContainsFunc(changes, func(change tax.RateChange) bool { return changesUnder(change, o) })
	})
	if len(all) == 0 {
		return nil
	}
	fmt.Fprintf(
		p.stdout, "%d rates that organizations set themselves hold where the content changes. They go on counting:\n",
		len(all),
	)
	w := tabwriter.NewWriter(p.stdout, 0, 4, 2, ' ', 0)
	fmt.Fprintln(w, "ORGANIZATION\tRATE\tJURISDICTION\tCLASS\tSET TO\tFROM\tUNTIL\tREASON")
	for i, o := range all {
		if i == shownChanges && !c.All {
			fmt.Fprintf(w, "... and %d more (--all)\n", len(all)-i)
			break
		}
		class, until := cmp.Or(o.TaxClass, "*"), ""
		if o.EndDate != nil {
			until = o.EndDate.Format(time.DateOnly)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%q\n", o.OrganizationID, o.ID, o.JurisdictionName, class,
			tax.FormatPercent(o.Rate), o.StartDate.Format(time.DateOnly), until, o.Reason)
	}
	return w.Flush()
}

// changesUnder reports whether a change of the content is one of what the override stands for.
func changesUnder(change tax.RateChange, o models.RateOverride) bool {
	begins := calendar.DateOf(o.StartDate)
	return change.Jurisdiction.ID == o.JurisdictionID && change.Class == tax.TaxClass(o.TaxClass) &&
		(change.To == 0 || begins <= change.To) && (o.EndDate == nil || calendar.DateOf(*o.EndDate) >= change.From)
}
