package tax

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content"
)

// The record of a boundary file for an address has precedence over its ZIP if its state is certain, also for an unknown
// ZIP. The sample has Town in ZIP 75001 with city and district, and Field in 75002 without.
func TestABoundaryFileKnowsBetterThanTheZIP(t *testing.T) {
	t.Parallel()
	c := withBoundaries(t, 42)
	const town, field = "US-TX US-TX-C001 US-TX-M-town US-TX-D-rail", "US-TX US-TX-C001"
	all := BoundaryMatch{Resolution: ResolutionAddress, Codes: "45:48|00:001|01:12345|63:80004"}
	county := BoundaryMatch{Resolution: ResolutionZIP9, Codes: "45:48|00:001"}
	for _, test := range []struct {
		why        string
		address    Address
		match      BoundaryMatch
		ids        string
		resolution Resolution
		status     AddressStatus
	}{
		{"no record fits", Address{City: "Town", State: "TX", PostalCode: "75001"}, BoundaryMatch{}, town,
			ResolutionZIP5, StatusVerified},
		{"outside the district", Address{City: "Town", State: "TX", PostalCode: "75001"}, county, field,
			ResolutionZIP9, StatusVerified},
		{"inside the city", Address{City: "Field", State: "TX", PostalCode: "75002"}, all, town,
			ResolutionAddress, StatusVerified},
		{"the state of the ZIP", Address{City: "Field", PostalCode: "75002"}, all, town,
			ResolutionAddress, StatusPartiallyVerified},
		{"a city that the ZIP does not have", Address{City: "Elsewhere", State: "TX", PostalCode: "75002"}, all, town,
			ResolutionAddress, StatusPartiallyVerified},
		{"outside of any city", Address{City: "Field", State: "TX", PostalCode: "75002", Unincorporated: true}, all,
			"US-TX US-TX-C001 US-TX-D-rail", ResolutionAddress, StatusVerified},
		{"a ZIP that the content does not know", Address{City: "Town", State: "TX", PostalCode: "75999"}, all, town,
			ResolutionAddress, StatusPartiallyVerified},
		{"such a ZIP and no record", Address{City: "Town", State: "TX", PostalCode: "75999"}, BoundaryMatch{}, "US-TX",
			ResolutionState, StatusInvalid},
		{"such a ZIP and no state", Address{City: "Town", PostalCode: "75999"}, all, "", ResolutionNone, StatusInvalid},
		{"a ZIP of another state", Address{City: "Bay", State: "TX", PostalCode: "94001"}, all, "US-TX",
			ResolutionState, StatusInvalid},
	} {
		test.address.Country = "US"
		p := c.ResolveAt(test.address, test.match)
		require.Equal(t, test.ids, strings.Join(p.Jurisdictions, " "), test.why)
		require.Equal(t, test.resolution, p.Resolution, test.why)
		require.Equal(t, test.status, p.Status, "%s: %s", test.why, p.Reason)
	}
}

// A rate file of a state lists all counties and cities with a tax. So one without a row has no tax. A district without
// a row is missing in the content.
func TestAJurisdictionThatARateFileDoesNotListHasNoTax(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		source, codes string
		complete      bool
	}{
		{"S2", "45:48|00:999", false}, {content.RateFileSource + "TX", "45:48|00:999", true},
		{content.RateFileSource + "CA", "45:48|00:999", false}, {content.RateFileSource + "TX", "45:48|01:99999", true},
		{content.RateFileSource + "TX", "45:48|00:999|63:99999", false},
		{content.RateFileSource + "TX", "45:48|63:80004", true},
	} {
		c := changed(t, func(d *content.Data) {
			d.Boundaries = []content.BoundaryRow{{State: "TX", Load: 1}}
			d.Sources = append(d.Sources, content.SourceRow{ID: test.source, Edition: "1"})
			d.Jurisdictions[4].CodeSystem, d.Jurisdictions[4].Code = "SST-DISTRICT", "80004" // its type is not known
		})
		_, complete := c.boundarySet(c.usState("TX"), BoundaryMatch{Codes: test.codes})
		require.Equal(t, test.complete, complete, "%s, %s", test.source, test.codes)
	}
}

// An address on one line is resolved like its parts.
func TestAnAddressOnOneLineIsLookedUp(t *testing.T) {
	t.Parallel()
	c := withBoundaries(t, 42)
	parts, ok := c.BoundaryKey(DatedAddress{
		Address{Street1: "12 Main St", City: "Town", State: "TX", PostalCode: "75001-1234", Country: "US"}, 20260515,
	})
	require.True(t, ok)
	line, ok := c.BoundaryKey(DatedAddress{Address{FullAddress: "12 Main St, Town, TX 75001-1234, USA"}, 20260515})
	require.True(t, ok)
	require.Equal(t, parts, line)
}
