package taxid

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzTaxID: an accepted identifier has a valid length.
func FuzzTaxID(f *testing.F) {
	for _, id := range [][3]string{{"DE", "VAT", "DE136695976"}, {"US", "EIN", "12-3456789"},
		{"GB", "VAT", "GB 980 7806 84"}, {"XI", "VAT", "XI123"}, {"", "", ""}, {"CA", "GST", "123456789RT0001"},
		{"FR", "VAT", "FR\x00"}, {"NL", "VAT", "NL٣"}} {
		f.Add(id[0], id[1], id[2])
	}
	f.Fuzz(func(t *testing.T, country, taxType, id string) {
		if Valid(country, taxType, id) {
			plain, ok := plain(id)
			require.True(t, ok)
			require.LessOrEqual(t, len(plain), 20, "no identifier is that long")
		}
	})
}
