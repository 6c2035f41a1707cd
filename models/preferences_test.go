package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// UTC is the zone of a person without a choice, and may also be chosen. A row that the release before stored says nothing of
// UTC, and each other zone in it is a choice.
func TestAZoneIsChosenOrNot(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		choice, zone string
		chosen       bool
	}{{"", "UTC", false}, {"UTC", "UTC", true}, {"Asia/Tokyo", "Asia/Tokyo", true}} {
		p := DefaultPreferences("user_1")
		require.False(t, p.ZoneChosen())
		p.ChooseZone("Europe/Paris")
		p.ChooseZone(c.choice)
		require.Equal(t, []any{c.zone, c.chosen}, []any{p.TimeZone, p.ZoneChosen()})
	}
	for zone, chosen := range map[string]bool{"UTC": false, "America/Chicago": true} {
		require.Equal(t, chosen, (&Preferences{TimeZone: zone}).ZoneChosen())
	}
}
