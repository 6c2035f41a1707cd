package nexus

import (
	"cmp"
	"maps"
	"slices"

	"levy/tax/calendar"
)

// Place is a jurisdiction in which sellers can have nexus.
type Place struct {
	Country string // EuropeanUnion for all its members together
	State   string // empty for a whole country
	Name    string
}

// Places lists the jurisdictions that have, had or will have a threshold, and the members of the European Union, by
// country and state. Sellers have nexus in a member by presence alone: their sales count for the Union.
func (t *Table) Places() []Place {
	found := map[Place]bool{}
	for _, r := range t.rules {
		found[Place{Country: r.Country, State: r.State}] = true
		if r.Country == EuropeanUnion {
			for member := range unionSince {
				found[Place{Country: member}] = true
			}
		}
	}
	places := slices.SortedFunc(maps.Keys(found), func(a, b Place) int {
		return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.State, b.State))
	})
	for i := range places {
		places[i].Name = t.placeName(places[i])
	}
	return places
}

func (t *Table) placeName(p Place) string {
	id := p.Country
	if p.Country == EuropeanUnion {
		return "European Union"
	}
	if p.State != "" {
		id += "-" + p.State
	}
	return cmp.Or(t.name(id), id)
}

// Terms is the rule of a place for a seller on a day. Where none is in force it
// is the nearest one without its threshold: nexus there comes of presence alone.
// home is the country the seller is established in, empty when it is not known.
// place must be one of Places.
func (t *Table) Terms(place Place, home string, day calendar.Date) Rule {
	domestic := place.domestic(home, day)
	if rule, ok := t.Rule(place.Country, place.State, domestic, day); ok {
		return rule
	}
	nearest := Rule{
		Test: TestSales, Currency: "EUR", Period: PeriodCurrentOrPrevious, Exempt: ExemptExcluded,
		Trigger: TriggerImmediate, Seller: SellerAny,
	}
	for _, r := range t.rules {
		same := r.Country == place.Country && r.State == place.State
		ofUnion := r.Country == EuropeanUnion && UnionMember(place.Country, day)
		if same && (nearest.Country != place.Country || r.of(place.Country, place.State, domestic)) || ofUnion &&
			nearest.Country == "" {
			nearest = r
		}
	}
	nearest.Presence, nearest.Country, nearest.State = true, place.Country, place.State
	if since, member := unionSince[place.Country]; member {
		nearest.Type, nearest.From, nearest.To = TypeEUMemberState, since, 0
	}
	return nearest
}

// History lists the rules that a place ever had for a seller, oldest first:
// rules by where the seller is established.
func (t *Table) History(place Place, home string, day calendar.Date) []Rule {
	return t.Rules(place.Country, place.State, place.domestic(home, day))
}

func (p Place) domestic(home string, day calendar.Date) bool {
	return p.Country == home || p.Country == EuropeanUnion && UnionMember(home, day)
}

// Counts reports whether sales taxed in a country and state count here for a seller
// established in home. To the threshold of the Union a seller's own country does not
// count.
func (p Place) Counts(country, state, home string, day calendar.Date) bool {
	if p.Country == EuropeanUnion {
		return UnionMember(country, day) && country != home
	}
	return p.Country == country && (p.State == "" || p.State == state)
}
