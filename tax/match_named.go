package tax

// findNamed decides about a city that is not known at its ZIP. If a city of that name taxes in the county of the ZIP,
// else in the state, its tax is taken.
// If the name is that of a place there that does not tax, no city's tax is. With an unknown name, the tax of nearly the
// whole ZIP is taken, else no tax of a city.
func (c *Content) findNamed(a Address, m *match) {
	rows := m.rows
	nearby, known := c.nearby(a, rows)
	if m.others = c.others(m.row, rows); known && c.hasCity(c.places.sets[c.places.rows[nearby].set]) {
		m.row, m.named = nearby, namedElsewhere
		m.set = c.places.sets[c.places.rows[nearby].set]
		m.others = c.differing(c.places.rows[nearby].set, rows)
		return
	}
	m.named = namedNowhere
	if !known && len(m.others) == 0 {
		m.others = c.differing(c.places.rows[m.row].set, rows)
		return
	}
	if !c.hasCity(m.set) {
		return
	}
	taken := c.places.rows[m.row].set
	outside := func(r *place) bool { return !c.hasCity(c.places.sets[r.set]) }
	if free := c.keep(rows, outside); len(free) > 0 {
		m.row = c.best(free, m.byPeople)
		m.set = c.places.sets[c.places.rows[m.row].set]
		m.others = c.differing(c.places.rows[m.row].set, rows)
	} else {
		m.set = c.withoutCity(m.set)
		m.others = append([]uint16{taken}, m.others...)
	}
	m.named = namedUntaxed
}

// differing are the sets of rows with another tax than a set, one for each tax.
func (c *Content) differing(than uint16, rows []uint32) (others []uint16) {
	like := c.places.like
	seen := map[uint16]bool{like[than]: true}
	for _, row := range rows {
		if set := c.places.rows[row].set; !seen[like[set]] {
			seen[like[set]] = true
			others = append(others, set)
		}
	}
	return others
}

// nearby finds the place of a name in the counties of a ZIP, else a city that taxes in its state.
func (c *Content) nearby(a Address, rows []uint32) (row uint32, known bool) {
	key := c.places.cityKey(a.City)
	if key == 0 {
		return 0, false
	}
	inState := c.places.ofCity(key, c.places.rows[rows[0]].state)
	sameCounty := func(r *place) bool {
		return c.anyRow(rows, func(in *place) bool {
			return c.places.counties.key[in.county] == c.places.counties.key[r.county]
		})
	}
	own := func(r *place) bool { return r.own }
	taxing := func(r *place) bool { return r.own && c.hasCity(c.places.sets[r.set]) }
	if near := c.keep(inState, sameCounty); len(near) > 0 {
		if c.anyRow(near, own) {
			near = c.keep(near, own)
		}
		return c.best(near, false), true
	}
	if far := c.keep(inState, taxing); len(far) > 0 {
		return c.best(far, false), true
	}
	return 0, false
}
