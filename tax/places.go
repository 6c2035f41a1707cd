package tax

import (
	"cmp"
	"slices"

	"levy/tax/postal"
)

// place is one row of the place table; everything is an index.
type place struct {
	set          uint16
	city         uint16 // in cities; 0 = no name
	county       uint16 // in counties; 0 = no name
	state        uint8
	rank         uint8 // 0 = the primary row of its ZIP, then by how sure the row is
	completeness uint8
	own          bool   // the city is where its name says, and does not only lend it to its post office
	postal       bool   // the city is that of the post office
	share        uint16 // of the people of its ZIP, in thousandths
}

var completenessValues = [...]Completeness{CompletenessComplete, CompletenessPartial, CompletenessStateOnly}

// noCity are the bases of rows outside of the city that they name: its post office serves them, too.
var noCity = []string{"COUNTY_ONLY", "CENSUS_OVERLAP", "POSTAL_NAME_OUTSIDE_LIST"}

// listed is the basis of a city that lies in a ZIP, also where its post office has another name.
const listed = "CITY_ZIP_LIST"

// bases are the ways in which a row of the table was found, best first.
var bases = [...]string{"CITY_ZIP_LIST", "POSTAL_CITY", "COUNTY_ONLY", "CENSUS_OVERLAP", "POSTAL_NAME_OUTSIDE_LIST"}

// placeIndex finds rows by ZIP and by city.
type placeIndex struct {
	zipStart []uint32 // rows of ZIP z are rows[zipStart[z]:zipStart[z+1]]
	rows     []place
	sets     [][]uint16 // jurisdictions by order and name
	like     []uint16   // of each set the first one with the same tax
	cities   names
	counties names
	byCity   []uint32 // rows ordered by city key, state and position
}

func (p *placeIndex) ofZIP(zip int) (first, end uint32) { return p.zipStart[zip], p.zipStart[zip+1] }

// ofCity returns the rows of a city in a state.
func (p *placeIndex) ofCity(key uint16, state uint8) []uint32 {
	compare := func(row uint32, _ struct{}) int {
		r := &p.rows[row]
		return cmp.Or(cmp.Compare(p.cities.key[r.city], key), cmp.Compare(r.state, state))
	}
	lo, found := slices.BinarySearchFunc(p.byCity, struct{}{}, compare)
	if !found {
		return nil
	}
	hi := lo
	for hi < len(p.byCity) && compare(p.byCity[hi], struct{}{}) == 0 {
		hi++
	}
	return p.byCity[lo:hi]
}

// cityKey and countyKey find the key of a name in any spelling, 0 when there is
// none.
func (p *placeIndex) cityKey(s string) uint16 {
	var buf [96]byte
	return p.cities.of(postal.PlaceKey(buf[:0], s))
}

func (p *placeIndex) countyKey(s string) uint16 {
	var buf [96]byte
	return p.counties.of(postal.CountyKey(buf[:0], s))
}

const numZIPs = 100_000
