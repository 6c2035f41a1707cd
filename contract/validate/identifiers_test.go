package validate

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

// Every character of Unicode's White_Space around an identifier is taken away, as it is and escaped. Nothing else is.
func TestIdentifiersLoseTheWhiteSpaceAroundThem(t *testing.T) {
	t.Parallel()
	var spaces []string
	for r := range unicode.MaxRune {
		if unicode.Is(unicode.White_Space, r) {
			spaces = append(spaces, string(r))
		}
	}
	require.Len(t, spaces, 25)
	trimmed := func(literal string) string {
		body := []byte(literal)
		n := &node{kind: nodeString, start: 1, end: uint32(len(body) - 1), escaped: strings.Contains(literal, `\`)}
		(&Run{scanner: scanner{body: body}}).trimIdentifier(n, false)
		var text string
		require.NoError(t, json.Unmarshal([]byte(`"`+string(body[n.start:n.end])+`"`), &text), literal)
		return text
	}
	quoted := func(text string) string {
		literal, err := json.Marshal(text)
		require.NoError(t, err)
		return string(literal)
	}
	escaped := func(text string) string {
		var b strings.Builder
		for _, r := range text {
			if r < 0x10000 {
				const hex = "0123456789abcdef"
				b.WriteString(`\u` + string([]byte{hex[r>>12&15], hex[r>>8&15], hex[r>>4&15], hex[r&15]}))
			}
		}
		return `"` + b.String() + `"`
	}
	for _, space := range append(spaces, strings.Join(spaces, "")) {
		for _, id := range []string{"A", "A" + space + "B", "Ä€😀", `\t`, `A\`, `"`, ""} {
			for _, text := range []string{id, space + id, id + space, space + space + id + space} {
				require.Equal(t, id, trimmed(quoted(text)), "%q", text)
				if strings.Trim(id, `AB"\t`+space) == "" {
					require.Equal(t, id, trimmed(escaped(text)), "%q", text)
				}
			}
		}
	}
	for _, other := range []string{"\u200b", "\u2060", "\ufeff", "\u180e", "_"} {
		require.Equal(t, other+"A"+other, trimmed(quoted(other+"A"+other)), "only files lose these")
	}
}
