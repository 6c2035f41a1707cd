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

// knownStates are the states and provinces that Levy knows, by country. In other countries an address has any.
var knownStates = []optionGroup{{"United States", placesIn("US")}, {"Canada", placesIn("CA")}}

// knownPlaces are the places with an authority. A code that a state shares with a whole country finds both.
var knownPlaces = func() []optionGroup {
	groups := []optionGroup{
		{"United States", placesIn("US")}, {"Canada", placesIn("CA")}, {"Other countries", placesIn("")},
	}
	states := groups[0].Options
	groups[2].Options = slices.DeleteFunc(groups[2].Options, func(country option) bool {
		i := slices.IndexFunc(states, func(o option) bool { return o.Value == country.Value })
		if i >= 0 {
			states[i].Label += ", or " + country.Label
		}
		return i >= 0
	})
	return groups
}()

// placesIn are the states of a country by name, of an empty one the countries that are one place as a whole.
func placesIn(country string) (all []option) {
	rows, err := csv.NewReader(strings.NewReader(placesTable)).ReadAll()
	if err != nil {
		panic(err) // it is generated and embedded
	}
	for _, row := range rows { // country, code, name
		if whole := row[0] == row[1]; whole && country == "" || !whole && row[0] == country {
			all = append(all, option{row[1], row[2]})
		}
	}
	slices.SortFunc(all, func(a, b option) int { return strings.Compare(a.Label, b.Label) })
	return all
}

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
