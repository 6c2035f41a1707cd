package tax

import (
	"cmp"
	"slices"
)

// match is the row of the place table that fits an address best. It tells which parts of the address fit, and which
// other sets of jurisdictions fit equally.
type match struct {
	row          uint32
	city, county bool
	others       []uint16
}

// choose narrows the rows of one ZIP or one city to the rows that fit best, and takes the best of them. Rows that fit
// both county and city come first, then rows of the city, then rows of the county.
func (c *Content) choose(a Address, rows []uint32) match {
	var m match
	city, county := c.places.cityKey(a.City), c.places.countyKey(a.County)
	fits := func(r *place, city, county uint16) bool {
		return (city == 0 || c.places.cities.key[r.city] == city) &&
			(county == 0 || c.places.counties.key[r.county] == county)
	}
	for _, want := range [...]struct{ city, county uint16 }{{city, county}, {city, 0}, {0, county}} {
		if want.city == 0 && want.county == 0 {
			continue
		}
		if c.anyRow(rows, func(r *place) bool { return fits(r, want.city, want.county) }) {
			rows = c.keep(rows, func(r *place) bool { return fits(r, want.city, want.county) })
			m.city, m.county = want.city != 0, want.county != 0
			break
		}
	}
	outside := func(r *place) bool {
		return !slices.ContainsFunc(
			c.places.sets[r.set], func(j uint16) bool { return c.jurisdictions[j].order == orderCity },
		)
	}
	if a.Unincorporated && c.anyRow(rows, outside) {
		rows = c.keep(rows, outside)
	}
	m.row = c.best(rows)
	for _, row := range rows {
		set := c.places.rows[row].set
		if set != c.places.rows[m.row].set && !slices.Contains(m.others, set) {
			m.others = append(m.others, set)
		}
	}
	return m
}

func (c *Content) anyRow(rows []uint32, ok func(*place) bool) bool {
	return slices.ContainsFunc(rows, func(row uint32) bool { return ok(&c.places.rows[row]) })
}

func (c *Content) keep(rows []uint32, ok func(*place) bool) []uint32 {
	kept := make([]uint32, 0, len(rows))
	for _, row := range rows {
		if ok(&c.places.rows[row]) {
			kept = append(kept, row)
		}
	}
	return kept
}

// best prefers the main row of a ZIP, then rows of a higher confidence. Among equal rows of several ZIPs it takes the
// set of jurisdictions that most of them have.
func (c *Content) best(rows []uint32) uint32 {
	type candidate struct {
		row   uint32
		count int
	}
	var buf [16]candidate
	found := buf[:0]
	for _, row := range rows {
		r := &c.places.rows[row]
		if len(found) > 0 {
			if rank := c.places.rows[found[0].row].rank; r.rank > rank {
				continue
			} else if r.rank < rank {
				found = found[:0]
			}
		}
		i := slices.IndexFunc(found, func(f candidate) bool { return c.places.rows[f.row].set == r.set })
		if i < 0 {
			i = len(found)
			found = append(found, candidate{row: row})
		}
		found[i].count++
	}
	return slices.MaxFunc(found, func(a, b candidate) int { return cmp.Compare(a.count, b.count) }).row
}
