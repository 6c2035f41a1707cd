package tax

import (
	"levy/tax/postal"
)

// outlyingArea is an area that is written as a state of the United States but belongs to none. It is an address of
// military mail, or a territory with a tax system of its own. No sales tax of a state is due there.
type outlyingArea struct {
	code, name string
	military   bool
	names      []string // in the form of postal.Compact
	zips       [2]int   // the first and the last
}

// outlyingAreas by the ranges of the postal service. Those of the territories are their codes
// as countries; Puerto Rico is a state for tax.
var outlyingAreas = []outlyingArea{
	{"AA", "Armed Forces Americas", true, []string{"ARMEDFORCESAMERICAS"}, [2]int{34000, 34099}},
	{"AE", "Armed Forces Europe", true, []string{
		"ARMEDFORCESEUROPE", "ARMEDFORCESAFRICA", "ARMEDFORCESCANADA", "ARMEDFORCESMIDDLEEAST",
	}, [2]int{9000, 9899}},
	{"AP", "Armed Forces Pacific", true, []string{"ARMEDFORCESPACIFIC"}, [2]int{96200, 96699}},
	{"AS", "American Samoa", false, []string{"AMERICANSAMOA"}, [2]int{96799, 96799}},
	{"GU", "Guam", false, []string{"GUAM"}, [2]int{96910, 96932}},
	{"MP", "Northern Mariana Islands", false, []string{
		"NORTHERNMARIANAISLANDS", "NORTHERNMARIANAS", "COMMONWEALTHOFTHENORTHERNMARIANAISLANDS", "CNMI",
	}, [2]int{96950, 96952}},
	{"VI", "U.S. Virgin Islands", false, []string{
		"VIRGINISLANDS", "USVIRGINISLANDS", "VIRGINISLANDSUS", "UNITEDSTATESVIRGINISLANDS", "USVI",
	}, [2]int{801, 851}},
}

// outlyingByName finds an area by what is written as the state, in any spelling, and
// outlyingByZIP by a ZIP; nil for none.
var outlyingByName = func() map[string]*outlyingArea {
	byName := map[string]*outlyingArea{}
	for i := range outlyingAreas {
		area := &outlyingAreas[i]
		byName[area.code] = area
		for _, name := range area.names {
			byName[name] = area
		}
	}
	return byName
}()

func outlyingNamed(state string) *outlyingArea {
	var buf [64]byte
	return outlyingByName[string(postal.Compact(buf[:0], state))]
}

func outlyingByZIP(zip int) *outlyingArea {
	for i := range outlyingAreas {
		if area := &outlyingAreas[i]; zip >= area.zips[0] && zip <= area.zips[1] {
			return area
		}
	}
	return nil
}

// stateLike reports whether this is written as a state of the United States.
func (c *Content) stateLike(state string) bool {
	return c.usState(state) != 0 || outlyingNamed(state) != nil
}

// outlying finds the area of an address in the United States; nil for an address in a state.
// The state decides, else the ZIP. An address with a post office of the military as its city may name
// the state where its mail enters the country.
func (c *Content) outlying(a Address) *outlyingArea {
	if a.State != "" && c.usState(a.State) == 0 {
		return outlyingNamed(a.State)
	}
	zip, ok := postal.ZIP5(a.PostalCode)
	if !ok {
		return nil
	}
	area := outlyingByZIP(zip)
	if area == nil {
		return nil
	}
	if first, end := c.places.ofZIP(zip); a.State == "" && first == end || area.military && militaryPost(a.City) {
		return area
	}
	return nil
}

func militaryPost(city string) bool {
	var buf [64]byte
	switch string(postal.Compact(buf[:0], city)) {
	case "APO", "FPO", "DPO":
		return true
	}
	return false
}

// resolveOutlying resolves an address in an area. A territory is a country of its own.
func (c *Content) resolveOutlying(a Address, area *outlyingArea, p *Place) {
	p.State = area.code
	if !area.military {
		p.Country = area.code
		c.resolveCountry(a, p)
		return
	}
	p.Resolution = ResolutionState
	zip, ok := postal.ZIP5(a.PostalCode)
	switch outside := ok && outlyingByZIP(zip) != area; {
	case a.PostalCode != "" && !ok:
		p.Status, p.Reason = StatusInvalid, a.PostalCode+" is not a ZIP."
	case outside:
		p.Status, p.Reason = StatusInvalid, "ZIP "+a.PostalCode[:5]+" lies outside "+area.name+"."
	case !ok || !militaryPost(a.City) || c.usState(a.State) != 0 || a.State == "":
		p.Status, p.Reason = StatusPartiallyVerified,
			"A military address in "+area.name+", of which a part is missing or differs."
	default:
		p.Status, p.Reason = StatusVerified, "A military address: ZIP, state and city agree."
	}
}
