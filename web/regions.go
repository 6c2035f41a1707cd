package web

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"maps"
	"net/url"
	"slices"
	"strings"
)

//go:embed data/places.csv
var regionsTable string

// optionGroup is a group of options with a label.
type optionGroup struct {
	Label   string
	Options []option
}

// rowsOf returns the rows of an embedded CSV table.
func rowsOf(table string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // the table is generated
	}
	return rows
}

// regionsByCountry are the states of each country, sorted by name. Countries that are one jurisdiction are under the
// empty key.
var regionsByCountry = func() map[string][]option {
	rows := rowsOf(regionsTable)
	all := map[string][]option{}
	for _, row := range rows { // country, code, name
		country := row[0]
		if row[0] == row[1] {
			country = ""
		}
		all[country] = append(all[country], option{row[1], row[2]})
	}
	for _, places := range all {
		slices.SortFunc(places, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	}
	return all
}()

// knownStates are the states and provinces that Levy knows. Addresses of other countries may have any.
var knownStates = []optionGroup{{"United States", regionsByCountry["US"]}, {"Canada", regionsByCountry["CA"]}}

// placeNames are the names of the states and countries, by the code of the country and their own.
var placeNames = func() map[[2]string]string {
	all := map[[2]string]string{}
	for _, row := range rowsOf(regionsTable) { // country, code, name
		all[[2]string{row[0], row[1]}] = row[2]
	}
	return all
}()

// placeName returns the name of a place with a tax authority: "US: California", or "Germany" for a whole country. An
// unknown place is named by its codes.
func placeName(country, state string) string { return placeNamed(country, state, "") }

// placeNamed returns the name of a place with a tax authority, or of one that only its record names.
func placeNamed(country, state, name string) string {
	if state == "" || state == country {
		return cmp.Or(placeNames[[2]string{country, country}], name, country)
	}
	return country + ": " + cmp.Or(placeNames[[2]string{country, state}], name, state)
}

// jurisdictions are the states and countries with an authority. Their values are both codes, because California and
// Canada share one.
var jurisdictions = func() []optionGroup {
	of := func(country string) (all []option) {
		for _, o := range regionsByCountry[country] {
			in := cmp.Or(country, o.Value)
			all = append(all, option{in + "-" + o.Value, placeName(in, o.Value)})
		}
		return all
	}
	return []optionGroup{{"United States", of("US")}, {"Canada", of("CA")}, {"Other countries", of("")}}
}()

// placeFilter is the filter of a list by a place with an authority.
var placeFilter = field{Name: "state_code", Label: "Place", Kind: "place", Blank: "All", id: "state"}

// placed returns a query whose filter by a place has the parameters of the API: "US-CA" is a country and a state.
func placed(query url.Values, country string) url.Values {
	in, state, ok := strings.Cut(query.Get("state_code"), "-")
	if _, known := placeNames[[2]string{in, state}]; !ok || !known {
		return query
	}
	asked := maps.Clone(query)
	asked.Set(country, in)
	asked.Set("state_code", state)
	return asked
}

// unplaced returns a query whose filter by a place has the value of the list of places: the reverse of placed.
func unplaced(query url.Values, country string) url.Values {
	place := [2]string{query.Get(country), query.Get("state_code")}
	if _, known := placeNames[place]; !known {
		return query
	}
	shown := maps.Clone(query)
	shown.Del(country)
	shown.Set("state_code", place[0]+"-"+place[1])
	return shown
}

// regionList is a list of regions, one of which is selected.
type regionList struct {
	Groups []optionGroup
	Value  string
	Other  string // a selected value that the list does not have
}

// regionListOf returns a list in which a region is selected by its code or name. A code that several places share selects
// none of them, and stays.
func regionListOf(groups []optionGroup, chosen string) regionList {
	list := regionList{Groups: groups, Other: chosen}
	alike := 0 // places of several countries with the code
	for _, group := range groups {
		for _, o := range group.Options {
			if list.Other != "" && (strings.EqualFold(o.Value, chosen) || strings.EqualFold(o.Label, chosen)) {
				return regionList{Groups: groups, Value: o.Value}
			}
			_, code, _ := strings.Cut(o.Value, "-")
			_, name, _ := strings.Cut(o.Label, ": ")
			if chosen != "" && (strings.EqualFold(code, chosen) || strings.EqualFold(name, chosen)) {
				alike++
				list.Value = o.Value
			}
		}
	}
	if alike != 1 {
		list.Value = ""
	} else {
		list.Other = ""
	}
	return list
}
