package packed

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const delivered = `{"sourcing":{"rule":"DESTINATION","reason":"Sales are taxed where they are delivered."}}`

// Explanations are stored that can only be read with this dictionary: add another one with another number instead.
func TestTheDictionaryNeverChanges(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(dictionary.Bytes())
	require.Equal(t, "16ce1b73eec31aa141f134042542e6bed211b9d5cdd030d649a119091e02d64e", hex.EncodeToString(sum[:]))
	read, err := ReadExplanation(nil, []byte("\x01X\x00{\x0e\xd2\x16\x15\x00H\b\"}}"))
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(delivered, string(read)))
}

func TestEitherFormOfAnExplanationIsRead(t *testing.T) {
	t.Parallel()
	document := `{"steps":[{"n":1,"code":"RATE","text":"Combined rate 8.875 % on 100.00 gives 8.875, rounded to 8.88."}]}`
	for name, c := range map[string]struct {
		json, packed []byte
		want         string
	}{
		"as a release before stored it": {[]byte(document), nil, document},
		"packed":                        {nil, Explanation([]byte(document)), document},
		"packed, then stored again by a release before":   {[]byte(document), Explanation([]byte(`{}`)), document},
		"shorter than anything in the dictionary":         {nil, Explanation([]byte(`{}`)), `{}`},
		"a text that no dictionary has, with other signs": {nil, Explanation([]byte(`{"ß":"€ 消費税"}`)), `{"ß":"€ 消費税"}`},
	} {
		read, err := ReadExplanation(c.json, c.packed)
		require.NoError(t, err, name)
		require.Equal(t, c.want, string(read), name)
	}
	require.Nil(t, Explanation(nil))
	none, err := ReadExplanation(nil, nil)
	require.NoError(t, err)
	require.Nil(t, none)
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	t.Parallel()
	for _, unknown := range [][]byte{{}, {0}, {withExplanations + 1, 2, 4, '{', '}'}} {
		_, err := ReadExplanation(nil, unknown)
		require.ErrorIs(t, err, ErrDictionary)
	}
	whole := Explanation([]byte(delivered))
	_, err := ReadExplanation(nil, whole[:len(whole)-1])
	require.ErrorContains(t, err, "unpack an explanation")
}
