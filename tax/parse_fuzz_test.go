package tax

import (
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// FuzzAmounts: an amount that is read has exactly the value that was written, in each of
// the three forms, and is written as it was read.
func FuzzAmounts(f *testing.F) {
	for _, text := range []string{"0", "-0", "-0.00", "12.5", "-3", "9999999999.99", "10000000000", "1.005", "999999999999999999.99", "-", ".", "-.5", "1.", "00.10", "1e2", "+1", "0.0000000000000000000", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		want, isNumber := new(big.Rat).SetString(text)
		same := func(err error, written string) {
			if err != nil {
				require.True(t, errors.Is(err, ErrFormat) || errors.Is(err, ErrPrecision) || errors.Is(err, ErrOverflow), "%v", err)
				return
			}
			require.True(t, isNumber, "%q was read as %s", text, written)
			got, ok := new(big.Rat).SetString(written)
			require.True(t, ok, written)
			require.Zero(t, want.Cmp(got), "%q was read as %s", text, written)
		}
		d, err := ParseDecimal(text)
		same(err, d.String())
		money, err := ParseMoney(text)
		same(err, FormatMoney(money))
		total, totalErr := ParseTotal(text)
		same(totalErr, total.String())
		if err == nil {
			require.NoError(t, totalErr, "every amount is a total")
			require.Equal(t, strings.TrimPrefix(FormatMoney(money), "-"), strings.TrimPrefix(total.String(), "-"))
		}
	})
}

// FuzzDates: a day that is read is one of the calendar, and is written as it was read.
func FuzzDates(f *testing.F) {
	for _, text := range []string{"2026-05-15", "2024-02-29", "2023-02-29", "0000-01-01", "0001-01-01", "9999-12-31", "2026-13-01", "2026-5-15", "2026/05/15", "٢٠٢٦-٠٥"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDate(text)
		at, other := time.Parse(time.DateOnly, text)
		if err != nil {
			require.ErrorIs(t, err, ErrDate)
			require.True(t, other != nil || at.Year() == 0, "%q is a day", text)
			return
		}
		require.NoError(t, other)
		require.Equal(t, text, d.String())
		require.Equal(t, at, d.Time())
		require.Equal(t, d, d.AddDays(1).AddDays(-1))
	})
}

// FuzzStreet: a line is read into parts, and the parts into the same parts again, which is
// what makes a line and the record of a boundary file agree.
func FuzzStreet(f *testing.F) {
	for _, line := range []string{
		"350 N. Fifth Avenue SW, Apt 3", "12 1/2 Main St", "N Main", "St", "1", "", "# 4", "O'Neil-Smith Rd", "100 N S E W", "Ünter den Linden 5", "99999999999999999999 Main St", "1 Apt", "5TH 5TH 5TH", "\x00", "12-14 Main Street West Unit #9",
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

// FuzzTaxID: an identifier that is accepted has the length of one.
func FuzzTaxID(f *testing.F) {
	for _, id := range [][3]string{{"DE", "VAT", "DE136695976"}, {"US", "EIN", "12-3456789"}, {"GB", "VAT", "GB 980 7806 84"}, {"XI", "VAT", "XI123"}, {"", "", ""}, {"CA", "GST", "123456789RT0001"}, {"FR", "VAT", "FR\x00"}, {"NL", "VAT", "NL٣"}} {
		f.Add(id[0], id[1], id[2])
	}
	f.Fuzz(func(t *testing.T, country, taxType, id string) {
		if ValidTaxID(country, taxType, id) {
			plain, ok := plainTaxID(id)
			require.True(t, ok)
			require.LessOrEqual(t, len(plain), 20, "no identifier is that long")
		}
	})
}

// FuzzDueRule: a rule of the content is refused, or gives a due day after the period.
func FuzzDueRule(f *testing.F) {
	for _, rule := range []string{"DAY:20", "LAST", "PLUS_DAYS:30", "MONTH4_DAY:15", "DATE:04-15", "DATE:02-29", "DAY:31", "DAY:-1", "MONTH_DAY:1", "PLUS_DAYS:99999999999999999999", "LAST:", "DATE:* *"} {
		f.Add(rule)
	}
	f.Fuzz(func(t *testing.T, rule string) {
		schedule, err := parseDue(rule)
		if err != nil {
			return
		}
		for _, end := range []string{"2024-02-29", "2026-12-31", "2026-01-31"} {
			due := schedule.Next(MustDate(end).Time())
			require.True(t, due.After(MustDate(end).Time()), "%s is due %s", end, due)
			require.Less(t, due.Sub(MustDate(end).Time()), 500*24*time.Hour)
		}
	})
}
