package validate

import (
	"bytes"
	"encoding/json"
	"math/big"
	"strings"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"
)

// FuzzDecimal checks that the canonical form has the exact value of the literal, except for the noise of floating point
// in an amount of money. decimals must be able to hold it.
func FuzzDecimal(f *testing.F) {
	for _, literal := range []string{
		"0", "-0.00", "12.50", "1e2", "0E-9", "123456789012345678901234567890e-20", "1e20", "-9999999999.99",
		"0.000000001", "+1", "01", "1e-21", ".5", "5.", "NaN", "3.1100000000000003", "-29.989999999999998",
	} {
		for kind := range decimalKinds {
			f.Add(literal, kind)
		}
	}
	f.Fuzz(func(t *testing.T, literal, name string) {
		kind, ok := decimalKinds[name]
		if !ok {
			return
		}
		canonical, negative, code := scanDecimal(nil, []byte(literal), kind)
		if code != "" {
			require.Empty(t, canonical)
			return
		}
		want, ok := new(big.Rat).SetString(literal)
		require.True(t, ok, literal)
		got, ok := new(big.Rat).SetString(string(canonical))
		require.True(t, ok, string(canonical))
		if difference := new(big.Rat).Sub(want, got); kind.noise && difference.Sign() != 0 {
			require.Negative(t, difference.Abs(difference).Cmp(big.NewRat(1, 10_000_000)), "%s became %s", literal, canonical)
		} else {
			require.Zero(t, want.Cmp(got), "%s became %s", literal, canonical)
		}
		require.Equal(t, got.Sign() < 0, negative)
		integers, decimals, _ := strings.Cut(strings.TrimPrefix(string(canonical), "-"), ".")
		require.LessOrEqual(t, len(integers), kind.integers)
		require.GreaterOrEqual(t, len(decimals), kind.minDecimals)
		require.LessOrEqual(t, len(decimals), kind.decimals)
		if name != "money18" {
			exact, err := decimal.Parse(string(canonical))
			require.NoError(t, err)
			require.Equal(t, string(canonical), exact.String())
		}
	})
}

func TestUnescapeAgreesWithEncodingJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`plain`, `\"\\\/\b\f\n\r\t`, `\u00fc\ud83d\ude00\uffff`, `mixed 😀 \u0041`} {
		var want string
		quoted := []byte(`"` + text + `"`)
		require.NoError(t, json.Unmarshal(quoted, &want))
		require.Equal(t, want, string(unescape(nil, quoted)))
	}
}

func TestScannerNeverReadsBeyondTheBody(t *testing.T) {
	t.Parallel()
	body := []byte(`{"a":"\ud83d\ude00","b":[1.5e3,-0,true,{"c":null}]}`)
	for end := range body {
		var s scanner
		require.Error(t, s.scan(bytes.Clone(body[:end]), nil), string(body[:end]))
	}
}
