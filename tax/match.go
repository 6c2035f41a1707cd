package tax

import (
	"cmp"
	"slices"
)

// match is the row of the place table that fits an address best. It tells which parts of the address fit, and which
// other sets of jurisdictions the address can have.
type match struct {
	row          uint32
	rows         []uint32 // the address can lie in any of them
	city, county bool
	set          []uint16 // of the row, but without its city where the address names none that taxes
	named        naming
	others       []uint16
	byPeople     bool // it is known how many people of the ZIP live where
}

// naming is where a city that is not known at its ZIP was found.
type naming uint8

const (
	namedHere      naming = iota // or no city is named
	namedElsewhere               // it taxes, in the county or the state of the ZIP
	namedUntaxed                 // no city's tax was taken
	namedNowhere                 // the tax of nearly all of the ZIP was taken
)

// doubtful is the part of the people of a ZIP from which on another tax makes a place doubtful: one of so many.
const doubtful = 20

// choose narrows the rows of one ZIP or one city to the rows that fit best, and takes the best of them. Rows that fit
// both county and city come first, then rows of the city, then rows of the county. Of the rows of a city, the city
// itself comes before places that only its post office serves.
func (c *Content) choose(a Address, rows []uint32, byPeople bool) match {
	m := match{byPeople: byPeople}
	city, county := c.places.cityKey(a.City), c.places.countyKey(a.County)
	fits := func(r *place, city, county uint16) bool {
		return (city == 0 || c.places.cities.key[r.city] == city) &&
			(county == 0 || c.places.counties.key[r.county] == county)
	}
	inZIP, counted := rows, c.measured(rows)
	for _, want := range [...]struct{ city, county uint16 }{{city, county}, {city, 0}, {0, county}} {
		if want.city == 0 && want.county == 0 {
			continue
		}
		if fit := func(r *place) bool { return fits(r, want.city, want.county) }; c.anyRow(rows, fit) {
			own := func(r *place) bool { return r.own && fit(r) }
			if want.city == 0 || a.Unincorporated || !counted || !c.anyRow(rows, own) {
				own = fit
			}
			rows = c.keep(rows, own)
			m.city, m.county = want.city != 0, want.county != 0
			break
		}
	}
	outside := func(r *place) bool { return !c.hasCity(c.places.sets[r.set]) }
	if a.Unincorporated && c.anyRow(rows, outside) {
		rows = c.keep(rows, outside)
		// A city that taxes nothing is a city all the same: its people are not counted outside.
		if apart := func(r *place) bool { return !r.own || r.share == 0 }; c.anyRow(rows, apart) {
			rows = c.keep(rows, apart)
		}
	}
	m.row = c.best(rows, m.byPeople)
	r := &c.places.rows[m.row]
	// The name of a post office says only which ZIP it is.
	if m.city && r.postal && !a.Unincorporated && m.byPeople {
		if m.county {
			inZIP = c.keep(inZIP, func(r *place) bool { return fits(r, 0, county) })
		}
		if rows = inZIP; !r.own && c.isSliver(m.row, rows) {
			m.row = c.best(rows, true)
		}
	}
	m.set = c.places.sets[c.places.rows[m.row].set]
	m.rows, m.others = rows, c.others(m.row, rows)
	return m
}

func (c *Content) hasCity(set []uint16) bool {
	return slices.ContainsFunc(set, func(j uint16) bool { return c.jurisdictions[j].order == orderCity })
}

// measured reports whether it is known how many people of a ZIP live where.
func (c *Content) measured(rows []uint32) bool {
	return c.anyRow(rows, func(r *place) bool { return r.share != 0 })
}

// people are the people of all rows, and of those with another tax than a row.
func (c *Content) people(taken uint32, rows []uint32) (all, differ int) {
	like := c.places.like[c.places.rows[taken].set]
	for _, row := range rows {
		r := &c.places.rows[row]
		all += int(r.share)
		if c.places.like[r.set] != like {
			differ += int(r.share)
		}
	}
	return all, differ
}

// isSliver reports whether few people of a ZIP live where the tax of a row is due.
func (c *Content) isSliver(row uint32, rows []uint32) bool {
	all, differ := c.people(row, rows)
	return (all-differ)*doubtful < all
}

// others are the sets with another tax that rows have, one for each tax. There are none where few people have them.
func (c *Content) others(taken uint32, rows []uint32) []uint16 {
	all, differ := c.people(taken, rows)
	// guard: places: a ZIP is doubtful where many of its people pay another tax
	if all > 0 && differ*doubtful < all {
		return nil
	}
	var others []uint16
	like := c.places.like
	own := like[c.places.rows[taken].set]
	for _, row := range rows {
		set := c.places.rows[row].set
		seen := func(other uint16) bool { return like[other] == like[set] }
		if like[set] != own && (all == 0 || c.places.rows[row].share != 0) && !slices.ContainsFunc(others, seen) {
			others = append(others, set)
		}
	}
	return others
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

// best takes the set of jurisdictions that most people have. Where those are not known it prefers the main row of a
// ZIP, then rows of a higher confidence. Among equal rows it takes the set that most of them have.
func (c *Content) best(rows []uint32, byPeople bool) uint32 {
	type candidate struct {
		row   uint32
		count int
	}
	var buf [16]candidate
	found := buf[:0]
	for _, row := range rows {
		r := &c.places.rows[row]
		if len(found) > 0 && !byPeople {
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
		if found[i].count++; byPeople {
			found[i].count += doubtful * 1000 * int(r.share) // rows do not count beside people
		}
	}
	return slices.MaxFunc(found, func(a, b candidate) int { return cmp.Compare(a.count, b.count) }).row
}
