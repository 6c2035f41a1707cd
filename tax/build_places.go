package tax

import (
	"math"
	"slices"
	"strings"

	"levy/tax/content"
	"levy/tax/postal"
)

func (b *builder) addPlaces(d content.Data) {
	p := &b.c.places
	p.zipStart = make([]uint32, numZIPs+1)
	cities, counties := newNameBuilder(postal.PlaceKey), newNameBuilder(postal.CountyKey)
	sets := make(map[string]uint16, 4096)
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
			for z := last + 1; z <= zip; z++ {
				p.zipStart[z] = uint32(len(p.rows))
			}
			last = zip
		}
		at = row.At
		if row.Primary {
			primaries++
		}
		p.rows = append(p.rows, b.place(row, sets, cities, counties))
	}
	b.checkPrimaries(at, primaries)
	for z := last + 1; z <= numZIPs; z++ {
		p.zipStart[z] = uint32(len(p.rows))
	}
	p.rows = slices.Clip(p.rows)
	p.cities, p.counties = cities.names(), counties.names()
	order := make([]uint64, 0, len(p.rows)) // key, state and position in one number each
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

func (b *builder) place(row content.PlaceRow, sets map[string]uint16, cities, counties *nameBuilder) place {
	c := b.c
	st := c.usState(row.State)
	if st == 0 {
		b.fault(row.At, "unknown state %q", row.State)
		return place{}
	}
	set, ok := sets[row.Jurisdictions]
	if !ok {
		if len(c.places.sets) > math.MaxUint16 {
			b.fault(row.At, "more than %d sets of jurisdictions", math.MaxUint16)
			return place{}
		}
		set = uint16(len(c.places.sets))
		c.places.sets = append(c.places.sets, b.set(row, c.states[st-1].jurisdiction))
		sets[strings.Clone(row.Jurisdictions)] = set
	}
	r := place{set: set, state: st - 1, rank: basisRank[row.Basis]}
	if r.rank == 0 {
		b.fault(row.At, "basis %q", row.Basis)
	}
	if row.Primary {
		r.rank = 0
	}
	city := row.City
	if municipio, ok := strings.CutSuffix(row.County, " Municipio"); ok && city == "" {
		city = municipio // in Puerto Rico the municipio is the postal city
	}
	r.city = cities.add(city)
	r.county = counties.add(row.County)
	complete := slices.Index(completenessValues[:], Completeness(row.Completeness))
	if complete < 0 {
		b.fault(row.At, "completeness %q", row.Completeness)
		return place{}
	}
	r.completeness = uint8(complete)
	return r
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
