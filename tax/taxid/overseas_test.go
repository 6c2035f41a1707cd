package taxid

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers that authorities and companies have published, with a digit changed, and other forms.
func TestNumbersOverseas(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, kind, id string
		valid             bool
	}{
		{"NZ", "gst", "49-091-850", true}, {"NZ", "gst", "136410132", true}, {"NZ", "gst", "136410133", false},
		{"NZ", "gst", "9125568", false}, {"NZ", "vat", "49-091-850", false},
		{"JP", "vat", "T7000012050002", true}, {"JP", "vat", "7000012050002", true}, {"JP", "vat", "T7000012050003", false},
		{"JP", "gst", "T7000012050002", false},
		{"IN", "gst", "27AAPFU0939F1ZV", true}, {"IN", "gst", "27AAPFU0939F1ZW", false}, {"IN", "gst", "27AAPFU0939F1Z", false},
		{"IN", "gst", "27AAPFU0939F1YV", false}, {"IN", "gst", "", false},
		{"SG", "gst", "200312345A", true}, {"SG", "gst", "M90312345A", true}, {"SG", "gst", "M2-1234567-8", true},
		{"SG", "gst", "12345", false},
		{"KR", "vat", "220-81-62517", true}, {"KR", "vat", "220-81-62518", false}, {"KR", "vat", "22081625", false},
		{"MX", "vat", "SAT970701NN3", true}, {"MX", "vat", "SAT971301NN3", false}, {"MX", "vat", "SAT970732NN3", false},
		{"MX", "vat", "S970701NN3", false}, {"MX", "vat", "", false},
		{"ZA", "vat", "4012345678", true}, {"ZA", "vat", "5012345678", false},
		{"AE", "vat", "100123456700003", true}, {"AE", "vat", "200123456700003", false},
		{"SA", "vat", "300123456700003", true}, {"SA", "vat", "300123456700004", false},
		{"TR", "vat", "4540536920", true}, {"TR", "vat", "4540536921", false},
		{"BR", "vat", "16.727.230/0001-97", true}, {"BR", "vat", "16.727.230/0001-98", false},
	} {
		require.Equal(t, test.valid, Valid(test.country, test.kind, test.id), "%s %s %s", test.country, test.kind, test.id)
	}
}
