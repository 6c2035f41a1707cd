package tax_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/content"
)

// Six hundred ZIPs and cities of the Streamlined states, drawn from their rate files of October 2026: none differs from the
// content in silence.
func TestKnownRatesAreEqualOrTold(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("testdata/known/streamlined.csv")
	require.NoError(t, err)
	known, err := content.ReadKnownRates("streamlined.csv", strings.NewReader(string(text)))
	require.NoError(t, err)
	require.Len(t, known, 600)
	states, silent, err := loaded(t).CompareRates(known, calendar.MustDate("2026-11-28"))
	require.NoError(t, err)
	var all tax.Compared
	for _, s := range states {
		t.Logf("%+v", s)
		all.Equal, all.EqualTold, all.Told = all.Equal+s.Equal, all.EqualTold+s.EqualTold, all.Told+s.Told
	}
	require.Empty(t, silent)
	require.Equal(t, 600, all.Equal+all.Told)
	require.GreaterOrEqual(t, all.Equal, 590)
}

// A line that is wrong is told by its place in the file.
func TestComparedLines(t *testing.T) {
	t.Parallel()
	known, err := content.ReadKnownRates("own.csv", strings.NewReader("Rate,city,x,ZIP\n0.08875,New York,,10118\n"+
		"0.09,New York,,10118\n0.01,,,80123\n0.05,Nowhere,,00000\n"))
	require.NoError(t, err)
	for _, on := range []string{"2026-11-28", "2026-12-01"} { // the table of New York ends between
		states, silent, err := loaded(t).CompareRates(known, calendar.MustDate(on))
		require.NoError(t, err)
		require.Equal(t, []tax.Compared{{State: "", Told: 1}, {State: "CO", Told: 1}, {State: "NY", Equal: 1, Silent: 1}}, states, on)
		require.Len(t, silent, 1)
		require.Equal(t, "own.csv:3 0.088750000", silent[0].Known.At.String()+" "+silent[0].Rate.String())
	}
	for text, fault := range map[string]string{
		"":                                "own.csv:1: EOF",
		"zip,city\n":                      "own.csv:1: the column rate is missing",
		"zip,city,rate\n10118,NY,8.875\n": `own.csv:2: the rate "8.875" is not a fraction such as 0.0725`,
		"zip,city,rate\n10118,NY,-0.1\n":  "own.csv:2: the rate",
		"zip,city,rate\n10118,NY\n":       "own.csv:2: record on line 2: wrong number of fields",
	} {
		_, err := content.ReadKnownRates("own.csv", strings.NewReader(text))
		var refused *content.RefusedError
		require.ErrorAs(t, err, &refused, text)
		require.ErrorContains(t, err, fault)
	}
}
