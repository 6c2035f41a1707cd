package money

import (
	"math"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
)

// Missing cents go to the largest remainders, those of a refund to the most negative, the first of equal ones. A part
// that got one comes last for the next. The parts that got one are returned in that order.
func TestLeftoverCentsGoToTheLargestRemainders(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule             string
		parts, remainder []int64 // of a unit of 10
		missing          int64
		want             []int64
		got              []int
	}{
		{"none", []int64{1, 2}, []int64{5, 5}, 0, []int64{1, 2}, nil},
		{"to the largest", []int64{1, 1, 1}, []int64{3, 7, 5}, 1, []int64{1, 2, 1}, []int{1}},
		{"to the two largest", []int64{1, 1, 1}, []int64{3, 7, 5}, 2, []int64{1, 2, 2}, []int{1, 2}},
		{"to all", []int64{1, 1, 1}, []int64{3, 7, 5}, 3, []int64{2, 2, 2}, []int{1, 2, 0}},
		{"to the largest again when all have one", []int64{0, 0}, []int64{9, 1}, 3, []int64{2, 1}, []int{0, 1, 0}},
		{"to the first of equal ones", []int64{1, 1, 1}, []int64{5, 5, 5}, 2, []int64{2, 2, 1}, []int{0, 1}},
		{"of a refund", []int64{-1, -1, -1}, []int64{-3, -7, -5}, -2, []int64{-1, -2, -2}, []int{1, 2}},
		{"of a refund, the first of equal ones", []int64{-1, -1}, []int64{-5, -5}, -1, []int64{-2, -1}, []int{0}},
		{"of lines of both signs", []int64{3, -2}, []int64{4, -4}, 1, []int64{4, -2}, []int{0}},
		{"taken off lines of both signs", []int64{3, -2}, []int64{4, -4}, -1, []int64{3, -3}, []int{1}},
	} {
		var got []int
		parts := append([]int64(nil), test.parts...)
		hear := func(i int) { got = append(got, i) }
		SpreadLeftovers(parts, append([]int64(nil), test.remainder...), 10, test.missing, hear)
		require.Equal(t, test.want, parts, test.rule)
		require.Equal(t, test.got, got, test.rule)
		parts = append([]int64(nil), test.parts...)
		SpreadLeftovers(parts, append([]int64(nil), test.remainder...), 10, test.missing, nil)
		require.Equal(t, test.want, parts, "%s, when the parts that got one are not requested", test.rule)
	}
}

// Shares that no amount can hold are refused; shares of weights that nearly cancel out are not.
func TestSharesThatAreTooLargeAreRefused(t *testing.T) {
	t.Parallel()
	weights := func(texts ...string) (all []decimal.Decimal) {
		for _, text := range texts {
			all = append(all, dec(text))
		}
		return all
	}
	for _, test := range []struct {
		why     string
		total   decimal.Decimal
		weights []decimal.Decimal
		want    []string
		err     error
	}{
		{"weights of very different scales", FromCents(100), weights("9000000000000000000", "0.0000001"), nil, ErrOverflow},
		{
			"a sum that is too large", FromCents(1), []decimal.Decimal{FromCents(math.MaxInt64), FromCents(1)}, nil, ErrOverflow,
		},
		{
			"too small a sum", FromCents(1), []decimal.Decimal{FromCents(-math.MaxInt64), FromCents(-2)}, nil, ErrOverflow,
		},
		{"a share of 64 bits", FromCents(math.MaxInt64), weights("3", "-1"), nil, ErrOverflow},
		{"a share of more than 64 bits", FromCents(math.MaxInt64), weights("3", "-2"), nil, ErrOverflow},
		{
			"a share of more than 128 bits", FromCents(math.MaxInt64), weights("1000000.00", "-999999.99"), nil, ErrOverflow,
		},
		{"the whole to one", FromCents(math.MaxInt64), weights("7"), []string{"92233720368547758.07"}, nil},
		{
			"weights that nearly cancel", FromCents(100), weights("1000.01", "-1000"), []string{"100001.00", "-100000.00"}, nil,
		},
		{"a total of no cents is free of limits", FromCents(0), []decimal.Decimal{FromCents(math.MaxInt64), FromCents(1)},
			[]string{"0.00", "0.00"}, nil},
	} {
		shares, err := Allocate(test.total, test.weights)
		require.ErrorIs(t, err, test.err, test.why)
		var got []string
		for _, s := range shares {
			got = append(got, s.String())
		}
		require.Equal(t, test.want, got, test.why)
	}
}
