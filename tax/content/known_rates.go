package content

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/tax/money"
)

// KnownRate is a line of a table that is to be compared with the content: what a buyer pays in all, as a fraction.
type KnownRate struct {
	At        RowRef
	ZIP, City string
	Rate      decimal.Decimal
}

var knownColumns = []string{"zip", "city", "rate"}

// ReadKnownRates reads a whole table with the columns zip, city and rate, among others. Errors: *RefusedError with every
// line that is wrong.
func ReadKnownRates(file string, r io.Reader) ([]KnownRate, error) {
	var refused RefusedError
	limit := &rowLimit{from: r}
	limit.row()
	in := csv.NewReader(withoutMark(limit))
	in.TrimLeadingSpace, in.ReuseRecord = true, true
	var at [3]int
	var rates []KnownRate
	for line := 1; ; line++ {
		limit.row()
		values, err := in.Read()
		row := RowRef{File: file, Line: line}
		switch {
		case errors.Is(err, io.EOF) && line > 1:
			return rates, refused.err()
		case err != nil:
			refused.add(Fault{row, err.Error()})
			return nil, refused.err()
		case line == 1:
			for i, name := range knownColumns {
				at[i] = slices.IndexFunc(values, func(v string) bool { return strings.EqualFold(strings.TrimSpace(v), name) })
				if at[i] < 0 {
					refused.add(Fault{row, "the column " + name + " is missing"})
				}
			}
			if err := refused.err(); err != nil {
				return nil, err
			}
			continue
		case len(rates) == maxCSVRates:
			refused.add(Fault{row, fmt.Sprintf("the table has more than %d rows: part it", maxCSVRates)})
			return nil, refused.err()
		}
		rate, err := money.ParseDecimal(values[at[2]])
		if err != nil || rate.IsNeg() || rate.Cmp(decimal.One) >= 0 {
			refused.add(Fault{row, fmt.Sprintf("the rate %q is not a fraction such as 0.0725", values[at[2]])})
			continue
		}
		rates = append(rates, KnownRate{row, strings.Clone(values[at[0]]), strings.Clone(values[at[1]]), rate})
	}
}
