package main

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"levy/tax/postal"
)

// book is what the content holds about jurisdictions and their general rates.
type book struct {
	today         string
	jurisdictions *table
	rates         *table
	byID          map[string]line
	counties      map[string]string   // FIPS code to id
	cityByCode    map[string]string   // Census place to id
	cityByName    map[string][]string // state and key of the name to ids
	census        map[string]string   // names of places by their codes
	partly        map[string]bool     // cities whose row is about a part in one county
	series        map[string][]line   // id to the rows of its general rate, by first day
}

func openBook(f folder, census []line, today string) *book {
	b := &book{
		today: today, jurisdictions: f.table("jurisdictions.csv"), rates: f.table("rates.csv"),
		byID: map[string]line{}, counties: map[string]string{}, cityByCode: map[string]string{},
		cityByName: map[string][]string{}, series: map[string][]line{},
		census: map[string]string{}, partly: map[string]bool{},
	}
	codes := map[string]string{} // of cities by name
	for _, row := range census {
		b.census[row["place_geoid"]] = row["place"]
		if row["incorporated"] == "Y" {
			codes[nameKey(row["state"], row["place"])] = row["place_geoid"]
		}
	}
	for _, row := range b.jurisdictions.rows {
		b.correct(row, codes)
		b.index(row)
	}
	for _, row := range b.rates.rows {
		if id := row["jurisdiction_id"]; row["category"] == "*" && strings.HasPrefix(id, "US-") {
			b.series[id] = append(b.series[id], row)
		}
	}
	for _, rows := range b.series {
		slices.SortFunc(rows, func(x, y line) int { return cmp.Compare(x["valid_from"], y["valid_from"]) })
	}
	return b
}

// correct gives a city with the code of another place its own, and one that is known by its code alone its name.
func (b *book) correct(row line, codes map[string]string) {
	name := b.census[row["fips_or_code"]]
	switch {
	case row["code_system"] != "FIPS-PLACE" || name == "" || placeKey(name) == placeKey(row["name"]):
	case strings.HasPrefix(row["name"], "Municipality "):
		row["name"] = name
	case codes[nameKey(row["state"], row["name"])] != "":
		row["fips_or_code"] = codes[nameKey(row["state"], row["name"])]
	}
}

func (b *book) index(row line) {
	b.byID[row["id"]] = row
	switch {
	case row["country"] != "US":
	case row["level"] == "COUNTY":
		b.counties[row["fips_or_code"]] = row["id"]
	case row["level"] == "CITY":
		name, rest, _ := strings.Cut(row["name"], " (")
		key := nameKey(row["state"], name)
		if b.cityByName[key] = append(b.cityByName[key], row["id"]); strings.HasSuffix(rest, " part)") {
			b.partly[row["id"]] = true
		}
		if row["code_system"] == "FIPS-PLACE" {
			b.cityByCode[row["fips_or_code"]] = row["id"]
		}
	}
}

func nameKey(state, name string) string { return state + " " + placeKey(name) }

func placeKey(name string) string { return string(postal.PlaceKey(nil, name)) }

// otherNames are the names in the content of places that the Census names otherwise.
var otherNames = map[string]string{
	"NY New York": "New York City", "CA Angels": "Angels Camp", "WV Bath (Berkeley Springs)": "Berkeley Springs",
	"VT Barre": "Barre City", "VT Rutland": "Rutland City", "VT St. Albans": "St. Albans City",
	"VT Newport": "Newport City", "ID Boise City": "Boise",
}

// city finds the jurisdiction of a Census place in a county by its code, else by its name; empty for none.
func (b *book) city(state, code, name, county string) string {
	if id := b.cityByCode[code]; id != "" && code != "" {
		return id
	}
	if other := otherNames[state+" "+name]; other != "" {
		name = other
	}
	ids := b.cityByName[nameKey(state, name)]
	for _, id := range ids {
		if b.byID[id]["parent_id"] == county && len(ids) > 1 {
			return id
		}
	}
	for _, id := range ids {
		if b.partly[id] {
			continue
		}
		if other := b.byID[id]["fips_or_code"]; b.byID[id]["code_system"] != "FIPS-PLACE" || other == code || other == "" {
			return id
		}
	}
	if len(ids) == 1 && !b.partly[ids[0]] && b.census[b.byID[ids[0]]["fips_or_code"]] == "" {
		return ids[0] // its code is that of no place
	}
	return ""
}

// on is the general rate of a jurisdiction on a day, zero if none is known. A first row without a true start holds before it, too.
func (b *book) on(id, day string) rate {
	for i, row := range b.series[id] {
		early := i == 0 && day < row["valid_from"] && (row["from_basis"] == "AS_OF" || row["from_basis"] == "PUBLICATION")
		if early || day >= row["valid_from"] && (row["valid_to"] == "" || day <= row["valid_to"]) {
			return parseRate(row["rate"])
		}
	}
	return 0
}

func (b *book) total(ids []string, day string) (sum rate) {
	for _, id := range ids {
		sum += b.on(id, day)
	}
	return sum
}

// period is a rate during some days.
type period struct {
	from, to string
	rate     rate
	row      line // of the source
}

func dayBefore(day string) string {
	d, err := time.Parse(time.DateOnly, day)
	if err != nil {
		panic(err)
	}
	return d.AddDate(0, 0, -1).Format(time.DateOnly)
}

// put gives a jurisdiction the rates of these periods. A row with another rate is closed on the day before they differ.
// A rate that began no earlier is replaced, because it would hold on no day. A row with the same rate stays.
func (b *book) put(id string, periods []period) {
	for _, p := range periods {
		b.putOne(id, p)
	}
}

func (b *book) putOne(id string, p period) {
	confidence := p.row["confidence"]
	kept := b.series[id][:0:0]
	for _, row := range b.series[id] {
		open := row["valid_to"] == "" || row["valid_to"] >= p.from
		if open && row["valid_from"] <= p.from && parseRate(row["rate"]) == p.rate {
			row["valid_to"], row["as_of"] = p.to, b.today
			if confidence == "HIGH" || row["confidence"] == "LOW" {
				row["confidence"], row["notes"] = confidence, ""
			}
			p.rate = -1
		} else if open && row["valid_from"] >= p.from {
			continue
		} else if open {
			row["valid_to"] = dayBefore(p.from)
		}
		kept = append(kept, row)
	}
	if p.rate >= 0 {
		kept = append(kept, line{
			"jurisdiction_id": id, "tax_type": b.taxType(id), "category": "*", "rate": p.rate.String(), "valid_from": p.from,
			"valid_to": p.to, "from_basis": cmp.Or(p.row["from_basis"], "FILE"), "source": p.row["source"], "as_of": b.today,
			"confidence": confidence,
		})
	}
	b.series[id] = kept
}

func (b *book) taxType(id string) string {
	if rows := b.series[id[:len("US-XX")]]; len(rows) > 0 {
		return rows[0]["tax_type"]
	}
	return "SALES"
}

// store writes the rows back: those of other classes and countries first where they stood, then each changed series.
func (b *book) store() {
	written := map[string]bool{}
	rows := make([]line, 0, len(b.rates.rows))
	add := func(id string) {
		if !written[id] {
			written[id] = true
			rows = append(rows, b.series[id]...)
		}
	}
	for _, row := range b.rates.rows {
		if id := row["jurisdiction_id"]; row["category"] == "*" && strings.HasPrefix(id, "US-") {
			add(id)
		} else {
			rows = append(rows, row)
		}
	}
	for _, row := range b.jurisdictions.rows {
		add(row["id"])
	}
	b.rates.rows = rows
}
