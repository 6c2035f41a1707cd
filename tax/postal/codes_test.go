package postal

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestZIPs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text string
		zip  int
		ok   bool
	}{
		{"10118", 10118, true},
		{"00501", 501, true}, // the lowest one
		{"99950", 99950, true},
		{"10118-0110", 10118, true},
		{"10118 0110", 10118, true},
		{"101180110", 10118, true},
		{"00000", 0, true},
		{"", 0, false},
		{"1011", 0, false},
		{"101180", 0, false},
		{"1011801", 0, false},
		{"10118011", 0, false},
		{"10118-", 0, false},
		{"10118-011", 0, false},
		{"10118-01100", 0, false},
		{"10118_0110", 0, false},
		{"10118-011O", 0, false},
		{"1O118", 0, false},
		{"1O118-0110", 0, false},
		{"10118011O", 0, false},
		{" 10118", 0, false},
		{"10118 ", 0, false},
		{"-1118", 0, false},
		{"+1118", 0, false},
		{"1011é", 0, false},
		{"١٠١١٨", 0, false}, // ten bytes
	} {
		zip, ok := ZIP5(test.text)
		require.Equal(t, test.ok, ok, "%q", test.text)
		require.Equal(t, test.zip, zip, "%q", test.text)
	}
	for text, only := range map[string]bool{"": true, "0123456789": true, "12a": false, " 1": false, "１": false,
		"-1": false} {
		require.Equal(t, only, DigitsOnly(text), "%q", text)
	}
}

func TestCanadianCodes(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text, province, code string
	}{
		{"A1C 5S7", "NL", "A1C 5S7"},
		{"B3J1M3", "NS", "B3J 1M3"},
		{"c1a 7n8", "PE", "C1A 7N8"},
		{"E3B-5H1", "NB", "E3B 5H1"},
		{"G1R 4S9", "QC", "G1R 4S9"},
		{"H2Y 1C6", "QC", "H2Y 1C6"},
		{"J8X 3X7", "QC", "J8X 3X7"},
		{"K1A 0B1", "ON", "K1A 0B1"},
		{"L5B 3C1", "ON", "L5B 3C1"},
		{" m5h 2n2 ", "ON", "M5H 2N2"},
		{"N6A 1A1", "ON", "N6A 1A1"},
		{"P3E 5P9", "ON", "P3E 5P9"},
		{"R3C 0V8", "MB", "R3C 0V8"},
		{"S4P 3Y2", "SK", "S4P 3Y2"},
		{"T5K 2B6", "AB", "T5K 2B6"},
		{"V8V 1X4", "BC", "V8V 1X4"},
		{"X1A 2L9", "NT", "X1A 2L9"},
		{"X0E 0A0", "NT", "X0E 0A0"},
		{"X0G 0A0", "NT", "X0G 0A0"},
		{"X0A 0H0", "NU", "X0A 0H0"},
		{"X0B 0C0", "NU", "X0B 0C0"},
		{"X0C 0G0", "NU", "X0C 0G0"},
		{"Y1A 2C6", "YT", "Y1A 2C6"},
	} {
		province, code, ok := Canadian(test.text)
		require.True(t, ok, test.text)
		require.Equal(t, test.province, province, test.text)
		require.Equal(t, test.code, code, test.text)
	}
	for _, wrong := range []string{
		"", "K1A", "K1A 0B", "K1A 0B11", "1KA 0B1", "K1A OB1", "KAA 0B1", "K1A 0BB", "10118", "D1A 1A1", "F1A 1A1",
		"I1A 1A1", "O1A 1A1", "Q1A 1A1", "U1A 1A1", "W1A 1A1", "Z1A 1A1",
	} {
		_, _, ok := Canadian(wrong)
		require.False(t, ok, "%q", wrong)
	}
}

func TestNamesInWhichSpellingsAgree(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ text, compact, place, county string }{
		{"New York", "NEWYORK", "NEWYORK", "NEWYORK"},
		{"  new-york ", "NEWYORK", "NEWYORK", "NEWYORK"},
		{"St. Louis", "STLOUIS", "SAINTLOUIS", "SAINTLOUIS"},
		{"Saint Louis", "SAINTLOUIS", "SAINTLOUIS", "SAINTLOUIS"},
		{"Ste. Genevieve County", "STEGENEVIEVECOUNTY", "SAINTEGENEVIEVECOUNTY", "SAINTEGENEVIEVE"},
		{"Ft Worth", "FTWORTH", "FORTWORTH", "FORTWORTH"},
		{"Mt. Vernon", "MTVERNON", "MOUNTVERNON", "MOUNTVERNON"},
		{"Arlington Hts", "ARLINGTONHTS", "ARLINGTONHEIGHTS", "ARLINGTONHEIGHTS"},
		{"N. Las Vegas", "NLASVEGAS", "NORTHLASVEGAS", "NORTHLASVEGAS"},
		{"W Palm Bch", "WPALMBCH", "WESTPALMBEACH", "WESTPALMBEACH"},
		{"Coeur d'Alene", "COEURDALENE", "COEURDALENE", "COEURDALENE"},
		{"O’Fallon", "OFALLON", "OFALLON", "OFALLON"},
		{"Doña Ana County", "DONAANACOUNTY", "DONAANACOUNTY", "DONAANA"},
		{"Cañon City", "CANONCITY", "CANONCITY", "CANONCITY"},
		{"Montréal", "MONTREAL", "MONTREAL", "MONTREAL"},
		{"Šibenik", "SIBENIK", "SIBENIK", "SIBENIK"},
		{"East Baton Rouge Parish", "EASTBATONROUGEPARISH", "EASTBATONROUGEPARISH", "EASTBATONROUGE"},
		{"E Baton Rouge", "EBATONROUGE", "EASTBATONROUGE", "EASTBATONROUGE"},
		{"Juneau City and Borough", "JUNEAUCITYANDBOROUGH", "JUNEAUCITYANDBOROUGH", "JUNEAU"},
		{"Kenai Peninsula Borough", "KENAIPENINSULABOROUGH", "KENAIPENINSULABOROUGH", "KENAIPENINSULA"},
		{"Nome Census Area", "NOMECENSUSAREA", "NOMECENSUSAREA", "NOME"},
		{"Anchorage Municipality", "ANCHORAGEMUNICIPALITY", "ANCHORAGEMUNICIPALITY", "ANCHORAGE"},
		{"Ponce Municipio", "PONCEMUNICIPIO", "PONCEMUNICIPIO", "PONCE"},
		{"County", "COUNTY", "COUNTY", "COUNTY"}, // nothing would be left
		{"St", "ST", "SAINT", "SAINT"},
		{"29 Palms", "29PALMS", "29PALMS", "29PALMS"},
		{"", "", "", ""},
		{"!?", "", "", ""},
		{"東京", "", "", ""},
	} {
		require.Equal(t, test.compact, string(Compact(nil, test.text)), test.text)
		require.Equal(t, test.place, string(PlaceKey(nil, test.text)), test.text)
		require.Equal(t, test.county, string(CountyKey(nil, test.text)), test.text)
	}
	require.Equal(t, "NY:SAINTLOUIS", string(PlaceKey([]byte("NY:"), "St Louis")), "appended to what is there")
	require.Equal(t, "ST:COUNTY", string(CountyKey([]byte("ST:"), "County")), "what is there is no name")
}

// Each part of a line by itself.
func TestPartsOfStreets(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		line string
		want StreetAddress
	}{
		{"1 Main Street", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 MAIN STR.", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main Boulevard", StreetAddress{1, "", "MAIN", "BLVD", ""}},
		{"1 Main Pkwy", StreetAddress{1, "", "MAIN", "PKWY", ""}},
		{"1 Main Parkway", StreetAddress{1, "", "MAIN", "PKWY", ""}},
		{"1 Main Terrace", StreetAddress{1, "", "MAIN", "TER", ""}},
		{"1 Broadway", StreetAddress{1, "", "BROADWAY", "", ""}},
		{"1 North Broadway", StreetAddress{1, "N", "BROADWAY", "", ""}},
		{"1 Broadway North", StreetAddress{1, "", "BROADWAY", "", "N"}},
		{"1 NE 5th St", StreetAddress{1, "NE", "5", "ST", ""}},
		{"1 Northeast Fifth Street", StreetAddress{1, "NE", "5", "ST", ""}},
		{"1 N E St", StreetAddress{1, "N", "E", "ST", ""}},
		{"1 West St", StreetAddress{1, "", "WEST", "ST", ""}},
		{"1 Avenue of the Americas", StreetAddress{1, "", "AVENUE OF THE AMERICAS", "", ""}},
		{"1 Park Avenue", StreetAddress{1, "", "PARK", "AVE", ""}},
		{"1 Park Place West", StreetAddress{1, "", "PARK", "PL", "W"}},
		{"1 Mount Vernon Rd", StreetAddress{1, "", "MT VERNON", "RD", ""}},
		{"1 Mt. Vernon Road", StreetAddress{1, "", "MT VERNON", "RD", ""}},
		{"1 State Highway 9", StreetAddress{1, "", "ST HWY 9", "", ""}},
		{"1 State Route 9", StreetAddress{1, "", "ST RTE 9", "", ""}},
		{"1 101st Street", StreetAddress{1, "", "101", "ST", ""}},
		{"1 22nd Ave", StreetAddress{1, "", "22", "AVE", ""}},
		{"1 23RD Ave", StreetAddress{1, "", "23", "AVE", ""}},
		{"1 Twelfth Ave", StreetAddress{1, "", "12", "AVE", ""}},
		{"1 Thirteenth Ave", StreetAddress{1, "", "THIRTEENTH", "AVE", ""}},
		{"1 A1ST Ave", StreetAddress{1, "", "A1ST", "AVE", ""}},
		{"350A Main St", StreetAddress{350, "", "MAIN", "ST", ""}},
		{"350AB Main St", StreetAddress{0, "", "350AB MAIN", "ST", ""}},
		{"9999999999 Main St", StreetAddress{9999999999, "", "MAIN", "ST", ""}},
		{"99999999999 Main St", StreetAddress{0, "", "99999999999 MAIN", "ST", ""}}, // eleven digits
		{"12-34 Main St", StreetAddress{12, "", "MAIN", "ST", ""}},
		{"12 3/4 Main St", StreetAddress{12, "", "MAIN", "ST", ""}},
		{"1 Main St Apt 4", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St Unit 4", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St Ste 400", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St, Floor 4", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St Bldg C", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St#4", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"1 Main St NW #4", StreetAddress{1, "", "MAIN", "ST", "NW"}},
		{"1 Suite St", StreetAddress{1, "", "SUITE", "ST", ""}}, // the first word is no unit
		{"1 Martin-Luther King Jr. Dr", StreetAddress{1, "", "MARTINLUTHER KING JR", "DR", ""}},
		{"1 L'Enfant Plaza SW", StreetAddress{1, "", "LENFANT", "PLZ", "SW"}},
		{"1 Peña Blvd", StreetAddress{1, "", "PENA", "BLVD", ""}},
		{"  1   Main\tSt  ", StreetAddress{1, "", "MAIN", "ST", ""}},
		{"St", StreetAddress{0, "", "ST", "", ""}},
		{"N", StreetAddress{0, "", "N", "", ""}},
		{"-", StreetAddress{}},
	} {
		require.Equal(t, test.want, ParseStreet(test.line), test.line)
	}
	for _, test := range []struct {
		before, name, kind, after string
		want                      StreetAddress
	}{
		{"N", "MAIN", "ST", "SW", StreetAddress{0, "N", "MAIN", "ST", "SW"}},
		{"", "FIFTH", "AVENUE", "", StreetAddress{0, "", "5", "AVE", ""}},
		{"", "MAIN", "", "", StreetAddress{0, "", "MAIN", "", ""}},
		{"", "", "", "", StreetAddress{}},
		{"", "12 OAKS", "DR", "", StreetAddress{0, "", "12 OAKS", "DR", ""}}, // no house number in a record
		{"", "SAINT PAUL", "STREET", "NORTH", StreetAddress{0, "", "ST PAUL", "ST", "N"}},
	} {
		require.Equal(t, test.want, NewStreetAddress(test.before, test.name, test.kind, test.after))
	}
}

// The abbreviations of Publication 28 of the Postal Service.
func TestKindsOfStreets(t *testing.T) {
	t.Parallel()
	for short, spellings := range map[string][]string{
		"ALY": {"Alley", "Aly", "Ally"}, "ARC": {"Arcade"}, "AVE": {"Avenue", "Av", "Ave.", "Avenu", "Aven"},
		"BLVD": {"Boulevard", "Blvd.", "Boul"}, "BND": {"Bend"}, "BR": {"Branch"}, "BRG": {"Bridge"},
		"BYP": {"Bypass"}, "CIR": {"Circle", "Circ", "Crcl", "Cir."}, "CMN": {"Common"}, "COR": {"Corner"},
		"CRES": {"Crescent"}, "CRK": {"Creek"}, "CT": {"Court", "Ct."}, "CTR": {"Center", "Centre"}, "CV": {"Cove"},
		"DR": {"Drive", "Drv", "Dr."}, "EXPY": {"Expressway"}, "EXT": {"Extension"}, "FLS": {"Falls"}, "FRK": {"Fork"},
		"FWY": {"Freeway"}, "GDN": {"Garden"}, "GDNS": {"Gardens"}, "GLN": {"Glen"}, "GRN": {"Green"}, "GRV": {"Grove"},
		"HBR": {"Harbor"}, "HL": {"Hill"}, "HLS": {"Hills"}, "HOLW": {"Hollow"}, "HTS": {"Heights"},
		"HWY": {"Highway", "Hiway"}, "IS": {"Island"}, "JCT": {"Junction"}, "KNL": {"Knoll"}, "LK": {"Lake"},
		"LN": {"Lane"}, "LNDG": {"Landing"}, "LOOP": {"Loop"}, "MDW": {"Meadow"}, "MDWS": {"Meadows"}, "ML": {"Mill"},
		"PIKE": {"Pike"}, "PKWY": {"Parkway", "Parkwy"}, "PL": {"Place"}, "PLZ": {"Plaza"}, "PT": {"Point"},
		"RD": {"Road", "Rd."}, "RDG": {"Ridge"}, "RTE": {"Route"}, "RUN": {"Run"}, "SHR": {"Shore"}, "SPG": {"Spring"},
		"SQ": {"Square"}, "ST": {"Street", "Str", "St."}, "STA": {"Station"}, "TER": {"Terrace", "Terr"},
		"TPKE": {"Turnpike"}, "TRCE": {"Trace"}, "TRL": {"Trail"}, "VIS": {"Vista"}, "VLG": {"Village"},
		"VLY": {"Valley"}, "VW": {"View"}, "WALK": {"Walk"}, "WAY": {"Way", "Wy"}, "XING": {"Crossing"},
	} {
		for _, spelling := range append(spellings, short) {
			require.Equal(t, StreetAddress{1, "", "ELM", short, ""}, ParseStreet("1 Elm "+spelling), spelling)
			require.Equal(
				t, StreetAddress{0, "", "ELM", short, ""}, NewStreetAddress("", "Elm", spelling, ""), spelling,
			)
		}
	}
	for word, direction := range map[string]string{
		"North": "N", "South": "S", "East": "E", "West": "W", "Northeast": "NE", "Northwest": "NW", "Southeast": "SE",
		"Southwest": "SW", "N.": "N", "S.": "S", "E.": "E", "W.": "W", "N.E.": "NE", "N.W.": "NW", "S.E.": "SE", "S.W.": "SW",
	} {
		require.Equal(t, StreetAddress{1, direction, "ELM", "ST", ""}, ParseStreet("1 "+word+" Elm St"), word)
		require.Equal(t, StreetAddress{1, "", "ELM", "ST", direction}, ParseStreet("1 Elm St "+word), word)
	}
	for ordinal, number := range map[string]string{
		"First": "1", "Second": "2", "Third": "3", "Fourth": "4", "Fifth": "5", "Sixth": "6", "Seventh": "7", "Eighth": "8",
		"Ninth": "9", "Tenth": "10", "Eleventh": "11", "Twelfth": "12", "1st": "1", "2nd": "2", "3rd": "3", "4th": "4",
		"11th": "11", "112th": "112", "42": "42",
	} {
		require.Equal(t, StreetAddress{7, "", number, "ST", ""}, ParseStreet("7 "+ordinal+" Street"), ordinal)
	}
	for _, unit := range []string{
		"Apt", "Apartment", "Unit", "Ste", "Suite", "Rm", "Room", "Fl", "Floor", "Bldg", "Building", "Dept", "Lot", "Trlr",
		"Spc", "PH", "#", "Apt.", "SUITE",
	} {
		require.Equal(t, StreetAddress{7, "", "ELM", "ST", ""}, ParseStreet("7 Elm St "+unit+" 12 B"), unit)
	}
}

func TestAccentsAreLeftOut(t *testing.T) {
	t.Parallel()
	for text, plain := range map[string]string{
		"ÀÁÂÃÄÅ": "AAAAAA", "àáâãäå": "AAAAAA", "Çç": "CC", "ÈÉÊË": "EEEE", "èéêë": "EEEE", "ÌÍÎÏ": "IIII", "ìíîï": "IIII",
		"Ññ": "NN", "ÒÓÔÕÖ": "OOOOO", "òóôõö": "OOOOO", "ÙÚÛÜ": "UUUU", "ùúûü": "UUUU", "Ýýÿ": "YYY", "ĀāĂăĄą": "AAAAAA",
		"ĆćČč": "CCCC", "ĒēĖėĘęĚě": "EEEEEEEE", "ĪīĮį": "IIII", "ŃńŇň": "NNNN", "ŌōŐő": "OOOO", "ŚśŞşŠš": "SSSSSS",
		"ŪūŮůŰűŲų": "UUUUUUUU", "ŹźŻżŽž": "ZZZZZZ", "азб": "", "a-b c.d'e": "ABCDE", "09": "09", "\x00\xff": "",
	} {
		require.Equal(t, plain, string(Compact(nil, text)), text)
	}
}
