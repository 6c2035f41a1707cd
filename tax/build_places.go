package tax

import (
	"math"
	"slices"
	"strings"

	"levy/tax/content"
	"levy/tax/postal"
)

// placesBuilder collects the rows of places.
type placesBuilder struct {
	*builder
	cities, counties *nameBuilder
	sets             map[string]uint16
	// The row before, with which rows in order of ZIP have much in common.
	place                place
	state, jurisdictions string
}

func (b *builder) addPlaces(d content.Data) {
	// Room for what the embedded table has: a map that grows step by step costs more than it holds.
	in := placesBuilder{builder: b, cities: newNameBuilder(26_000), counties: newNameBuilder(2_000),
		sets: make(map[string]uint16, 8_000)}
	p := &b.c.places
	p.zipStart, p.rows = make([]uint32, numZIPs+1), make([]place, 0, 84_000)
	last, primaries := -1, 0
	var at content.RowRef
	for row, err := range d.Places {
		if err != nil {
			b.faults = append(b.faults, err)
			return
		}
		zip, ok := postal.ZIP5(row.ZIP)
		if !ok || len(row.ZIP) != 5 || zip < last {
			b.fault(row.At, "ZIP %q is not five digits in rising order", row.ZIP)
			return
		}
		if zip != last {
			b.checkPrimaries(at, primaries)
			primaries = 0
			p.startZIPs(last+1, zip)
			last = zip
		}
		at = row.At
		if row.Primary {
			primaries++
		}
		in.add(row)
		p.rows = append(p.rows, in.place)
	}
	b.checkPrimaries(at, primaries)
	p.startZIPs(last+1, numZIPs)
	p.rows = slices.Clip(p.rows)
	if max(len(in.cities.text), len(in.counties.text))-1 > math.MaxUint16 { // the first is no name
		b.fault(at, "more than %d names of cities or of counties", math.MaxUint16)
		return
	}
	p.like = b.c.sameTax(p.sets, d)
	p.cities, p.counties = in.cities.names(postal.PlaceKey), in.counties.names(postal.CountyKey)
	p.sortByCity()
}

// startZIPs lets the rows of these ZIPs begin with the next row.
func (p *placeIndex) startZIPs(first, last int) {
	for zip := first; zip <= last; zip++ {
		p.zipStart[zip] = uint32(len(p.rows))
	}
}

// sortByCity orders the rows of places that have a city by its key, state and position: one number for each row.
func (p *placeIndex) sortByCity() {
	order := make([]uint64, 0, len(p.rows))
	for i := range p.rows {
		if r := &p.rows[i]; r.city != 0 {
			order = append(order, uint64(p.cities.key[r.city])<<40|uint64(r.state)<<32|uint64(i))
		}
	}
	slices.Sort(order)
	p.byCity = make([]uint32, len(order))
	for i, o := range order {
		p.byCity[i] = uint32(o)
	}
}

func (b *builder) checkPrimaries(at content.RowRef, n int) {
	if n != 1 && at.File != "" {
		b.fault(at, "the ZIP that ends here has %d primary rows instead of one", n)
	}
}

// add reads a row into place.
func (b *placesBuilder) add(row content.PlaceRow) {
	r := &b.place
	if row.State != b.state || row.State == "" {
		st := b.c.usState(row.State)
		if st == 0 {
			b.fault(row.At, "unknown state %q", row.State)
			return
		}
		r.state, b.state = st-1, row.State
	}
	if row.Jurisdictions != b.jurisdictions || row.Jurisdictions == "" {
		r.set, b.jurisdictions = b.setOf(row, b.c.states[r.state].jurisdiction), row.Jurisdictions
	}
	if r.rank = uint8(slices.Index(bases[:], row.Basis) + 1); r.rank == 0 {
		b.fault(row.At, "basis %q", row.Basis)
	}
	if row.Primary {
		r.rank = 0
	}
	r.own, r.postal, r.share = !slices.Contains(noCity, row.Basis), row.Basis != listed || !row.Known, uint16(row.Share)
	city := row.City
	if municipio, ok := strings.CutSuffix(row.County, " Municipio"); ok && city == "" {
		city = municipio // in Puerto Rico the municipio is the postal city
	}
	r.city, r.county = b.cities.add(city), b.counties.add(row.County)
	complete := slices.Index(completenessValues[:], Completeness(row.Completeness))
	if complete < 0 {
		b.fault(row.At, "completeness %q", row.Completeness)
	}
	r.completeness = uint8(complete)
}

// setOf is the number of the set of jurisdictions of a row.
func (b *placesBuilder) setOf(row content.PlaceRow, state uint16) uint16 {
	set, ok := b.sets[row.Jurisdictions]
	if !ok {
		p := &b.c.places
		if len(p.sets) > math.MaxUint16 {
			b.fault(row.At, "more than %d sets of jurisdictions", math.MaxUint16)
			return 0
		}
		set = uint16(len(p.sets))
		p.sets = append(p.sets, b.set(row, state))
		b.sets[strings.Clone(row.Jurisdictions)] = set
	}
	return set
}

func (b *builder) set(row content.PlaceRow, state uint16) []uint16 {
	var ids []uint16
	for id := range strings.SplitSeq(row.Jurisdictions, "|") {
		j, ok := b.c.byID[id]
		if !ok {
			b.fault(row.At, "unknown jurisdiction %q", id)
			return nil
		}
		ids = append(ids, j)
	}
	if !slices.Contains(ids, state) {
		b.fault(row.At, "the state is not among the jurisdictions")
	}
	b.c.sortJurisdictions(ids)
	return slices.Clip(ids)
}

func (b *builder) addBoundaries(d content.Data) {
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
		if state, ok := strings.CutPrefix(row.ID, content.RateFileSource); ok {
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
