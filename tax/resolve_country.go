package tax

import (
	"slices"
	"strings"
	"unicode"

	"levy/tax/postal"
)

// resolveCanada finds the province, which is all that taxes depend on there.
func (c *Content) resolveCanada(a Address, p *Place) {
	var buf [64]byte
	p.State = c.provinces[string(postal.Compact(buf[:0], a.State))]
	postal, code, ok := postal.Canadian(a.PostalCode)
	switch {
	case a.State != "" && p.State == "":
		p.Status, p.Reason = StatusInvalid, a.State+" is not a province or territory of Canada."
		return
	case p.State == "" && !ok:
		p.Status, p.Reason = StatusUnverifiable, "The province is not known."
		return
	case a.PostalCode != "" && !ok:
		p.Status, p.Reason = StatusInvalid, a.PostalCode+" is not a Canadian postal code."
	case ok && p.State != "" && p.State != postal && !farNorth(p.State, postal):
		p.Status, p.Reason = StatusInvalid, "Postal code "+code+" lies outside the province."
	case ok && p.State == "":
		p.State, p.PostalCode = postal, code
		p.Status, p.Reason = StatusPartiallyVerified, "The province is missing; it follows from the postal code."
	case ok:
		p.PostalCode = code
		p.Status, p.Reason = StatusPartiallyVerified, "Postal code and province agree; cities are not checked in Canada."
	default:
		p.Status, p.Reason = StatusPartiallyVerified, "The postal code is missing. The province is certain."
	}
	p.Resolution = ResolutionState
	p.Jurisdictions = c.existing("CA", "CA-"+p.State)
	p.Completeness, p.Confidence = CompletenessComplete, ConfidenceHigh
}

// farNorth reports whether both provinces share the letter X; places there keep
// a code of the other territory at times.
func farNorth(a, b string) bool { return (a == "NT" || a == "NU") && (b == "NT" || b == "NU") }

// resolveCountry takes the whole country, or the part of it with taxes of its
// own or none that the postal code shows.
func (c *Content) resolveCountry(a Address, p *Place) {
	p.Status, p.Resolution = StatusUnverifiable, ResolutionCountry
	p.Reason = "There is no address data for " + c.countries[p.Country] + "."
	p.Jurisdictions = c.existing(p.Country)
	if len(p.Jurisdictions) == 0 {
		return
	}
	p.Completeness, p.Confidence = CompletenessComplete, ConfidenceHigh
	t, special := c.territoryOf(p)
	switch {
	case t != nil && len(t.ids) == 0:
		p.Jurisdictions, p.Completeness = []string{}, ""
		p.Reason = t.name + " lies outside the tax territory of " + c.countries[p.Country] + "."
	case t != nil && c.jurisdictions[c.byID[t.ids[0]]].Country != p.Country:
		host := c.jurisdictions[c.byID[t.ids[0]]].Country
		p.Country, p.Jurisdictions = host, append(p.Jurisdictions[:0:0], t.ids...)
		p.Reason = t.name + " is taxed like " + c.countries[host] + "."
	case t != nil:
		p.Jurisdictions = append(p.Jurisdictions[:0:0], t.ids...)
		p.Reason = t.name + " has tax rates of its own."
	case special && a.PostalCode == "":
		p.Confidence = ConfidenceMedium
		p.Reason += " Without a postal code its special territories cannot be told apart."
	}
}

// outside is the special territory of a place that lies outside the tax territory of its country;
// nil for none.
func (c *Content) outside(p *Place) *territory {
	if len(p.Jurisdictions) > 0 {
		return nil
	}
	t, _ := c.territoryOf(p)
	return t
}

// territoryOf finds the special territory of a place: that of its postal code, else that of its state. special reports
// whether the country has any. Letters before the digits of a code, such as the D of D-27498 and the AX of AX-22100,
// are ignored.
func (c *Content) territoryOf(p *Place) (t *territory, special bool) {
	var buf [16]byte
	var stateBuf [64]byte
	code := strings.TrimPrefix(string(postal.Compact(buf[:0], p.PostalCode)), p.Country)
	digits := strings.TrimLeftFunc(code, unicode.IsLetter)
	state := string(postal.Compact(stateBuf[:0], p.State))
	for i := range c.territories {
		r := &c.territories[i]
		if r.country != p.Country {
			continue
		}
		special = true
		n, written := len(r.from), code
		switch {
		case n > 0 && unicode.IsDigit(rune(r.from[0])):
			written = digits
		case r.digits > 0 && len(code) == r.digits && code == digits:
			written = r.from[:n-r.digits] + digits
		}
		if n == 0 || len(written) >= n && written[:n] >= r.from && written[:n] <= r.to ||
			code == "" && slices.Contains(r.states, state) {
			return r, true
		}
	}
	return nil, special
}
