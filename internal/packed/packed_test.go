package packed

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

const delivered = `{"sourcing":{"rule":"DESTINATION","reason":"Sales are taxed where they are delivered."}}`

// Stored explanations can only be read with this dictionary: add another one with another number instead of changing
// it.
func TestTheDictionaryNeverChanges(t *testing.T) {
	t.Parallel()
	sum := sha256.Sum256(dictionary.Bytes())
	require.Equal(t, "16ce1b73eec31aa141f134042542e6bed211b9d5cdd030d649a119091e02d64e", hex.EncodeToString(sum[:]))
	var read JSON
	require.NoError(t, read.ScanBytes([]byte("\x01X\x00{\x0e\xd2\x16\x15\x00H\b\"}}")))
	require.Empty(t, cmp.Diff(delivered, string(read)))
}

func TestEitherFormOfAnExplanationIsRead(t *testing.T) {
	t.Parallel()
	document := `{"steps":[{"n":1,"code":"RATE","text":"Combined rate 8.875 % on 100.00 gives 8.875, rounded to 8.88."}]}`
	for name, c := range map[string]struct {
		stored []byte
		want   string
	}{
		"as a release before stored it": {[]byte(document), document},
		"packed":                        {Explanation([]byte(document)), document},
		"shorter than anything in the dictionary":         {Explanation([]byte(`{}`)), `{}`},
		"a text that no dictionary has, with other signs": {Explanation([]byte(`{"ß":"€ 消費税"}`)), `{"ß":"€ 消費税"}`},
	} {
		var read JSON
		require.NoError(t, read.ScanBytes(c.stored), name)
		clear(c.stored) // the connection reads the next row into the same bytes
		require.Equal(t, c.want, string(read), name)
	}
	require.Nil(t, Explanation(nil))
	none := JSON(document)
	require.NoError(t, none.ScanBytes(nil))
	require.Nil(t, none, "the explanation of the previous row")
}

func TestAnUnreadableExplanationIsRefused(t *testing.T) {
	t.Parallel()
	var read JSON
	for _, unknown := range [][]byte{{}, {0}, {withExplanations + 1, 2, 4, '{', '}'}} {
		require.ErrorIs(t, read.ScanBytes(unknown), ErrDictionary)
	}
	whole := Explanation([]byte(delivered))
	require.ErrorContains(t, read.ScanBytes(whole[:len(whole)-1]), "unpack an explanation")
	require.Empty(t, read)
}
