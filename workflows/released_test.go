package workflows

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// recordedSums has the SHA-256 of every history, as sha256sum writes it.
const recordedSums = "testdata/replay.sha256"

// A recorded history never changes. Replacing one that today's code cannot replay would hide what happens to open runs:
// that code needs a version (versions.go). `make record-histories` adds the line of a further history.
func TestHistoriesStayAsTheyWereRecorded(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(recordedSums)
	require.NoError(t, err)
	recorded := map[string]string{}
	for line := range strings.Lines(string(content)) {
		sum, path, _ := strings.Cut(strings.TrimSpace(line), "  ")
		recorded[path] = sum
	}
	require.NoError(t, filepath.WalkDir("testdata/replay", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		history, err := os.ReadFile(path)
		require.NotEmpty(t, recorded[path], "%s has no line in %s", path, recordedSums)
		require.Equal(
			t, recorded[path], fmt.Sprintf("%x", sha256.Sum256(history)),
			"%s is no longer the history that was recorded", path,
		)
		delete(recorded, path)
		return err
	}))
	require.Empty(t, recorded, "histories that were recorded are gone")
}
