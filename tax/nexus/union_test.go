package nexus

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/calendar"
)

func TestMembersOfTheUnionFollowTheDay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		country, day string
		member       bool
	}{
		{"DE", "1992-12-31", false}, {"DE", "1993-01-01", true}, {"DE", "2026-01-01", true},
		{"AT", "1994-12-31", false}, {"AT", "1995-01-01", true}, {"SE", "1995-01-01", true}, {"FI", "1994-12-31", false},
		{"CZ", "2004-04-30", false}, {"CZ", "2004-05-01", true}, {"MT", "2004-05-01", true}, {"PL", "2004-04-30", false},
		{"BG", "2006-12-31", false}, {"BG", "2007-01-01", true}, {"RO", "2006-12-31", false}, {"RO", "2007-01-01", true},
		{"HR", "2013-06-30", false}, {"HR", "2013-07-01", true},
		{"GB", "1992-12-31", false}, {"GB", "1993-01-01", true}, {"GB", "2020-12-31", true}, {"GB", "2021-01-01", false},
		{"CH", "2026-01-01", false}, {"NO", "2026-01-01", false}, {"US", "2026-01-01", false}, {"", "2026-01-01", false},
		{EuropeanUnion, "2026-01-01", false},
	} {
		require.Equal(t, c.member, UnionMember(c.country, calendar.MustDate(c.day)), "%s %s", c.country, c.day)
	}
	for day, members := range map[string]int{
		"1992-12-31": 0, "1993-01-01": 12, "1995-01-01": 15, "2004-05-01": 25, "2007-01-01": 27, "2013-07-01": 28,
		"2020-12-31": 28, "2021-01-01": 27,
	} {
		require.Len(t, UnionMembers(calendar.MustDate(day)), members, day)
	}
	require.Equal(t, []string{
		"AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU", "IE", "IT", "LT", "LU", "LV",
		"MT", "NL", "PL", "PT", "RO", "SE", "SI", "SK",
	}, UnionMembers(20260515))
}
