package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/nexus"
	"levy/tax/postal"
)

// NamedAuthority is an Authority as records write it, or the one-stop shop of the
// European Union.
type NamedAuthority struct {
	Country string // EuropeanUnion for the one-stop shop
	State   string // repeats Country where the authority is that of the whole country
	Name    string
}

// JurisdictionNamed finds a jurisdiction by what tax items say of it. Names and states are compared without letter
// case.
func (c *Content) JurisdictionNamed(country, state string, kind JurisdictionType, name string) (Jurisdiction, bool) {
	for i := range c.jurisdictions {
		j := &c.jurisdictions[i]
		if j.Country == country && j.Type == kind && strings.EqualFold(j.State, strings.TrimSpace(state)) &&
			strings.EqualFold(j.Name, strings.TrimSpace(name)) {
			return j.Jurisdiction, true
		}
	}
	return Jurisdiction{}, false
}

// AuthorityNamed finds an authority by its country and the code or name of its
// state, in any letter case. The federal authority of Canada has the state CA. ok is
// false where the content knows of no taxes.
func (c *Content) AuthorityNamed(country, state string) (a NamedAuthority, ok bool) {
	state = strings.TrimSpace(state)
	if country == "PR" && strings.EqualFold(state, "PR") {
		country = "US"
	}
	if country == nexus.EuropeanUnion {
		return NamedAuthority{nexus.EuropeanUnion, nexus.EuropeanUnion, "European Union"},
			strings.EqualFold(state, nexus.EuropeanUnion)
	}
	i, ok := c.byID[country]
	if !ok {
		return NamedAuthority{}, false
	}
	whole := c.jurisdictions[i].Name
	if country != "US" && (strings.EqualFold(state, country) || strings.EqualFold(state, whole)) {
		return NamedAuthority{country, country, whole}, true
	}
	switch country {
	case "US":
		if n := c.usState(state); n != 0 {
			return NamedAuthority{"US", c.states[n-1].code, c.states[n-1].name}, true
		}
	case "CA":
		if code := c.provinces[string(postal.Compact(nil, state))]; code != "" {
			return NamedAuthority{"CA", code, c.jurisdictions[c.byID["CA-"+code]].Name}, true
		}
	}
	return NamedAuthority{}, false
}

// Contradicts reports whether a name belongs to another state, province or country than an authority. A name that the
// content does not know contradicts nothing. Neither does a code of two letters for a whole country: NE is Nebraska,
// and also Neuchâtel.
func (c *Content) Contradicts(a NamedAuthority, name string) bool {
	name = strings.TrimSpace(name)
	if other, known := c.AuthorityNamed(a.Country, name); known {
		return other != a
	}
	for _, country := range []string{"US", "CA"} {
		if other, known := c.AuthorityNamed(country, name); known && (len(name) > 2 || a.State != a.Country) {
			return other != a
		}
	}
	country := c.countryNamed(name)
	return country != "" && country != a.Country
}

// States are the states of the United States, and what is treated as one, by their codes.
func (c *Content) States() []NamedAuthority {
	all := make([]NamedAuthority, len(c.states))
	for i, st := range c.states {
		all[i] = NamedAuthority{Country: "US", State: st.code, Name: st.name}
	}
	slices.SortFunc(all, func(a, b NamedAuthority) int { return strings.Compare(a.State, b.State) })
	return all
}

// Taxes reports whether sales in the state of an authority of the United States are taxed on a day or later. The tax
// may be that of the state or of a county, city or district in it. For other countries it is true, because the content
// knows an authority there by its taxes.
func (c *Content) Taxes(a NamedAuthority, day calendar.Date) bool {
	if a.Country != "US" {
		return true
	}
	for i := range c.jurisdictions {
		j := &c.jurisdictions[i]
		if j.Country != a.Country || j.State != a.State {
			continue
		}
		for k := range j.rates {
			if r := &j.rates[k]; r.nano != 0 && (r.To == 0 || r.To >= day) {
				return true
			}
		}
	}
	return false
}
