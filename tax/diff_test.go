package tax

import (
	"fmt"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
)

// changed is the sample with other rows.
func changed(t *testing.T, change func(*content.Data)) *Content {
	t.Helper()
	d := sample()
	change(&d)
	c, err := newContent(d)
	require.NoError(t, err)
	return c
}

// rateOf is the row of the general rate of a jurisdiction.
func rateOf(d *content.Data, id string) *content.RateRow {
	for i := range d.Rates {
		if d.Rates[i].JurisdictionID == id {
			return &d.Rates[i]
		}
	}
	panic(id)
}

func TestChangesOfRates(t *testing.T) {
	t.Parallel()
	closed := func(d *content.Data, id, last, rate string) {
		row := rateOf(d, id)
		next := *row
		row.To = calendar.MustDate(last)
		next.From, next.Rate = row.To.AddDays(1), decimal.MustParse(rate)
		d.Rates = append(d.Rates, next)
	}
	for _, test := range []struct {
		name   string
		change func(*content.Data)
		want   []string
	}{
		{"nothing", func(*content.Data) {}, nil},
		{"the same rate in two rows", func(d *content.Data) { closed(d, "US-TX", "2026-06-30", "0.0625") }, nil},
		{"a higher rate from July on", func(d *content.Data) { closed(d, "US-TX", "2026-06-30", "0.065") },
			[]string{"US-TX 2026-07-01 to : 6.25 % -> 6.5 %"}},
		{"another rate always", func(d *content.Data) { rateOf(d, "US-CA-M-bay").Rate = decimal.MustParse("0.0125") },
			[]string{"US-CA-M-bay 2000-01-01 to : 1 % -> 1.25 %"}},
		{"a rate that ends", func(d *content.Data) { rateOf(d, "US-TX-D-rail").To = calendar.MustDate("2026-12-31") },
			[]string{"US-TX-D-rail 2027-01-01 to : 1 % -> none"}},
		{"a rate that begins later", func(d *content.Data) { rateOf(d, "US-TX-D-rail").From = 20210101 },
			[]string{"US-TX-D-rail 2020-01-01 to 2020-12-31: 1 % -> none"}},
		{"two changes, by state", func(d *content.Data) {
			closed(d, "US-TX-C001", "2026-06-30", "0")
			closed(d, "US-CA", "2026-06-30", "0.0625")
		}, []string{"US-CA 2026-07-01 to : 6 % -> 6.25 %", "US-TX-C001 2026-07-01 to : 0.5 % -> 0 %"}},
		{"for half a year", func(d *content.Data) {
			closed(d, "US-TX", "2026-06-30", "0.07")
			d.Rates[len(d.Rates)-1].To = calendar.MustDate("2026-12-31")
			last := d.Rates[len(d.Rates)-1]
			last.From, last.To, last.Rate = calendar.MustDate("2027-01-01"), 0, decimal.MustParse("0.0625")
			d.Rates = append(d.Rates, last)
		}, []string{"US-TX 2026-07-01 to 2026-12-31: 6.25 % -> 7 %"}},
	} {
		show := func(rate *decimal.Decimal) string {
			if rate == nil {
				return "none"
			}
			return FormatPercent(*rate)
		}
		var got, back []string
		before, after := sampleContent(t), changed(t, test.change)
		for _, c := range before.RateChanges(after) {
			require.Empty(t, c.Class)
			require.NotEmpty(t, c.RuleIDs)
			got = append(got, fmt.Sprintf("%s %s to %s: %s -> %s", c.Jurisdiction.ID, c.From, c.To, show(c.Old), show(c.New)))
		}
		require.Equal(t, test.want, got, test.name)
		for _, c := range after.RateChanges(before) {
			back = append(back, fmt.Sprintf("%s %s to %s: %s -> %s", c.Jurisdiction.ID, c.From, c.To, show(c.New), show(c.Old)))
		}
		require.Equal(t, test.want, back, "%s, the other way round", test.name)
	}
	for rate, text := range map[string]string{"0": "0 %", "0.08875": "8.875 %", "0.000000001": "0.0000001 %",
		"1": "100 %"} {
		require.Equal(t, text, FormatPercent(decimal.MustParse(rate)))
	}
}

func TestTheGeneralRateOfADay(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, test := range []struct {
		id, day, rate string
	}{
		{"US-TX", "1990-07-01", "0.0625"}, {"US-TX", "1990-06-30", ""}, {"US-TX", "2099-12-31", "0.0625"},
		{"US-TX-C001", "2009-12-31", ""}, {"US-TX-C001", "2010-01-01", "0.005"}, {"US-CA-M-hill", "2026-05-15", "0.02"},
		{"US-NY", "2026-05-15", ""}, {"", "2026-05-15", ""}, {"US", "2026-05-15", ""},
	} {
		rate, ok := c.GeneralRate(test.id, calendar.MustDate(test.day))
		require.Equal(t, test.rate != "", ok, "%s on %s", test.id, test.day)
		if ok {
			require.Equal(t, test.rate, rate.String(), "%s on %s", test.id, test.day)
		}
	}
	for _, test := range []struct {
		zip           int
		state         string
		known, inside bool
	}{
		{75001, "TX", true, true}, {75001, "CA", true, false}, {94002, "CA", true, true}, {75003, "TX", false, false},
		{0, "TX", false, false}, {-1, "TX", false, false}, {100_000, "TX", false, false}, {99_999, "TX", false, false},
	} {
		known, inside := c.StateOfZIP(test.zip, test.state)
		require.Equal(t, [2]bool{test.known, test.inside}, [2]bool{known, inside}, "%d in %s", test.zip, test.state)
	}
}

// withBoundaries is the sample after a boundary file of Texas was imported.
func withBoundaries(t *testing.T, load int64) *Content {
	t.Helper()
	return changed(t, func(d *content.Data) {
		d.Boundaries = []content.BoundaryRow{{State: "TX", Load: load}}
		codes := map[string][2]string{
			"US-TX": {"FIPS-STATE", "48"}, "US-TX-C001": {"FIPS-COUNTY", "48001"}, "US-TX-M-town": {"FIPS-PLACE", "4812345"},
			"US-TX-D-rail": {"SST-63", "80004"},
		}
		for i := range d.Jurisdictions {
			row := &d.Jurisdictions[i]
			row.CodeSystem, row.Code = codes[row.ID][0], codes[row.ID][1]
		}
	})
}

func TestWhichAddressesAreLookedUpInBoundaryFiles(t *testing.T) {
	t.Parallel()
	c := withBoundaries(t, 42)
	for _, test := range []struct {
		name       string
		address    Address
		zip, plus4 string // empty: no search
		number     int64
	}{
		{"ZIP", Address{PostalCode: "75001", State: "TX", Country: "US"}, "75001", "", 0},
		{"ZIP+4", Address{PostalCode: "75001-1234", State: "TX", Country: "US"}, "75001", "1234", 0},
		{"nine digits", Address{PostalCode: "750011234", State: "tx", Country: "US"}, "75001", "1234", 0},
		{"the state of the ZIP", Address{PostalCode: "75001", Country: "US"}, "75001", "", 0},
		{"a name of the state", Address{PostalCode: "75001", State: "Texas", Country: "US"}, "75001", "", 0},
		{"a street", Address{Street1: "12 N Main St", PostalCode: "75001", State: "TX", Country: "US"}, "75001", "", 12},
		{"a ZIP that the content does not know", Address{PostalCode: "75999", State: "TX", Country: "US"}, "75999", "", 0},
		{"the same without a state", Address{PostalCode: "75999", Country: "US"}, "", "", 0},
		{"a state without a file", Address{PostalCode: "94001", State: "CA", Country: "US"}, "", "", 0},
		{"no ZIP", Address{City: "Town", State: "TX", Country: "US"}, "", "", 0},
		{"no ZIP at all", Address{PostalCode: "7500", State: "TX", Country: "US"}, "", "", 0},
		{"another country", Address{PostalCode: "75001", State: "TX", Country: "JP"}, "", "", 0},
		{"an unknown state", Address{PostalCode: "75001", State: "XX", Country: "US"}, "", "", 0},
	} {
		key, ok := c.BoundaryKey(DatedAddress{test.address, 20260515})
		require.Equal(t, test.zip != "", ok, test.name)
		if !ok {
			continue
		}
		require.Equal(t, []string{test.zip, test.plus4}, []string{key.ZIP, key.Plus4}, test.name)
		require.Equal(t, int64(42), key.Load, test.name)
		require.Equal(t, calendar.Date(20260515), key.Day, test.name)
		require.Equal(t, test.number, key.Street.Number, test.name)
		_, ok = sampleContent(t).BoundaryKey(DatedAddress{test.address, 20260515})
		require.False(t, ok, "no file was imported")
	}
}

func TestCodesOfABoundaryFileAreJurisdictions(t *testing.T) {
	t.Parallel()
	c := withBoundaries(t, 42)
	texas := c.usState("TX")
	for _, test := range []struct {
		codes, ids string
		complete   bool
	}{
		{"45:48", "US-TX", true},
		{"", "US-TX", true},
		{"45:48|00:001", "US-TX US-TX-C001", true},
		{"45:48|00:001|01:12345|63:80004", "US-TX US-TX-C001 US-TX-M-town US-TX-D-rail", true},
		{"63:80004|01:12345|00:001|45:48", "US-TX US-TX-C001 US-TX-M-town US-TX-D-rail", true}, // in any order
		{"45:48|02:12345", "US-TX US-TX-M-town", true},                                         // another kind of place
		{"45:48|00:999", "US-TX", false},
		// no rate file says that it levies nothing
		{"45:48|01:99999", "US-TX", false},
		{"45:48|63:99999", "US-TX", false},
		{"45:48|64:80004", "US-TX", false}, // a district of another type
	} {
		set, complete := c.boundarySet(texas, BoundaryMatch{Resolution: ResolutionZIP9, Codes: test.codes})
		require.Equal(t, test.ids, strings.Join(c.ids(set), " "), test.codes)
		require.Equal(t, test.complete, complete, test.codes)
		var p Place
		c.takeBoundary(Address{}, &p, texas, BoundaryMatch{Resolution: ResolutionZIP9, Codes: test.codes})
		require.Equal(t, test.ids, strings.Join(p.Jurisdictions, " "), test.codes)
		require.Equal(t, test.complete, p.Completeness == CompletenessComplete, test.codes)
		require.Equal(t, test.complete, p.Confidence == ConfidenceHigh, test.codes)
		require.Equal(t, strings.Contains(test.ids, "C001"), p.County == "Big County", test.codes)
	}
	var open Place
	c.takeBoundary(Address{Unincorporated: true}, &open, texas, BoundaryMatch{Codes: "45:48|00:001|01:12345"})
	require.Equal(t, []string{"US-TX", "US-TX-C001"}, open.Jurisdictions, "outside of any city")
}

func TestBoundaryFilesOfTwoContents(t *testing.T) {
	t.Parallel()
	none, old, next := sampleContent(t), withBoundaries(t, 42), withBoundaries(t, 43)
	for _, test := range []struct {
		from, to *Content
		want     []string
	}{
		{none, none, nil}, {none, old, []string{"TX"}}, {old, none, []string{"TX"}}, {old, next, []string{"TX"}},
		{next, next, nil},
	} {
		require.Equal(t, test.want, test.from.BoundaryChanges(test.to))
	}
	loads := old.BoundaryLoads()
	require.Equal(t, map[string]int64{"TX": 42}, loads)
	loads["TX"] = 7
	require.Equal(t, map[string]int64{"TX": 42}, old.BoundaryLoads(), "a copy")
	d := sample()
	d.Boundaries = []content.BoundaryRow{
		{At: content.RowRef{File: "b", Line: 2}, State: "XX", Load: 1},
		{At: content.RowRef{File: "b", Line: 3}, State: "TX", Load: 0},
		{At: content.RowRef{File: "b", Line: 4}, State: "TX", Load: 2},
	}
	_, err := newContent(d)
	for _, want := range []string{`b:2: unknown state "XX"`, "b:3: load 0", "b:4: state TX stands twice"} {
		require.ErrorContains(t, err, want)
	}
}

// Amounts that are rounded once for a line, once for each tax, and once for the document.
func TestUnitsOfRoundingSideBySide(t *testing.T) {
	t.Parallel()
	c := sampleContent(t)
	for _, test := range []struct {
		amounts string
		want    string // tax of each line
		tax     string
	}{
		{"0.06 0.06 0.06", "0.00 0.00 0.00", "0.00"}, // 0.00495 each
		{"0.07 0.07 0.07", "0.01 0.01 0.01", "0.03"}, // 0.005775 each
		{"1.00", "0.08", "0.08"},
		{"10.00 -10.00", "0.00 0.00", "0.00"},
		{"19.99 0.01", "1.65 0.00", "1.65"},
		{"0.00", "0.00", "0.00"},
		{"-0.07", "-0.01", "-0.01"},
	} {
		var lines []Line
		for amount := range strings.FieldsSeq(test.amounts) {
			lines = append(lines, physical(amount))
		}
		r, err := c.Calculate(Request{
			TaxDate: calendar.MustDate("2026-05-01"), Destination: zip(c, "75001"), Lines: lines,
		})
		require.NoError(t, err)
		var got []string
		for _, l := range r.Lines {
			got = append(got, money.Format(l.Tax))
		}
		require.Equal(t, test.want, strings.Join(got, " "), test.amounts)
		require.Equal(t, test.tax, r.Tax.String(), test.amounts)
	}
}
