// Command countries writes the countries and the places with authorities that a form offers, from the tables of tax
// content, which say where they come from.
package main

import (
	"encoding/csv"
	"log"
	"os"
)

func main() {
	const content = "../tax/content/data/"
	// The one entry that is a union of countries stays out.
	err := write(content+"iso_countries.csv", "data/countries.csv", func(row []string) []string {
		if len(row[0]) != len("US") {
			return nil
		}
		return row[:2]
	})
	if err == nil { // columns: id, country, state, level, name
		err = write(content+"jurisdictions.csv", "data/places.csv", func(row []string) []string {
			switch {
			case row[3] == "STATE":
				return []string{row[1], row[2], row[4]}
			case row[0] == row[1] && row[0] != "US":
				return []string{row[1], row[1], row[4]}
			}
			return nil
		})
	}
	if err != nil {
		log.Fatal(err)
	}
}

// write writes what is picked of every row; nil for none of it.
func write(from, to string, pick func(row []string) []string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	w := csv.NewWriter(out)
	for _, row := range rows[1:] {
		if picked := pick(row); picked != nil {
			_ = w.Write(picked) // Error says it below
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return out.Close()
}
