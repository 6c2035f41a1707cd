package tax_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
)

func TestSuggest(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	us := func(a tax.Address) tax.Address { a.Country = "US"; return a }
	for name, test := range map[string]struct {
		address tax.Address
		first   string // city, state and ZIP of the best; "" for none
		all     func(tax.Suggestion) bool
	}{
		"the beginning of a ZIP": {
			us(tax.Address{PostalCode: "1011"}), "New York NY 10110",
			func(s tax.Suggestion) bool { return s.PostalCode[:4] == "1011" },
		},
		"a ZIP with its four further digits": {us(tax.Address{PostalCode: "10118-0110"}), "New York NY 10118", nil},
		"the beginning of a city in a state": {
			us(tax.Address{City: "aust", State: "texas"}), "Austin TX 73301",
			func(s tax.Suggestion) bool { return s.State == "TX" },
		},
		"a city that is written out goes first": {
			us(tax.Address{City: "Troy"}), "Troy MI 48007",
			func(s tax.Suggestion) bool { return s.City == "Troy" },
		},
		"a large city goes before small ones": {us(tax.Address{City: "portl"}), "Portland OR 97201", nil},
		"the beginning of a state": {
			us(tax.Address{City: "aust", State: "tex"}), "Austin TX 73301",
			func(s tax.Suggestion) bool { return s.State == "TX" },
		},
		"no state begins so": {us(tax.Address{City: "Troy", State: "-"}), "", nil},
		"a last word that looks abbreviated": {
			us(tax.Address{City: "fort w", State: "TX"}), "Fort Worth TX 76101", nil,
		},
		"an abbreviation": {
			us(tax.Address{City: "Ft. Worth", State: "TX"}), "Fort Worth TX 76101", nil,
		},
		"ZIP and city both": {
			us(tax.Address{City: "alb", PostalCode: "122"}), "Albany NY 12201", nil,
		},
		"one line of text": {
			us(tax.Address{FullAddress: "Albany, NY"}), "Albany NY 12201",
			func(s tax.Suggestion) bool { return s.State == "NY" },
		},
		"one word that begins a ZIP":     {us(tax.Address{FullAddress: "1011"}), "New York NY 10110", nil},
		"no place has the letters":       {us(tax.Address{City: "漢"}), "", nil},
		"no such state":                  {us(tax.Address{City: "Troy", State: "Nowhere"}), "", nil},
		"a state alone says too little":  {us(tax.Address{State: "NY"}), "", nil},
		"a street alone says too little": {us(tax.Address{Street1: "350 5th Ave"}), "", nil},
		"no data for other countries":    {tax.Address{City: "Par", Country: "FR"}, "", nil},
		"letters are no ZIP":             {us(tax.Address{PostalCode: "1O1"}), "", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := c.Suggest(test.address)
			require.Equal(t, found, c.Suggest(test.address), "always the same")
			require.LessOrEqual(t, len(found), 10)
			require.NotNil(t, found)
			if test.first == "" {
				require.Empty(t, found)
				return
			}
			require.NotEmpty(t, found)
			require.Equal(t, test.first, found[0].City+" "+found[0].State+" "+found[0].PostalCode)
			for _, s := range found {
				require.True(t, test.all == nil || test.all(s), "%v", s)
			}
		})
	}
}

// The many ZIPs of a city do not hide the cities of the same name in other states.
func TestACityIsSuggestedInEachState(t *testing.T) {
	t.Parallel()
	c, err := tax.LoadContent()
	require.NoError(t, err)
	var places []string
	for _, s := range c.Suggest(tax.Address{City: "Troy", Country: "US"}) {
		places = append(places, s.City+" "+s.State)
	}
	require.Equal(t, []string{"Troy MI", "Troy NY", "Troy AL"}, places[:3], "the largest first")
	require.Len(t, slices.Compact(places), 10)
	single := c.Suggest(tax.Address{City: "Albany", State: "NY", Country: "US"})
	require.Equal(t, []string{"12201", "12202", "12203"}, []string{
		single[0].PostalCode, single[1].PostalCode, single[2].PostalCode,
	}, "further ZIPs follow")
}
