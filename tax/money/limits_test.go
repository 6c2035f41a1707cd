package money

import (
	"math"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
)

func TestLimitsOfWhatIsRead(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text   string
		amount string // of Parse, with its error
		err    error
		number string // of ParseDecimal
		errNum error
	}{
		{"9999999999.99", "9999999999.99", nil, "9999999999.99", nil},
		{"-9999999999.99", "-9999999999.99", nil, "-9999999999.99", nil},
		{"10000000000.00", "", ErrOverflow, "10000000000", nil},
		{"-10000000000", "", ErrOverflow, "-10000000000", nil},
		{"99999999999999999", "", ErrOverflow, "99999999999999999", nil}, // 10^17 less one
		{"100000000000000000", "", ErrOverflow, "100000000000000000", nil},
		{"9999999999999999999", "", ErrOverflow, "9999999999999999999", nil}, // 19 digits
		{"10000000000000000000", "", ErrOverflow, "", ErrOverflow},
		{"0.01", "0.01", nil, "0.01", nil},
		{"0.001", "", ErrPrecision, "0.001", nil},
		{"0.0100000", "0.01", nil, "0.01", nil},
		{"0.0000000000000000001", "", ErrPrecision, "0.0000000000000000001", nil}, // 19 decimals
		{"0.00000000000000000001", "", ErrPrecision, "", ErrPrecision},
		{"00000000000000000000.5", "0.50", nil, "0.5", nil},
		{"-0", "0.00", nil, "0", nil},
		{"-0.00", "0.00", nil, "0", nil},
		{strings.Repeat("0", 31) + "1", "1.00", nil, "1", nil},
		{strings.Repeat("0", 32) + "1", "", ErrFormat, "", ErrFormat}, // longer than any number that is meant
		{"1_000", "", ErrFormat, "", ErrFormat},
		{"0x10", "", ErrFormat, "", ErrFormat},
		{"1e3", "", ErrFormat, "", ErrFormat},
		{"Inf", "", ErrFormat, "", ErrFormat},
		{"1.2.3", "", ErrFormat, "", ErrFormat},
		{"--1", "", ErrFormat, "", ErrFormat},
		{"-.5", "", ErrFormat, "", ErrFormat},
		{"１", "", ErrFormat, "", ErrFormat},
		{"1\n", "", ErrFormat, "", ErrFormat},
	} {
		got, err := Parse(test.text)
		require.ErrorIs(t, err, test.err, test.text)
		if err == nil {
			require.Equal(t, test.amount, got.String(), test.text)
		}
		got, err = ParseDecimal(test.text)
		require.ErrorIs(t, err, test.errNum, test.text)
		if err == nil {
			require.Equal(t, test.number, got.String(), test.text)
		}
	}
}

// Halves at every size: rounded down just below the half, away from zero at it, on both signs.
func TestHalvesAreRoundedAwayFromZero(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number string
		scale  int
		want   string
	}{
		{"0.004", 2, "0.00"}, {"0.005", 2, "0.01"}, {"0.0049999999999999999", 2, "0.00"},
		{"0.0050000000000000001", 2, "0.01"},
		{"0.994", 2, "0.99"}, {"0.995", 2, "1.00"}, {"9.995", 2, "10.00"}, {"1.015", 2, "1.02"}, {"1.025", 2, "1.03"},
		{"2.5", 0, "3"}, {"3.5", 0, "4"}, {"2.4999999999999999", 0, "2"}, {"0.5", 0, "1"}, {"0.4", 0, "0"},
		{"0.0000000005", 9, "0.000000001"}, {"0.00000000049999", 9, "0.000000000"}, {"99999999.995", 2, "100000000.00"},
		{"12.345", 2, "12.35"}, {"12.345", 3, "12.345"}, {"12.345", 4, "12.3450"}, {"12.3", 2, "12.30"},
		{"9223372036854775807", 0, "9223372036854775807"},
	} {
		got, err := MulRateHalfUp(dec(test.number), decimal.One, test.scale)
		require.NoError(t, err, test.number)
		require.Equal(t, test.want, got.String(), test.number)
		mirrored, err := MulRateHalfUp(dec(test.number).Neg(), decimal.One, test.scale)
		require.NoError(t, err, test.number)
		require.Zero(t, mirrored.Cmp(got.Neg()), "-%s", test.number)
	}
	for _, test := range []struct {
		hi, lo, div, q uint64
		ok             bool
	}{
		{0, 0, 1, 0, true}, {0, 1, 2, 1, true}, {0, 1, 3, 0, true}, {0, 2, 3, 1, true}, {0, 3, 2, 2, true},
		{0, 5, 10, 1, true},
		{0, 4, 10, 0, true}, {0, math.MaxInt64, 1, math.MaxInt64, true}, {0, math.MaxInt64 + 1, 1, 0, false},
		{1, 0, 2, 0, false}, {1, 0, 3, 6148914691236517205, true}, {1, 0, 1, 0, false}, {0, 1, 0, 0, false},
		{0, math.MaxUint64, math.MaxUint64, 1, true}, {0, math.MaxUint64 / 2, math.MaxUint64, 0, true},
		{0, math.MaxUint64/2 + 1, math.MaxUint64, 1, true},
	} {
		q, ok := DivHalfAway(test.hi, test.lo, test.div)
		require.Equal(t, test.ok, ok, "%+v", test)
		if ok {
			require.Equal(t, test.q, q, "%+v", test)
		}
	}
}

func TestUnitsOfAScale(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		number string
		scale  int
		want   int64
		err    error
	}{
		{"1.23", 2, 123, nil}, {"1.2", 2, 120, nil}, {"1.230", 2, 123, nil}, {"1.234", 2, 0, ErrPrecision},
		{"-1.23", 2, -123, nil}, {"0", 9, 0, nil}, {"0.08875", 9, 88_750_000, nil}, {
			"0.0000000001", 9, 0, ErrPrecision,
		},
		{"92233720368547758.07", 2, math.MaxInt64, nil}, {"92233720368547758.08", 2, 0, ErrOverflow},
		{"-92233720368547758.08", 2, 0, ErrOverflow}, {"9223372036854775807", 0, math.MaxInt64, nil},
		{"9223372036854775808", 0, 0, ErrOverflow}, {"9999999999999999999", 2, 0, ErrOverflow},
	} {
		got, err := Scaled(dec(test.number), test.scale)
		require.ErrorIs(t, err, test.err, test.number)
		require.Equal(t, test.want, got, test.number)
	}
	for cents, text := range map[int64]string{
		0: "0.00", 1: "0.01", -1: "-0.01", 99: "0.99", 100: "1.00", -12345: "-123.45", MaxCents: "9999999999.99",
		math.MaxInt64: "92233720368547758.07", math.MinInt64: "-92233720368547758.08",
	} {
		require.Equal(t, text, string(AppendCents(nil, cents)))
		require.Equal(t, text, FromCents(cents).String())
	}
	for nano, text := range map[int64]string{
		0: "0 %", 88_750_000: "8.875 %", 1: "0.0000001 %", -62_500_000: "-6.25 %", 1_000_000_000: "100 %", 10_000_000: "1 %",
		123_456_789: "12.3456789 %",
	} {
		require.Equal(t, text, string(AppendPercent(nil, nano)))
	}
	require.Equal(t, uint64(1)<<63, Magnitude(math.MinInt64))
	require.Equal(t, uint64(10_000_000_000_000_000_000), Pow10(19))
}

func TestConversionsAtNineDecimals(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ amount, rate, want string }{
		{"100.00", "1.149200000", "114.92"}, {"100.00", "0.870170553", "87.02"}, {"0.01", "0.5", "0.01"},
		{"0.01", "0.499999999", "0.00"}, {"-0.01", "0.5", "-0.01"}, {"-0.01", "0.499999999", "0.00"},
		{"0.01", "0.000000001", "0.00"}, {
			"9999999999.99", "1", "9999999999.99",
		}, {"9999999999.99", "0.000000001", "10.00"},
		{"12.34", "163.070000000", "2012.28"}, {"5.00", "0.001", "0.01"}, {"4.99", "0.001", "0.00"},
		{"0.00", "163.07", "0.00"},
	} {
		got, err := Convert(dec(test.amount), dec(test.rate))
		require.NoError(t, err, "%s at %s", test.amount, test.rate)
		require.Equal(t, test.want, got.String(), "%s at %s", test.amount, test.rate)
	}
	for _, wrong := range [][2]string{
		{"9999999999.99", "1.000000001"}, {"5000000000.00", "2"}, {"-5000000000.00", "2"},
	} {
		_, err := Convert(dec(wrong[0]), dec(wrong[1]))
		require.ErrorIs(t, err, ErrOverflow, wrong)
	}
	for _, test := range []struct{ from, to, want string }{
		{"3", "1", "0.333333333"}, {"3", "2", "0.666666667"}, {"1", "3", "3.000000000"}, {"7", "1", "0.142857143"},
		{"2000000001", "1", ""}, {"1999999999", "1", "0.000000001"}, {"1.1492", "1.1492", "1.000000000"},
	} {
		got, err := CrossRate(dec(test.from), dec(test.to))
		if test.want == "" {
			require.ErrorIs(t, err, ErrOverflow, "a rate that would be nothing")
			continue
		}
		require.NoError(t, err)
		require.Equal(t, test.want, FormatRate(got), "%s to %s", test.from, test.to)
	}
}

func TestSharesOfLargestRemainders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		total   string
		weights string
		want    string
	}{
		{
			"0.02", "1 1 1", "0.01 0.01 0.00",
		}, {"0.05", "1 1 1", "0.02 0.02 0.01"}, {"-0.05", "1 1 1", "-0.02 -0.02 -0.01"},
		{"0.01", "1 2 2", "0.00 0.01 0.00"}, {"10.00", "1 1 1 1 1 1", "1.67 1.67 1.67 1.67 1.66 1.66"},
		{"1.00", "0 1 0", "0.00 1.00 0.00"}, {"0.03", "0.001 0.001 0.002", "0.01 0.01 0.01"},
		{"100.00", "33.33 33.33 33.34", "33.33 33.33 33.34"}, {"7.00", "6.25 2", "5.30 1.70"},
		{"0.01", "5 5", "0.01 0.00"}, {"-0.01", "5 5", "-0.01 0.00"}, {"10.00", "-1 -1", "5.00 5.00"},
		{"9999999999.99", "1 1", "5000000000.00 4999999999.99"}, {"5.00", "", ""},
	} {
		var weights []decimal.Decimal
		for w := range strings.FieldsSeq(test.weights) {
			weights = append(weights, dec(w))
		}
		shares, err := Allocate(dec(test.total), weights)
		if len(weights) == 0 {
			require.ErrorIs(t, err, ErrNoWeight)
			continue
		}
		require.NoError(t, err)
		var got []string
		for _, s := range shares {
			got = append(got, s.String())
		}
		require.Equal(t, test.want, strings.Join(got, " "), "%s over %s", test.total, test.weights)
	}
	for _, test := range []struct{ amount, from, to, whole, want string }{
		{"10.00", "0", "1", "3", "3.33"}, {"10.00", "1", "2", "3", "3.34"}, {"10.00", "2", "3", "3", "3.33"},
		{"-10.00", "1", "2", "3", "-3.34"}, {"0.01", "0", "1", "2", "0.01"}, {"0.01", "1", "2", "2", "0.00"},
		{"10.00", "0", "3", "3", "10.00"}, {"10.00", "2", "2", "3", "0.00"}, {"10.00", "0", "1", "0", "0.00"},
	} {
		got, err := ShareBetween(dec(test.amount), dec(test.from), dec(test.to), dec(test.whole))
		require.NoError(t, err)
		require.Equal(t, test.want, got.String(), "%+v", test)
	}
}

func TestExactAmountsBecomeCents(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		amount string
		cents  int64
		cut    int64
		rest   int64 // in units of 10^-13
	}{
		{"8.875", 888, 887, 50_000_000_000}, {"-8.875", -888, -887, -50_000_000_000},
		{"0.0049999999999", 0, 0, 49_999_999_999},
		{"0.005", 1, 0, 50_000_000_000}, {
			"-0.005", -1, 0, -50_000_000_000,
		}, {"0.00", 0, 0, 0}, {"12.34", 1234, 1234, 0},
		{"9999999999.99", MaxCents, MaxCents, 0}, {"9999999999.9949999999999", MaxCents, MaxCents, 49_999_999_999},
	} {
		var e Exact
		require.NoError(t, e.UnmarshalText([]byte(test.amount)))
		require.Equal(t, test.amount, e.String())
		cents, err := e.Units(1)
		require.NoError(t, err)
		require.Equal(t, test.cents, cents, test.amount)
		cut, rest, err := e.Cut(1)
		require.NoError(t, err)
		require.Equal(t, [2]int64{test.cut, test.rest}, [2]int64{cut, rest}, test.amount)
		require.Equal(t, e, ExactOf(e.InCents(), test.cut*2+test.rest), "by way of a fraction")
	}
	for _, large := range []string{"9999999999.995", "-9999999999.995", "999999999999999999999999"} {
		var e Exact
		require.NoError(t, e.UnmarshalText([]byte(large)))
		_, err := e.Units(1)
		require.ErrorIs(t, err, ErrOverflow, large)
	}
	require.Equal(t, int64(88_750_000), Product(1_000_000, 88_750_000).PerBase(1_000_000), "the rate comes back")
	require.Zero(t, Product(1_000_000, 88_750_000).PerBase(0), "no base, no rate")
	require.Equal(t, "0.00", Product(5, 7).Plus(Product(-5, 7)).String(), "there is no negative zero")
}

// Totals of ledgers: 18 digits before the point and two after it, whatever the signs.
func TestTotalsAtTheirLimits(t *testing.T) {
	t.Parallel()
	const most = "999999999999999999.99"
	for _, test := range []struct{ a, b, sum, difference string }{
		{"0.01", "0.02", "0.03", "-0.01"}, {"-0.01", "-0.02", "-0.03", "0.01"}, {"5.00", "-5.00", "0.00", "10.00"},
		{most, "-" + most, "0.00", ""}, {most, "0.00", most, most}, {most, "0.01", "", "999999999999999999.98"},
		{"-" + most, "-0.01", "", "-999999999999999999.98"}, {"-" + most, "0.01", "-999999999999999999.98", ""},
		{"500000000000000000.00", "499999999999999999.99", most, "0.01"},
		{"500000000000000000.00", "500000000000000000.00", "", "0.00"},
		{"184467440737095516.15", "0.01", "184467440737095516.16", "184467440737095516.14"}, // 2^64 cents less one
		{"184467440737095516.16", "-0.01", "184467440737095516.15", "184467440737095516.17"},
		{"0.00", "-0.00", "0.00", "0.00"},
	} {
		a, err := ParseTotal(test.a)
		require.NoError(t, err)
		b, err := ParseTotal(test.b)
		require.NoError(t, err)
		for want, calculate := range map[*string]func(Total) (Total, error){&test.sum: a.Plus, &test.difference: a.Minus} {
			got, err := calculate(b)
			require.Equal(t, *want == "0.00", err == nil && got.IsZero(), "%s and %s", test.a, test.b)
			if *want == "" {
				require.ErrorIs(t, err, ErrOverflow, "%s and %s", test.a, test.b)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, *want, got.String(), "%s and %s", test.a, test.b)
			stored, err := got.MarshalText()
			require.NoError(t, err)
			require.Equal(t, *want, string(stored), "stored as it is written")
		}
	}
	for text, want := range map[string]error{
		most: nil, "-" + most: nil, "0000" + most: nil, most + "00": nil, "1000000000000000000": ErrOverflow,
		"-1000000000000000000.00": ErrOverflow, "0.005": ErrPrecision, "1e5": ErrFormat, "": ErrFormat, " 1": ErrFormat,
	} {
		var total Total
		require.ErrorIs(t, total.UnmarshalText([]byte(text)), want, text)
	}
}

func TestFaultsOfReferenceRates(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ file, want string }{
		{"Day,USD\n2026-11-20,1.1", "line 1: the first column is not Date"},
		{"Date\n2026-11-20", "line 1: there are no currencies"},
		{"Date,US\n2026-11-20,1.1", `line 1: column 2: "US" is not a currency`},
		{"Date,USD,USD\n2026-11-20,1.1,1.1", "line 1: column 3: USD is there twice"},
		{"Date,USD\n2026-02-29,1.1", `line 2: "2026-02-29" is not a day`},
		{"Date,USD\n1998-12-31,1.1", `line 2: "1998-12-31" is not a day`},
		{"Date,USD\n20.11.2026,1.1", `line 2: "20.11.2026" is not a day`},
		{"Date,USD\n2026-11-20,1.1,2", "line 2: 3 fields instead of 2"},
		{"Date,USD\n2026-11-20,\"1,1\"", `line 2: USD: "1,1" is not a rate`},
		{"Date,USD\n2026-11-20,0", `line 2: USD: "0" is not a rate`},
		{"Date,USD\n2026-11-20,12345678901", `line 2: USD: "12345678901" is not a rate`},
		{"Date,USD\n2026-11-20,1.0000000001", `line 2: USD: "1.0000000001" is not a rate`},
		{"Date,USD\n2026-11-20,1.1\n20 November 2026,1.1", "line 3: 2026-11-20 stands on line 2 already"},
	} {
		rates, err := ReadReferenceRates(strings.NewReader(test.file))
		require.ErrorContains(t, err, test.want)
		require.Nil(t, rates)
	}
	rates, err := ReadReferenceRates(strings.NewReader("\ufeffDate, USD, \n2026-11-20, 1234567890.123456789, \n2026-11-19, N/A, \n"))
	require.NoError(t, err)
	require.Len(t, rates, 1)
	require.Equal(t, "1234567890.123456789", rates[0].Rate.String())
}
