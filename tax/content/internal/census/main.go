// Command census makes places and local rates of the content anew from the tables of a quarter. These are the places of
// each ZIP by the Census, the local rates of states, and the changes of the year. It closes rows and adds others. It begins
// with the tables of the release before, and the same tables give the same result. Run it in tax/content, then "go
// generate":
//
//	go run ./internal/census -from FOLDER -counties zcta_counties.csv -today 2026-11-28
//	go run ./internal/census -from FOLDER -counties zcta_counties.csv -kept
//
// The second command adds the places of the Census to the ZIPs that the first one keeps.
// data/NOTICE.md says where the tables come from.
package main

import (
	"cmp"
	"errors"
	"flag"
	"log"
	"path/filepath"
	"slices"
)

func main() {
	from := flag.String("from", "", "folder with the tables of the quarter")
	counties := flag.String("counties", "", "relation of ZIP areas and counties of the Census, with people")
	today := flag.String("today", "", "day on which the tables were compared with their sources")
	more := flag.Bool("kept", false, "only add places to the ZIPs whose rows a quarter kept")
	flag.Parse()
	if *more {
		if err := runKept(*from, *counties); err != nil {
			log.Fatal(err)
		}
		return
	}
	if err := run(*from, *counties, *today); err != nil {
		log.Fatal(err)
	}
}

// kept are the states whose rows of places stay in a quarter. It is not known which of their cities tax until their own
// tables are imported.
var kept = []string{"AL", "AK", "AZ", "ID", "IL", "LA", "MO", "NM", "TX"}

func run(from, counties, today string) error {
	var err error
	data, quarter := folder{"data", &err}, folder{from, &err}
	places := data.table("places.csv")
	if slices.Contains(places.header, "share") {
		return errors.New("data has the places of a quarter already: begin with the tables before it")
	}
	census := quarter.table("us_zip_places.csv").rows
	b := openBook(data, census, today)
	s := newSets(b, places.rows)
	l := newLocal(b, s, quarter.table("us_local_rates_2.csv").rows)
	for _, row := range census {
		l.incorporated[row["place_geoid"]] = row["place_type"] == "CITY"
	}
	changes := quarter.table("us_rate_changes_2026.csv").rows
	zips := byZIP(census, quarter.table("us_zip_towns_vt.csv").rows)
	sources, published := data.table("sources.csv"), quarter.table("sources.csv")
	relation, failed := readTable(counties)
	if err = cmp.Or(err, failed); err != nil {
		return err
	}
	l.addCounties()
	l.addCities()
	l.addChanges(changes)
	b.store()
	t := placesTable{local: l, shares: readCountyShares(relation), counties: map[string]string{}}
	for _, row := range places.rows {
		t.counties[row["county_fips"]] = row["county"]
	}
	places.column("share")
	places.rows = t.all(places.rows, zips)
	cite(sources, published, b)
	coverage := data.table("coverage.csv")
	if err != nil {
		return err
	}
	l.count(coverage, places.rows)
	for name, table := range map[string]*table{
		"places.csv": places, "rates.csv": b.rates, "jurisdictions.csv": b.jurisdictions, "sources.csv": sources,
		"coverage.csv": coverage,
	} {
		if err := table.write(filepath.Join("data", name)); err != nil {
			return err
		}
	}
	return nil
}

// byZIP groups the places of the Census; towns replace the remainder in Vermont.
func byZIP(places, towns []line) map[string][]line {
	zips := map[string][]line{}
	for _, row := range places {
		if row["state"] != vermont || row["place_type"] != "REMAINDER" {
			zips[row["zip"]+row["state"]] = append(zips[row["zip"]+row["state"]], row)
		}
	}
	for _, row := range towns {
		zips[row["zip"]+vermont] = append(zips[row["zip"]+vermont], line{
			"place_geoid": row["cousub_geoid"], "place": row["town"], "place_type": row["town_type"], "incorporated": "N",
			"county_fips": row["county_fips"], "share_area": row["share_area"],
		})
	}
	return zips
}

func (t *placesTable) all(old []line, zips map[string][]line) []line {
	var rows []line
	for len(old) > 0 {
		n := slices.IndexFunc(old, func(r line) bool { return r["zip5"] != old[0]["zip5"] })
		if n < 0 {
			n = len(old)
		}
		zip, state := old[0]["zip5"], old[0]["state"]
		several := slices.ContainsFunc(old[:n], func(r line) bool { return r["state"] != state })
		switch pieces := piecesOf(zips[zip+state]); {
		case slices.Contains(kept, state) && !several:
			rows = append(rows, old[:n]...)
		case several || len(pieces) == 0:
			rows = append(rows, t.postBox(old[:n])...)
		default:
			rows = append(rows, t.rowsOf(zip, old[:n], pieces)...)
		}
		old = old[n:]
	}
	return rows
}

// cite adds the publications that rates cite.
func cite(sources, published *table, b *book) {
	for _, row := range published.rows {
		known := slices.ContainsFunc(sources.rows, func(r line) bool { return r["source_id"] == row["source_id"] })
		cited := slices.ContainsFunc(b.rates.rows, func(r line) bool { return r["source"] == row["source_id"] })
		if cited && !known {
			sources.rows = append(sources.rows, line{"source_id": row["source_id"], "title": row["title"],
				"publisher": row["publisher"], "edition": row["edition"], "licence": row["licence"],
				"obtained_via": "facts of the official file, selected and written anew (NOTICE.md)"})
		}
	}
}
