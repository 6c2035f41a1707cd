package workflows

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// All versions are in one file. A version with two branches has histories from before and after it, so that neither can
// be lost unnoticed.
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
	content, err := os.ReadFile(filingRuns.file("2", "document"))
	require.NoError(t, err)
	require.Contains(t, string(content), marker(buildDocument))
	content, err = os.ReadFile(filingRuns.file("2", "rejected"))
	require.NoError(t, err)
	require.NotContains(t, string(content), marker(buildDocument))
}

// Runs ask for the markers of 0.3.0 where that release does: a history that lacks one is not continued.
func TestRunsHaveTheMarkersForWhichTheReleaseBeforeAsks(t *testing.T) {
	t.Parallel()
	for version, history := range map[string]struct {
		file string
		runs map[string]any
	}{
		refreshActivities:   {filingRuns.file("2", "auto"), filingRuns.workflows},
		showOverdue:         {filingRuns.file("2", "overdue"), filingRuns.workflows},
		confirmCancellation: {onboardingRuns.file("2", "cancelled-by-ui"), onboardingRuns.workflows},
		planLastReturn:      {registrationRuns.file("2", "ended-at-once"), registrationRuns.workflows},
	} {
		content, err := os.ReadFile(history.file)
		require.NoError(t, err)
		require.Contains(t, string(content), marker(version))
		without := filepath.Join(t.TempDir(), "without.json")
		other := strings.ReplaceAll(string(content), marker(version), marker(strings.Repeat("x", len(version))))
		require.NoError(t, os.WriteFile(without, []byte(other), 0o600))
		require.ErrorContains(t, replayFile(without, history.runs), version, "the marker of "+version)
	}
}

// marker is the name of a version in a history.
func marker(version string) string {
	return base64.StdEncoding.EncodeToString([]byte(`"` + version + `"`))
}
