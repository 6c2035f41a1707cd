package web

import (
	_ "embed"
	"encoding/csv"
	"slices"
	"strings"
)

//go:embed data/places.csv
var placesTable string

// optionGroup are options of a list under a heading.
type optionGroup struct {
	Label   string
	Options []option
}

// rowsOf are the rows of an embedded table.
func rowsOf(table string) [][]string {
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil {
		panic(err) // it is generated
	}
	return rows
}

// placesByCountry are the states of each country by name; those of an empty one are the countries that are one place as
// a whole.
var placesByCountry = func() map[string][]option {
	rows := rowsOf(placesTable)
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

// knownStates are the states and provinces that Levy knows, by country. In other countries an address has any.
var knownStates = []optionGroup{{"United States", placesByCountry["US"]}, {"Canada", placesByCountry["CA"]}}

// knownPlaces are the places with an authority. A code that a state shares with a whole country finds both.
var knownPlaces = func() []optionGroup {
	states := slices.Clone(placesByCountry["US"])
	countries := slices.DeleteFunc(slices.Clone(placesByCountry[""]), func(country option) bool {
		i := slices.IndexFunc(states, func(o option) bool { return o.Value == country.Value })
		if i >= 0 {
			states[i].Label += ", or " + country.Label
		}
		return i >= 0
	})
	return []optionGroup{
		{"United States", states}, {"Canada", placesByCountry["CA"]}, {"Other countries", countries},
	}
}()

// placeList is a list of places of which one is chosen.
type placeList struct {
	Groups []optionGroup
	Value  string
	Other  string // what was chosen where it is none of them
}

// listOf is a list in which a place is chosen by its code or name.
func listOf(groups []optionGroup, chosen string) placeList {
	list := placeList{Groups: groups, Other: chosen}
	for _, group := range groups {
		for _, o := range group.Options {
			if list.Value == "" && (strings.EqualFold(o.Value, chosen) || strings.EqualFold(o.Label, chosen)) {
				list.Value, list.Other = o.Value, ""
			}
		}
	}
	return list
}
