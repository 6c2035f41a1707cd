package tax

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"levy/tax/postal"
)

// maxSuggestions is the length of a list that a person still reads.
const maxSuggestions = 10

// Suggestion is a place that the beginning of an address may mean.
type Suggestion struct {
	City, County, State, PostalCode, Country string
}

// candidate is a suggestion with what decides its rank.
type candidate struct {
	Suggestion
	exact bool // the city is written out
	rank  uint8
	zips  int // of the city, among the candidates
}

// Suggest completes the beginning of an address in the United States: of its ZIP, of its city, or of both. State and
// county limit the search, and the state may be the beginning of its name. It returns at most 10 places, and none for
// other countries.
//
// Places whose city is written out come first. If the beginning of a ZIP is given, the others follow by ZIP. Else
// cities with the most ZIPs follow, each city once before any further ZIP of a city.
func (c *Content) Suggest(a Address) []Suggestion {
	a = c.begun(a.trimmed())
	digits := zipDigits(a.PostalCode)
	if c.country(a) != "US" || !postal.DigitsOnly(digits) || digits == "" && a.City == "" {
		return []Suggestion{}
	}
	states := c.statesBeginning(a.State)
	cities, counties := c.places.cities.beginning(a.City, postal.PlaceKey),
		c.places.counties.beginning(a.County, postal.CountyKey)
	written := c.places.cityKey(a.City)
	var found []candidate
	first, end := zipRange(digits)
	for zip := first; zip < end; zip++ {
		from, to := c.places.ofZIP(zip)
		for row := from; row < to; row++ {
			r := &c.places.rows[row]
			city, county := c.places.cities.key[r.city], c.places.counties.key[r.county]
			if r.city == 0 || !r.postal || !states[r.state] || !cities[city] || !counties[county] {
				continue
			}
			found = append(found, candidate{Suggestion: Suggestion{
				City: c.places.cities.text(r.city), County: c.places.counties.text(r.county), State: c.states[r.state].code,
				PostalCode: zipText(zip), Country: "US",
			}, exact: written != 0 && city == written, rank: r.rank})
		}
	}
	return firstOf(found, digits != "")
}

// statesBeginning marks the states that are meant: the one of a code or a name, else those whose names begin so.
func (c *Content) statesBeginning(s string) []bool {
	marked := make([]bool, len(c.states))
	if st := c.usState(s); st != 0 {
		marked[st-1] = true
		return marked
	}
	begins := postal.Compact(nil, s)
	for i := range c.states {
		marked[i] = s == "" || len(begins) > 0 && bytes.HasPrefix(postal.Compact(nil, c.states[i].name), begins)
	}
	return marked
}

// firstOf orders candidates and returns the first different ones. Without a ZIP it takes one of each city first.
// Otherwise the many ZIPs of one city would hide cities of the same name in other states.
func firstOf(found []candidate, byZIP bool) []Suggestion {
	countZIPs(found)
	slices.SortFunc(found, func(x, y candidate) int {
		switch {
		case x.exact && !y.exact:
			return -1
		case y.exact && !x.exact:
			return 1
		}
		if order := cmp.Or(cmp.Compare(x.PostalCode, y.PostalCode), cmp.Compare(x.rank, y.rank)); byZIP && order != 0 {
			return order
		}
		return cmp.Or(cmp.Compare(y.zips, x.zips), cmp.Compare(x.City, y.City), cmp.Compare(x.State, y.State),
			cmp.Compare(x.PostalCode, y.PostalCode), cmp.Compare(x.rank, y.rank), cmp.Compare(x.County, y.County))
	})
	list := make([]Suggestion, 0, maxSuggestions)
	cities := map[[2]string]bool{}
	for _, again := range []bool{byZIP, true} {
		for _, f := range found {
			city := [2]string{f.City, f.State}
			if len(list) < maxSuggestions && (again || !cities[city]) && !slices.Contains(list, f.Suggestion) {
				list, cities[city] = append(list, f.Suggestion), true
			}
		}
	}
	return list
}

// countZIPs counts the ZIPs of each city among candidates, which are in the order of their ZIPs. The number stands for
// the size of the city, which the content does not know.
func countZIPs(found []candidate) {
	sizes, last := map[[2]string]int{}, map[[2]string]string{}
	for _, f := range found {
		if city := [2]string{f.City, f.State}; last[city] != f.PostalCode {
			sizes[city], last[city] = sizes[city]+1, f.PostalCode
		}
	}
	for i := range found {
		found[i].zips = sizes[[2]string{found[i].City, found[i].State}]
	}
}

// begun separates the parts of an address in one line of text. Text that is neither a state nor a country is the
// beginning of a city or ZIP.
func (c *Content) begun(a Address) Address {
	rest := a
	rest.Country = ""
	if a.FullAddress == "" || !rest.onlyFull() {
		return a
	}
	parsed := c.parseFull(rest)
	parsed.Country = cmp.Or(parsed.Country, a.Country)
	if parsed.City == "" && parsed.PostalCode == "" {
		if postal.DigitsOnly(parsed.Street1) {
			parsed.PostalCode = parsed.Street1
		} else {
			parsed.City = parsed.Street1
		}
	}
	return parsed
}

// beginning marks the keys of the names that begin as s does. The last word of s
// may be an abbreviation or cut off.
func (n *names) beginning(s string, key func([]byte, string) []byte) []bool {
	marked := make([]bool, len(n.key)+1)
	if s == "" {
		for i := range marked {
			marked[i] = true
		}
		return marked
	}
	last := strings.LastIndexByte(s, ' ') + 1
	whole := string(key(nil, s))
	cut := string(postal.Compact(postal.PlaceKey(nil, s[:last]), s[last:]))
	if whole == "" || cut == "" { // nothing that names are made of
		return marked
	}
	n.mark(marked, whole)
	n.mark(marked, cut)
	return marked
}

// zipDigits is the ZIP without its four further digits.
func zipDigits(s string) string {
	s, _, _ = strings.Cut(s, "-")
	return s[:min(len(s), 5)]
}

// zipRange is the range of ZIPs that begin with the digits.
func zipRange(digits string) (first, end int) {
	width := 1
	for range 5 - len(digits) {
		width *= 10
	}
	for i := range len(digits) {
		first = first*10 + int(digits[i]-'0')
	}
	return first * width, (first + 1) * width
}

// zipText writes a ZIP with its five digits.
func zipText(zip int) string {
	var b [5]byte
	for i := 4; i >= 0; i-- {
		b[i] = byte('0' + zip%10)
		zip /= 10
	}
	return string(b[:])
}
