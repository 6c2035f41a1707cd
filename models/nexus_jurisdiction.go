package models

import (
	"cmp"
	"slices"
	"time"

	"levy/tax"
)

// NexusJurisdiction is a jurisdiction of the content in force, with the terms for
// sellers from abroad: what records of new organizations start from.
type NexusJurisdiction struct {
	CountryCode string `gorm:"primaryKey"`
	StateCode   string `gorm:"primaryKey"`
	StateName   string
	Terms       NexusTerms `gorm:"serializer:json"`
}

// NexusJurisdictionsOf lists the jurisdictions of a content on a day.
func NexusJurisdictionsOf(content *tax.Content, day tax.Date) []NexusJurisdiction {
	places := content.NexusPlaces()
	all := make([]NexusJurisdiction, 0, len(places))
	for _, p := range places {
		all = append(all, NexusJurisdiction{
			CountryCode: p.Country, StateCode: cmp.Or(p.State, p.Country), StateName: p.Name, Terms: TermsOf(content.NexusTerms(p, "", day)),
		})
	}
	return all
}

// NewNexusRecord is the record of an organization as it begins: nothing is known yet.
func NewNexusRecord(o *OrganizationSettings, j NexusJurisdiction, now time.Time) NexusRecord {
	return NexusRecord{
		OrganizationID: o.OrganizationID, ID: NewID(PrefixNexus), CountryCode: j.CountryCode, StateCode: j.StateCode, StateName: j.StateName,
		Enabled: o.Enables(j.CountryCode, j.StateCode), Status: NexusNotExposed,
		NexusTerms: j.Terms, NexusPeriods: PeriodsOf(j.Terms.PeriodModel, tax.DateOf(now)),
		NexusFinding: NexusFinding{Periods: []NexusPeriod{}}, Disregard: NexusDisregard{Kinds: []NexusKind{}},
		CreatedAt: now, UpdatedAt: now,
	}
}

// Enables reports whether a jurisdiction is among the enabled ones: all are unless
// some are named, as a country or as a country and state. The European Union is
// enabled with any of its members.
func (s *OrganizationSettings) Enables(country, state string) bool {
	if len(s.EnabledJurisdictions) == 0 {
		return true
	}
	return slices.ContainsFunc(s.EnabledJurisdictions, func(code string) bool {
		return code == country || code == country+"-"+state ||
			country == tax.EuropeanUnion && tax.UnionMember(code, tax.DateOf(s.UpdatedAt))
	})
}
