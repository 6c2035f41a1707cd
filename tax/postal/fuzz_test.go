package postal

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzStreet checks that a line is read into parts, and the parts again into the same parts. Only then do a line and
// the record of a boundary file agree.
func FuzzStreet(f *testing.F) {
	for _, line := range []string{
		"350 N. Fifth Avenue SW, Apt 3", "12 1/2 Main St", "N Main", "St", "1", "", "# 4", "O'Neil-Smith Rd", "100 N S E W",
		"Ünter den Linden 5", "99999999999999999999 Main St", "1 Apt", "5TH 5TH 5TH", "\x00",
		"12-14 Main Street West Unit #9",
	} {
		f.Add(line)
	}
	f.Fuzz(func(t *testing.T, line string) {
		s := ParseStreet(line)
		require.GreaterOrEqual(t, s.Number, int64(0))
		for _, part := range []string{s.Before, s.Name, s.Kind, s.After} {
			require.Equal(t, strings.Join(strings.Fields(part), " "), part)
		}
		require.LessOrEqual(t, len(s.Name), 4*len(line)+16)
		require.Equal(t, s, ParseStreet(line))
	})
}
