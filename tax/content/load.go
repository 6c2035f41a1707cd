// Package content holds the embedded tax content: dated tables with sources,
// in data/, and the loader that checks them and builds a snapshot for the
// engine. README.md beside the tables says what each holds and where from.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"levy/tax"
)

//go:generate go run ./internal/pack

//go:embed content.zip
var packed []byte

var load = sync.OnceValues(parse)

func parse() (*tax.Content, error) { return Parse(packed) }

// Packed returns the embedded content in the form that Parse reads. It must not
// be changed.
func Packed() []byte { return packed }

// Parse checks a packed folder of tables and builds a snapshot of it.
func Parse(pack []byte) (*tax.Content, error) {
	files, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		return nil, fmt.Errorf("content pack: %w", err)
	}
	return Read(withOwnTables{files})
}

// withOwnTables lends a pack of an earlier program the tables that did not exist
// then.
type withOwnTables struct{ pack fs.FS }

// Open implements fs.FS.
func (w withOwnTables) Open(name string) (fs.File, error) {
	f, err := w.pack.Open(name)
	if !errors.Is(err, fs.ErrNotExist) || name == boundariesTable || name == "VERSION" {
		return f, err
	}
	own, ownErr := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if ownErr != nil {
		return nil, ownErr
	}
	return own.Open(name)
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
		{"us_nexus_thresholds.csv", addNexus},
		{"ca_nexus.csv", addNexus},
		{"vat_nexus.csv", addNexus},
		{"us_filing_due.csv", addFilingDue},
		{"us_holiday_rules.csv", addHolidayRule},
		{"class_rules.csv", addClassRule},
		{"territories.csv", addTerritory},
		{"import_limits.csv", addImportLimit},
	} {
		if err := readTable(folder, table.file, func(r *row) { table.row(&d, r) }); err != nil {
			return nil, err
		}
	}
	// Only content with imported boundary files has this table.
	err = readTable(folder, boundariesTable, func(r *row) { addBoundary(&d, r) })
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	d.Places = places(folder)
	return tax.NewContent(d)
}
