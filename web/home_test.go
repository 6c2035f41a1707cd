package web

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A part of the first page that could not be read is not shown as zero, or as nothing to do.
func TestHomeOmitsWhatWasNotRead(t *testing.T) {
	t.Parallel()
	const unavailable = `{"status":503,"code":"service_unavailable","title":"Unavailable"}`
	for _, c := range []struct{ figures, groups string }{{`{}`, `{}`}, {unavailable, `{}`}, {`{}`, unavailable}} {
		shown := visitedWith(t, map[string]string{
			"GET /v1/session": anAdmin, "GET /v1/figures": c.figures, "GET /v1/exceptions/groups": c.groups,
		}, "/", nil).Body.String()
		for text, answer := range map[string]string{
			"Owed now": c.figures, "still being added up": c.figures, "Nothing needs attention": c.groups,
			"What waits for people": c.groups,
		} {
			if answer == unavailable {
				require.NotContains(t, shown, text)
			} else {
				require.Contains(t, shown, text)
			}
		}
	}
}
