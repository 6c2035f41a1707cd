package content

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/calendar"
)

// CSVRate is one line of an operator's table of rates. It has the rate of one jurisdiction for a period and, if ZIP is
// given, one place in which it applies.
type CSVRate struct {
	At                       RowRef
	ZIP, City, County, State string
	Level, Name, Source      string
	Rate                     decimal.Decimal
	From, To                 calendar.Date
	Complete                 bool // by the operator no other local tax is due at the place
}

// csvColumns are the columns of the table; only zip, city, county and valid_to may
// be empty.
var csvColumns = []string{"zip", "city", "county", "state", "level", "name", "rate", "valid_from", "valid_to", "source"}

// completeColumn is the column that a table may have besides.
const completeColumn = "complete"

// maxCSVRates bounds the memory of a table: far more rows than all rates of a country have.
const maxCSVRates = 2_000_000

// maxCSVRow is the largest row in bytes, with what is read ahead.
const maxCSVRow = 4 * maxLine

// maxCSVText limits the bytes of all rows that are stored, and maxCSVValue those of one value. Without them a small
// archive could hold many rows of the largest length.
const (
	maxCSVText  = 128 << 20
	maxCSVValue = 500
)

var errLongRow = errors.New("the row is longer than 256 KiB: are its quotes closed?")

// rowLimit stops reading in the middle of a row that is too long. The CSV reader stores the whole row while it reads
// it, and a small archive can hold a row that fills the memory.
type rowLimit struct {
	from io.Reader
	left int
}

// row begins a row.
func (r *rowLimit) row() { r.left = maxCSVRow }

// Read implements io.Reader. Errors: errLongRow.
func (r *rowLimit) Read(p []byte) (int, error) {
	if r.left <= 0 && len(p) > 0 {
		return 0, errLongRow
	}
	n, err := r.from.Read(p)
	r.left -= n
	return n, err
}

// ReadCSV reads a whole table of rates. Errors: *RefusedError with every line that
// is wrong.
func ReadCSV(file string, r io.Reader) ([]CSVRate, error) { return readCSV(file, r, maxCSVRates) }

// readCSV is ReadCSV for at most so many rows.
func readCSV(file string, r io.Reader, most int) ([]CSVRate, error) {
	f := &csvFile{name: file, limit: &rowLimit{from: r}}
	f.limit.row() // withoutMark reads its beginning
	f.in = csv.NewReader(withoutMark(f.limit))
	f.in.TrimLeadingSpace = true
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	return f.readRates(most)
}

// csvFile is a table of rates that is being read.
type csvFile struct {
	name    string
	limit   *rowLimit
	in      *csv.Reader
	columns map[string]int
	refused RefusedError
}

func (f *csvFile) fault(line int, text string) {
	f.refused.add(Fault{RowRef{File: f.name, Line: line}, text})
}

func (f *csvFile) next() ([]string, error) {
	f.limit.row()
	return f.in.Read()
}

// readHeader finds the columns.
func (f *csvFile) readHeader() error {
	header, err := f.next()
	var broken *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		f.fault(1, "the file is empty")
		return f.refused.err()
	case errors.Is(err, errLongRow), errors.As(err, &broken):
		f.fault(1, err.Error())
		return f.refused.err()
	case err != nil:
		return fmt.Errorf("%s: %w", f.name, err)
	}
	f.columns = map[string]int{}
	for i, name := range header {
		f.columns[strings.ToLower(strings.TrimSpace(name))] = i
	}
	for _, name := range csvColumns {
		if _, ok := f.columns[name]; !ok {
			f.fault(1, "the column "+name+" is missing: the first line must name "+strings.Join(csvColumns, ", "))
		}
	}
	return f.refused.err()
}

// readRates reads the rows behind the header.
func (f *csvFile) readRates(most int) ([]CSVRate, error) {
	var rates []CSVRate
	kept := 0
	for {
		values, err := f.next()
		var broken *csv.ParseError
		switch {
		case errors.Is(err, errLongRow):
			f.fault(len(rates)+2, err.Error())
			return nil, f.refused.err()
		case len(rates) == most && !errors.Is(err, io.EOF):
			f.fault(len(rates)+2, fmt.Sprintf("the table has more than %d rows: part it", most))
			return nil, f.refused.err()
		case kept > maxCSVText:
			f.fault(len(rates)+2, fmt.Sprintf("the table has more than %d MiB of text: part it", maxCSVText>>20))
			return nil, f.refused.err()
		case errors.Is(err, io.EOF):
			return rates, f.refused.err()
		case errors.As(err, &broken):
			f.fault(broken.Line, broken.Err.Error())
			continue
		case err != nil:
			return nil, fmt.Errorf("%s: %w", f.name, err)
		}
		line, _ := f.in.FieldPos(0)
		rate, err := csvRate(func(name string) string {
			i, ok := f.columns[name]
			if !ok {
				return ""
			}
			return strings.TrimSpace(values[i])
		})
		if err != nil {
			f.fault(line, err.Error())
			continue
		}
		for _, value := range values {
			kept += len(value) // the values of a row are parts of one text
		}
		rate.At = RowRef{File: f.name, Line: line}
		rates = append(rates, rate)
	}
}

func csvRate(get func(string) string) (r CSVRate, err error) {
	r = CSVRate{ZIP: get("zip"), City: get("city"), County: get("county"), State: strings.ToUpper(get("state")),
		Level: strings.ToUpper(get("level")), Name: get("name"), Source: get("source")}
	for _, name := range csvColumns {
		if len(get(name)) > maxCSVValue {
			return r, fmt.Errorf("%s is longer than %d bytes", name, maxCSVValue)
		}
	}
	if _, ok := digits([]byte(r.ZIP), 5); r.ZIP != "" && (!ok || len(r.ZIP) != 5) {
		return r, fmt.Errorf("zip %q is not five digits", r.ZIP)
	}
	if !slices.Contains([]string{"STATE", "COUNTY", "CITY", "DISTRICT"}, r.Level) {
		return r, fmt.Errorf("level %q is none of STATE, COUNTY, CITY and DISTRICT", r.Level)
	}
	for _, name := range []string{"state", "name", "rate", "valid_from", "source"} {
		if get(name) == "" {
			return r, fmt.Errorf("%s is empty", name)
		}
	}
	switch complete := strings.ToUpper(get(completeColumn)); {
	case !slices.Contains([]string{"", "Y", "N"}, complete):
		return r, errors.New("complete is neither Y nor N")
	case complete == "Y" && (r.ZIP == "" || r.City == "" && r.Level != "COUNTY"):
		return r, errors.New("complete is said of a place: give its ZIP and its city, or the ZIP and the county")
	default:
		r.Complete = complete == "Y"
	}
	if r.Rate, err = feedRate([]byte(get("rate"))); err != nil {
		return r, fmt.Errorf("rate: %w", err)
	}
	if err = r.From.UnmarshalText([]byte(get("valid_from"))); err != nil {
		return r, fmt.Errorf("valid_from: %w", err)
	}
	if err = r.To.UnmarshalText([]byte(get("valid_to"))); err != nil {
		return r, fmt.Errorf("valid_to: %w", err)
	}
	if r.To != 0 && r.To < r.From {
		return r, fmt.Errorf("ends on %s before it begins on %s", r.To, r.From)
	}
	return r, nil
}
