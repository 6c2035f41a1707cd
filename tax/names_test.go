package tax

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax/postal"
)

// Names are found in any spelling by the key of the first one, and by what they begin with.
func TestNamesAreFoundInAnySpelling(t *testing.T) {
	t.Parallel()
	b := newNameBuilder(0)
	numbers := map[string]uint16{}
	for _, s := range []string{
		"Saint Paul", "St. Paul", "Austin", "", "St Paul Park", "AUSTIN", "Austin", "Aust", "Zwolle", "Åland", "---",
	} {
		numbers[s] = b.add(s)
	}
	n := b.names(postal.PlaceKey)
	for s, number := range numbers {
		require.Equal(t, s, n.text(number), "a name stays as it is spelled")
		require.Equal(t, n.key[number], n.of(postal.PlaceKey(nil, s)), s)
	}
	require.Equal(t, numbers["Saint Paul"], n.key[numbers["St. Paul"]], "two spellings share the key of the first")
	require.Equal(t, numbers["Austin"], n.key[numbers["AUSTIN"]])
	require.NotEqual(t, numbers["Austin"], n.key[numbers["Aust"]])
	require.Zero(t, numbers[""])
	require.Zero(t, n.key[numbers["---"]], "nothing that names are made of is no name")
	for _, unknown := range []string{"", "Aus", "Austina", "Zz", "A"} {
		require.Zero(t, n.of(postal.PlaceKey(nil, unknown)), unknown)
	}
	marked := func(beginning string) (found []uint16) {
		all := make([]bool, len(n.key))
		n.mark(all, string(postal.PlaceKey(nil, beginning)))
		for i, is := range all {
			if is {
				found = append(found, uint16(i))
			}
		}
		return found
	}
	require.ElementsMatch(t, []uint16{numbers["Austin"], numbers["Aust"]}, marked("aust"))
	require.ElementsMatch(t, []uint16{numbers["Saint Paul"], numbers["St Paul Park"]}, marked("st paul"))
	require.ElementsMatch(t, []uint16{numbers["Zwolle"]}, marked("Zwolle"))
	require.Empty(t, marked("Zwollen"))
}

// Every name of the content is found by the key of its first spelling.
func TestNamesOfTheContentAreFound(t *testing.T) {
	t.Parallel()
	c, err := LoadContent()
	require.NoError(t, err)
	for i, key := range c.places.cities.key {
		require.Equal(t, key, c.places.cityKey(c.places.cities.text(uint16(i))))
	}
	for i, key := range c.places.counties.key {
		require.Equal(t, key, c.places.countyKey(c.places.counties.text(uint16(i))))
	}
}
