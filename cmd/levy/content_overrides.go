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
func (c contentDiffCmd) listOverrides(p *program, s *store.Store, changes []tax.RateChange) ([]ownRate, error) {
	var jurisdictions []string
	for _, change := range changes {
		if !slices.Contains(jurisdictions, change.Jurisdiction.ID) {
			jurisdictions = append(jurisdictions, change.Jurisdiction.ID)
		}
	}
	if len(jurisdictions) == 0 {
		return []ownRate{}, nil
	}
	all, err := s.Content.RateOverridesIn(p.ctx, jurisdictions)
	if err != nil {
		return nil, err
	}
	all = slices.DeleteFunc(all, func(o models.RateOverride) bool {
		return !slices.ContainsFunc(changes, func(change tax.RateChange) bool { return changesUnder(change, o) })
	})
	if len(all) == 0 {
		return []ownRate{}, nil
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
	return ownRates(all), w.Flush()
}

// ownRate is a rate that an organization set itself, in percent, for programs.
type ownRate struct {
	Organization string  `json:"organization_id"`
	ID           string  `json:"id"`
	Jurisdiction string  `json:"jurisdiction"`
	Class        string  `json:"tax_class"` // "": the general rate
	Rate         string  `json:"rate"`
	From         string  `json:"from"`
	Until        *string `json:"until"` // null: open
	Reason       string  `json:"reason"`
}

func ownRates(all []models.RateOverride) []ownRate {
	rates := make([]ownRate, len(all))
	for i, o := range all {
		rates[i] = ownRate{Organization: o.OrganizationID, ID: o.ID, Jurisdiction: o.JurisdictionName, Class: o.TaxClass,
			Rate: tax.FormatPercent(o.Rate), From: o.StartDate.Format(time.DateOnly), Reason: o.Reason}
		if o.EndDate != nil {
			rates[i].Until = new(o.EndDate.Format(time.DateOnly))
		}
	}
	return rates
}

// changesUnder reports whether a change of the content is one of what the override stands for.
func changesUnder(change tax.RateChange, o models.RateOverride) bool {
	begins := calendar.DateOf(o.StartDate)
	return change.Jurisdiction.ID == o.JurisdictionID && change.Class == tax.TaxClass(o.TaxClass) &&
		(change.To == 0 || begins <= change.To) && (o.EndDate == nil || calendar.DateOf(*o.EndDate) >= change.From)
}
