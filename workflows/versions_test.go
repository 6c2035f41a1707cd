package workflows

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// All versions are in one file. Every version in use still has histories from before and after it, so that neither
// branch can be lost unnoticed.
func TestVersionsAreInOneFileAndProven(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") || file == "versions.go" {
			continue
		}
		code, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(code), "GetVersion", file)
	}
	for history, marked := range map[string]string{
		onboardingRuns.file("1", "cancelled-by-ui"): "", onboardingRuns.file("2", "cancelled-by-ui"): confirmCancellation,
		filingRuns.file("2", "auto"): "", filingRuns.file("2", "overdue"): showOverdue,
		filingRuns.file("2", "rejected"): "", filingRuns.file("2", "document"): buildDocument,
		registrationRuns.file("2", "end-refused"): "", registrationRuns.file("2", "ended-at-once"): planLastReturn,
	} {
		content, err := os.ReadFile(history)
		require.NoError(t, err)
		for _, version := range []string{confirmCancellation, showOverdue, planLastReturn, buildDocument} {
			marker := base64.StdEncoding.EncodeToString([]byte(`"` + version + `"`))
			require.Equal(t, version == marked, strings.Contains(string(content), marker), "%s of %s", version, history)
		}
	}
	for release, names := range map[string][2]string{
		"1": {"LookAtFiling", "LookAtRegistration"}, "2": {"RefreshFiling", "RefreshRegistration"},
	} {
		for i, history := range []string{
			filingRuns.file(release, "auto"), registrationRuns.file(release, "confirmed"),
		} {
			content, err := os.ReadFile(history)
			require.NoError(t, err)
			require.Contains(t, string(content), names[i])
			require.Equal(t, release == "2", strings.Contains(string(content), "TemporalChangeVersion"), history)
		}
	}
}
