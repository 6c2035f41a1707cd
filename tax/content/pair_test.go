package content

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// georgiaLine is a record of Georgia with some columns filled, from 1.
func georgiaLine(values map[int]string) string {
	f := make([]string, 40)
	for column, value := range values {
		f[column-1] = value
	}
	f[1], f[2], f[22] = "20260101", "29991231", "13"
	return strings.Join(f, ",") + "\r\n"
}

func TestAPairIsCheckedAsAWhole(t *testing.T) {
	t.Parallel()
	const state = "13,45,13,0.04,0.04,0,0,19890401,29991231\n"
	zips := georgiaLine(map[int]string{1: "Z", 18: "30301", 20: "30303", 25: "121"})
	street := func(kind, code string) string {
		return georgiaLine(map[int]string{1: "A", 4: "1", 5: "9", 6: "B", 8: "MAIN", 16: "30304", 25: "121", 31: code, 32: kind})
	}
	known := Codes{"*:55555": true, "00:121": true}
	for name, c := range map[string]struct{ rates, boundaries, fault string }{
		"in order":                         {state, zips + street("63", "55555"), ""},
		"with a new district":              {state + "13,63,66666,0.01,0.01,,,20260101,29991231\n", zips + street("63", "66666"), ""},
		"with a place that levies nothing": {state, zips + street("01", "44444"), ""},
		"with an ended district":           {state + "13,63,66666,0.01,0.01,,,20200101,20260930\n", zips + street("63", "55555"), ""},
		"an unknown district": {state, zips + street("63", "66666"),
			"GAB2026Q4.csv:2: the jurisdiction 66666 of type 63 is unknown"},
		"an unknown rate": {state + "13,63,66666,0.01,0.01,,,20260101,29991231\n", zips + street("63", "55555"),
			"GAR2026Q4.csv:2: the jurisdiction 66666 of type 63 is unknown"},
		"a ZIP without a place":    {state, zips, "GAB2026Q4.csv:1: the file ends, and ZIP 30304 has no place"},
		"a record in another form": {state, zips + street("63", "55555") + "Z,soon\n", "GAB2026Q4.csv:3: 2 columns instead"},
		"empty":                    {state, "", "GAB2026Q4.csv:1: the file is empty"},
	} {
		records, err := ReadRates("GAR2026Q4.csv", strings.NewReader(c.rates), "13")
		require.NoError(t, err, name)
		p := Pair{Of: FeedName{"GA", 'R', 2026, 4}, Rates: records, Known: known, ZIPs: []int{30301, 30303, 30304}}
		_, err = p.Check(NewBoundaryReader("GAB2026Q4.csv", strings.NewReader(c.boundaries), "13"))
		if c.fault == "" {
			require.NoError(t, err, name)
			continue
		}
		var refused *RefusedError
		require.ErrorAs(t, err, &refused, name)
		require.ErrorContains(t, err, c.fault, name)
	}
	require.NoError(t, SamePair(FeedName{"GA", 'R', 2026, 4}, FeedName{"GA", 'B', 2026, 4}, "r", "b"))
	for _, other := range []FeedName{{"GA", 'B', 2026, 3}, {"GA", 'B', 2025, 4}, {"KS", 'B', 2026, 4}} {
		require.ErrorContains(t, SamePair(FeedName{"GA", 'R', 2026, 4}, other, "r", "b"), "b:1: half a pair: r is of another")
	}
}
