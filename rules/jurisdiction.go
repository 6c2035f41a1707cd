package rules

import (
	"slices"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// deliveredTo is the country and state of the destination. Their law applies, but see
// taxingState.
func deliveredTo(t models.Transaction) (country, state string) {
	if t.Place != nil {
		return t.Place.Country, t.Place.State
	}
	return text(t.Country), text(t.State)
}

// taxingState is the country and state whose law applies: those of the destination,
// but those of the seller where a sale across the European Union is taxed at home.
// Where a sale in the United States is taxed at its origin, that lies in the same state.
func taxingState(t models.Transaction) (country, state string) {
	if taxedAtHome(t) {
		return t.Origin.Country, ""
	}
	return deliveredTo(t)
}

// taxedAtHome of a refund is as it was for its original, whatever the obligations are since.
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

// belowUnionThreshold reports whether the organization sells from the member state in
// which it is to another in which it has no obligation on the tax date: neither through
// the Union's threshold or one-stop shop nor of that state's own.
func belowUnionThreshold(t models.Transaction) bool {
	day := calendar.DateOf(t.TaxDate)
	return AcrossUnion(t) && !slices.ContainsFunc(t.Obligations, func(o models.NexusObligation) bool {
		return o.Exists(day) && o.Place().Counts(t.Place.Country, t.Place.State, t.Home, day)
	})
}

// AcrossUnion reports whether the organization sells from the member state in which it is to another country: an
// obligation decides whether that is taxed at home.
func AcrossUnion(t models.Transaction) bool {
	return t.Place != nil && t.Origin != nil && t.Origin.Country == t.Home && t.Place.Country != t.Home &&
		nexus.UnionMember(t.Home, calendar.DateOf(t.TaxDate))
}
