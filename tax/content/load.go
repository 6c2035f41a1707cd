// Package content holds the embedded tax content: dated tables with sources, in data/. It has the loader that reads
// their rows, and the imports of official files that change them. data/README.md says what each table holds and where
// it comes from. The engine in the package above checks the rows together and builds its snapshot.
package content

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"levy/tax/calendar"
)

//go:generate go run ./internal/pack

//go:embed content.zip
var packed []byte

// Packed returns the embedded content in the form that Parse reads. It must not
// be changed.
func Packed() []byte { return packed }

// Parse reads a packed folder of tables. Errors: as of Read.
func Parse(pack []byte) (Data, error) {
	files, err := zip.NewReader(bytes.NewReader(pack), int64(len(pack)))
	if err != nil {
		return Data{}, fmt.Errorf("content pack: %w", err)
	}
	return Read(withOwnTables{files})
}

// withOwnTables lends a pack of an earlier program the tables that did not exist
// then.
type withOwnTables struct{ pack fs.FS }

// Open implements fs.FS.
func (w withOwnTables) Open(name string) (fs.File, error) {
	f, err := w.pack.Open(name)
	_, own := ownTables[name]
	lacks := errors.Is(err, fs.ErrNotExist) && !own && name != versionFile
	if !lacks && (err != nil || !slices.Contains(layoutTables, name) || w.hasFormulas()) {
		return f, err
	}
	if err == nil {
		f.Close()
	}
	embedded, ownErr := zip.NewReader(bytes.NewReader(packed), int64(len(packed)))
	if ownErr != nil {
		return nil, ownErr
	}
	return embedded.Open(name)
}

// layoutTables are the layouts of returns. Those of a pack of an earlier program have no formulas, and nothing is computed
// without them: the embedded ones take their place.
var layoutTables = []string{"return_layouts.csv", linesTable}

const linesTable = "return_lines.csv"

func (w withOwnTables) hasFormulas() bool {
	t, f, err := openTable(w.pack, linesTable)
	if err != nil {
		return false
	}
	defer f.Close()
	return slices.Contains(t.columns, "formula")
}

// ownTables are the files that a pack has of its own or not at all: it is never lent the embedded ones. Without them a
// pack of an earlier program calculates as it did. Only content with imported boundary files has the first one.
var ownTables = map[string]func(*Data, *row){
	boundariesTable: addBoundary, publicationsTable: addPublication,
	tiersTable:           rowsOf[TierRow]("jurisdiction_id above_usd rate classes valid_from valid_to source confidence"),
	borderTable:          rowsOf[BorderTaxRow]("country valid_from valid_to source notes"),
	reverseTable:         rowsOf[ReverseChargeRow]("country supplies business valid_from valid_to source confidence notes"),
	finerCategoriesTable: addCategory, finerTaxabilityTable: addTaxability,
	finerRatesTable: addRate, finerRulesTable: addClassRule, finerOthersTable: addOtherTax,
}

// tables are the files of a content, and what reads a line of each.
var tables = []struct {
	file string
	row  func(*Data, *row)
}{
	{"iso_countries.csv", rowsOf[CountryRow]("code name")},
	{"sources.csv", rowsOf[SourceRow]("source_id title publisher edition")},
	{"jurisdictions.csv", addJurisdiction},
	{"rates.csv", addRate},
	{"coverage.csv", rowsOf[CoverageRow]("state has_local_tax")},
	{"us_sourcing.csv", rowsOf[SourcingRow](
		"state intrastate_sourcing effective_from effective_to? confidence local_use_tax? from_outside?")},
	{"us_taxability.csv", addTaxability},
	{"us_local_rules.csv", rowsOf[LocalRuleRow](`rule_id state kind levels jurisdictions classes rate amount_usd amount_to_usd
		except_cities tax_name valid_from valid_to source confidence`)},
	{"us_holidays.csv", addHoliday},
	{"categories.csv", addCategory},
	{"us_nexus_thresholds.csv", addNexus},
	{"ca_nexus.csv", addNexus},
	{"vat_nexus.csv", addNexus},
	{"us_filing_due.csv", addFilingDue},
	{"filing_due_abroad.csv", addFilingDueAbroad},
	{"us_holiday_rules.csv", rowsOf[calendar.HolidayRow]("name rule observed_rule scope since")},
	{"filing_sites.csv", rowsOf[FilingSiteRow]("country state url as_of source")},
	{"return_layouts.csv", rowsOf[ReturnLayoutRow](`layout country state form name edition from to amends rounding filers
		last_months notes source confidence`)},
	{linesTable, rowsOf[ReturnLineRow]("layout line name unit rule source confidence each formula from_zero?")},
	{"vendor_allowances.csv", rowsOf[VendorAllowanceRow](`state program filers from to dates by_day tier_kind tier_by tier_from
		tier_to rate minimum cap cap_per basis condition source confidence`)},
	{"registration_fields.csv", rowsOf[RegistrationFieldRow]("country state field pattern expected source confidence")},
	{"simplified_lines.csv", rowsOf[SimplifiedLineRow]("edition line name rule source confidence")},
	{"simplified_rules.csv", rowsOf[SimplifiedRuleRow]("state part value from to source confidence")},
	{"return_files.csv", rowsOf[ReturnFileRow](`layout country state form frequency name edition from to media_type extension
		source confidence`)},
	{"return_codes.csv", rowsOf[ReturnCodeRow]("form state place code from to source confidence")},
	{"class_rules.csv", addClassRule},
	{"territories.csv", rowsOf[TerritoryRow](
		"country postal_from postal_to digits? jurisdiction_id name source tax? states?")},
	{"import_limits.csv", addImportLimit},
	{"other_taxes.csv", addOtherTax},
	{"marketplace_laws.csv", rowsOf[MarketplaceLawRow]("country state goods sellers without? valid_from source")},
	{"discount_laws.csv", rowsOf[DiscountLawRow]("country state kind lowers valid_from valid_to source")},
	{"rules_checked.csv", checkChecked},
}

// Read parses the tables in a folder of the form of data/. All faults found in
// one table are reported together; they name file and line. The rows of places are
// read from the folder when they are asked for.
func Read(folder fs.FS) (Data, error) {
	version, err := fs.ReadFile(folder, "VERSION")
	if err != nil {
		return Data{}, err
	}
	d := Data{Version: strings.TrimSpace(string(version)),
		// Room for what the embedded tables have: a list that grows step by step is copied more often than it is read.
		Jurisdictions: make([]JurisdictionRow, 0, 7_500), Rates: make([]RateRow, 0, 7_500),
		Taxability: make([]TaxabilityRow, 0, 2_500), ClassRules: make([]ClassRuleRow, 0, 1_500)}
	for _, table := range tables {
		if err := readTable(folder, table.file, func(r *row) { table.row(&d, r) }); err != nil {
			return d, err
		}
	}
	for file, add := range ownTables {
		err = readTable(folder, file, func(r *row) { add(&d, r) })
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return d, err
		}
	}
	d.Places = places(folder)
	return d, nil
}
