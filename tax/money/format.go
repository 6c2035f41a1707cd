package money

import "strconv"

// AppendCents writes an amount of money with two decimals.
func AppendCents(b []byte, cents int64) []byte { return appendFixed(b, cents, 2, 2) }

// AppendPercent writes a rate (units of 10^-9) as a percentage without
// trailing zeros.
func AppendPercent(b []byte, nano int64) []byte {
	return append(appendFixed(b, nano, 7, 0), " %"...)
}

// appendFixed writes n x 10^-scale with at least min decimals.
func appendFixed(b []byte, n int64, scale, min int) []byte {
	if n < 0 {
		b = append(b, '-')
	}
	u := Magnitude(n)
	b = strconv.AppendUint(b, u/pow10[scale], 10)
	b = append(b, '.')
	for i := scale - 1; i >= 0; i-- {
		b = append(b, byte('0'+u/pow10[i]%10))
	}
	end := len(b)
	for cut := scale - min; cut > 0 && b[end-1] == '0'; cut-- {
		end--
	}
	if b[end-1] == '.' {
		end--
	}
	return b[:end]
}
