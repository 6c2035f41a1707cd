package content

import (
	"bytes"
	"crypto/ed25519"
	"testing"

	"github.com/stretchr/testify/require"
)

var third = Publication{Sequence: 3, Published: "2026-10-01", NextBy: "2027-01-10"}

func TestABundleFollowsTheOneTakenLast(t *testing.T) {
	t.Parallel()
	later := func(sequence int64, day string) Publication { return Publication{sequence, day, "2027-04-10"} }
	for name, c := range map[string]struct {
		next, last Publication
		same       bool
		missed     int64
		err        error
	}{
		"the first":                   {third, Publication{}, false, 0, nil},
		"the next":                    {later(4, "2026-12-01"), third, false, 0, nil},
		"on the same day":             {later(4, "2026-10-01"), third, false, 0, nil},
		"the same again":              {third, third, true, 0, nil},
		"another with its number":     {third, third, false, 0, ErrForked},
		"two are missing":             {later(6, "2026-12-01"), third, false, 2, nil},
		"an older one":                {later(2, "2026-12-01"), third, false, 0, ErrReplayed},
		"a later one dated before":    {later(4, "2026-09-30"), third, false, 0, ErrDatedBefore},
		"one without a number":        {Publication{}, third, false, 0, ErrUnnumbered},
		"none of the two is numbered": {Publication{}, Publication{}, false, 0, nil},
	} {
		missed, err := c.next.After(c.last, c.same)
		require.ErrorIs(t, err, c.err, name)
		require.Equal(t, c.missed, missed, name)
	}
}

func TestAPublisherIsLateAfterThePromisedDay(t *testing.T) {
	t.Parallel()
	require.Zero(t, third.DaysLate(20270110))
	require.Equal(t, 1, third.DaysLate(20270111))
	require.Equal(t, 31, third.DaysLate(20270210))
	require.Zero(t, Publication{}.DaysLate(20270210), "a bundle without a number promises nothing")
}

func TestTheNumberOfABundleIsSigned(t *testing.T) {
	t.Parallel()
	key := bundleKey(1)
	pack := packOf(t, map[string]string{"VERSION": "2026.12.1\n"})
	b, err := NewBundle(pack, third, key)
	require.NoError(t, err)
	m, _, err := OpenManifest(b.Manifest, b.Signature, []ed25519.PublicKey{public(key)})
	require.NoError(t, err)
	require.Equal(t, third, m.Publication)
	changed := bytes.Replace(b.Manifest, []byte(`"sequence": 3`), []byte(`"sequence": 4`), 1)
	require.NotEqual(t, b.Manifest, changed)
	_, _, err = OpenManifest(changed, b.Signature, []ed25519.PublicKey{public(key)})
	require.ErrorIs(t, err, ErrBundle)

	for fault, number := range map[string]Publication{
		"the first one is 1":       {Published: "2026-10-01", NextBy: "2027-01-10"},
		"are not both days":        {Sequence: 1, Published: "2026-10-01", NextBy: "soon"},
		"not within 400 days":      {1, "2026-10-01", "2027-11-06"},
		"days after 2026-10-01":    {1, "2026-10-01", "2026-10-01"},
		`published "" and next_by`: {Sequence: 1},
	} {
		_, err := NewBundle(pack, number, key)
		require.ErrorContains(t, err, fault)
	}
}
