package tax

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/content"
)

// Names of places are numbered with 16 bits. More of them would be taken for each other.
func TestMoreNamesOfPlacesThanCanBeNumberedAreAFault(t *testing.T) {
	t.Parallel()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	d.Places = func(yield func(content.PlaceRow, error) bool) {
		row := content.PlaceRow{
			At: content.RowRef{File: "places.csv", Line: 2}, ZIP: "73301", State: "TX", Jurisdictions: "US-TX",
			Primary: true, Basis: "POSTAL_CITY", Completeness: "COMPLETE",
		}
		for i := range math.MaxUint16 + 1 {
			if row.City, row.Primary = fmt.Sprint("Newtown ", i), i == 0; !yield(row, nil) {
				return
			}
		}
	}
	_, err = newContent(d)
	require.ErrorIs(t, err, content.ErrContent)
	require.ErrorContains(t, err, "places.csv:2: more than 65535 names of cities or of counties")
}

// Even the first row is compared with what is known.
func TestTheFirstPlaceNeedsAStateAndJurisdictions(t *testing.T) {
	t.Parallel()
	d, err := content.Parse(content.Packed())
	require.NoError(t, err)
	for _, test := range []struct{ state, jurisdictions, want string }{
		{"", "US-TX", `unknown state ""`}, {"TX", "", `unknown jurisdiction ""`},
	} {
		d.Places = func(yield func(content.PlaceRow, error) bool) {
			yield(content.PlaceRow{
				At: content.RowRef{File: "places.csv", Line: 2}, ZIP: "73301", State: test.state,
				Jurisdictions: test.jurisdictions, Primary: true, Basis: "POSTAL_CITY", Completeness: "COMPLETE",
			}, nil)
		}
		_, err := newContent(d)
		require.ErrorContains(t, err, "places.csv:2: "+test.want)
	}
}
