package rules

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// An id of the GST of a country counts like one of a VAT. That of Canada frees nothing from abroad.
func TestWhichTaxIDsMakeABusiness(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, kind, id string
		counts            bool
	}{
		{"AU", "gst", "14 931 937 353", true}, {"AU", "unknown", "14 931 937 353", true},
		{"AU", "gst", "14 931 937 354", false}, {"AU", "vat", "14 931 937 353", false},
		{"CA", "gst", "123456782 RT0001", false}, {"CA", "unknown", "123456782 RT0001", false},
		{"DE", "vat", "DE208740616", true}, {"DE", "unknown", "DE208740616", true}, {"DE", "gst", "DE208740616", false},
		{"KR", "vat", "220-81-62517", true}, {"US", "unknown", "48-2123667", false},
	} {
		counts := ofConsumption(models.CustomerTaxRegistration{CountryCode: test.country, TaxType: test.kind, TaxID: test.id})
		require.Equal(t, test.counts, counts, "%s %s %s", test.country, test.kind, test.id)
	}
}
