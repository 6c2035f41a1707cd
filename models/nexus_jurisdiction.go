package models

import (
	"cmp"
	"slices"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// NexusJurisdiction is a jurisdiction of the content in force, with the terms for sellers from abroad.
// The records of new organizations start from it.
type NexusJurisdiction struct {
	CountryCode string `gorm:"primaryKey"`
	StateCode   string `gorm:"primaryKey"`
	StateName   string
	Terms       NexusTerms `gorm:"serializer:json"`
}

// NexusJurisdictionsOf returns the jurisdictions of a content on a day.
func NexusJurisdictionsOf(content *tax.Content, day calendar.Date) []NexusJurisdiction {
	places := content.Nexus().Places()
	all := make([]NexusJurisdiction, 0, len(places))
	for _, p := range places {
		all = append(all, NexusJurisdiction{
			CountryCode: p.Country, StateCode: cmp.Or(p.State, p.Country),
			StateName: p.Name, Terms: TermsOf(content.Nexus().Terms(p, "", day)),
		})
	}
	return all
}

// NexusBeginning is the initial nexus record of an organization, as JSON. The terms are those of the jurisdiction;
// all else is unknown.
type NexusBeginning struct {
	OrganizationID          string         `json:"organization_id"`
	ID                      string         `json:"id"`
	CountryCode             string         `json:"country_code"`
	StateCode               string         `json:"state_code"`
	Enabled                 bool           `json:"enabled"`
	PeriodStartDate         calendar.Date  `json:"period_start_date"`
	PeriodEndDate           calendar.Date  `json:"period_end_date"`
	PreviousPeriodStartDate *calendar.Date `json:"previous_period_start_date"`
	PreviousPeriodEndDate   *calendar.Date `json:"previous_period_end_date"`
}

// BeginNexus returns the initial record of an organization in a jurisdiction that adds up sales by model.
func BeginNexus(
	o *OrganizationSettings, country, state string, model nexus.PeriodModel, day calendar.Date,
) NexusBeginning {
	current, previous, _ := nexus.PeriodsOn(model, day)
	b := NexusBeginning{
		OrganizationID: o.OrganizationID, ID: NewID(PrefixNexus), CountryCode: country, StateCode: state, Enabled: o.Enables(
			country, state,
		),
		PeriodStartDate: current.Start, PeriodEndDate: current.End,
	}
	if !previous.IsZero() {
		b.PreviousPeriodStartDate, b.PreviousPeriodEndDate = &previous.Start, &previous.End
	}
	return b
}

// Enables reports whether a jurisdiction is enabled. All are, unless some are named, as a country or as a country and
// state. The European Union is enabled with any of its members.
func (s *OrganizationSettings) Enables(country, state string) bool {
	if len(s.EnabledJurisdictions) == 0 {
		return true
	}
	return slices.ContainsFunc(s.EnabledJurisdictions, func(code string) bool {
		return code == country || code == country+"-"+state ||
			country == nexus.EuropeanUnion && nexus.UnionMember(code, calendar.DateOf(s.UpdatedAt))
	})
}
