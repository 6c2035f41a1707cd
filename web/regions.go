package web

import (
	_ "embed"
	"encoding/csv"
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

// jurisdictions are the states and countries with an authority. A code that a state and a country share selects both.
var jurisdictions = func() []optionGroup {
	states := slices.Clone(regionsByCountry["US"])
	countries := slices.DeleteFunc(slices.Clone(regionsByCountry[""]), func(country option) bool {
		i := slices.IndexFunc(states, func(o option) bool { return o.Value == country.Value })
		if i >= 0 {
			states[i].Label += ", or " + country.Label
		}
		return i >= 0
	})
	return []optionGroup{
		{"United States", states}, {"Canada", regionsByCountry["CA"]}, {"Other countries", countries},
	}
}()

// regionList is a list of regions, one of which is selected.
type regionList struct {
	Groups []optionGroup
	Value  string
	Other  string // a selected value that the list does not have
}

// regionListOf returns a list in which a region is selected by its code or name.
func regionListOf(groups []optionGroup, chosen string) regionList {
	list := regionList{Groups: groups, Other: chosen}
	for _, group := range groups {
		for _, o := range group.Options {
			if list.Value == "" && (strings.EqualFold(o.Value, chosen) || strings.EqualFold(o.Label, chosen)) {
				list.Value, list.Other = o.Value, ""
			}
		}
	}
	return list
}
