package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// deliveredTo returns the country and state of the destination. Mostly their law applies: see taxingState.
func deliveredTo(t models.Transaction) (country, state string) {
	if t.Place != nil {
		return t.Place.Country, t.Place.State
	}
	return text(t.Country), text(t.State)
}

// taxingState returns the country and state whose law applies. They are those of the destination. A sale across the
// European Union that is taxed at home has the country of the seller. A sale in the United States that is taxed at its
// origin has that in the same state.
func taxingState(t models.Transaction) (country, state string) {
	if taxedAtHome(t) {
		return t.Origin.Country, ""
	}
	return deliveredTo(t)
}

// taxedAtHome reports whether a sale across the European Union is taxed in the country of the seller. For a refund, it
// returns the decision about its original, whatever the obligations are since.
func taxedAtHome(t models.Transaction) bool {
	if t.Type.IsCredit() {
		return t.Original != nil && t.Original.TaxedAtHome && t.Origin != nil
	}
	if t.Place == nil || t.Origin == nil {
		return false
	}
	sale := tax.Request{
		TaxDate: calendar.DateOf(t.TaxDate), Destination: *t.Place, Origin: t.Origin, CustomerVAT: validVAT(t.Customer),
		BelowUnionThreshold: belowUnionThreshold(t),
	}
	return sale.TaxedAtHome()
}

// belowUnionThreshold reports whether the organization sells from its own member state to another in which it has no
// obligation on the tax date. The threshold of the Union, the one-stop shop and that state itself can oblige it.
func belowUnionThreshold(t models.Transaction) bool {
	day := calendar.DateOf(t.TaxDate)
	return AcrossUnion(t) && !slices.ContainsFunc(t.Obligations, func(o models.NexusObligation) bool {
		return o.Exists(day) && o.Place().Counts(t.Place.Country, t.Place.State, t.Home, day)
	})
}

// AcrossUnion reports whether the organization sells from its own member state to another country. An obligation
// decides whether that is taxed at home.
func AcrossUnion(t models.Transaction) bool {
	return t.Place != nil && t.Origin != nil && t.Origin.Country == t.Home && t.Place.Country != t.Home &&
		nexus.UnionMember(t.Home, calendar.DateOf(t.TaxDate))
}
