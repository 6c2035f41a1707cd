package taxid

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// wellFormed holds made-up numbers whose check digits are right.
var wellFormed = map[string]string{
	"AT": "U39099603 U08246281", "BE": "0779774783 1359583474", "BG": "419736550 5892428093", "CY": "39074721U 00785203T",
	"CZ": "66275687 7422247272 694411771 659470900 618180859 676329535 661111440 620067560", "DE": "208740616 737401518",
	"DK": "84562173 93004787", "EE": "921027476 516266066",
	"ES": "27362315C A17096660 X2596848X N9004754I K1093333M J21832050 J1961854E P2142638B", "FI": "82969930 22733440",
	"FR": "59396570871 W6128309945 5M000386043", "GR": "094549441 347784050", "HR": "43645010430 54975466471",
	"HU": "85863893 39524423",
	"IE": "8874746D 9652783CJ 3Y82030Q", "IT": "61432940726 12830000902", "LT": "149256114 023355129514",
	"LU": "64594875 37015201",
	"LV": "78262538927 91739280748", "MT": "46300731 95699132", "NL": "476279744B23 065012239B56",
	"PL": "7228733682 2529647176",
	"PT": "826375871 707963877", "RO": "3434221840 63948459 41221", "SE": "104168910801 233980034001",
	"SI": "95987738 67048153",
	"SK": "5774712944 8170528905", "GB": "997890276 603635127 997890276001 GD499 HA500", "XI": "997890276",
	"NO": "799195208 579662352",
	"CH": "399314561 504544626",
}

func TestAWellFormedVATNumberIsValidInEveryUsualSpelling(t *testing.T) {
	t.Parallel()
	for country, list := range wellFormed {
		prefix := map[string]string{"GR": "EL", "CH": "CHE"}[country]
		if prefix == "" {
			prefix = country
		}
		for _, id := range strings.Fields(list) {
			for _, written := range []string{id, prefix + id, prefix + " " + id, strings.ToLower(prefix + id),
				prefix + "-" + id[:3] + "." + id[3:]} {
				require.True(t, Valid(country, "vat", written), "%s %s", country, written)
				require.True(t, Valid(country, "unknown", written), "%s %s", country, written)
			}
			require.False(t, Valid(country, "gst", id), "another type of tax")
			require.False(t, Valid(country, "vat", id+"00"), "%s %s with two digits more", country, id)
			require.False(t, Valid(country, "vat", id[:len(id)-1]), "%s %s with a digit less", country, id)
		}
	}
	const members = "AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK"
	for country := range strings.FieldsSeq(members) {
		require.Contains(t, wellFormed, country)
	}
	for _, id := range []string{"CHE-399.314.561 MWST", "CHE399314561TVA", "CHE399314561IVA"} {
		require.True(t, Valid("CH", "vat", id), id)
	}
	require.True(t, Valid("NO", "vat", "NO 799 195 208 MVA"))
}

func TestATypingErrorIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ country, id string }{
		{"AT", "U39099613"}, {"BE", "0779774784"}, {"BG", "419736551"}, {"CY", "39074721V"}, {"CZ", "66275688"},
		{"DE", "208740617"}, {"DK", "84562174"},
		{"EE", "921027477"}, {"ES", "27362315D"}, {"FI", "82969931"}, {"FR", "58396570871"}, {"GR", "094549442"},
		{"HR", "43645010431"},
		{"HU", "85863894"}, {"IE", "8874746E"}, {"IT", "61432940727"}, {"LT", "149256115"}, {"LU", "64594876"},
		{"LV", "78262538928"}, {"MT", "46300732"},
		{"NL", "476279745B24"}, {"PL", "7228733683"}, {"PT", "826375872"}, {"RO", "3434221841"}, {"SE", "104168910901"},
		{"SI", "95987739"},
		{"SK", "5774712945"}, {"GB", "997890277"}, {"GB", "GD500"}, {"GB", "HA499"}, {"CH", "399314562"}, {"NO", "799195209"},
	} {
		require.False(t, Valid(c.country, "vat", c.id), "%s %s", c.country, c.id)
	}
}

func TestNumbersOutsideEurope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		country, kind, id string
		valid             bool
	}{
		{"AU", "gst", "14 931 937 353", true},
		{"AU", "gst", "14 931 937 354", false},
		{"AU", "vat", "14 931 937 353", false},
		{"US", "unknown", "48-2123667", true},
		{"US", "", "482123667", true},
		{"US", "unknown", "00-2123667", false},
		{"US", "unknown", "48-212366", false},
		{"CA", "gst", "123456782 RT0001", true},
		{"CA", "hst", "123456782RT0001", true},
		{"CA", "gst_hst", "123456782", true},
		{"CA", "gst", "123456783 RT0001", false},
		{"CA", "gst", "123456782 RP0001", false},
		{"CA", "qst", "1234567890 TQ0001", true},
		{"CA", "qst", "123456789 TQ0001", false},
		{"CA", "pst", "PST-1234-5678", true},
		{"CA", "pst", "1234567", true},
		{"CA", "pst", "123456", false},
		{"CA", "rst", "123456-7", true},
		{"CA", "rst", "123456782MT0001", true},
		{"CA", "rst", "12345678", false},
		{"CA", "unknown", "PST-1234-5678", true},
		{"JP", "unknown", "1234567890123", false}, // no test known
		{"DE", "vat", "", false},
		{"DE", "vat", "DE 208740616!", false},
		{"DE", "vat", "DE２０８７４０６１６", false},
	} {
		require.Equal(t, c.valid, Valid(c.country, c.kind, c.id), "%s %s %s", c.country, c.kind, c.id)
	}
}

func TestTheCheckOfATaxIDAcceptsAnyText(t *testing.T) {
	t.Parallel()
	countries := make([]string, 0, len(kinds))
	for country := range kinds {
		countries = append(countries, country)
	}
	rapid.Check(t, func(t *rapid.T) {
		country := rapid.SampledFrom(countries).Draw(t, "country")
		Valid(country, "", rapid.OneOf(rapid.String(), rapid.StringMatching(`[A-Z0-9+* .-]{0,16}`)).Draw(t, "id"))
	})
}
