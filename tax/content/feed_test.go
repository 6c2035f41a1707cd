package content

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

// The days of official files: eight digits of a day of the calendar, and three days that mean that there is no end.
func TestDaysOfOfficialFiles(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]calendar.Date{
		"20240229": 20240229, "00010101": 10101, "19000228": 19000228, "20991230": 20991230, "20991231": 0, "29991231": 0,
		"99991231": 0, "29991230": 29991230,
	} {
		day, err := feedDate([]byte(field))
		require.NoError(t, err, field)
		require.Equal(t, want, day, field)
	}
	for _, wrong := range []string{
		"", "2024022", "202402290", "20230229", "19000229", "20241301", "20240001", "20240100", "2024-2-1", "2024O101",
		"00000101", " 2024022",
	} {
		_, err := feedDate([]byte(wrong))
		require.ErrorIs(t, err, calendar.ErrDate, "%q", wrong)
	}
}

func TestTypesAndCodesOfOfficialFiles(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{"0": "00", "1": "01", "00": "00", "45": "45", "63": "63", "99": "99"} {
		kind, ok := feedType([]byte(field))
		require.True(t, ok, field)
		require.Equal(t, want, kind, field)
	}
	for _, wrong := range []string{"", "100", "-1", "A", "4 "} {
		_, ok := feedType([]byte(wrong))
		require.False(t, ok, "%q", wrong)
	}
	for _, test := range []struct{ kind, code, want string }{
		{"00", "53", "053"}, {"00", "053", "053"}, {"00", "0", "000"}, {"01", "4300", "04300"}, {"02", "43000", "43000"},
		{"09", "1", "00001"}, {"06", "1", "1"}, {"63", "080004", "080004"}, {"63", "R7", "R7"}, {"45", "27", "27"},
		{"63", strings.Repeat("9", 20), strings.Repeat("9", 20)},
	} {
		code, err := rateCode(test.kind, test.code)
		require.NoError(t, err, "%s %s", test.kind, test.code)
		require.Equal(t, test.want, code, "%s %s", test.kind, test.code)
	}
}

// A name contains state, kind, year and quarter, whatever follows.
func TestWhatNamesOfOfficialFilesSay(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]FeedName{
		"MNB2026Q3.csv": {"MN", 'B', 2026, 3}, "wir2024q1": {"WI", 'R', 2024, 1}, "GAR2026Q4FEB19.zip": {"GA", 'R', 2026, 4},
		"NVR0001Q2x": {"NV", 'R', 1, 2},
	} {
		name, err := ParseFeedName(file)
		require.NoError(t, err, file)
		require.Equal(t, want, name, file)
	}
	for _, wrong := range []string{
		" MNB2026Q3.csv", "MB2026Q3", "MNB226Q3", "MNB2026Q0", "MNB2026-3", "data/MNB2026Q3.csv", "ÄNB2026Q3",
	} {
		_, err := ParseFeedName(wrong)
		require.EqualError(t, err,
			wrong+": the name must begin with state, R or B, year and quarter, as in GAR2026Q2FEB19.csv")
	}
}

// The first twenty faults are reported, all are counted, and a file without faults is no error.
func TestFaultsOfAFileAreBounded(t *testing.T) {
	t.Parallel()
	var refused RefusedError
	require.NoError(t, refused.err())
	for n, last := range map[int]string{
		1: "f.csv:1: wrong", 19: "f.csv:19: wrong", 20: "f.csv:20: wrong", 21: "and 1 more", 400: "and 380 more",
	} {
		refused := RefusedError{}
		for i := range n {
			refused.add(Fault{RowRef{"f.csv", i + 1}, "wrong"})
		}
		lines := strings.Split(refused.err().Error(), "\n")
		require.Equal(t, n, refused.Total)
		require.Len(t, lines, 1+min(n, 21), "%d faults", n)
		require.Equal(t, "  "+last, lines[len(lines)-1], "%d faults", n)
	}
}
