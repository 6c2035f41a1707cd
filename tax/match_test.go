package tax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content"
)

// townsOfTexas is the sample content with these rows of places in Texas, each "ZIP, city, county, basis:
// jurisdictions". The jurisdictions are those below the state, by the ends of their ids; a basis with a star is that of
// the main row.
func townsOfTexas(t *testing.T, list ...string) *Content {
	t.Helper()
	d := sample()
	small := d.Jurisdictions[2]
	small.ID, small.Name = "US-TX-C003", "Small County"
	d.Jurisdictions = append(d.Jurisdictions, small)
	var places []content.PlaceRow
	for _, row := range list {
		head, ends, _ := strings.Cut(row, ": ")
		f := strings.Split(head, ", ")
		ids := "US-TX"
		for end := range strings.FieldsSeq(ends) {
			ids += "|US-TX-" + end
		}
		basis, primary := strings.CutSuffix(f[3], "*")
		places = append(places, content.PlaceRow{
			At: content.RowRef{File: "sample", Line: 1}, ZIP: f[0], City: f[1], State: "TX", County: f[2], Basis: basis,
			Primary: primary, Jurisdictions: ids, Completeness: "COMPLETE",
		})
	}
	d.Places = rows(places...)
	c, err := newContent(d)
	require.NoError(t, err)
	return c
}

// The best row of a ZIP or a city fits both county and city, else the city, else the county. Among several it is the
// main row of a ZIP, then the surest, then the set that most ZIPs have. Other sets of jurisdictions that fit as well
// are reported.
func TestTheBestMatchingPlaceOfAnAddress(t *testing.T) {
	t.Parallel()
	const town, townRail, big, bigRail, small = "C001 M-town", "C001 M-town D-rail", "C001", "C001 D-rail", "C003"
	zip := townsOfTexas(t,
		"75001, Town, Big County, POSTAL_CITY: "+town,
		"75001, Town, Small County, CENSUS_OVERLAP: "+small,
		"75001, Field, Big County, COUNTY_ONLY*: "+big,
		"75001, Field, Small County, CENSUS_OVERLAP: "+small,
		"75001, Lake, Big County, POSTAL_CITY: "+bigRail,
		"75002, Hill, Big County, POSTAL_CITY*: "+big,
	)
	cities := townsOfTexas(t,
		"75001, Town, Big County, POSTAL_CITY*: "+townRail,
		"75002, Town, Big County, POSTAL_CITY*: "+town,
		"75003, Town, Big County, POSTAL_CITY*: "+town,
		"75004, Field, Big County, POSTAL_CITY: "+big,
		"75004, Hill, Small County, POSTAL_CITY*: "+small,
		"75005, Field, Small County, COUNTY_ONLY: "+small,
		"75005, Hill, Small County, POSTAL_CITY*: "+small,
		"75006, Field, Small County, COUNTY_ONLY: "+small,
		"75006, Hill, Small County, POSTAL_CITY*: "+small,
		"75007, Lake, Big County, POSTAL_CITY*: "+big,
		"75008, Lake, Small County, POSTAL_CITY*: "+small,
	)
	for _, test := range []struct {
		rule         string
		in           *Content
		address      Address
		fits         string
		others       []string
		city, county string // of the place
		sure         Confidence
	}{
		{"city and county", zip, Address{PostalCode: "75001", City: "Town", County: "Small"}, small, nil,
			"Town", "Small County", ConfidenceHigh},
		{"the county decides", zip, Address{PostalCode: "75001", City: "Town", County: "Big County"}, town, nil,
			"Town", "Big County", ConfidenceHigh},
		{"a city in two counties", zip, Address{PostalCode: "75001", City: "town"}, town, []string{small},
			"Town", "", ConfidenceMedium},
		{"a city of another county than that given", zip, Address{PostalCode: "75002", City: "Hill", County: "Small"},
			big, nil, "Hill", "Big County", ConfidenceHigh},
		{"a county alone", zip, Address{PostalCode: "75001", County: "Small County"}, small, nil,
			"Town", "Small County", ConfidenceHigh},
		{"a county of several places", zip, Address{PostalCode: "75001", County: "BIG"}, big, []string{town, bigRail},
			"Field", "Big County", ConfidenceMedium},
		{"the city before the county", zip, Address{PostalCode: "75001", City: "Lake", County: "Small"}, bigRail, nil,
			"Lake", "Big County", ConfidenceHigh},
		{"a county with a city of elsewhere", zip, Address{PostalCode: "75001", City: "Hill", County: "Small"}, small, nil,
			"Hill", "Small County", ConfidenceHigh},
		{"a county with a city that is nowhere", zip, Address{PostalCode: "75001", City: "Atlantis", County: "Small"},
			small, nil, "Atlantis", "Small County", ConfidenceHigh},
		{"a city of elsewhere", zip, Address{PostalCode: "75001", City: "Hill"}, big, []string{town, small, bigRail},
			"Hill", "", ConfidenceMedium},
		{"a ZIP alone: its main row", zip, Address{PostalCode: "75001"}, big, []string{town, small, bigRail},
			"Field", "", ConfidenceMedium},
		{"a county that is nowhere", zip, Address{PostalCode: "75001", County: "Atlantis"}, big,
			[]string{town, small, bigRail}, "Field", "Atlantis", ConfidenceMedium},
		{"outside of cities", zip, Address{PostalCode: "75001", City: "Town", Unincorporated: true}, small, nil,
			"Town", "Small County", ConfidenceHigh},
		{"outside of a city in a county where all is inside", zip,
			Address{PostalCode: "75001", City: "Town", County: "Big", Unincorporated: true}, big, nil,
			"Town", "Big County", ConfidenceHigh},

		{"a city without a ZIP: what most of its ZIPs have", cities, Address{City: "Town"}, town, []string{townRail},
			"Town", "", ConfidenceMedium},
		{"and the county is another one", cities, Address{City: "Town", County: "Small"}, town, []string{townRail},
			"Town", "Small", ConfidenceMedium},
		{"the surer row before the more frequent one", cities, Address{City: "Field"}, big, []string{small},
			"Field", "", ConfidenceMedium},
		{"the county before the surer row", cities, Address{City: "Field", County: "Small"}, small, nil,
			"Field", "Small County", ConfidenceHigh},
		{"the first of two as frequent", cities, Address{City: "Lake"}, big, []string{small}, "Lake", "", ConfidenceMedium},
		{"outside of a city what else taxes there stays", cities, Address{City: "Town", Unincorporated: true}, big,
			[]string{bigRail}, "Town", "", ConfidenceMedium},
		{"a city that is nowhere: the state", cities, Address{City: "Atlantis"}, "", nil, "Atlantis", "", ConfidenceLow},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			test.address.State, test.address.Country = "TX", "US"
			p := test.in.Resolve(test.address)
			ends := func(ids []string) string {
				return strings.ReplaceAll(strings.Join(ids[1:], " "), "US-TX-", "")
			}
			require.Equal(t, test.fits, ends(p.Jurisdictions))
			var others []string
			for _, ids := range p.Alternatives {
				others = append(others, ends(ids))
			}
			require.Equal(t, test.others, others)
			require.Equal(t, len(others) > 0, p.Ambiguous)
			require.Equal(t, test.city, p.City)
			require.Equal(t, test.county, p.County)
			require.Equal(t, test.sure, p.Confidence)
		})
	}
}
