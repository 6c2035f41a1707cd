package transactions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/csvfile"
	"levy/models"
)

// importKind is the meaning of a column of a file.
type importKind uint8

const (
	importIgnored       importKind = iota // Levy determines the value
	importOfTransaction                   // equal in all rows of a transaction
	importOfLine                          // of one row
	importRequired                        // as importOfTransaction; the file must have it
	importLineKey                         // as importOfLine; the file must have it
)

// importIdentifiers are the columns with identifiers, which have no white space around them.
var importIdentifiers = map[string]bool{
	"external_id": true, "customer_external_id": true, "external_product_id": true, "item_external_id": true,
	"transaction_id": true, "related_to": true, "filing_id": true, "jurisdiction_id": true,
}

// trimmedIdentifier returns an identifier of a file without the white space around it. Spreadsheets and web pages also
// leave invisible characters there: a space of no width, a word joiner, a byte order mark.
func trimmedIdentifier(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\u200B' || r == '\u2060' || r == '\uFEFF'
	})
}

// taxOfTransaction is the column of the imported tax of the whole transaction.
const taxOfTransaction = "transaction_tax_amount_imported"

// totalOfTransaction is the column of the total of the transaction.
const totalOfTransaction = "transaction_total_amount"

// importColumns are the columns of an export and the additional ones of a file of rejected rows.
var importColumns = func() map[string]importKind {
	kinds := map[string]importKind{
		"import_line": importIgnored, "import_column": importIgnored, "import_problem": importIgnored,
		"street_1": importOfTransaction, "transaction_id": importOfTransaction,
		"external_id": importRequired, "type": importRequired, "date": importRequired, "customer_external_id": importRequired,
		"external_product_id": importLineKey,
	}
	for _, name := range []string{
		"status", "tax_date", "currency", "customer_name", "country", "state", "county", "city", "postal_code",
		"marketplace", "exempt", "related_to", totalOfTransaction, taxOfTransaction,
		grossColumn, zoneColumn,
	} {
		kinds[name] = importOfTransaction
	}
	for _, name := range []string{
		"item_external_id", "quantity", "amount", "discount", "tax_amount_imported", "tax_exemption",
		reimbursedByColumn, tradeInColumn, discountReimbursedByColumn, exemptionCategoryColumn,
	} {
		kinds[name] = importOfLine
	}
	for _, name := range exportHeader {
		if _, known := kinds[name]; !known {
			kinds[name] = importIgnored
		}
	}
	return kinds
}()

// importLayout are the columns that a kind of file may have.
type importLayout struct {
	columns map[string]importKind
	order   []string // of the columns in messages
}

// importLayouts are the columns of all kinds of files.
var importLayouts = map[models.ImportKind]importLayout{
	models.ImportTransactions:  {importColumns, exportHeader},
	models.ImportFilingEntries: {entryColumns, entryHeader},
}

// kindOfHeader returns the kind of a file. Only entries of filings have a column kind.
func kindOfHeader(columns []string) models.ImportKind {
	if slices.Contains(columns, kindColumn) {
		return models.ImportFilingEntries
	}
	return models.ImportTransactions
}

// readImportHeader returns the columns of a file, or all faults of its first row. Where its names are assigned, a column may have
// none. It is not read.
func readImportHeader(row csvfile.Row, assigned bool) (columns []string, faults []models.Fault) {
	layout := importLayouts[kindOfHeader(row.Cells)]
	if row.Fault != nil {
		return nil, []models.Fault{
			{
				Code: row.Fault.Code, Path: importPlace(row.At.Line, strconv.Itoa(row.Fault.Column)), Message: row.Fault.Text,
			},
		}
	}
	for i, name := range row.Cells {
		at := importPlace(row.At.Line, strconv.Itoa(i+1))
		switch _, known := layout.columns[name]; {
		case name == "" && assigned:
		case !known && len(faults) < problem.MaxFieldErrors:
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidEnum, Path: at, Message: "There is no column " + quoted(name) + suggestion(name, layout.order),
			})
		case known && slices.Contains(columns, name):
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: at, Message: "The column " + name + " stands in the header already.",
			})
		}
		columns = append(columns, name)
	}
	for _, name := range layout.order {
		kind := layout.columns[name]
		if (kind == importRequired || kind == importLineKey) && !slices.Contains(columns, name) {
			faults = append(faults, models.Fault{
				Code: models.FieldMissing, Path: importPlace(row.At.Line, name),
				Message: fmt.Sprintf("The column %s is missing.", name),
			})
		}
	}
	if kindOfHeader(columns) == models.ImportFilingEntries {
		faults = append(faults, unnamedFiling(row.At.Line, columns)...)
	}
	return columns, faults
}

// importPlace returns the path of a cell of a file, such as line[1].external_id.
func importPlace(line int64, column string) string {
	return fmt.Sprintf("line[%d].%s", line, column)
}

// longestName bounds the repeated part of an unknown column name, because in a file without a header it is a value.
const longestName = 40

// quoted returns the name of a column in quotes.
func quoted(name string) string {
	if characters := []rune(name); len(characters) > longestName {
		name = string(characters[:longestName]) + "…"
	}
	return strconv.Quote(name)
}

// suggestion returns the end of a sentence that suggests one of the columns, of a similar name.
func suggestion(name string, columns []string) string {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
	}
	for _, known := range columns {
		if plain(known) == plain(name) {
			return "; perhaps " + known + " is meant."
		}
	}
	return "."
}

// importFault converts a fault of a transaction into a fault of a row. For example transaction_items[2].amount is the
// column amount of the third row. from has the columns of the fields.
func importFault(e *models.ImportEntry, from contract.Origins, f models.Fault) models.ImportFault {
	fault := models.ImportFault{Line: e.Line, Column: from.Of(f.Path), Code: f.Code, Message: f.Message}
	field := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
	if about, named := strings.CutPrefix(f.Message, field+" "); named && fault.Column != "" {
		fault.Message = fault.Column + " " + about // the name of the column in the file
	}
	if rest, ofLine := strings.CutPrefix(f.Path, "transaction_items["); ofLine {
		number, _, _ := strings.Cut(rest, "]")
		if row, _ := strconv.Atoi(number); row < len(e.Lines) { // the validator wrote it, so it is a number
			fault.Line = e.Lines[row]
		}
	}
	return fault
}
