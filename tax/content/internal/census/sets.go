package main

import (
	"maps"
	"slices"
	"strings"
)

// sets are the jurisdictions of places as the table of places had them.
type sets struct {
	*book
	byCounty map[string]map[string]int // of rows outside of cities, by the id of the county
	byZIP    map[string]string         // the same by ZIP and county
	byCity   map[string]map[string]int // of rows with a city, by the ids of city and county
	stacked  map[string]bool           // states where cities and districts tax the same places
	joined   map[string][]string       // outside of the cities of a county, as far as known
}

func newSets(b *book, rows []line) *sets {
	s := &sets{book: b, byCounty: map[string]map[string]int{}, byZIP: map[string]string{},
		byCity: map[string]map[string]int{}, stacked: map[string]bool{}, joined: map[string][]string{}}
	for _, row := range rows {
		county := b.counties[row["county_fips"]]
		ids := strings.Split(row["jurisdiction_ids"], "|")
		i := slices.IndexFunc(ids, func(id string) bool { return b.byID[id]["level"] == "CITY" })
		if i < 0 {
			count(s.byCounty, county, row["jurisdiction_ids"])
			s.byZIP[row["zip5"]+county] = row["jurisdiction_ids"]
			continue
		}
		for _, id := range ids {
			if b.byID[id]["level"] == "DISTRICT" && b.byID[id]["scope"] == "" {
				s.stacked[row["state"]] = true
			}
		}
		count(s.byCity, ids[i]+" "+county, row["jurisdiction_ids"])
		if outside := strings.Join(slices.Delete(ids, i, i+1), "|"); s.byZIP[row["zip5"]+county] == "" {
			s.byZIP[row["zip5"]+county] = outside
		}
	}
	return s
}

func count(in map[string]map[string]int, key, set string) {
	if in[key] == nil {
		in[key] = map[string]int{}
	}
	in[key][set]++
}

// most is the set that most rows have.
func most(counts map[string]int) (best string) {
	for _, set := range sorted(counts) {
		if counts[set] > counts[best] {
			best = set
		}
	}
	return best
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// outside are the jurisdictions outside of the cities of a county.
func (s *sets) outside(county string) []string {
	if ids := s.joined[county]; ids != nil {
		return ids
	}
	ids := []string{county[:len("US-XX")]}
	if set := most(s.byCounty[county]); set != "" {
		ids = strings.Split(set, "|")
	} else {
		for _, j := range s.jurisdictions.rows {
			if j["scope"] == "STATEWIDE" && j["state"] == s.byID[county]["state"] {
				ids = append(ids, j["id"])
			}
		}
		if len(s.series[county]) > 0 {
			ids = append(ids, county)
		}
	}
	s.joined[county] = ids
	return ids
}

// join makes a county one of the jurisdictions outside of its cities.
func (s *sets) join(county string) {
	if ids := s.outside(county); !slices.Contains(ids, county) {
		s.joined[county] = append(slices.Clone(ids), county)
	}
}

// ofCity are the jurisdictions of a city in a county by the table of places before; nil where it has none.
func (s *sets) ofCity(city, county string) []string {
	if set := most(s.byCity[city+" "+county]); set != "" {
		return strings.Split(set, "|")
	}
	return nil
}
