package tax_test

import (
	"encoding/json"
	"testing"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/tax"
)

func TestAddressesResolve(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rule       string
		address    tax.Address
		status     tax.AddressStatus
		resolution tax.Resolution
		state      string
		city       string
		known      bool
		ids        []string
	}{
		{"ZIP, state and city agree", tax.Address{City: "New York", State: "NY", PostalCode: "10118", Country: "US"},
			tax.StatusVerified, tax.ResolutionZIP5, "NY", "New York", true,
			[]string{"US-NY", "US-NY-C061", "US-NY-M-new-york-city", "US-NY-D-mctd"}},
		{
			"names in any case, state in full, ZIP+4, no country",
			tax.Address{City: " new  YORK ", State: "new york", PostalCode: "10118-0110"}, tax.StatusVerified,
			tax.ResolutionZIP5, "NY", "New York", true, nil,
		},
		{
			"punctuated state", tax.Address{City: "New York", State: "N.Y.", PostalCode: "10118", Country: "US"},
			tax.StatusVerified, tax.ResolutionZIP5, "NY", "New York", true, nil,
		},
		{
			"St. stands for Saint",
			tax.Address{City: "St Paul", State: "MN", PostalCode: "55101", Country: "US"}, tax.StatusVerified,
			tax.ResolutionZIP5, "MN", "Saint Paul", true, nil,
		},
		{
			"Ft. stands for Fort",
			tax.Address{City: "Ft. Worth", State: "TX", PostalCode: "76102", Country: "US"}, tax.StatusVerified,
			tax.ResolutionZIP5, "TX", "Fort Worth", true, nil,
		},
		{"another city than that of the ZIP",
			tax.Address{
				City: "Springfield", State: "NY", PostalCode: "10118", Country: "US",
			}, tax.StatusPartiallyVerified,
			tax.ResolutionZIP5, "NY", "Springfield", true,
			[]string{"US-NY", "US-NY-C061", "US-NY-M-new-york-city", "US-NY-D-mctd"}},
		{
			"city missing", tax.Address{State: "NY", PostalCode: "10118", Country: "US"},
			tax.StatusPartiallyVerified, tax.ResolutionZIP5, "NY", "New York", true, nil,
		},
		{
			"state missing follows from the ZIP",
			tax.Address{City: "New York", PostalCode: "10118", Country: "US"}, tax.StatusPartiallyVerified,
			tax.ResolutionZIP5, "NY", "New York", true, nil,
		},
		{"ZIP missing: city", tax.Address{
			City: "Beverly Hills", State: "CA", Country: "US",
		}, tax.StatusPartiallyVerified,
			tax.ResolutionCity, "CA", "Beverly Hills", true,
			[]string{"US-CA", "US-CA-C037", "US-CA-M-beverly-hills", "US-CA-D-uniform-local"}},
		{"ZIP and city missing: state and its statewide tax", tax.Address{State: "CA", Country: "US"},
			tax.StatusPartiallyVerified, tax.ResolutionState, "CA", "", true,
			[]string{"US-CA", "US-CA-D-uniform-local"}},
		{"ZIP outside the state is a contradiction, the state stays",
			tax.Address{City: "New York", State: "CA", PostalCode: "10118", Country: "US"}, tax.StatusInvalid,
			tax.ResolutionState, "CA", "New York", true,
			[]string{"US-CA", "US-CA-D-uniform-local"}},
		{
			"unknown ZIP", tax.Address{City: "New York", State: "NY", PostalCode: "00000", Country: "US"},
			tax.StatusInvalid, tax.ResolutionState, "NY", "New York", true, []string{"US-NY"},
		},
		{
			"malformed ZIP", tax.Address{State: "NY", PostalCode: "ABC", Country: "US"}, tax.StatusInvalid,
			tax.ResolutionState, "NY", "", true, []string{"US-NY"},
		},
		{
			"unknown ZIP without state", tax.Address{PostalCode: "00000", Country: "US"}, tax.StatusInvalid,
			tax.ResolutionNone, "", "", false, []string{},
		},
		{
			"no such state", tax.Address{State: "Atlantis", PostalCode: "10118", Country: "US"},
			tax.StatusInvalid, tax.ResolutionNone, "", "", false, []string{},
		},
		{
			"only the United States", tax.Address{Country: "US"}, tax.StatusUnverifiable, tax.ResolutionNone, "",
			"", false, []string{},
		},
		{"Puerto Rico as a country", tax.Address{
			City: "San Juan", PostalCode: "00901", Country: "PR",
		}, tax.StatusVerified,
			tax.ResolutionZIP5, "PR", "San Juan", true,
			[]string{"US-PR", "US-PR-D-municipal-sut"}},
		{
			"accents", tax.Address{City: "Mayagüez", State: "Puerto Rico", PostalCode: "00680", Country: "US"},
			tax.StatusVerified, tax.ResolutionZIP5, "PR", "Mayagüez", true, nil,
		},
		{
			"DC",
			tax.Address{City: "Washington", State: "District of Columbia", PostalCode: "20001", Country: "US"},
			tax.StatusVerified, tax.ResolutionZIP5, "DC", "Washington", true, []string{"US-DC"},
		},
		{
			"Canada at province level",
			tax.Address{City: "Montréal", State: "québec", PostalCode: "H2X 1Y4", Country: "CA"},
			tax.StatusPartiallyVerified, tax.ResolutionState, "QC", "Montréal", true, []string{"CA", "CA-QC"},
		},
		{
			"Canada by postal code alone", tax.Address{City: "Toronto", PostalCode: "m5v3l9", Country: "CA"},
			tax.StatusPartiallyVerified, tax.ResolutionState, "ON", "Toronto", true, []string{"CA", "CA-ON"},
		},
		{
			"Canada, postal code outside the province",
			tax.Address{State: "ON", PostalCode: "V6B 1A1", Country: "CA"}, tax.StatusInvalid,
			tax.ResolutionState, "ON", "", true, []string{"CA", "CA-ON"},
		},
		{
			"Canada, no postal code", tax.Address{State: "Nunavut", Country: "CA"}, tax.StatusPartiallyVerified,
			tax.ResolutionState, "NU", "", true, []string{"CA", "CA-NU"},
		},
		{
			"Canada, a code no place has", tax.Address{State: "BC", PostalCode: "90210", Country: "CA"},
			tax.StatusInvalid, tax.ResolutionState, "BC", "", true, []string{"CA", "CA-BC"},
		},
		{
			"Canada, no such province", tax.Address{State: "Texas", PostalCode: "M5V 3L9", Country: "CA"},
			tax.StatusInvalid, tax.ResolutionNone, "", "", false, []string{},
		},
		{
			"the Canary Islands are outside the tax territory",
			tax.Address{City: "Las Palmas", PostalCode: "35001", Country: "ES"}, tax.StatusUnverifiable,
			tax.ResolutionCountry, "", "Las Palmas", true, []string{},
		},
		{
			"without a postal code the state decides", tax.Address{City: "Arrecife", State: "Canarias", Country: "ES"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "Canarias", "Arrecife", true, []string{},
		},
		{
			"a code decides as well", tax.Address{State: "20", Country: "PT"}, tax.StatusUnverifiable,
			tax.ResolutionCountry, "20", "", true, []string{"PT-20"},
		},
		{
			"the postal code comes first", tax.Address{State: "20", PostalCode: "1000-001", Country: "PT"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "20", "", true, []string{"PT"},
		},
		{
			"Madeira has rates of its own", tax.Address{City: "Funchal", PostalCode: "9000-001", Country: "PT"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "", "Funchal", true, []string{"PT-30"},
		},
		{
			"the mainland does not", tax.Address{City: "Lisboa", PostalCode: "PT-1000-001", Country: "PT"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "", "Lisboa", true, []string{"PT"},
		},
		{
			"Canada without province", tax.Address{City: "Toronto", Country: "CA"}, tax.StatusUnverifiable,
			tax.ResolutionNone, "", "Toronto", false, []string{},
		},
		{
			"other countries at country level", tax.Address{City: "Paris", Country: "FR"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "", "Paris", true, []string{"FR"},
		},
		{
			"no country and no US state", tax.Address{City: "Paris", PostalCode: "75001"},
			tax.StatusUnverifiable, tax.ResolutionNone, "", "Paris", false, []string{},
		},
		{"nothing", tax.Address{Street1: "  "}, tax.StatusBlank, tax.ResolutionNone, "", "", false, []string{}},
		{
			"an address on one line", tax.Address{FullAddress: "350 5th Ave, New York, NY 10118, USA"},
			tax.StatusVerified, tax.ResolutionZIP5, "NY", "New York", true, nil,
		},
		{
			"on one line without commas after the city",
			tax.Address{FullAddress: "1 Main St, Salt Lake City Utah 84101"}, tax.StatusVerified,
			tax.ResolutionZIP5, "UT", "Salt Lake City", true, nil,
		},
		{
			"on one line, state and ZIP apart",
			tax.Address{FullAddress: "Houston, TX, 77002-1234, United States of America"}, tax.StatusVerified,
			tax.ResolutionZIP5, "TX", "Houston", true, nil,
		},
		{
			"on one line, in another country", tax.Address{FullAddress: "10 Rue de Rivoli, 75001 Paris, France"},
			tax.StatusUnverifiable, tax.ResolutionCountry, "", "", true, []string{"FR"},
		},
		{
			"on one line, a country alone", tax.Address{FullAddress: "Germany"}, tax.StatusUnverifiable,
			tax.ResolutionCountry, "", "", true, []string{"DE"},
		},
		{
			"on one line, a ZIP alone says no country", tax.Address{FullAddress: "10118"},
			tax.StatusUnverifiable, tax.ResolutionNone, "", "", false, nil,
		},
		{
			"one line is read only when nothing else is given",
			tax.Address{State: "NY", Country: "US", FullAddress: "Houston, TX 77002"},
			tax.StatusPartiallyVerified, tax.ResolutionState, "NY", "", true, []string{"US-NY"},
		},
		{
			"country by name", tax.Address{City: "Berlin", Country: "Germany"}, tax.StatusUnverifiable,
			tax.ResolutionCountry, "", "Berlin", true, []string{"DE"},
		},
		{
			"nine digits", tax.Address{City: "Houston", State: "TX", PostalCode: "770021234", Country: "US"},
			tax.StatusVerified, tax.ResolutionZIP5, "TX", "Houston", true, nil,
		},
		{
			"a ZIP in two states needs the state",
			tax.Address{City: "Nowhere", PostalCode: "19973", Country: "US"}, tax.StatusPartiallyVerified,
			tax.ResolutionZIP5, "DE", "Nowhere", true, nil,
		},
		{
			"a ZIP in two states with the second state",
			tax.Address{City: "Seaford", State: "MD", PostalCode: "19973", Country: "US"},
			tax.StatusPartiallyVerified, tax.ResolutionZIP5, "MD", "Seaford", true, []string{"US-MD"},
		},
		{
			"on one line with a code that is a state and a country",
			tax.Address{FullAddress: "San Francisco, CA"}, tax.StatusUnverifiable, tax.ResolutionNone, "",
			"San Francisco", false, nil,
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			p := loaded(t).Resolve(test.address)
			require.Equal(t, test.status, p.Status, p.Reason)
			require.Equal(t, test.resolution, p.Resolution)
			require.Equal(t, test.state, p.State)
			require.Equal(t, test.city, p.City)
			require.Equal(t, test.known, p.Known())
			require.NotEmpty(t, p.Reason)
			if test.ids != nil {
				require.Equal(t, test.ids, p.Jurisdictions)
			}
		})
	}
}

func TestAZIPInTwoCountiesIsAmbiguousUntilTheCountyIsGiven(t *testing.T) {
	t.Parallel()
	c := loaded(t)
	a := tax.Address{City: "Aurora", State: "CO", PostalCode: "80014", Country: "US"}
	p := c.Resolve(a)
	require.Equal(t, tax.StatusPartiallyVerified, p.Status)
	require.True(t, p.Ambiguous)
	require.Len(t, p.Alternatives, 2)
	require.Equal(t, []string{"US-CO", "US-CO-M-aurora-c005"}, p.Jurisdictions)
	require.Equal(t, tax.ConfidenceMedium, p.Confidence)

	a.County = "Denver"
	p = c.Resolve(a)
	require.Equal(t, tax.StatusVerified, p.Status)
	require.False(t, p.Ambiguous)
	require.Contains(t, p.Jurisdictions, "US-CO-C031")
	require.Equal(t, "Denver County", p.County)
}

func TestUnincorporatedPlacesBearNoCityTax(t *testing.T) {
	t.Parallel()
	a := tax.Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}
	require.Contains(t, loaded(t).Resolve(a).Jurisdictions, "US-TX-M-houston")
	a.Unincorporated = true
	require.NotContains(t, loaded(t).Resolve(a).Jurisdictions, "US-TX-M-houston")
}

func TestAPlaceSurvivesStorage(t *testing.T) {
	t.Parallel()
	p := loaded(t).Resolve(tax.Address{City: "Aurora", State: "CO", PostalCode: "80014", Country: "US"})
	text, err := json.Marshal(p)
	require.NoError(t, err)
	var back tax.Place
	require.NoError(t, json.Unmarshal(text, &back))
	require.Equal(t, p, back)
}

func FuzzResolve(f *testing.F) {
	for _, a := range [][7]string{
		{"350 5th Ave", "New York", "", "NY", "10118", "US", ""},
		{"", "", "", "", "", "", "350 5th Ave, New York, NY 10118, USA"},
		{"", "St. Louis", "St Louis city", "Missouri", "63101-1234", "", ""},
		{"", "Añasco", "", "", "00610", "PR", ""},
		{"", "", "", "QC", "", "CA", ""},
		{"", "Montréal", "", "", "h2x 1y4", "CA", ""},
		{"", "", "", "NU", "X0E 0A0", "Canada", ""},
		{"", "Funchal", "", "", "PT-9000-001", "PT", ""},
		{"", "", "", "", "35001", "ES", ""},
		{"", "\x00\xff", "", "N Y", "١٢٣٤٥", "ZZ_EU", ",,,"},
	} {
		f.Add(a[0], a[1], a[2], a[3], a[4], a[5], a[6], false)
	}
	c, err := tax.LoadContent()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, street, city, county, state, zip, country, full string, unincorporated bool) {
		a := tax.Address{
			Street1: street, City: city, County: county, State: state, PostalCode: zip, Country: country,
			FullAddress: full, Unincorporated: unincorporated,
		}
		p := c.Resolve(a)
		require.Equal(t, p, c.Resolve(a), "the same address gives the same place")
		require.NotEmpty(t, p.Reason)
		for _, id := range p.Jurisdictions {
			j, ok := c.Jurisdiction(id)
			require.True(t, ok)
			require.Equal(t, p.Country, j.Country)
			require.Contains(t, []string{"", p.State}, j.State)
		}
		if p.Status == tax.StatusVerified {
			require.Equal(t, tax.ResolutionZIP5, p.Resolution)
			require.False(t, p.Ambiguous)
		}
		req := sale{"", "PHYSICAL", "100.00", "", ""}.request(t)
		req.Destination = p
		if _, err := c.Calculate(req); p.Known() {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, tax.ErrPlaceUnknown)
		}
	})
}

// Countries that belong to the tax territory of another one, and parts of countries that lie
// outside theirs.
func TestTerritoriesOfTax(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		law     string
		address tax.Address
		country string
		tax     string
		says    string
	}{
		{
			"Directive 2006/112/EC art. 7", tax.Address{City: "Monaco", PostalCode: "98000", Country: "MC"}, "FR", "20.00",
			"Monaco is taxed like France.",
		},
		{
			"VAT Act 1994 s. 96(1)", tax.Address{City: "Douglas", PostalCode: "IM1 1AA", Country: "IM"}, "GB", "20.00",
			"Isle of Man is taxed like United Kingdom.",
		},
		{
			"treaty of 28 October 1994", tax.Address{City: "Vaduz", PostalCode: "9490", Country: "LI"}, "CH", "8.10",
			"Liechtenstein is taxed like Switzerland.",
		},
		{
			"Directive 2006/112/EC art. 6", tax.Address{PostalCode: "35001", Country: "ES"}, "ES", "0.00",
			"lies outside the tax territory",
		},
		{
			"Directive 2006/112/EC art. 6", tax.Address{PostalCode: "97100", Country: "FR"}, "FR", "0.00",
			"lies outside the tax territory",
		},
		{"CIVA art. 18(3)", tax.Address{PostalCode: "9000-001", Country: "PT"}, "PT", "22.00", "has tax rates of its own"},
		// The letters of a country before a code belong to the envelope.
		{
			"Directive 2006/112/EC art. 6; UStG § 1(2)", tax.Address{PostalCode: "D-27498", Country: "DE"}, "DE", "0.00",
			"Heligoland lies outside the tax territory",
		},
		{
			"Directive 2006/112/EC art. 6", tax.Address{PostalCode: "AX-22100", Country: "FI"}, "FI", "0.00",
			"Åland lies outside the tax territory",
		},
		{
			"Directive 2006/112/EC art. 6", tax.Address{PostalCode: "F-97100", Country: "FR"}, "FR", "0.00",
			"Guadeloupe lies outside the tax territory",
		},
		{"UStG 1994 § 10(4)", tax.Address{PostalCode: "A-6691", Country: "AT"}, "AT", "19.00", "has tax rates of its own"},
		{
			"VAT Act 1994 s. 96(1)", tax.Address{PostalCode: "GY1 1AA", Country: "GB"}, "GB", "0.00",
			"Guernsey lies outside the tax territory",
		},
	} {
		p := loaded(t).Resolve(test.address)
		require.Equal(t, test.country, p.Country, test.law)
		require.Contains(t, p.Reason, test.says, test.law)
		r, err := loaded(t).Calculate(tax.Request{
			TaxDate: 20260915, Currency: "EUR", Destination: p,
			Lines: []tax.Line{{Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One}},
		})
		require.NoError(t, err)
		require.Equal(t, test.tax, r.Tax.String(), "%s: %v", test.law, test.address)
	}
}
