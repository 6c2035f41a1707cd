package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// count writes down how much of each state is known now. A ZIP is complete where each part of it with people is.
func (l *local) count(coverage *table, places []line) {
	zips, complete := map[string]map[string]bool{}, map[string]int{}
	for _, row := range places {
		state := row["state"]
		if zips[state] == nil {
			zips[state] = map[string]bool{}
		}
		known, seen := zips[state][row["zip5"]]
		inhabited := row["primary"] == "Y" || number(row["share"]) >= 10
		zips[state][row["zip5"]] = (known || !seen) && (row["completeness"] == "COMPLETE" || !inhabited)
	}
	for state, list := range zips {
		for _, whole := range list {
			if whole {
				complete[state]++
			}
		}
	}
	for _, row := range coverage.rows {
		state := row["state"]
		if !l.states[state] {
			continue
		}
		counties, cities := l.rated(state, "COUNTY"), l.rated(state, "CITY")
		row["cities_with_rate"] = strconv.Itoa(cities)
		if counties > 0 {
			row["counties_with_rate"], row["county_level"] = strconv.Itoa(counties), "PARTIAL"
			if row["counties_with_rate"] == row["counties_total"] {
				row["county_level"] = "COMPLETE"
			}
		}
		n := len(zips[state])
		row["zips"], row["zips_complete"] = strconv.Itoa(n), strconv.Itoa(complete[state])
		row["zips_complete_pct"] = strconv.Itoa(int(math.Round(float64(complete[state]) * 100 / float64(n))))
	}
}

// rated counts the jurisdictions of a level with a rate.
func (l *local) rated(state, level string) (n int) {
	for _, j := range l.jurisdictions.rows {
		id := j["id"]
		rated := slices.ContainsFunc(l.series[id], func(r line) bool { return strings.HasPrefix(r["jurisdiction_id"], "US-") })
		if j["country"] == "US" && j["state"] == state && j["level"] == level && rated {
			n++
		}
	}
	return n
}
