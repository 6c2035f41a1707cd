package main

import (
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strings"
)

// runKept adds the places of the Census to the ZIPs whose rows a quarter kept. These are the ZIPs of several states, and
// those of the states where the tax of many cities is not known. Jurisdictions and rates stay. The same tables give the
// same result.
func runKept(from, counties string) error {
	var err error
	data, quarter := folder{"data", &err}, folder{from, &err}
	places, coverage := data.table("places.csv"), data.table("coverage.csv")
	census := quarter.table("us_zip_places.csv").rows
	relation, failed := readTable(counties)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	if !slices.Contains(places.header, "share") {
		return errors.New("data has no places of a quarter yet: begin without -kept")
	}
	b := openBook(data, census, "")
	if err != nil {
		return err
	}
	k := keptZIPs{book: b, shares: readCountyShares(relation), before: newSetsBefore(b, places.rows), counties: map[string]string{}}
	for _, row := range places.rows {
		k.counties[row["county_fips"]] = row["county"]
	}
	places.rows = k.all(places.rows, byZIP(census, nil))
	countKept(coverage, places.rows)
	if err := coverage.write(filepath.Join("data", "coverage.csv")); err != nil {
		return err
	}
	return places.write(filepath.Join("data", "places.csv"))
}

// setBefore is a set of jurisdictions with its completeness, as a row has it.
type setBefore struct{ ids, completeness string }

// setsBefore are the sets that most rows of places have.
type setsBefore struct {
	outside   map[string]map[setBefore]int // by county
	named     map[string]map[setBefore]int // by state, place and county
	zips      map[string]setBefore         // outside, by ZIP and county
	cities    map[string]setBefore         // with a city, by ZIP, state, place and county
	districts map[string][]string          // of a city in any county, where they end with it
}

func newSetsBefore(b *book, rows []line) *setsBefore {
	s := &setsBefore{map[string]map[setBefore]int{}, map[string]map[setBefore]int{}, map[string]setBefore{},
		map[string]setBefore{}, map[string][]string{}}
	wider := map[string]bool{} // districts that reach beyond cities
	for _, row := range rows {
		set := setBefore{row["jurisdiction_ids"], row["completeness"]}
		city := b.cityOf(set.ids)
		for id := range strings.SplitSeq(set.ids, "|") {
			switch {
			case b.byID[id]["level"] != "DISTRICT":
			case city == "":
				wider[id] = true
			default:
				s.districts[city] = append(s.districts[city], id)
			}
		}
		if city == "" {
			s.zips[row["zip5"]+row["county_fips"]] = set
		} else {
			s.cities[row["zip5"]+" "+placeIn(row["state"], row["city"], row["county_fips"])] = set
		}
		switch key, own := placeIn(row["state"], row["city"], row["county_fips"]), isOwn(row); {
		case own:
			countSet(s.named, key, set)
		case city == "":
			countSet(s.outside, row["county_fips"], set)
		}
	}
	for city, ids := range s.districts {
		s.districts[city] = slices.DeleteFunc(sortedIDs(ids), func(id string) bool { return wider[id] })
	}
	return s
}

func placeIn(state, name, county string) string { return nameKey(state, name) + " " + county }

// isOwn reports whether the place of a row lies in the ZIP, and does not only lend its name to the post office.
func isOwn(row line) bool { return row["basis"] == listed || row["basis"] == "POSTAL_CITY" }

func countSet(in map[string]map[setBefore]int, key string, set setBefore) {
	if in[key] == nil {
		in[key] = map[setBefore]int{}
	}
	in[key][set]++
}

// commonest is the set that most rows have; of equally many the first by its text.
func commonest(counts map[setBefore]int, ok func(setBefore) bool) (best setBefore, found bool) {
	for set, n := range counts {
		if !ok(set) {
			continue
		}
		if !found || n > counts[best] || n == counts[best] && set.ids+set.completeness < best.ids+best.completeness {
			best, found = set, true
		}
	}
	return best, found
}

// cityOf is the city of a set; empty for none.
func (b *book) cityOf(ids string) string {
	for id := range strings.SplitSeq(ids, "|") {
		if b.byID[id]["level"] == "CITY" {
			return id
		}
	}
	return ""
}

// keptZIPs makes the rows of ZIPs anew that a quarter kept.
type keptZIPs struct {
	*book
	shares   countyShares
	before   *setsBefore
	counties map[string]string // names by FIPS code
}

func (k *keptZIPs) all(old []line, zips map[string][]line) []line {
	var rows []line
	for len(old) > 0 {
		n := slices.IndexFunc(old, func(r line) bool { return r["zip5"] != old[0]["zip5"] })
		if n < 0 {
			n = len(old)
		}
		zip := k.zip(old[:n], zips)
		if !slices.ContainsFunc(zip, func(r line) bool { return r["primary"] == "Y" }) {
			slices.MaxFunc(zip, func(x, y line) int { return cmp.Compare(number(x["share"]), number(y["share"])) })["primary"] = "Y"
		}
		rows, old = append(rows, zip...), old[n:]
	}
	return rows
}

// zip makes the rows of a ZIP, one state after the other.
func (k *keptZIPs) zip(old []line, zips map[string][]line) (rows []line) {
	several := slices.ContainsFunc(old, func(r line) bool { return r["state"] != old[0]["state"] })
	measured := slices.ContainsFunc(old, func(r line) bool { return r["share"] != "" })
	for len(old) > 0 {
		state := old[0]["state"]
		same := func(r line) bool { return r["state"] == state }
		mine := slices.DeleteFunc(slices.Clone(old), func(r line) bool { return !same(r) })
		old = slices.DeleteFunc(slices.Clone(old), same)
		pieces := piecesOf(zips[mine[0]["zip5"]+state])
		if len(pieces) == 0 || measured || state == vermont || !several && !slices.Contains(kept, state) {
			rows = append(rows, mine...)
			continue
		}
		rows = append(rows, k.rowsOf(mine, pieces, several)...)
	}
	return rows
}

// rowsOf makes the rows of a ZIP in one state.
func (k *keptZIPs) rowsOf(old []line, pieces []piece, several bool) []line {
	zip, state, postal := old[0]["zip5"], old[0]["state"], postalName(old)
	primary := slices.ContainsFunc(old, func(r line) bool { return r["primary"] == "Y" })
	var rows []line
	add := func(p part, city, basis string, set setBefore) {
		i := slices.IndexFunc(rows, func(r line) bool {
			return placeKey(r["city"]) == placeKey(city) && r["county_fips"] == p.county && r["jurisdiction_ids"] == set.ids &&
				r["completeness"] == set.completeness && (r["basis"] == listed) == (basis == listed)
		})
		if i >= 0 {
			if basis == "POSTAL_CITY" {
				rows[i]["basis"] = basis
			}
			rows[i]["share"] = text(number(rows[i]["share"]) + p.share)
			return
		}
		rows = append(rows, line{"zip5": zip, "city": city, "state": state, "county_fips": p.county, "county": k.counties[p.county],
			"jurisdiction_ids": set.ids, "primary": "N", "ambiguous": "N", "basis": basis, "completeness": set.completeness,
			"share": text(p.share)})
	}
	for i := range pieces {
		elsewhere := func(county string) bool { return !strings.HasPrefix(k.book.counties[county], "US-"+state+"-") }
		if pieces[i].counties = slices.DeleteFunc(pieces[i].counties, elsewhere); len(pieces[i].counties) == 0 {
			pieces[i].counties = []string{old[0]["county_fips"]}
		}
	}
	for _, p := range k.shares.split(zip, pieces) {
		p.name = cmp.Or(otherNames[state+" "+p.name], p.name)
		if p.share = min(1, p.share); !counts(state, p) {
			p.share = 0 // its people are among those outside
		}
		set := k.setOf(zip, state, postal, p)
		switch {
		case p.place == "":
			add(p, postal, "COUNTY_ONLY", set)
		case placeKey(p.name) == placeKey(postal):
			add(p, postal, "POSTAL_CITY", set)
		default:
			add(p, p.name, listed, set)
		}
	}
	k.keep(&rows, old)
	slices.SortStableFunc(rows, func(x, y line) int { return cmp.Compare(number(y["share"]), number(x["share"])) })
	if primary || !several {
		rows[0]["primary"] = "Y"
	}
	for _, row := range rows {
		row["share"] = permille(number(row["share"]))
		if slices.ContainsFunc(rows, func(r line) bool { return r["jurisdiction_ids"] != row["jurisdiction_ids"] }) {
			row["ambiguous"] = "Y"
		}
	}
	return rows
}

// keep adds the rows that the ZIP had of places that the Census does not have there, and the name of its post office.
func (k *keptZIPs) keep(rows *[]line, old []line) {
	for _, row := range old {
		city := k.byID[k.cityOf(row["jurisdiction_ids"])]
		covered := slices.ContainsFunc(*rows, func(r line) bool {
			return r["county_fips"] == row["county_fips"] && (row["city"] == "" || placeKey(r["city"]) == placeKey(row["city"])) &&
				(city == nil || !isOwn(row) || isOwn(r))
		})
		// A name with the tax of another city was that of a post office in it. A name that only adds a word is a name of the
		// city.
		if covered || isOwn(row) && city != nil && !strings.HasPrefix(placeKey(row["city"]), placeKey(city["name"])) {
			continue
		}
		row["primary"], row["share"] = "N", "0"
		*rows = append(*rows, row)
	}
}

// setOf are the jurisdictions of a part of a ZIP as other rows have them.
func (k *keptZIPs) setOf(zip, state, postal string, p part) setBefore {
	outside := k.outside(zip, state, p.county)
	if p.place == "" {
		return outside
	}
	uncounted := slices.Contains(kept, state)
	own := func(s setBefore) bool {
		city := k.byID[k.cityOf(s.ids)]
		if city == nil {
			return !uncounted || !p.incorporated
		}
		return isNamed(city, p) || p.incorporated && !uncounted
	}
	at := placeIn(state, p.name, p.county)
	if set := k.before.cities[zip+" "+at]; p.incorporated && set.ids != "" && isNamed(k.byID[k.cityOf(set.ids)], p) {
		return set
	}
	if set, ok := commonest(k.before.named[at], own); ok {
		return set
	}
	if id := k.cityIn(state, p); id != "" {
		ids := append(strings.Split(outside.ids, "|"), id)
		ids = append(ids, k.before.districts[id]...) // a city takes its transit district across the county line
		return setBefore{strings.Join(sortedIDs(ids), "|"), "PARTIAL"}
	}
	if uncounted && p.incorporated && outside.completeness == "COMPLETE" && placeKey(p.name) != placeKey(postal) {
		outside.completeness = "PARTIAL" // a row before is about the city of the post office alone
	}
	return outside
}

// isNamed reports whether a city is the place of a part.
func isNamed(city line, p part) bool {
	name, _, _ := strings.Cut(city["name"], " (")
	return city["fips_or_code"] == p.place || placeKey(name) == placeKey(p.name)
}

// cityIn is the jurisdiction with a rate that a place is; empty for none.
func (k *keptZIPs) cityIn(state string, p part) string {
	if id := k.city(state, p.place, p.name, k.book.counties[p.county]); p.incorporated && len(k.series[id]) > 0 {
		return id
	}
	return ""
}

// outside are the jurisdictions outside of the cities of a county.
func (k *keptZIPs) outside(zip, state, county string) setBefore {
	if set, ok := k.before.zips[zip+county]; ok {
		return set
	}
	if set, ok := commonest(k.before.outside[county], func(setBefore) bool { return true }); ok {
		return set
	}
	ids := []string{"US-" + state}
	if id := k.book.counties[county]; len(k.series[id]) > 0 {
		return setBefore{strings.Join(append(ids, id), "|"), "PARTIAL"}
	}
	return setBefore{ids[0], "STATE_ONLY"}
}

// countKept writes down in how many ZIPs of the states whose cities are not all known no tax is missing.
func countKept(coverage *table, places []line) {
	zips := countZIPs(places)
	for _, row := range coverage.rows {
		if state := row["state"]; slices.Contains(kept, state) {
			zips[state].write(row)
		}
	}
}
