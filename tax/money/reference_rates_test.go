package money

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestReferenceRatesAsTheBankPublishesThem(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"one day":       "Date, USD, JPY, ISK, \n20 November 2026, 1.1492, 181.05, N/A, \n",
		"the history":   "Date,USD,JPY,ISK,\n2026-11-20,1.1492,181.05,N/A,\n",
		"windows lines": "Date,USD,JPY,ISK,\r\n2026-11-20,1.1492,181.05,N/A,\r\n",
	} {
		rates, err := ReadReferenceRates(strings.NewReader(file))
		require.NoError(t, err, name)
		require.Len(t, rates, 2, name)
		require.Equal(t, "USD", rates[0].Currency)
		require.Equal(t, "2026-11-20", rates[0].Day.Format("2006-01-02"))
		require.Equal(t, "1.1492", rates[0].Rate.String())
		require.Equal(t, "181.05", rates[1].Rate.String())
	}
}

func TestEveryFaultOfARateFileIsNamedWithItsLine(t *testing.T) {
	t.Parallel()
	rates, err := ReadReferenceRates(strings.NewReader("Date,USD,usd,USD,\n" +
		"2026-11-20,1,2,3,\n2026-11-31,1,2,3,\n2026-11-20,1,2,3,\n2026-11-19,0,-1,x,\n" +
		"2026-11-18,1,\n2026-11-17,1,2,0.0000000001,\n"))
	require.Nil(t, rates)
	for _, want := range []string{
		`line 1: column 3: "usd" is not a currency`, "line 1: column 4: USD is there twice",
		`line 3: "2026-11-31" is not a day`,
		"line 4: 2026-11-20 stands on line 2 already", `line 5: USD: "0" is not a rate`, `line 5: usd: "-1" is not a rate`,
		`line 5: USD: "x" is not a rate`, "line 6: 2 fields instead of 4", `line 7: USD: "0.0000000001" is not a rate`,
	} {
		require.ErrorContains(t, err, want)
	}
	for text, want := range map[string]string{
		"":                         "line 1: the file is empty",
		"<html>":                   "the first column is not Date",
		"Date,EUR\n2026-11-20,1":   "EUR is there twice",
		"Date,USD\n":               "there are no rates",
		"Date,USD\n2026-11-20,\"1": "line 2",
		"Date,USD\n" + strings.Repeat("x,1\n", 500): "more faults are not listed",
	} {
		_, err := ReadReferenceRates(strings.NewReader(text))
		require.ErrorContains(t, err, want)
	}
}
