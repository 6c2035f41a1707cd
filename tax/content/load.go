// Package content holds the embedded tax content: dated tables with sources,
// in data/, and the loader that checks them and builds a snapshot for the
// engine. README.md beside the tables says what each holds and where from.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"io/fs"
	"strings"
	"sync"

	"levy/tax"
)

//go:generate go run ./internal/pack

//go:embed content.zip
var packed []byte

var load = sync.OnceValues(parse)

func parse() (*tax.Content, error) {
	files, err := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return nil, err
	}
	return Read(files)
}

// Load returns the embedded content. It is parsed and checked on the first
// call; later calls return the same snapshot. An error names the faulty row.
func Load() (*tax.Content, error) { return load() }

// Read parses and checks the tables in a folder of the form of data/. All
// faults found in one table, or between tables, are reported together; they
// name file and line.
func Read(folder fs.FS) (*tax.Content, error) {
	version, err := fs.ReadFile(folder, "VERSION")
	if err != nil {
		return nil, err
	}
	d := tax.Data{Version: strings.TrimSpace(string(version))}
	for _, table := range []struct {
		file string
		row  func(*tax.Data, *row)
	}{
		{"iso_countries.csv", addCountry},
		{"sources.csv", addSource},
		{"jurisdictions.csv", addJurisdiction},
		{"rates.csv", addRate},
		{"coverage.csv", addCoverage},
		{"us_sourcing.csv", addSourcing},
		{"us_taxability.csv", addTaxability},
		{"us_local_rules.csv", addLocalRule},
		{"us_holidays.csv", addHoliday},
		{"categories.csv", addCategory},
		{"class_rules.csv", addClassRule},
		{"territories.csv", addTerritory},
		{"import_limits.csv", addImportLimit},
	} {
		if err := readTable(folder, table.file, func(r *row) { table.row(&d, r) }); err != nil {
			return nil, err
		}
	}
	d.Places = places(folder)
	return tax.NewContent(d)
}
