package taxid

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Numbers that authorities and companies have published, each with its last digit wrong,
// and with two neighbours exchanged.
func TestPublishedVATNumbers(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ country, id, wrong, exchanged string }{
		{"AT", "ATU13585627", "ATU13585626", "ATU13585267"},
		{"BE", "BE0428759497", "BE0428759498", "BE0428754997"},
		{"BG", "BG175074752", "BG175074753", "BG175074725"},
		{"CY", "CY10259033P", "CY10259033Q", "CY10259303P"},
		{"CZ", "CZ25123891", "CZ25123892", "CZ25123981"},
		{"DE", "DE136695976", "DE136695977", "DE136695967"},
		{"DE", "DE129273398", "DE129273399", "DE129273389"},
		{"DK", "DK13585628", "DK13585629", "DK13585682"},
		{"EE", "EE100931558", "EE100931559", "EE100931585"},
		{"ES", "ESA13585625", "ESA13585626", "ESA13586525"},
		{"FI", "FI20774740", "FI20774741", "FI20774704"},
		{"FR", "FR40303265045", "FR40303265046", "FR40303265054"},
		{"FR", "FR83404833048", "FR83404833049", "FR83404833084"},
		{"GB", "GB980780684", "GB980780685", "GB980780648"},
		{"GR", "EL023456780", "EL023456781", "EL023456870"},
		{"HR", "HR33392005961", "HR33392005962", "HR33392005916"},
		{"HU", "HU12892312", "HU12892313", "HU12892321"},
		{"IE", "IE6433435F", "IE6433435G", "IE6434335F"},
		{"IT", "IT00743110157", "IT00743110158", "IT00743110175"},
		{"LT", "LT119511515", "LT119511516", "LT115911515"},
		{"LU", "LU15027442", "LU15027443", "LU15027424"},
		{"LV", "LV40003521600", "LV40003521601", "LV40003526100"},
		{"MT", "MT11679112", "MT11679113", "MT11679121"},
		{"NL", "NL004495445B01", "NL004495446B01", "NL004494545B01"},
		{"PL", "PL8567346215", "PL8567346216", "PL8567346251"},
		{"PT", "PT501964843", "PT501964844", "PT501964834"},
		{"RO", "RO18547290", "RO18547291", "RO18547209"},
		{"SE", "SE123456789701", "SE123456789801", "SE123456787901"},
		{"SI", "SI50223054", "SI50223055", "SI50223045"},
		{"SK", "SK2022749619", "SK2022749618", "SK2022749691"},
		{"CH", "CHE100155212", "CHE100155213", "CHE100155221"},
		{"NO", "NO995525828MVA", "NO995525829MVA", "NO995525882MVA"},
	} {
		require.True(t, Valid(test.country, "vat", test.id), test.id)
		require.False(t, Valid(test.country, "vat", test.wrong), test.wrong)
		require.False(t, Valid(test.country, "vat", test.exchanged), test.exchanged)
		for _, written := range []string{
			strings.ToLower(test.id), " " + test.id +
				" ", test.id[:2] + " " + test.id[2:], test.id[:4] + "." + test.id[4:],
			test.id[:5] + "-" + test.id[5:], test.id[:6] + "/" + test.id[6:],
		} {
			require.True(t, Valid(test.country, "VAT", written), written)
		}
		for _, broken := range []string{
			test.id + "1", test.id[:2] + "9" + test.id[2:], "FR" + test.id, test.id + "_", "X" + test.id[1:],
			strings.ReplaceAll(test.id, test.id[4:6], "\u0661\u0662"),
		} {
			require.False(t, Valid(test.country, "vat", broken), broken)
		}
	}
}

// Numbers that a pattern or a sum alone would accept and the law of the country does not.
func TestRulesBesideTheCheckDigit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, id string
		valid       bool
		why         string
	}{
		{"AT", "13585627", false, "the letter U belongs to the number"},
		{"AT", "ATX13585627", false, "and no other one"},
		{"BE", "428759497", true, "the old form without its leading zero"},
		{"BE", "BE2428759497", false, "numbers begin with 0 or 1"},
		{"CY", "CY12345678F", false, "no number begins with 12"},
		{"CZ", "CZ7103192745", true, "a person"},
		{"CZ", "CZ7113192745", false, "there is no 13th month"},
		{"CZ", "CZ991231123", false, "nine digits ended with 1953"},
		{"CZ", "CZ531231123", true, "nine digits of the last year"},
		{"CZ", "CZ541231123", false, "the year after"},
		{"CZ", "CZ640903926", true, "a special number of a person"},
		{"CZ", "CZ95123891", false, "companies do not begin with 9"},
		{"DE", "DE036695976", false, "no number begins with 0"},
		{"DK", "DK03585628", false, "no number begins with 0"},
		{"ES", "ES54362315K", true, "a citizen"},
		{"ES", "ES54362315Z", false, "another letter"},
		{"ES", "ESX5253868R", true, "a foreigner"},
		{"ES", "ESX5253868S", false, "another letter"},
		{"ES", "ESM1234567L", true, "a foreigner without a number yet"},
		{"ES", "ESI1234567L", false, "no kind of company has the letter I"},
		{"FR", "FRK7399859412", true, "a key with a letter"},
		{"FR", "FR4Z123456782", true, "a key that ends with a letter"},
		{"FR", "FRI7399859412", false, "a key has no I"},
		{"FR", "FRO7399859412", false, "nor an O"},
		{"GB", "GB980780684001", true, "a branch"},
		{"GB", "GBGD001", true, "a department"},
		{"GB", "GBGD500", false, "departments end with 499"},
		{"GB", "GBHA500", true, "a health authority"},
		{"GB", "GBHA499", false, "they begin with 500"},
		{"GB", "GBHA1000", false, "three digits"},
		{"GB", "GB000000000", false, "no number is zero"},
		{"XI", "XI980780684", true, "Northern Ireland"},
		{"XI", "GB980780684", false, "under its own prefix"},
		{"GR", "GR094259216", false, "the prefix of Greece is EL"},
		{"GR", "000000000", false, "no number is zero"},
		{"EL", "EL023456780", true, "the country is understood by its prefix"},
		{"IE", "IE6433435OA", true, "a second letter"},
		{"IE", "IE6433435OB", false, "another one"},
		{"IE", "IE8D79739I", true, "the form until 2013"},
		{"IE", "IE8D79739J", false, "with another letter"},
		{"IT", "IT00000000000", false, "no number is zero"},
		{"IT", "IT00743119992", true, "the office 999 for those who live abroad"},
		{"IT", "IT00743119984", false, "there is no office 998"},
		{"LT", "LT100001919017", true, "a number for a time"},
		{"LT", "LT100004801610", true, "whose first sum gives 10"},
		{"LT", "LT100001919027", false, "the digit before the last is 1"},
		{"LV", "LV16117519997", true, "a person with a day of birth"},
		{"LV", "LV16137519997", false, "no 13th month"},
		{"MT", "MT01679112", false, "no number begins with 0"},
		{"NL", "NL004495445B00", false, "no branch is 00"},
		{"NL", "NL004495445A01", false, "the letter is B"},
		{"NL", "NL002455799B11", true, "a branch"},
		{"RO", "RO018547290", false, "no number begins with 0"},
		{"RO", "RO1", false, "too short"},
		{"SE", "SE123456789700", false, "no account is 00"},
		{"SE", "SE123456789794", true, "accounts end with 94"},
		{"SE", "SE123456789795", false, "not with 95"},
		{"SI", "SI00223054", false, "no number begins with 0"},
		{"SK", "SK2012749619", false, "the third digit is the kind"},
		{"CH", "CHE-100.155.212 MWST", true, "as it stands on invoices"},
		{"CH", "CHE-100.155.212 TVA", true, "in French"},
		{"CH", "CHE-100.155.212 IVA", true, "in Italian"},
		{"CH", "CHE-100.155.212 VAT", false, "not in English"},
		{"NO", "NO 995 525 828 MVA", true, "as it stands on invoices"},
		{"NO", "995525828", true, "without any letters"},
	} {
		require.Equal(t, test.valid, Valid(test.country, "vat", test.id), "%s: %s", test.id, test.why)
	}
}

func TestNumbersOfOtherCountriesAndTaxes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		country, kind, id string
		valid             bool
	}{
		{"AU", "gst", "83 914 571 673", true}, // of the example of the Australian Business Register
		{"AU", "gst", "51824753556", true},
		{"AU", "gst", "51824753557", false},
		{"AU", "gst", "5182475355", false},
		{"AU", "gst", "01824753556", false},
		{"AU", "hst", "51 824 753 556", true},
		{"AU", "qst", "51 824 753 556", false},
		{"CA", "gst", "123026635 RT0001", true},
		{"CA", "gst", "123026635", true},
		{"CA", "gst", "123026636 RT0001", false},
		{"CA", "gst", "123026635 RC0001", false},
		{"CA", "gst", "123026635 RT001", false},
		{"CA", "gst", "123026635 RT00011", false},
		{"CA", "GST_HST", "123026635rt0001", true},
		{"CA", "pst", "123026635 RT0001", false},
		{"CA", "qst", "1022092833 TQ0001", true},
		{"CA", "qst", "1022092833", true},
		{"CA", "qst", "1022092833 TQ001", false},
		{"CA", "qst", "1022092833 RT0001", false},
		{"CA", "pst", "PST 1000 0001", true},
		{"CA", "pst", "10000001", true},
		{"CA", "pst", "1000001", true},
		{"CA", "pst", "PST 1000001", false},
		{"CA", "pst", "100000001", false},
		{"CA", "rst", "100000-1", true},
		{"CA", "rst", "123026635 MT0001", true},
		{"CA", "rst", "123026636 MT0001", false},
		{"CA", "", "1022092833 TQ0001", true},
		{"CA", "unknown", "12302", false},
		{"US", "unknown", "12-3456789", true},
		{"US", "", "01-3456789", true},
		{"US", "", "07-3456789", false},
		{"US", "", "08-3456789", false},
		{"US", "", "09-3456789", false},
		{"US", "", "17-3456789", false},
		{"US", "", "19-3456789", false},
		{"US", "", "28-3456789", false},
		{"US", "", "49-3456789", false},
		{"US", "", "69-3456789", false},
		{"US", "", "78-3456789", false},
		{"US", "", "89-3456789", false},
		{"US", "", "96-3456789", false},
		{"US", "", "98-3456789", true},
		{"US", "", "99-3456789", true},
		{"US", "", "12-345678", false},
		{"US", "", "12-34567890", false},
		{"US", "", "12-345678A", false},
		{"US", "vat", "12-3456789", false},
		{"us", "", "12-3456789", true},
		{"JP", "", "T1234567890123", false},
		{"", "", "123456789", false},
		{"DE", "vat", "", false},
		{"DE", "vat", " . - / ", false},
		{"DE", "gst", "DE136695976", false},
		{"DE", "unknown", "DE136695976", true},
		{"de", "vat", "de136695976", true},
	} {
		require.Equal(
			t, test.valid, Valid(test.country, test.kind, test.id), "%s %s %q", test.country, test.kind, test.id,
		)
	}
}

// The sums by themselves, with the examples of their standards.
func TestCheckSums(t *testing.T) {
	t.Parallel()
	for id, valid := range map[string]bool{
		"79927398713": true, "79927398710": false, "79927398719": false, "0": true, "18": true, "19": false,
		"4111111111111111": true, "4111111111111112": false, "1": false, "59": true, "67": true,
	} {
		require.Equal(t, valid, luhn(id), id)
	}
	for id, valid := range map[string]bool{
		"07945": true, "07946": false, "002006673085": true, "002006673086": false, "794623": true, "794632": false,
	} {
		require.Equal(t, valid, mod11and10(id), id)
	}
	require.Equal(t, 1*3+2*2+3*1, weighted("1234", 3, 2, 1), "only as many digits as there are weights")
	require.Equal(t, 10_203, number("010203"))
	require.True(t, matches("A1-", "?#-"))
	require.False(t, matches("a1-", "?#-"))
	require.False(t, matches("A1", "?#-"))
}

// The prefixes by the office that assigned them, as the Internal Revenue Service lists them.
func TestPrefixesOfEmployerIdentificationNumbers(t *testing.T) {
	t.Parallel()
	given := map[string]string{}
	for office, prefixes := range map[string]string{
		"Andover":    "10 12",
		"Atlanta":    "60 67",
		"Austin":     "50 53",
		"Brookhaven": "01 02 03 04 05 06 11 13 14 16 21 22 23 25 34 51 52 54 55 56 57 58 59 65",
		"Cincinnati": "30 32 35 36 37 38 61",
		"Fresno":     "15 24",
		"Kansas":     "40 44",
		"Memphis":    "94 95",
		"Ogden":      "80 90",
		"Philadelphia": "33 39 41 42 43 46 48 62 63 64 66 68 71 72 73 74 75 76 77 82 83 84 85 86 87 88 91 92 " +
			"93 98 99",
		"Internet":                      "20 26 27 45 46 47 81",
		"Small Business Administration": "31",
	} {
		for prefix := range strings.FieldsSeq(prefixes) {
			given[prefix] = office
		}
	}
	for n := range 100 {
		prefix := string([]byte{byte('0' + n/10), byte('0' + n%10)})
		require.Equal(t, given[prefix] != "", Valid("US", "", prefix+"-1234567"), prefix)
	}
}

// A single wrong digit is always found if the sum has a prime modulus, or weights that share no factor with it.
func TestASingleWrongDigitIsFound(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ country, kind, id string }{
		{"AT", "vat", "U13585627"}, {"BE", "vat", "0428759497"}, {"CH", "vat", "100155212"}, {"DE", "vat", "136695976"},
		{"DK", "vat", "13585628"}, {"EE", "vat", "100931558"}, {"FI", "vat", "20774740"}, {"FR", "vat", "40303265045"},
		{"HR", "vat", "33392005961"}, {"HU", "vat", "12892312"}, {"IT", "vat", "00743110157"}, {"LU", "vat", "15027442"},
		{"NO", "vat", "995525828"}, {"PL", "vat", "8567346215"}, {"AU", "gst", "83914571673"}, {"CA", "gst", "123026635"},
	} {
		require.True(t, Valid(test.country, test.kind, test.id), test.id)
		for i := range len(test.id) {
			if test.id[i] < '0' || test.id[i] > '9' {
				continue
			}
			for digit := byte('0'); digit <= '9'; digit++ {
				wrong := test.id[:i] + string(digit) + test.id[i+1:]
				if digit != test.id[i] {
					require.False(t, Valid(test.country, test.kind, wrong), "%s %s", test.country, wrong)
				}
			}
		}
	}
}

// The kinds of Spanish companies: some end with a digit, some with a letter, some with either.
func TestLettersOfSpanishCompanies(t *testing.T) {
	t.Parallel()
	// Of 5881850 every second digit is doubled: 1+8+7+1+7+5+0 is 29, so the check digit is 1, the letter A.
	for _, test := range []struct {
		id    string
		valid bool
	}{
		{"A58818501", true}, // a public company, with a digit
		{"A5881850A", false},
		{"B58818501", true},
		{"B5881850A", false},
		{"Q5881850A", true}, // a public body, with a letter
		{"Q58818501", false},
		{"P5881850A", true},
		{"P58818501", false},
		{"J58818501", true},
		{"A58818502", false},
		{"Q5881850B", false},
	} {
		require.Equal(t, test.valid, Valid("ES", "vat", test.id), test.id)
	}
}

// The check digits of these numbers were calculated by the rule of the country, with the remainder of each division.
// The same numbers with the digit of a usual mistake are invalid.
func TestCheckDigitsAtTheirEdges(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ country, id, mistaken, rule string }{
		{"BE", "0000009797", "0000009700", "97 leaves 0 of 97: the check is 97, not 0"},
		{"FI", "00000019", "00000018", "2 times 1 leaves 2 of 11: the check is 9"},
		{"PL", "0000000017", "0000000016", "7 times 1 leaves 7"},
		{"PT", "100000002", "100000001", "9 times 1 leaves 9 of 11: the check is 2"},
		{"LU", "00008900", "00008989", "89 leaves 0 of 89: the check is 00"},
		{"SI", "10000003", "10000008", "8 times 1 leaves 8 of 11: the check is 3"},
		{"GR", "000000012", "000000011", "2 times 1 leaves 2"},
		{"NO", "100000008", "100000003", "3 times 1 leaves 3 of 11: the check is 8"},
		{"CH", "100000006", "100000005", "5 times 1 leaves 5 of 11: the check is 6"},
		{"HU", "10000001", "10000009", "9 and the check are a multiple of ten"},
		{"EE", "100000007", "100000003", "3 and the check are a multiple of ten"},
		{"RO", "19", "12", "2 times 10 leaves 9 of 11"},
		{"DK", "10000009", "10000002", "2 and the check are a multiple of eleven"},
	} {
		require.True(t, Valid(test.country, "vat", test.id), "%s %s: %s", test.country, test.id, test.rule)
		require.False(t, Valid(test.country, "vat", test.mistaken), "%s %s: %s", test.country, test.mistaken, test.rule)
	}
}
