package transactions

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

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
	} {
		kinds[name] = importOfTransaction
	}
	for _, name := range []string{
		"item_external_id", "quantity", "amount", "discount", "tax_amount_imported", "tax_exemption",
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

// readImportHeader returns the columns of a file, or all faults of its first row.
func readImportHeader(row csvfile.Row) (columns []string, faults []models.Fault) {
	if row.Fault != nil {
		return nil, []models.Fault{
			{
				Code: row.Fault.Code, Path: importPlace(row.At.Line, strconv.Itoa(row.Fault.Column)), Message: row.Fault.Text,
			},
		}
	}
	for i, name := range row.Cells {
		at := importPlace(row.At.Line, strconv.Itoa(i+1))
		switch _, known := importColumns[name]; {
		case !known && len(faults) < problem.MaxFieldErrors:
			faults = append(faults, models.Fault{
				Code: models.FieldInvalidEnum, Path: at, Message: "There is no column " + quoted(name) + suggestion(name),
			})
		case known && slices.Contains(columns, name):
			faults = append(faults, models.Fault{
				Code: models.FieldDuplicateValue, Path: at, Message: "The column " + name + " stands in the header already.",
			})
		}
		columns = append(columns, name)
	}
	for _, name := range exportHeader { // in the order of an export
		kind := importColumns[name]
		if (kind == importRequired || kind == importLineKey) && !slices.Contains(columns, name) {
			faults = append(faults, models.Fault{
				Code: models.FieldMissing, Path: importPlace(row.At.Line, name),
				Message: fmt.Sprintf("The column %s is missing.", name),
			})
		}
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

// suggestion returns the end of a sentence that suggests a column of a similar name.
func suggestion(name string) string {
	plain := func(s string) string {
		return strings.NewReplacer("_", "", " ", "", "-", "").Replace(strings.ToLower(s))
	}
	for _, known := range exportHeader {
		if plain(known) == plain(name) {
			return "; perhaps " + known + " is meant."
		}
	}
	return "."
}

// importFaultColumns are the columns that contain the parts of a transaction.
var importFaultColumns = map[string]string{
	"shop_date": "tax_date", "total_amount": totalOfTransaction, "total_tax_amount_imported": taxOfTransaction,
	"customer.external_id": "customer_external_id", "customer.name": "customer_name",
	"customer_id":         "customer_external_id",
	"external_product_id": "external_product_id", "item.external_id": "item_external_id",
	"discount_builder.discount_amount": "discount",
}

// importFault converts a fault of a transaction into a fault of a row. For example transaction_items[2].amount is the
// column amount of the third row.
func importFault(e *models.ImportEntry, columns []string, f models.Fault) models.ImportFault {
	path, row := f.Path, 0
	if rest, ofLine := strings.CutPrefix(path, "transaction_items["); ofLine {
		number, field, _ := strings.Cut(rest, "]")
		row, _ = strconv.Atoi(number) // the validator wrote it, so it is a number
		path = strings.TrimPrefix(field, ".")
		if path == "external_id" {
			path = "item.external_id"
		}
	}
	path = strings.TrimPrefix(path, "addresses[0].")
	if column, renamed := importFaultColumns[path]; renamed {
		path = column
	}
	if path == taxOfTransaction && !slices.Contains(columns, path) { // Levy sums the lines
		path = "tax_amount_imported"
	}
	fault := models.ImportFault{Line: e.Line, Code: f.Code, Message: f.Message}
	field := f.Path[strings.LastIndexByte(f.Path, '.')+1:]
	if about, named := strings.CutPrefix(f.Message, field+" "); named && slices.Contains(columns, path) {
		fault.Message = path + " " + about // the name of the column in the file
	}
	if row < len(e.Lines) {
		fault.Line = e.Lines[row]
	}
	if slices.Contains(columns, path) {
		fault.Column = path
	}
	return fault
}
