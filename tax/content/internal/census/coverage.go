package main

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// count writes down how much of each state is known now.
func (l *local) count(coverage *table, places []line) {
	zips := countZIPs(places)
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
		zips[state].write(row)
	}
}

// zipCount counts the ZIPs of a state, and those in which no tax is missing.
type zipCount struct{ all, complete int }

// countZIPs counts the ZIPs of each state. A ZIP is complete where each part of it with people is.
func countZIPs(places []line) map[string]zipCount {
	zips := map[string]map[string]bool{}
	for _, row := range places {
		state := row["state"]
		if zips[state] == nil {
			zips[state] = map[string]bool{}
		}
		whole, seen := zips[state][row["zip5"]]
		inhabited := row["primary"] == "Y" || number(row["share"]) >= 10
		zips[state][row["zip5"]] = (whole || !seen) && (row["completeness"] == "COMPLETE" || !inhabited)
	}
	counts := map[string]zipCount{}
	for state, list := range zips {
		n := zipCount{all: len(list)}
		for _, whole := range list {
			if whole {
				n.complete++
			}
		}
		counts[state] = n
	}
	return counts
}

func (n zipCount) write(row line) {
	row["zips"], row["zips_complete"] = strconv.Itoa(n.all), strconv.Itoa(n.complete)
	row["zips_complete_pct"] = strconv.Itoa(int(math.Round(float64(n.complete) * 100 / float64(n.all))))
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
