package main

import (
	"slices"
	"strconv"
	"strings"
)

// part is a piece of a ZIP: a place, or what lies outside of all, in one county.
type part struct {
	place, name  string // the Census code; empty outside of cities
	county       string // its FIPS code
	share        float64
	incorporated bool
	city         bool // and not a town or village of the same name
}

// countyShares are the parts of the people of each ZIP by county.
type countyShares map[string]map[string]float64

// readCountyShares reads the relation of ZIP areas and counties: ZIP, county, people.
func readCountyShares(t *table) countyShares {
	shares := countyShares{}
	for _, row := range t.rows {
		people, err := strconv.ParseFloat(row["Population"], 64)
		if err != nil {
			continue
		}
		zip := row["ZCTA5"]
		if shares[zip] == nil {
			shares[zip] = map[string]float64{}
		}
		shares[zip][row["GEOID"]] += people
	}
	for _, counties := range shares {
		sum := 0.0
		for _, people := range counties {
			sum += people
		}
		for county := range counties {
			if sum > 0 {
				counties[county] /= sum
			}
		}
	}
	return shares
}

// piece is a part of a ZIP before it is divided by county.
type piece struct {
	part
	counties []string
}

func shareOf(row line) float64 {
	for _, column := range []string{"share_pop_2010", "share_area"} {
		if share, err := strconv.ParseFloat(row[column], 64); err == nil {
			return share
		}
	}
	return 0
}

// split divides the pieces of a ZIP that lie in several counties. Each county has as many people as the pieces that lie
// in it alone leave of it. Where that is nothing, each has as many as it has in the whole ZIP, else an equal part.
func (s countyShares) split(zip string, pieces []piece) []part {
	left := map[string]float64{}
	for county, share := range s[zip] {
		left[county] = share
	}
	for _, p := range pieces {
		if len(p.counties) == 1 && (p.incorporated || p.place == "") {
			left[p.counties[0]] = max(0, left[p.counties[0]]-p.share)
		}
	}
	var parts []part
	for _, p := range pieces {
		weights, sum := make([]float64, len(p.counties)), 0.0
		for _, from := range []map[string]float64{left, s[zip]} {
			for i, county := range p.counties {
				weights[i] = from[county]
				sum += weights[i]
			}
			if sum > 0 {
				break
			}
		}
		for i, county := range p.counties {
			one := p.part
			one.county = county
			if sum > 0 {
				one.share *= weights[i] / sum
			} else {
				one.share /= float64(len(p.counties))
			}
			parts = append(parts, one)
		}
	}
	return parts
}

func piecesOf(rows []line) []piece {
	var pieces []piece
	for _, row := range rows {
		p := piece{counties: strings.Split(row["county_fips"], "|")}
		p.share = shareOf(row)
		if row["place_type"] != "REMAINDER" {
			p.place, p.name, p.incorporated = row["place_geoid"], row["place"], row["incorporated"] == "Y"
			p.city = row["place_type"] == "CITY"
		}
		pieces = append(pieces, p)
	}
	slices.SortStableFunc(pieces, func(x, y piece) int { return strings.Compare(x.place, y.place) })
	return pieces
}

// byTowns divides the people of a ZIP over its towns. Those of a city, or of a village with the name of a town, live
// there, and what is left lives where the land is.
func byTowns(pieces []piece) {
	left := 1.0
	people := make([]float64, len(pieces))
	for i := range pieces {
		if town := &pieces[i]; town.isTown() {
			for _, p := range pieces {
				if p.place == town.cityCode() || !p.isTown() && !p.city && placeKey(p.name) == placeKey(town.name) {
					people[i] = p.share
				}
			}
			left -= people[i]
		}
	}
	for i := range pieces {
		if p := &pieces[i]; p.isTown() {
			p.share = min(1, people[i]+max(0, left)*p.share)
		}
	}
}

// isTown reports whether a part is a town of Vermont, whose code names its county too.
func (p *part) isTown() bool { return len(p.place) == len("SSCCCTTTTT") }

// cityCode is the code that a town has where it is a city; empty for no town.
func (p *part) cityCode() string {
	if !p.isTown() {
		return ""
	}
	return p.place[:2] + p.place[len("SSCCC"):]
}
