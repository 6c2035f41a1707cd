package tax

import (
	"strconv"
	"strings"
)

// DatedAddress is an address on the day for which its place is asked.
type DatedAddress struct {
	Address
	Day Date
}

// BoundaryRow says that a boundary file was imported for a state. Load names the
// import under which its records are kept.
type BoundaryRow struct {
	At    RowRef
	State string
	Load  int64
}

// BoundaryKey is what an address is looked up by in the records of one boundary
// file.
type BoundaryKey struct {
	Load   int64
	ZIP    string
	Plus4  string // empty: not known
	Street StreetAddress
	Day    Date
}

// BoundaryMatch is the record that fits an address best; the zero value means that
// none does.
type BoundaryMatch struct {
	Resolution Resolution // ADDRESS, ZIP9 or ZIP5
	// Codes is the set of jurisdictions in the words of the file: "type:code",
	// separated by "|", such as "45:20|00:091|01:36000|63:00044".
	Codes string
}

// The types of jurisdictions in the files of the member states that have a row in
// their own code system; all others are districts.
const (
	BoundaryState  = "45"
	BoundaryCounty = "00"
	BoundaryPlace  = "01"
)

// PlaceType reports whether a type of a rate or boundary file is a municipality.
func PlaceType(code string) bool {
	switch code {
	case BoundaryPlace, "02", "03", "04", "05", "09":
		return true
	}
	return false
}

// boundaries is what the content knows of imported boundary files.
type boundaries struct {
	loads map[string]int64 // by state
	codes map[string]uint16
	rated map[string]bool // states whose rates come from the rate file
}

// BoundaryKey returns what to look an address up by. ok is false when no boundary
// file is loaded for its state or when it has no ZIP: then there is nothing to ask.
func (c *Content) BoundaryKey(a DatedAddress) (key BoundaryKey, ok bool) {
	if len(c.boundaries.loads) == 0 {
		return BoundaryKey{}, false
	}
	address := a.trimmed()
	if address.FullAddress != "" && address.onlyFull() {
		address = c.parseFull(address)
	}
	zip, ok := zip5(address.PostalCode)
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
	key.Street = ParseStreet(address.Street1)
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
		if kind == BoundaryState || code == "" {
			continue
		}
		j, ok := c.boundaries.codes[boundaryCode(s.code, kind, number)]
		if !ok && kind != BoundaryCounty && !PlaceType(kind) {
			j, ok = c.boundaries.codes[boundaryCode(s.code, anyDistrict, number)]
		}
		switch {
		case ok:
			set = append(set, j)
		case kind == BoundaryCounty || PlaceType(kind):
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

const anyDistrict = "*"

func boundaryCode(state, kind, code string) string {
	if PlaceType(kind) {
		kind = BoundaryPlace
	}
	return state + ":" + kind + ":" + code
}

func (b *builder) addBoundaries(d Data) {
	if len(d.Boundaries) == 0 {
		return
	}
	known := &b.c.boundaries
	known.loads, known.codes, known.rated = map[string]int64{}, map[string]uint16{}, map[string]bool{}
	for _, row := range d.Boundaries {
		if b.c.usState(row.State) == 0 {
			b.fault(row.At, "unknown state %q", row.State)
		}
		if _, again := known.loads[row.State]; again {
			b.fault(row.At, "state %s stands twice", row.State)
		}
		if row.Load <= 0 {
			b.fault(row.At, "load %d", row.Load)
		}
		known.loads[row.State] = row.Load
	}
	for _, row := range d.Sources {
		if state, ok := strings.CutPrefix(row.ID, RateFileSource); ok {
			known.rated[state] = true
		}
	}
	for _, row := range d.Jurisdictions {
		if _, ok := known.loads[row.State]; !ok {
			continue
		}
		if kind, code := row.Boundary(); kind != "" {
			known.codes[boundaryCode(row.State, kind, code)] = b.c.byID[row.ID]
		}
	}
}

// RateFileSource begins the ids of the sources that are rate files of member
// states; the code of the state follows.
const RateFileSource = "SST-RATES-"

// Boundary returns the type and code under which rate and boundary files of the
// member states name the jurisdiction. kind is "*" for a district whose type is
// not known and empty for what such files do not name.
func (r JurisdictionRow) Boundary() (kind, code string) {
	switch system := r.CodeSystem; {
	case system == "FIPS-STATE":
		return BoundaryState, r.Code
	case system == "FIPS-COUNTY" && len(r.Code) == 5:
		return BoundaryCounty, r.Code[2:]
	case system == "FIPS-PLACE" && len(r.Code) == 7:
		return BoundaryPlace, r.Code[2:]
	case system == "SST-PLACE":
		return BoundaryPlace, r.Code
	case system == "SST-DISTRICT":
		return anyDistrict, r.Code
	case len(system) == len("SST-63") && strings.HasPrefix(system, "SST-"):
		if _, err := strconv.Atoi(system[4:]); err == nil {
			return system[4:], r.Code
		}
	}
	return "", ""
}
