package tax

import (
	"slices"

	"levy/tax/postal"
)

// Resolve finds the place of an address: the result of its check, its normalised form and the jurisdictions that tax
// there. It takes the best match that the content has. In this order: ZIP with county and city, ZIP with city or
// county, ZIP, city, state, country.
//
// A contradiction, such as a ZIP outside the state or an unknown ZIP, makes the address INVALID. If the state is given,
// such an address is still taxable at the level of the state.
func (c *Content) Resolve(a Address) Place { return c.ResolveAt(a, BoundaryMatch{}) }

// ResolveAt is Resolve with what the boundary files say about the address. They
// know better than the ZIP which jurisdictions tax there.
func (c *Content) ResolveAt(a Address, m BoundaryMatch) Place {
	a = a.trimmed()
	if a.FullAddress != "" && a.onlyFull() {
		a = c.parseFull(a)
	}
	p := Place{Street1: a.Street1, Street2: a.Street2, City: a.City, County: a.County, State: a.State,
		PostalCode: a.PostalCode, Resolution: ResolutionNone, Jurisdictions: []string{}, ContentVersion: c.version}
	if a.blank() {
		p.Status, p.Reason = StatusBlank, "The address is empty."
		return p
	}
	p.Country = c.country(a)
	if p.Country == "PR" {
		p.Country, p.State, a.State = "US", "PR", "PR"
	}
	switch p.Country {
	case "":
		p.Status, p.State, p.Reason = StatusUnverifiable, "", "The country is not known."
	case "US":
		if area := c.outlying(a); area != nil {
			c.resolveOutlying(a, area, &p)
		} else {
			c.resolveUS(a, &p, m)
		}
	case "CA":
		c.resolveCanada(a, &p)
	default:
		name := c.countries[p.Country]
		host, within := taxedWith[p.Country]
		if within {
			p.Country = host
		}
		c.resolveCountry(a, &p)
		if within {
			p.Reason = name + " is taxed like " + c.countries[host] + ". " + p.Reason
		}
	}
	return p
}

// taxedWith are countries that belong to the tax territory of another one. Sources: Council
// Directive 2006/112/EC, article 7 (Monaco); Customs and Excise Agreement 1979 with the Isle of
// Man, VAT Act 1994, section 96(1); treaty of 28 October 1994 between Switzerland and
// Liechtenstein on value added tax.
var taxedWith = map[string]string{"MC": "FR", "IM": "GB", "LI": "CH"}

func (c *Content) resolveUS(a Address, p *Place, m BoundaryMatch) {
	st := c.usState(a.State)
	p.State = ""
	if st != 0 {
		p.State = c.states[st-1].code
	} else if a.State != "" {
		p.Status, p.Reason = StatusInvalid, a.State+" is not a state of the United States with sales-tax data."
		return
	}
	switch zip, ok := postal.ZIP5(a.PostalCode); {
	case ok:
		if len(a.PostalCode) > 5 {
			p.PostalCode = a.PostalCode[:5] + "-" + a.PostalCode[len(a.PostalCode)-4:]
		}
		c.resolveZIP(a, p, zip, st, m)
	case a.PostalCode != "":
		c.stateOnly(p, st, StatusInvalid, a.PostalCode+" is not a ZIP.")
	case st == 0:
		p.Status, p.Reason = StatusUnverifiable, "Neither the state nor the ZIP is known."
	default:
		c.resolveCity(a, p, st)
	}
}

func (c *Content) resolveZIP(a Address, p *Place, zip int, st uint8, found BoundaryMatch) {
	first, end := c.places.ofZIP(zip)
	if first == end && st != 0 && found.Resolution != "" {
		c.takeBoundary(a, p, st, found)
		p.Status, p.Reason = StatusPartiallyVerified,
			"The city is not known at this ZIP; the state's boundary file has the address."
		return
	}
	if first == end {
		c.stateOnly(p, st, StatusInvalid, "ZIP "+a.PostalCode[:5]+" is not known.")
		return
	}
	var buf [16]uint32
	rows := buf[:0]
	severalStates := false
	for row := first; row < end; row++ {
		r := &c.places.rows[row]
		severalStates = severalStates || r.state != c.places.rows[first].state
		if st == 0 || r.state == st-1 {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		c.stateOnly(p, st, StatusInvalid, "ZIP "+a.PostalCode[:5]+" lies outside "+c.states[st-1].name+".")
		return
	}
	stateKnown := st != 0 || !severalStates
	m := c.choose(a, rows, stateKnown && c.measured(rows))
	// guard: places: a city that is named is not replaced by another
	if a.City != "" && !m.city && !a.Unincorporated {
		c.findNamed(a, &m)
	}
	p.Resolution = ResolutionZIP5
	c.take(a, p, m)
	if found.Resolution != "" && stateKnown {
		c.takeBoundary(a, p, c.places.rows[rows[0]].state+1, found)
	}
	// guard: places: a ZIP of two states is doubtful
	if !stateKnown {
		c.doubtState(p, rows)
		p.Status, p.Reason = StatusPartiallyVerified, "The ZIP lies in more than one state."
		return
	}
	p.Status, p.Reason = agreement(a, p, m, st)
}

// doubtState adds the places of other states that a ZIP without a state can mean, one for each state.
func (c *Content) doubtState(p *Place, rows []uint32) {
	if !p.Ambiguous {
		p.Ambiguous = true
		p.Confidence = max(levelOf(p.Confidence), levelMedium).confidence()
	}
	seen := uint64(1) << (c.usState(p.State) - 1)
	for _, ids := range p.Alternatives {
		seen |= 1 << (c.usState(c.jurisdictions[c.byID[ids[0]]].State) - 1)
	}
	for _, row := range rows {
		if r := &c.places.rows[row]; seen&(1<<r.state) == 0 {
			seen |= 1 << r.state
			p.Alternatives = append(p.Alternatives, c.ids(c.places.sets[r.set]))
		}
	}
}

var namings = [...]string{
	namedHere: "the main place of the ZIP is used", namedElsewhere: "its own taxes were taken",
	namedUntaxed: "no city's tax was taken", namedNowhere: "what is due in the ZIP was taken",
}

// agreement is how well an address agrees with the place that was taken for its ZIP.
func agreement(a Address, p *Place, m match, st uint8) (AddressStatus, string) {
	switch {
	case a.City == "":
		return StatusPartiallyVerified, "The city is missing."
	case !m.city:
		return StatusPartiallyVerified, "The city is not known at this ZIP; " + namings[m.named] + "."
	case p.Ambiguous:
		return StatusPartiallyVerified, "The ZIP spans places with different taxes; the best match is used."
	case st == 0:
		return StatusPartiallyVerified, "The state is missing; it follows from the ZIP."
	}
	return StatusVerified, "ZIP, state and city agree."
}

func (c *Content) resolveCity(a Address, p *Place, st uint8) {
	var rows []uint32
	if key := c.places.cityKey(a.City); key != 0 {
		rows = c.places.ofCity(key, st-1)
	}
	if len(rows) == 0 {
		reason := "The ZIP is missing."
		if a.City == "" {
			reason = "City and ZIP are missing."
		}
		c.stateOnly(p, st, StatusPartiallyVerified, reason+" Only the state is certain.")
		return
	}
	p.Resolution = ResolutionCity
	c.take(a, p, c.choose(a, rows, false))
	p.Status, p.Reason = StatusPartiallyVerified, "The ZIP is missing; the place follows from city and state."
}

// stateOnly falls back to the taxes that are due everywhere in the state.
func (c *Content) stateOnly(p *Place, st uint8, status AddressStatus, reason string) {
	p.Status, p.Reason = status, reason
	if st == 0 {
		return
	}
	s := &c.states[st-1]
	ids := append([]uint16{s.jurisdiction}, s.statewide...)
	c.sortJurisdictions(ids)
	p.Resolution = ResolutionState
	p.Jurisdictions = c.ids(ids)
	p.Completeness, p.Confidence = CompletenessComplete, ConfidenceHigh
	if s.hasLocal {
		p.Completeness, p.Confidence = CompletenessStateOnly, ConfidenceLow
	}
}

// take writes a match into the place.
func (c *Content) take(a Address, p *Place, m match) {
	r := &c.places.rows[m.row]
	set := m.set
	if a.Unincorporated {
		set = c.withoutCity(set)
	}
	p.State = c.states[r.state].code
	p.Jurisdictions = c.ids(set)
	p.Completeness = completenessValues[r.completeness]
	if name := c.places.cities.text(r.city); name != "" && (m.city || p.City == "") {
		p.City = name
	}
	sure := levelHigh
	for _, alternative := range m.others {
		other := c.places.sets[alternative]
		if a.Unincorporated {
			other = c.withoutCity(other)
		}
		if !slices.Equal(other, set) {
			p.Ambiguous = true
			p.Alternatives = append(p.Alternatives, c.ids(other))
		}
	}
	if !p.Ambiguous || m.county {
		p.County = c.places.counties.text(r.county)
	}
	if p.Ambiguous {
		sure = sure.lowered()
	}
	if p.Completeness != CompletenessComplete {
		sure = levelLow
	}
	p.Confidence = sure.confidence()
}
