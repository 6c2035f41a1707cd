package tax

import (
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/postal"
)

// DatedAddress is an address on the day for which its place is asked.
type DatedAddress struct {
	Address
	Day calendar.Date
}

// BoundaryKey identifies an address in the records of one boundary file.
type BoundaryKey struct {
	Load   int64
	ZIP    string
	Plus4  string // empty: not known
	Street postal.StreetAddress
	Day    calendar.Date
}

// BoundaryMatch is the record that fits an address best; the zero value means that
// none does.
type BoundaryMatch struct {
	Resolution Resolution // ADDRESS, ZIP9 or ZIP5
	// Codes is the set of jurisdictions in the words of the file: "type:code",
	// separated by "|", such as "45:20|00:091|01:36000|63:00044".
	Codes string
}

// BoundaryKey returns the key of an address. ok is false when no boundary file is
// loaded for its state, or when it has no ZIP.
func (c *Content) BoundaryKey(a DatedAddress) (key BoundaryKey, ok bool) {
	if len(c.boundaries.loads) == 0 {
		return BoundaryKey{}, false
	}
	address := a.trimmed()
	if address.FullAddress != "" && address.onlyFull() {
		address = c.parseFull(address)
	}
	zip, ok := postal.ZIP5(address.PostalCode)
	if !ok || c.country(address) != "US" {
		return BoundaryKey{}, false
	}
	st := c.usState(address.State)
	if st == 0 {
		first, end := c.places.ofZIP(zip)
		if address.State != "" || first == end {
			return BoundaryKey{}, false
		}
		st = c.places.rows[first].state + 1
	}
	load, ok := c.boundaries.loads[c.states[st-1].code]
	if !ok {
		return BoundaryKey{}, false
	}
	key = BoundaryKey{Load: load, ZIP: address.PostalCode[:5], Day: a.Day}
	if n := len(address.PostalCode); n > 5 {
		key.Plus4 = address.PostalCode[n-4:]
	}
	key.Street = postal.ParseStreet(address.Street1)
	return key, true
}

// boundarySet turns the codes of a match into jurisdictions. complete is false
// when a code levies a tax that the content does not know.
func (c *Content) boundarySet(st uint8, m BoundaryMatch) (set []uint16, complete bool) {
	s := &c.states[st-1]
	set = append(append(set, s.jurisdiction), s.statewide...)
	complete = true
	for code := range strings.SplitSeq(m.Codes, "|") {
		kind, number, _ := strings.Cut(code, ":")
		if kind == content.BoundaryState || code == "" {
			continue
		}
		j, ok := c.boundaries.codes[boundaryCode(s.code, kind, number)]
		if !ok && kind != content.BoundaryCounty && !content.PlaceType(kind) {
			j, ok = c.boundaries.codes[boundaryCode(s.code, content.AnyDistrict, number)]
		}
		switch {
		case ok:
			set = append(set, j)
		case kind == content.BoundaryCounty || content.PlaceType(kind):
			// The rate file lists every county and city that levies a tax.
			complete = complete && c.boundaries.rated[s.code]
		default:
			complete = false
		}
	}
	c.sortJurisdictions(set)
	return set, complete
}

// takeBoundary writes the match of a boundary file into a place whose state is
// known.
func (c *Content) takeBoundary(a Address, p *Place, st uint8, m BoundaryMatch) {
	set, complete := c.boundarySet(st, m)
	if a.Unincorporated {
		set = c.withoutCity(set)
	}
	p.State = c.states[st-1].code
	p.Resolution, p.Jurisdictions = m.Resolution, c.ids(set)
	p.Ambiguous, p.Alternatives = false, nil
	p.Completeness, p.Confidence = CompletenessComplete, ConfidenceHigh
	if !complete {
		p.Completeness, p.Confidence = CompletenessPartial, ConfidenceLow
	}
	for _, j := range set {
		if c.jurisdictions[j].order == orderCounty {
			p.County = c.jurisdictions[j].Name
		}
	}
}

func boundaryCode(state, kind, code string) string {
	if content.PlaceType(kind) {
		kind = content.BoundaryPlace
	}
	return state + ":" + kind + ":" + code
}
