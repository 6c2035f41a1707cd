package tax

import (
	"cmp"
	"slices"
	"strings"

	"levy/tax/postal"
)

// IsStateCode reports whether a text is written as the code of a state, such as MI.
func IsStateCode(s string) bool {
	return len(s) == 2 && s[0] >= 'A' && s[0] <= 'Z' && s[1] >= 'A' && s[1] <= 'Z'
}

func stateSlot(a, b byte) int { return int(a-'A')*26 + int(b-'A') }

// usState finds a US state by code or name in any spelling: its index plus one,
// zero when there is none.
func (c *Content) usState(s string) uint8 {
	var buf [64]byte
	key := postal.Compact(buf[:0], s)
	if len(key) == 2 && key[0] >= 'A' && key[1] >= 'A' {
		return c.usStates[stateSlot(key[0], key[1])]
	}
	return c.stateNames[string(key)]
}

// sortJurisdictions puts them into the order in which leftover cents go and
// results are listed: by level, then by name.
func (c *Content) sortJurisdictions(ids []uint16) {
	slices.SortFunc(ids, func(x, y uint16) int {
		a, b := &c.jurisdictions[x], &c.jurisdictions[y]
		return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
	})
}

// country returns the country of the address. Without one it is the United States if both the state and the postal code
// have the form of American ones.
func (c *Content) country(a Address) string {
	if a.Country == "" {
		if _, ok := postal.ZIP5(a.PostalCode); ok && c.stateLike(a.State) {
			return "US"
		}
		return ""
	}
	code := strings.ToUpper(a.Country)
	if _, ok := c.countries[code]; ok {
		return code
	}
	return c.countryNamed(a.Country)
}

func (c *Content) countryNamed(s string) string {
	var buf [96]byte
	key := postal.Compact(buf[:0], s)
	switch string(key) {
	case "US", "USA", "UNITEDSTATESOFAMERICA":
		return "US"
	}
	return c.countryKey[string(key)]
}

func (c *Content) existing(ids ...string) []string {
	return slices.DeleteFunc(ids, func(id string) bool { _, ok := c.byID[id]; return !ok })
}

func (c *Content) ids(set []uint16) []string {
	ids := make([]string, len(set))
	for i, j := range set {
		ids[i] = c.jurisdictions[j].ID
	}
	return ids
}

func (c *Content) withoutCity(set []uint16) []uint16 {
	return slices.DeleteFunc(slices.Clone(set), func(j uint16) bool { return c.jurisdictions[j].order == orderCity })
}

// Version names the state of the content; it is stamped on every result.
func (c *Content) Version() string { return c.version }

// Jurisdiction finds a taxing authority by its id.
func (c *Content) Jurisdiction(id string) (Jurisdiction, bool) {
	i, ok := c.byID[id]
	if !ok {
		return Jurisdiction{}, false
	}
	return c.jurisdictions[i].Jurisdiction, true
}

// StateOfZIP looks a ZIP code up in the table of places. known reports whether the table has it, inside whether it lies
// in the state, also in part.
func (c *Content) StateOfZIP(zip int, state string) (known, inside bool) {
	if zip < 0 || zip >= numZIPs {
		return false, false
	}
	first, end := c.places.ofZIP(zip)
	for row := first; row < end; row++ {
		if c.states[c.places.rows[row].state].code == state {
			return true, true
		}
	}
	return first < end, false
}
