package main

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"
)

// vermont counts its towns, which tax, not the places in them.
const vermont = "VT"

// placesTable makes the rows of places anew for the states that the Census files have.
type placesTable struct {
	*local
	shares   countyShares
	counties map[string]string // names by FIPS code
}

// rowsOf makes the rows of a ZIP from its pieces and the rows that it had.
func (t *placesTable) rowsOf(zip string, old []line, pieces []piece) []line {
	state := old[0]["state"]
	postal := postalName(old)
	for i := range pieces {
		if pieces[i].counties[0] == "" { // the Census counts the place by another code of its county
			pieces[i].counties = []string{old[0]["county_fips"]}
		}
	}
	if state == vermont {
		byTowns(pieces)
	}
	parts := t.shares.split(zip, pieces)
	var rows []line
	seen := map[string]line{}
	add := func(p part, city, basis string) {
		ids, completeness := t.setOf(zip, state, p)
		key := strings.Join([]string{placeKey(city), p.county, strings.Join(ids, "|"), completeness,
			strconv.FormatBool(basis == listed)}, " ")
		if before := seen[key]; before != nil {
			if basis == "POSTAL_CITY" {
				before["basis"] = basis
			}
			before["share"] = text(number(before["share"]) + p.share)
			return
		}
		row := line{"zip5": zip, "city": city, "state": state, "county_fips": p.county, "county": t.counties[p.county],
			"jurisdiction_ids": strings.Join(ids, "|"), "primary": "N", "ambiguous": "N", "basis": basis,
			"completeness": completeness, "share": text(p.share)}
		seen[key] = row
		rows = append(rows, row)
	}
	own := false
	for _, p := range parts {
		if !counts(state, p) {
			p.share = 0 // its people are among those outside
		}
		switch {
		case p.place == "":
			add(p, postal, "COUNTY_ONLY")
		case placeKey(p.name) == placeKey(postal):
			add(p, postal, "POSTAL_CITY")
			own = true
		default:
			add(p, p.name, listed)
		}
	}
	if len(rows) == 0 {
		return old
	}
	slices.SortStableFunc(rows, func(x, y line) int { return cmp.Compare(number(y["share"]), number(x["share"])) })
	if !own && !slices.ContainsFunc(rows, func(r line) bool { return r["basis"] == "COUNTY_ONLY" }) {
		named := line{}
		for column, value := range rows[0] {
			named[column] = value
		}
		named["city"], named["basis"], named["share"] = postal, "POSTAL_NAME_OUTSIDE_LIST", "0"
		rows = append(rows, named)
	}
	rows[0]["primary"] = "Y"
	for _, row := range rows {
		row["share"] = permille(number(row["share"]))
		if row["jurisdiction_ids"] != rows[0]["jurisdiction_ids"] {
			rows[0]["ambiguous"] = "Y"
		}
	}
	for _, row := range rows {
		row["ambiguous"] = rows[0]["ambiguous"]
	}
	return rows
}

// listed is the basis of a place that lies in the ZIP, though its post office has another name.
const listed = "CITY_ZIP_LIST"

// counts reports whether the people of a part count for it: in Vermont those of towns, elsewhere those of cities and of
// what lies outside.
func counts(state string, p part) bool {
	if state == vermont {
		return p.isTown()
	}
	return p.place == "" || p.incorporated
}

func postalName(rows []line) string {
	for _, row := range rows {
		if row["share"] == "" && row["primary"] == "Y" || row["share"] != "" && row["basis"] != listed {
			return row["city"]
		}
	}
	return rows[0]["city"]
}

func number(s string) float64 {
	n, _ := strconv.ParseFloat(s, 64)
	return n
}

func text(n float64) string { return strconv.FormatFloat(n, 'f', 6, 64) }

func permille(n float64) string { return strconv.Itoa(int(math.Round(min(n, 1) * 1000))) }

// setOf are the jurisdictions of a part of a ZIP, in the order of their ids, and whether they are complete.
func (t *placesTable) setOf(zip, state string, p part) (ids []string, completeness string) {
	county := t.book.counties[p.county]
	if county == "" {
		return []string{"US-" + state}, "STATE_ONLY"
	}
	if !t.local.states[state] {
		return t.setBefore(zip, state, county, p), "COMPLETE"
	}
	outside := t.sets.outside(county)
	completeness = "STATE_ONLY"
	switch {
	case t.confirmed(p.county):
		completeness = "COMPLETE"
	case len(t.series[county]) > 0:
		completeness = "PARTIAL"
	}
	if p.place == "" {
		return outside, completeness
	}
	at := cityIn{p.place, p.county}
	if state == vermont && t.cities[at] == nil {
		at = t.townOf(p)
	}
	if set := t.agreed[at]; set != nil {
		return set, "COMPLETE"
	}
	if id := t.taxed[at]; id != "" {
		if t.alone[at] {
			return []string{"US-" + state, id}, "COMPLETE"
		}
		return sortedIDs(append(slices.Clone(outside), id)), "COMPLETE"
	}
	rows := t.cities[at]
	if len(rows) > 0 && charged(rows[0]) {
		return outside, completeness
	}
	if id := t.city(state, p.place, p.name, county); id != "" {
		set := t.sets.ofCity(id, county)
		if set != nil && (len(rows) > 0 || !t.confirmed(p.county) || t.total(set, t.today) == t.total(outside, t.today)) {
			return set, "COMPLETE"
		}
		rows = append(rows, nil)
	}
	if len(rows) > 0 && completeness == "COMPLETE" {
		completeness = "PARTIAL" // the table doubts, or does not have, what the city adds
	}
	return outside, completeness
}

// townOf is the place of the table that a town is, or that has its name.
func (t *placesTable) townOf(p part) cityIn {
	if at := (cityIn{p.cityCode(), p.county}); t.cities[at] != nil {
		return at
	}
	for at, rows := range t.cities {
		if at.county == p.county && placeKey(rows[0]["name"]) == placeKey(p.name) && !t.incorporated[at.place] {
			return at
		}
	}
	return cityIn{p.place, p.county}
}

// setBefore are the jurisdictions of a part by the table before, in a state where that is complete.
func (t *placesTable) setBefore(zip, state, county string, p part) []string {
	outside := t.sets.outside(county)
	if set := t.sets.byZIP[zip+county]; set != "" {
		outside = strings.Split(set, "|")
	}
	if p.place == "" {
		return outside
	}
	at := cityIn{p.place, p.county}
	id := t.taxed[at]
	if id == "" {
		id = t.city(state, p.place, p.name, county)
	}
	if set := t.sets.ofCity(id, county); set != nil {
		return set
	}
	if id == "" || len(t.series[id]) == 0 {
		return outside
	}
	ids := append(slices.Clone(outside), id)
	if !t.sets.stacked[state] {
		ids = slices.DeleteFunc(ids, func(j string) bool { return t.byID[j]["level"] == "DISTRICT" && t.byID[j]["scope"] == "" })
	}
	return sortedIDs(ids)
}

func sortedIDs(ids []string) []string {
	slices.Sort(ids)
	return slices.Compact(ids)
}

// postBox are the rows of a ZIP without an area: it has the tax of its post office.
func (t *placesTable) postBox(old []line) []line {
	for _, row := range old {
		state, county := row["state"], t.book.counties[row["county_fips"]]
		if !t.local.states[state] || county == "" {
			continue
		}
		p := part{name: row["city"], county: row["county_fips"]}
		for at, rows := range t.cities {
			if at.county == p.county && rows[0]["state"] == state && placeKey(rows[0]["name"]) == placeKey(p.name) {
				p.place = at.place
			}
		}
		if p.place == "" {
			if id := t.city(state, "", p.name, county); id != "" {
				p.place = cmp.Or(t.byID[id]["fips_or_code"], "-")
			}
		}
		ids, completeness := t.setOf(row["zip5"], state, p)
		row["jurisdiction_ids"], row["completeness"] = strings.Join(ids, "|"), completeness
		if slices.ContainsFunc(ids, func(id string) bool { return t.byID[id]["level"] == "CITY" }) {
			row["basis"] = "POSTAL_CITY"
		}
	}
	return old
}
