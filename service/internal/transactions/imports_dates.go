package transactions

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"levy/internal/csvfile"
	"levy/models"
	"levy/tax/calendar"
)

// writtenDate is a date as spreadsheets write it: numbers with one mark between them, and perhaps a time of day without a zone.
var writtenDate = regexp.MustCompile(
	`^(\d{1,4})([-/.])(\d{1,2})([-/.])(\d{1,4})(?: (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AaPp])[Mm])?)?$`)

// dateColumns are the columns with a day, or with a moment.
var dateColumns = []string{"date", "tax_date", "start_date", "end_date"}

// sheetDate is a date of a spreadsheet.
type sheetDate struct {
	day   time.Time // in UTC, with the time of day
	timed bool      // it has a time of day
}

// isAmbiguous reports whether only the order of the file says which number of a date is the month.
func isAmbiguous(text string) bool {
	m := writtenDate.FindStringSubmatch(text)
	return m != nil && m[2] == "/" && len(m[1]) <= 2
}

// readSheetDate reads a date such as 2026-05-15, 15.05.2026 or 5/15/2026, the last by the order of the file. known is false for
// other texts, which are left to the validator.
func readSheetDate(text string, order models.DateOrder) (d sheetDate, known bool) {
	m := writtenDate.FindStringSubmatch(text)
	if m == nil || m[2] != m[4] {
		return d, false
	}
	year, month, day := m[1], m[3], m[5]
	switch {
	case len(m[1]) == 4: // 2026-05-15, 2026/5/15
	case m[2] == "." || m[2] == "/" && order == models.DayFirst:
		year, month, day = m[5], m[3], m[1]
	case m[2] == "/" && order == models.MonthFirst:
		year, month, day = m[5], m[1], m[3]
	default:
		return d, false
	}
	if len(year) != 4 || len(day) > 2 {
		return d, false
	}
	number := func(digits string) int {
		n, _ := strconv.Atoi(digits) // at most four digits, or none
		return n
	}
	hour := number(m[6])
	if m[9] != "" { // 12 AM is midnight
		if hour < 1 || hour > 12 {
			return d, false
		}
		hour %= 12
		if strings.EqualFold(m[9], "p") {
			hour += 12
		}
	}
	d.timed = m[6] != ""
	d.day = time.Date(number(year), time.Month(number(month)), number(day), hour, number(m[7]), number(m[8]), 0, time.UTC)
	// time.Date moves a day that does not exist, such as 31 April, to another one.
	same := d.day.Month() == time.Month(number(month)) && d.day.Day() == number(day) && d.day.Hour() == hour &&
		d.day.Minute() == number(m[7]) && d.day.Second() == number(m[8])
	return d, same
}

// daysOf returns the order of the dates of each column with dates, by its place. It has none where the file shows no order.
func daysOf(im *models.Import) map[int]models.DateOrder {
	days := map[int]models.DateOrder{}
	for i, name := range im.Columns {
		if slices.Contains(dateColumns, name) {
			days[i] = im.DateOrder
		}
	}
	return days
}

// withoutOrder returns a date such as 5/4/2026 as 2026-05-04. The file of rejected rows lacks the dates that show the order.
func withoutOrder(cell string, order models.DateOrder) string {
	d, known := readSheetDate(cell, order)
	switch {
	case order == "" || !known || !isAmbiguous(cell):
		return cell
	case d.timed:
		return d.day.Format(time.DateTime)
	}
	return d.day.Format(time.DateOnly)
}

// moment returns the date of a row in the form of the API. A time of day is that of the zone of the row, else in UTC. day is the
// day of a date without a time of day; "" for others.
func (s *ImportSheet) moment(row *csvfile.Row) (text, day string) {
	text = s.cell(row, "date")
	d, known := readSheetDate(text, s.im.DateOrder)
	switch {
	case !known:
		return text, ""
	case !d.timed:
		return d.day.Format(time.RFC3339), d.day.Format(time.DateOnly)
	}
	if zone, known := calendar.Location(s.cell(row, zoneColumn)); known {
		year, month, day := d.day.Date()
		d.day = time.Date(year, month, day, d.day.Hour(), d.day.Minute(), d.day.Second(), 0, zone)
	}
	return d.day.Format(time.RFC3339), ""
}

// dayOf returns the day of a column in the form of the API. A spreadsheet may have added midnight.
func (s *ImportSheet) dayOf(row *csvfile.Row, column string) string {
	text := s.cell(row, column)
	if d, known := readSheetDate(text, s.im.DateOrder); known && d.day.Equal(d.day.Truncate(24*time.Hour)) {
		return d.day.Format(time.DateOnly)
	}
	return text
}

// ambiguousDates returns faults for dates of which the file does not say where the month is.
func (s *ImportSheet) ambiguousDates(row *csvfile.Row) (faults []models.ImportFault) {
	// guard: files: a date that can be read in two ways is not guessed
	if s.im.DateOrder != "" {
		return nil
	}
	for _, column := range dateColumns {
		if isAmbiguous(s.cell(row, column)) {
			faults = append(faults, models.ImportFault{
				Line: row.At.Line, Column: column, Code: models.FieldInvalidFormat,
				Message: column + " can be read in two ways, and the file does not show where the month is: write it as 2026-05-15.",
			})
		}
	}
	return faults
}

// dateOrders collects which orders the columns with dates of a file show, while it arrives. It holds little more than a row.
type dateOrders struct {
	at         []int // places of these columns
	rows       *csvfile.Reader
	arrived    []byte // bytes that were not read yet
	ended      bool
	month, day bool
}

// errArriving says that the next piece of a file is not there yet.
var errArriving = errors.New("the file is arriving")

// newDateOrders returns the orders of the file whose rows begin at a position.
func newDateOrders(columns []string, first csvfile.Position, separator byte) *dateOrders {
	o := &dateOrders{}
	for i, name := range columns {
		if slices.Contains(dateColumns, name) {
			o.at = append(o.at, i)
		}
	}
	o.rows = csvfile.NewReader(o, first, separator)
	return o
}

// Read implements io.Reader.
func (o *dateOrders) Read(p []byte) (int, error) {
	switch {
	case len(o.arrived) > 0:
		n := copy(p, o.arrived)
		o.arrived = o.arrived[n:]
		return n, nil
	case o.ended:
		return 0, io.EOF
	}
	return 0, errArriving
}

// scan reads the rows that end in a piece.
func (o *dateOrders) scan(piece []byte) {
	if len(o.at) == 0 || o.month && o.day {
		return
	}
	o.arrived = piece
	for {
		row, err := o.rows.Next()
		if err != nil {
			return // the rest of the row arrives with the next piece
		}
		if row.Fault != nil {
			continue // its cells may stand in other columns
		}
		for _, i := range o.at {
			if i < len(row.Cells) {
				o.see(csvfile.Unguarded(row.Cells[i]))
			}
		}
	}
}

// see looks at a cell. A date such as 5/15/2026 shows the order, because one of its numbers can be no month.
func (o *dateOrders) see(cell string) {
	first, rest, _ := strings.Cut(cell, "/")
	second, _, _ := strings.Cut(rest, "/")
	a, _ := strconv.Atoi(first) // 0 for what is no number
	b, _ := strconv.Atoi(second)
	shown, order := &o.day, models.DayFirst
	if b > 12 {
		shown, order = &o.month, models.MonthFirst
	}
	if *shown || (a > 12) == (b > 12) || !isAmbiguous(cell) {
		return
	}
	_, *shown = readSheetDate(cell, order)
}

// order returns the order of a file; "" where its dates show none, or both.
func (o *dateOrders) order() models.DateOrder {
	o.ended = true
	o.scan(nil)
	switch {
	case o.month && !o.day:
		return models.MonthFirst
	case o.day && !o.month:
		return models.DayFirst
	}
	return ""
}
