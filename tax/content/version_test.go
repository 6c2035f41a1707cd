package content

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A part that is no number ends a version: only the parts before it are compared.
func TestVersionsAreComparedUpToTheFirstNonNumber(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		version, than string
		older         bool
	}{
		{"", "2026.11.1", true}, {"2026.11.1", "", false}, {"", "", false}, {"sample", "2026.1", true},
		{"2026.x.9", "2026.0.1", true}, {"2026.11.1-rc", "2026.11.1", true}, {"2026.11.1-rc", "2026.11", false},
		{"2026.011.1", "2026.11.1", false}, {"2026.11.1", "2026.011.1", false}, {"9.9.9", "2026.1.1", true},
		{"2026.11.1", "2026.11.1", false}, {"2026.11.1.0", "2026.11.1", false}, {"2026.11.1", "2026.11.1.0", true},
	} {
		require.Equal(t, test.older, Older(test.version, test.than), "%q than %q", test.version, test.than)
	}
}
