package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// charged are the levels of confidence of rows that may be charged: the others disagree with a second table, or are
// means over districts.
func charged(row line) bool { return row["confidence"] != "LOW" }

// wholeLocal are the states where the rate of a city replaces that of the county. Sources: WAC 458-20-145; 24 V.S.A.
// 138.
var wholeLocal = map[string]bool{"WA": true, "VT": true}

// cityIn is a Census place in a county.
type cityIn struct{ place, county string }

// local is what the table of local rates says.
type local struct {
	*book
	sets         *sets
	states       map[string]bool
	counties     map[string][]line // by FIPS code
	cities       map[cityIn][]line
	taxed        map[cityIn]string   // to the jurisdiction that taxes there
	alone        map[cityIn]bool     // its rate replaces that of the county
	agreed       map[cityIn][]string // jurisdictions of the content with the total of the table
	incorporated map[string]bool     // codes of places that are cities
}

func newLocal(b *book, s *sets, rows []line) *local {
	l := &local{book: b, sets: s, states: map[string]bool{}, counties: map[string][]line{}, cities: map[cityIn][]line{},
		taxed: map[cityIn]string{}, alone: map[cityIn]bool{}, agreed: map[cityIn][]string{}, incorporated: map[string]bool{}}
	for _, row := range rows {
		l.states[row["state"]] = true
		if row["level"] == "COUNTY" {
			l.counties[row["code"]] = append(l.counties[row["code"]], row)
		} else {
			at := cityIn{row["code"], row["county_fips"]}
			l.cities[at] = append(l.cities[at], row)
		}
	}
	return l
}

// confirmed reports whether the rate outside of the cities of a county may be charged.
func (l *local) confirmed(county string) bool {
	rows := l.counties[county]
	return len(rows) > 0 && charged(rows[len(rows)-1])
}

// addCounties gives counties the part of their combined rate that neither the state nor a district has.
func (l *local) addCounties() {
	for _, code := range sorted(l.counties) {
		id := l.book.counties[code]
		if !l.confirmed(code) || id == "" {
			continue
		}
		others := slices.DeleteFunc(slices.Clone(l.sets.outside(id)), func(j string) bool { return j == id })
		var periods []period
		for _, row := range l.counties[code] {
			part := parseRate(row["combined_rate"]) - l.total(others, row["valid_from"])
			if part < 0 { // the districts of the content are larger than those of the table
				periods = nil
				break
			}
			periods = append(periods, period{row["valid_from"], row["valid_to"], part, row})
		}
		zero := !slices.ContainsFunc(periods, func(p period) bool { return p.rate != 0 })
		if len(periods) > 0 && (!zero || len(l.series[id]) > 0) {
			l.put(id, periods)
			l.sets.join(id)
		}
	}
}

// addCities gives each city the part of its combined rate that is not due outside of it. A city whose part differs from
// county to county is one jurisdiction for each part.
func (l *local) addCities() {
	places := map[string][]cityIn{}
	for at := range l.cities {
		places[at.place] = append(places[at.place], at)
	}
	for _, place := range sorted(places) {
		ids := map[string]string{} // text of the periods to the jurisdiction
		list := places[place]
		slices.SortFunc(list, func(x, y cityIn) int {
			return cmp.Or(cmp.Compare(l.isElsewhere(x), l.isElsewhere(y)), strings.Compare(x.county, y.county))
		})
		for _, at := range list {
			if !charged(l.cities[at][0]) || l.book.counties[at.county] == "" {
				continue
			}
			if l.agrees(at) {
				ids["agreed"] = l.known(at)
				continue
			}
			periods := l.parts(at)
			text := ""
			for _, p := range periods {
				text += fmt.Sprint(p.from, p.to, p.rate, " ")
			}
			known := l.known(at)
			if known == "" && !slices.ContainsFunc(periods, func(p period) bool { return p.rate != 0 }) {
				l.agreed[at] = l.sets.outside(l.book.counties[at.county]) // it adds nothing to what is due outside of it
				continue
			}
			if ids[text] == "" {
				ids[text] = l.jurisdictionOf(at, known, len(ids) > 0)
				l.put(ids[text], periods)
			}
			l.taxed[at] = ids[text]
		}
	}
}

// known is the jurisdiction of the content for a city in a county; empty for none.
func (l *local) known(at cityIn) string {
	row := l.cities[at][0]
	return l.city(row["state"], at.place, row["name"], l.book.counties[at.county])
}

// isElsewhere is 0 for a city in the county that the content has it in, and 1 for one in another.
func (l *local) isElsewhere(at cityIn) int {
	if l.byID[l.known(at)]["parent_id"] == l.book.counties[at.county] {
		return 0
	}
	return 1
}

// agrees reports whether the content has a city with the total of the table, and keeps it as it is.
func (l *local) agrees(at cityIn) bool {
	row := l.cities[at][len(l.cities[at])-1]
	id := l.known(at)
	if id == "" {
		return false
	}
	set := l.sets.ofCity(id, l.book.counties[at.county])
	if set == nil || l.total(set, l.today) != parseRate(row["combined_rate"]) {
		return false
	}
	for _, known := range l.series[id] {
		if known["valid_from"] <= l.today && (known["valid_to"] == "" || known["valid_to"] >= l.today) {
			known["as_of"] = l.today
			if row["confidence"] == "HIGH" || known["confidence"] == "LOW" {
				known["confidence"], known["notes"] = row["confidence"], ""
			}
		}
	}
	l.agreed[at] = set
	l.jurisdictionOf(at, id, false)
	return true
}

// parts are the periods of a city in a county.
func (l *local) parts(at cityIn) []period {
	rows := l.cities[at]
	state := "US-" + rows[0]["state"]
	outside := l.sets.outside(l.book.counties[at.county])
	whole := wholeLocal[rows[0]["state"]]
	for {
		var periods []period
		for _, row := range rows {
			below := outside
			if whole {
				below = []string{state}
			}
			for _, day := range l.changes(below, row) {
				if n := len(periods); n > 0 && day != row["valid_from"] {
					periods[n-1].to = dayBefore(day)
				}
				periods = append(periods,
					period{day, row["valid_to"], parseRate(row["combined_rate"]) - l.total(below, day), row})
			}
		}
		if !slices.ContainsFunc(periods, func(p period) bool { return p.rate < 0 }) || whole {
			l.alone[at] = whole
			return periods
		}
		whole = true
	}
}

// changes are the first day of a row, and the days in it on which one of the other rates changes.
func (l *local) changes(ids []string, row line) []string {
	days := []string{row["valid_from"]}
	for _, id := range ids {
		for _, other := range l.series[id] {
			day := other["valid_from"]
			if day > row["valid_from"] && day <= l.today && (row["valid_to"] == "" || day <= row["valid_to"]) {
				days = append(days, day)
			}
		}
	}
	slices.Sort(days)
	return slices.Compact(days)
}

// jurisdictionOf is the jurisdiction of a city in a county; another one than the first has the county in its name.
func (l *local) jurisdictionOf(at cityIn, known string, another bool) string {
	row := l.cities[at][0]
	state, name := row["state"], row["name"]
	if known != "" && !another {
		if l.byID[known]["code_system"] == "" {
			l.byID[known]["fips_or_code"], l.byID[known]["code_system"] = at.place, "FIPS-PLACE"
		}
		l.cityByCode[at.place] = known
		return known
	}
	id := "US-" + state + "-M-" + slug(name)
	label := ""
	if another {
		county := l.byID[l.book.counties[at.county]]["name"]
		id, label = cmp.Or(known, id)+"-c"+at.county[2:], name+" ("+county+")"
	} else if l.byID[id] != nil {
		id += "-" + at.place
	}
	if l.byID[id] == nil {
		row := line{"id": id, "country": "US", "state": state, "level": "CITY", "name": name, "label": label,
			"slug":      ruleName(name),
			"parent_id": l.book.counties[at.county], "fips_or_code": at.place, "code_system": "FIPS-PLACE", "admin": "STATE"}
		l.jurisdictions.rows = append(l.jurisdictions.rows, row)
		if another {
			row["code_system"] = "" // imports of official files know the code once
			l.byID[id] = row
		} else {
			l.index(row)
		}
	}
	return id
}

// ruleName is the name of a city in rule ids where that of a county would be its own; empty where the id has it.
func ruleName(name string) string {
	if short, ok := strings.CutSuffix(slug(name), "-county"); ok {
		return short + "-metro"
	}
	return ""
}

func slug(name string) string {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') })
	return strings.Join(words, "-")
}

// addChanges applies the changes of a year in the states whose tables were complete before. They name combined rates,
// and change the city, else the county, by the difference.
func (l *local) addChanges(rows []line) {
	for _, row := range rows {
		id := l.book.counties[row["county_fips"]]
		outside := l.sets.outside(id)
		if l.states[row["state"]] || row["pack_has_it"] != "N" || id == "" {
			continue
		}
		if code := row["place_geoid"]; code != "" {
			city := l.city(row["state"], code, row["name"], id)
			switch {
			case city != "":
				id = city
				outside = append(slices.Clone(outside), city)
			case row["state"] == "WV":
				at := cityIn{code, row["county_fips"]}
				l.cities[at] = []line{{"state": "WV", "name": row["name"]}}
				id = l.jurisdictionOf(at, "", false)
				l.taxed[at] = id
				l.put(id, []period{{"2026-01-01", dayBefore(row["effective"]), 0, confirmed(row)}})
			}
		}
		was := l.on(id, row["effective"])
		if is := parseRate(row["combined_from"]) - l.total(outside, row["effective"]) + was; is != was && is >= 0 {
			l.put(id, []period{{row["effective"], "", is, confirmed(row)}})
		}
	}
}

func confirmed(row line) line {
	return line{"from_basis": "FILE", "source": row["source"], "confidence": "HIGH"}
}
