package content

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
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
		boundaryLine(map[int]string{1: "z", 2: "20240101", 3: "29991231", 18: "55401", 20: "55499", 23: "27", 25: "53"}),
		boundaryLine(map[int]string{1: "4", 2: "20240101", 3: "20260630", 18: "55401", 19: "7", 20: "55401", 21: "1234", 23: "27", 25: "053", 26: "43000"}),
		boundaryLine(map[int]string{
			1: "A", 2: "20240101", 3: "99991231", 4: "101", 5: "199", 6: "o", 7: "N", 8: `"FIFTH"`, 9: "AVE", 10: "SW", 16: "55401", 23: "27",
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
	require.Equal(t, BoundaryRecord{Type: 'Z', From: 20240101, ZIPLow: 55401, ZIPHigh: 55499, Plus4High: 9999, Codes: []byte("45:27|00:053")}, next())
	require.Equal(t, BoundaryRecord{
		Type: '4', From: 20240101, To: 20260630, ZIPLow: 55401, ZIPHigh: 55401, Plus4Low: 7, Plus4High: 1234, Codes: []byte("45:27|00:053|01:43000"),
	}, next())
	require.Equal(t, BoundaryRecord{
		Type: 'A', From: 20240101, Low: 101, High: 199, Side: 'O', ZIP: "55401",
		Street: tax.StreetAddress{Before: "N", Name: "5", Kind: "AVE", After: "SW"}, Codes: []byte("45:27|00:053|01:43000|63:80004|05:R7"),
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
		with(1, "X"), with(2, "20240231"), with(2, ""), with(3, "soon"), with(3, "20231231"), with(18, "5540x"), with(20, "55400"), with(23, "28"),
		with(25, "1234"), with(26, "x"), "Z,20240101", `Z,"20240101`, with(1, "A"), with(1, "4") + ",",
	}
	_, err := CheckBoundaries(NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(boundaryLine(good)+"\n"+strings.Join(bad, "\n")), "27"))
	var refused *RefusedError
	require.ErrorAs(t, err, &refused)
	require.Equal(t, len(bad)-1, refused.Total, err)
	require.Equal(t, 2, refused.First[0].Line)
	require.Contains(t, err.Error(), `MNB2026Q3.csv:2: record type "X" is none of A, 4 and Z`)

	_, err = CheckBoundaries(NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(strings.Repeat(with(1, "X")+"\n", 50)), "27"))
	require.ErrorAs(t, err, &refused)
	require.Len(t, refused.First, 20)
	require.Equal(t, 50, refused.Total)
	require.Contains(t, err.Error(), "and 30 more")

	_, err = CheckBoundaries(NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(""), "27"))
	require.ErrorContains(t, err, "the file is empty")
	_, err = CheckBoundaries(NewBoundaryReader("MNB2026Q3.csv", strings.NewReader(strings.Repeat("9", maxLine+1)), "27"))
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
	f.Add(boundaryLine(map[int]string{1: "A", 2: "20240101", 3: "99991231", 4: "101", 5: "199", 6: "O", 8: "MAIN", 16: "55401", 23: "27", 31: "80004", 32: "63"}))
	f.Add(boundaryLine(map[int]string{1: "4", 2: "20240101", 3: "29991231", 18: "55401", 19: "0001", 20: "55402", 21: "9", 23: "27", 26: "43000"}))
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
