package content

import (
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/postal"
)

// boundaryLine is a record with these columns filled, counted from 1 as in the
// description of the format.
func boundaryLine(columns map[int]string) string {
	f := make([]string, 89)
	for column, value := range columns {
		f[column-1] = value
	}
	return strings.Join(f, ",")
}

func TestBoundaryRecords(t *testing.T) {
	t.Parallel()
	text := "\xef\xbb\xbf" + strings.Join([]string{
		boundaryLine(map[int]string{
			1: "z", 2: "20240101", 3: "29991231", 18: "55401", 20: "55499", 23: "27", 25: "53",
		}),
		boundaryLine(map[int]string{
			1: "4", 2: "20240101", 3: "20260630", 18: "55401", 19: "7", 20: "55401", 21: "1234", 23: "27",
			25: "053", 26: "43000",
		}),
		boundaryLine(map[int]string{
			1: "A", 2: "20240101", 3: "99991231", 4: "101", 5: "199", 6: "o", 7: "N", 8: `"FIFTH"`, 9: "AVE", 10: "SW",
			16: "55401", 23: "27",
			25: "053", 26: "43000", 30: "ST", 31: "80004", 32: "63", 33: "ST", 34: "27", 35: "45", 36: "VD", 37: "R7", 38: "5",
		}),
		boundaryLine(map[int]string{1: "Z", 2: "20240101", 3: "20991231", 18: "56999", 23: "27"}),
		"",
	}, "\r\n")
	r := NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(text), "27")
	next := func() BoundaryRecord {
		t.Helper()
		got, err := r.Next()
		require.NoError(t, err)
		copied := *got
		copied.Codes = []byte(string(got.Codes))
		return copied
	}
	require.Equal(t, BoundaryRecord{
		Type: 'Z', From: 20240101, ZIPLow: 55401, ZIPHigh: 55499, Plus4High: 9999, Codes: []byte("45:27|00:053"),
	}, next())
	require.Equal(t, BoundaryRecord{
		Type: '4', From: 20240101, To: 20260630, ZIPLow: 55401, ZIPHigh: 55401, Plus4Low: 7, Plus4High: 1234,
		Codes: []byte("45:27|00:053|01:43000"),
	}, next())
	require.Equal(t, BoundaryRecord{
		Type: 'A', From: 20240101, Low: 101, High: 199, Side: 'O', ZIP: "55401",
		Street: postal.StreetAddress{Before: "N", Name: "5", Kind: "AVE", After: "SW"},
		Codes:  []byte("45:27|00:053|01:43000|63:80004|05:R7"),
	}, next())
	require.Equal(t, "45:27", string(next().Codes), "an empty set is an answer")
	_, err := r.Next()
	require.ErrorIs(t, err, io.EOF)
}

func TestABadBoundaryFileIsRefusedWithEveryLine(t *testing.T) {
	t.Parallel()
	good := map[int]string{1: "Z", 2: "20240101", 3: "29991231", 18: "55401", 23: "27"}
	with := func(column int, value string) string {
		columns := map[int]string{}
		for c, v := range good {
			columns[c] = v
		}
		columns[column] = value
		return boundaryLine(columns)
	}
	bad := []string{
		with(1, "X"), with(2, "20240231"), with(2, ""), with(3, "soon"), with(3, "20231231"), with(18, "5540x"),
		with(20, "55400"), with(23, "28"),
		with(25, "1234"), with(26, "x"), "Z,20240101", `Z,"20240101`, with(1, "A"), with(1, "4") + ",",
	}
	_, err := CheckBoundaries(NewBoundaryReader(
		"MNB2026Q3.csv", strings.NewReader(boundaryLine(good)+"\n"+strings.Join(bad, "\n")), "27",
	))
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, len(bad)-1, refused.Total, err)
	require.Equal(t, 2, refused.First[0].Line)
	require.Contains(t, err.Error(), `MNB2026Q3.csv:2: record type "X" is none of A, 4 and Z`)

	_, err = CheckBoundaries(NewBoundaryReader(
		"MNB2026Q3.csv", strings.NewReader(strings.Repeat(with(1, "X")+"\n", 50)), "27",
	))
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.First, 20)
	require.Equal(t, 50, refused.Total)
	require.Contains(t, err.Error(), "and 30 more")

	_, err = CheckBoundaries(NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(""), "27"))
	require.ErrorContains(t, err, "the file is empty")
	_, err = CheckBoundaries(NewBoundaryReader(
		"MNB2026Q3.csv", strings.NewReader(strings.Repeat("9", maxLine+1)), "27",
	))
	require.ErrorContains(t, err, "longer than 64 KiB")
}

func TestNamesOfOfficialFiles(t *testing.T) {
	t.Parallel()
	name, err := ParseFeedName("gar2026q2feb19.csv")
	require.NoError(t, err)
	require.Equal(t, FeedName{"GA", 'R', 2026, 2}, name)
	for _, bad := range []string{"rates.csv", "GAX2026Q2.csv", "GAR2026Q5.csv", ""} {
		_, err := ParseFeedName(bad)
		require.Error(t, err, bad)
	}
}

func FuzzBoundaryLine(f *testing.F) {
	f.Add(boundaryLine(map[int]string{
		1: "A", 2: "20240101", 3: "99991231", 4: "101", 5: "199", 6: "O", 8: "MAIN", 16: "55401", 23: "27",
		31: "80004", 32: "63",
	}))
	f.Add(boundaryLine(map[int]string{
		1: "4", 2: "20240101", 3: "29991231", 18: "55401", 19: "0001", 20: "55402", 21: "9", 23: "27",
		26: "43000",
	}))
	f.Fuzz(func(t *testing.T, line string) {
		r := NewBoundaryReader("fuzz.csv", strings.NewReader(line), "27")
		for {
			record, err := r.Next()
			var fault Fault
			if errors.As(err, &fault) && fault.Text != errLongLine.Error() {
				continue
			}
			if err != nil {
				return
			}
			require.Contains(t, "AZ4", string(record.Type))
			require.True(t, record.From > 0 && (record.To == 0 || record.To >= record.From))
			require.LessOrEqual(t, record.Low, record.High)
			require.LessOrEqual(t, record.ZIPLow, record.ZIPHigh)
			require.LessOrEqual(t, record.Plus4High, 9999)
			for code := range strings.SplitSeq(string(record.Codes), "|") {
				kind, _, ok := strings.Cut(code, ":")
				require.True(t, ok && len(kind) == 2, code)
			}
			if record.Type == 'A' {
				require.NotEmpty(t, record.Street.Name)
			}
		}
	})
}

func TestFaultsOfBoundaryRecords(t *testing.T) {
	t.Parallel()
	zips := map[int]string{1: "Z", 2: "20240101", 3: "29991231", 18: "55401", 20: "55499", 23: "27", 25: "053"}
	plus4 := map[int]string{
		1: "4", 2: "20240101", 3: "29991231", 18: "55401", 19: "0001", 20: "55401", 21: "0999", 23: "27",
	}
	street := map[int]string{
		1: "A", 2: "20240101", 3: "29991231", 4: "101", 5: "199", 6: "O", 8: "FIFTH", 9: "AVE", 16: "55401", 23: "27",
	}
	for _, test := range []struct {
		record map[int]string
		column int
		value  string
		want   string // empty: it is right
	}{
		{zips, 1, "", `record type "" is none of A, 4 and Z`},
		{zips, 1, "5", `record type "5" is none of A, 4 and Z`},
		{zips, 1, "z", ""},
		{zips, 2, "20240229", ""},
		{zips, 2, "20230229", `begin "20230229" is not a date YYYYMMDD`},
		{zips, 2, "99991231", `begin "99991231" is not a date YYYYMMDD`},
		{zips, 2, "2024010", `begin "2024010" is not a date YYYYMMDD`},
		{zips, 3, "20240101", ""},
		{zips, 3, "20231231", "ends on 2023-12-31 before it begins on 2024-01-01"},
		{zips, 3, "", `end "" is not a date YYYYMMDD`},
		{zips, 18, "", `low ZIP "" is not a ZIP`},
		{zips, 18, "554010", `low ZIP "554010" is not a ZIP`},
		{zips, 18, "501", ""}, // leading zeros were dropped
		{zips, 18, "55500", "ZIPs 55500-0000 to 55499-9999 are no range"},
		{zips, 20, "", ""},
		{zips, 20, "5549X", `high ZIP "5549X" is not a ZIP`},
		{zips, 23, "", `state "" instead of "27"`},
		{zips, 23, "55", `state "55" instead of "27"`},
		{zips, 25, "1053", `code "1053" is not up to 3 digits`},
		{zips, 25, "-53", `code "-53" is not up to 3 digits`},
		{zips, 25, "000", ""}, // no county
		{zips, 26, "430000", `code "430000" is not up to 5 digits`},
		{plus4, 19, "", ""},
		{plus4, 19, "00001", `low +4 "00001" is not up to four digits`},
		{plus4, 19, "1000", "ZIPs 55401-1000 to 55401-0999 are no range"},
		{plus4, 21, "", ""},
		{plus4, 21, "9x", `high +4 "9x" is not up to four digits`},
		{plus4, 21, "0001", ""}, // one address
		{plus4, 20, "55402", ""},
		{street, 4, "", `house numbers "" to "199" are no range`},
		{street, 4, "200", `house numbers "200" to "199" are no range`},
		{street, 4, "199", ""},
		{street, 5, "1E3", `house numbers "101" to "1E3" are no range`},
		{street, 5, "9999999999", ""},
		{street, 5, "99999999999", `house numbers "101" to "99999999999" are no range`},
		{street, 6, "B", ""},
		{street, 6, "e", ""},
		{street, 6, "", ""},
		{street, 6, "X", `side "X" is none of O, E and B`},
		{street, 8, "", ""}, // the kind of the street is then its name
		{street, 16, "5540", `ZIP "5540" is not five digits`},
		{street, 16, "", `ZIP "" is not five digits`},
		{street, 16, "55401-0001", `ZIP "55401-0001" is not five digits`},
	} {
		columns := maps.Clone(test.record)
		columns[test.column] = test.value
		_, err := NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(boundaryLine(columns)), "27").Next()
		if test.want == "" {
			require.NoError(t, err, "column %d is %q", test.column, test.value)
			continue
		}
		require.EqualError(t, err, "MNB2026Q3.csv:1: "+test.want)
	}
	nameless := maps.Clone(street)
	delete(nameless, 8)
	delete(nameless, 9)
	_, err := NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(boundaryLine(nameless)), "27").Next()
	require.EqualError(t, err, "MNB2026Q3.csv:1: the street has no name")
	for kind, want := range map[string]string{
		"63": "45:27|63:80004", "5": "45:27|05:80004", "45": "45:27", "": `jurisdiction "80004" of type ""`,
		"6X": `jurisdiction "80004" of type "6X"`, "063": `jurisdiction "80004" of type "063"`,
	} {
		columns := map[int]string{1: "Z", 2: "20240101", 3: "29991231", 18: "55401", 23: "27", 31: "80004", 32: kind}
		record, err := NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(boundaryLine(columns)), "27").Next()
		if strings.HasPrefix(want, "45:") {
			require.NoError(t, err)
			require.Equal(t, want, string(record.Codes))
			continue
		}
		require.EqualError(t, err, "MNB2026Q3.csv:1: "+want)
	}
}
