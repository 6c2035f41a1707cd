package tax

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content"
)

// Returns sum up the tax by state, type and name of jurisdictions. Rate files name districts by their codes alone, which
// two types of districts may share: each gets what is its own.
func TestJurisdictionsOfOneNameAreToldApart(t *testing.T) {
	t.Parallel()
	d := sample()
	for _, id := range []string{"US-TX-D-sst-61-00500", "US-TX-D-sst-63-00500", "US-CA-D-sst-63-00500"} {
		d.Jurisdictions = append(d.Jurisdictions, content.JurisdictionRow{
			ID: id, Country: "US", State: id[3:5], Level: "DISTRICT", Name: "District 00500", Parent: id[:5],
		})
	}
	c, err := newContent(d)
	require.NoError(t, err)
	for id, name := range map[string]string{
		"US-TX-D-sst-61-00500": "District 00500 (US-TX-D-sst-61-00500)",
		"US-TX-D-sst-63-00500": "District 00500 (US-TX-D-sst-63-00500)",
		"US-CA-D-sst-63-00500": "District 00500",
	} {
		require.Equal(t, name, c.jurisdictions[c.byID[id]].Name)
	}
}
