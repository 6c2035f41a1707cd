// Command countries writes the countries that a form offers, from the table of tax content, which says where
// they come from.
package main

import (
	"encoding/csv"
	"log"
	"os"
)

func main() {
	if err := write("../tax/content/data/iso_countries.csv", "data/countries.csv"); err != nil {
		log.Fatal(err)
	}
}

// write copies code and name of every country; the one entry that is a union of countries stays out.
func write(from, to string) error {
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
		if len(row[0]) == len("US") {
			_ = w.Write(row[:2]) // Error says it below
		}
	}
	w.Flush()
	if err := w.Error(); err != nil {
		return err
	}
	return out.Close()
}
