package content

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// For a file that cannot be read the error is that it could not be read, and no fault of a line is reported.
func TestAFileThatCannotBeRead(t *testing.T) {
	t.Parallel()
	gone := errors.New("the disk is gone")
	after := func(text string) io.Reader { return io.MultiReader(strings.NewReader(text), iotest.ErrReader(gone)) }
	const rate, boundary = "27,45,27,0.06875,0,,,20090701,29991231\n", "Z,20240101,29991231\n"
	for name, read := range map[string]func() error{
		"a table before its first line": func() error { _, err := ReadCSV("f.csv", iotest.ErrReader(gone)); return err },
		"a table after its first line":  func() error { _, err := ReadCSV("f.csv", after(csvHead)); return err },
		"rates": func() error {
			_, err := ReadRates("f.csv", iotest.ErrReader(gone), "27")
			return err
		},
		"rates after a line": func() error { _, err := ReadRates("f.csv", after(rate), "27"); return err },
		"boundaries": func() error {
			_, err := CheckBoundaries(NewBoundaryReader("f.csv", iotest.ErrReader(gone), "27"))
			return err
		},
		"boundaries after a line": func() error {
			_, err := CheckBoundaries(NewBoundaryReader("f.csv", after(boundary), "27"))
			return err
		},
	} {
		err := read()
		require.ErrorIs(t, err, gone, name)
		require.EqualError(t, err, "f.csv: the disk is gone", name)
		var refused *RefusedError
		require.NotErrorAs(t, err, &refused, "%s: no line is wrong", name)
	}
}

// The first line names the columns: its faults are reported once, and not as missing columns.
func TestTheFirstLineOfATable(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ head, want string }{
		{"zi\"p,city\n", "1 faults\n  f.csv:1: parse error on line 1, column 3: bare \" in non-quoted-field"},
		{"\"zip\"x,city\n", `1 faults` + "\n  f.csv:1: parse error on line 1"},
		{"", "1 faults\n  f.csv:1: the file is empty"},
		{"\xef\xbb\xbf", "1 faults\n  f.csv:1: the file is empty"},
		{"\n", "1 faults\n  f.csv:1: the file is empty"},
		{
			strings.Replace(csvHead, "zip,", "", 1),
			"1 faults\n  f.csv:1: the column zip is missing: the first line must name zip, city",
		},
		{strings.Replace(csvHead, "zip", "zips", 1), "the column zip is missing"},
		{"zip;city;county;state;level;name;rate;valid_from;valid_to;source\n", "10 faults"},
	} {
		_, err := ReadCSV("f.csv", strings.NewReader(test.head))
		require.ErrorContains(t, err, test.want, "%q", test.head)
	}
	rates, err := ReadCSV("f.csv", strings.NewReader(csvHead))
	require.NoError(t, err, "a table without rows changes nothing")
	require.Empty(t, rates)
	rates, err = ReadCSV("f.csv", strings.NewReader(
		" ZIP , City,COUNTY,state,Level,name,rate,valid_from,valid_to,source,note\n"+
			"55401,,,mn,city,Ely,0.01,2026-01-01,,Act,mine\n"))
	require.NoError(t, err, "further columns do not count")
	require.Equal(t, []string{"55401", "MN", "CITY", "Ely"},
		[]string{rates[0].ZIP, rates[0].State, rates[0].Level, rates[0].Name})
}

// The largest number of rows is accepted, and one more is not.
func TestRowsOfATableAreBounded(t *testing.T) {
	t.Parallel()
	const row = "55401,,,MN,CITY,Ely,0.01,2026-01-01,,Act\n"
	for _, end := range []string{"", "\n\n"} {
		rates, err := readCSV("f.csv", strings.NewReader(csvHead+row+row+end), 2)
		require.NoError(t, err)
		require.Len(t, rates, 2)
	}
	_, err := readCSV("f.csv", strings.NewReader(csvHead+row+row+row), 2)
	require.ErrorContains(t, err, "f.csv:4: the table has more than 2 rows: part it")
	_, err = readCSV("f.csv", strings.NewReader(csvHead+row+row+"55401,\"\n"), 2)
	require.ErrorContains(t, err, "f.csv:4: the table has more than 2 rows: part it", "whatever the row contains")
}

// A value of 500 bytes is accepted, and a longer one is not, in every column.
func TestValuesOfATableAreBounded(t *testing.T) {
	t.Parallel()
	columns := strings.Split(strings.TrimSpace(csvHead), ",")
	row := strings.Split("55401,Ely,Saint Louis,MN,CITY,Ely,0.01,2026-01-01,2026-12-31,Act", ",")
	for i, column := range columns {
		for length, wrong := range map[int]bool{maxCSVValue: false, maxCSVValue + 1: true} {
			values := append([]string(nil), row...)
			values[i] = strings.Repeat("x", length)
			_, err := ReadCSV("f.csv", strings.NewReader(csvHead+strings.Join(values, ",")+"\n"))
			tooLong := fmt.Sprintf("f.csv:2: %s is longer than 500 bytes", column)
			require.Equal(t, wrong, err != nil && strings.Contains(err.Error(), tooLong), "%s of %d: %v", column, length, err)
		}
	}
}

// Every invalid line is reported with its own number, also after values with line breaks and after empty lines.
func TestAllFaultsOfATableAreReported(t *testing.T) {
	t.Parallel()
	const good = "55401,,,MN,CITY,Ely,0.01,2026-01-01,,Act\n"
	_, err := ReadCSV("f.csv", strings.NewReader(csvHead+good+"5540,,,MN,CITY,Ely,0.01,2026-01-01,,Act\n\n"+good+
		"55401,,,MN,CITY,Ely,0.21,2026-01-01,,Act\n"+`55401,"E`+"\n"+`ly",,MN,CITY,Ely,0.01,2026-02-30,,Act`+"\n"+good))
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, 3, refused.Total)
	require.EqualError(t, err, "refused, nothing was imported: 3 faults\n"+
		"  f.csv:3: zip \"5540\" is not five digits\n"+
		"  f.csv:6: rate: 0.21 is not a fraction between 0 and 0.20\n"+
		"  f.csv:7: valid_from: not a calendar day in the form YYYY-MM-DD: 2026-2-30")
}
