package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The index in docs/architecture.md has one row for each decision record, with the title and the date of the record.
func TestTheIndexOfDecisionsNamesEachRecord(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob(filepath.Join(root, "docs", "decisions", "*.md"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	architecture, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	head := regexp.MustCompile(`^# (\d+)\. (.+)\n\n(\d{4}-\d{2}-\d{2}), (?:accepted|replaced by .+)\.\n\n## Decision\n`)
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		parts := head.FindStringSubmatch(string(text))
		require.NotNil(t, parts, "%s begins with neither title and date nor the decision", file)
		name := filepath.Base(file)
		require.Equal(t, fmt.Sprint(i+1), parts[1], "the number in %s", name)
		require.True(t, strings.HasPrefix(name, fmt.Sprintf("%04d-", i+1)), "the number of %s", name)
		row := fmt.Sprintf("| [%s](decisions/%s) | %s |", parts[2], name, parts[3])
		require.Equal(t, 1, strings.Count(string(architecture), row), "docs/architecture.md has no row %s", row)
	}
	require.Equal(t, len(files), strings.Count(string(architecture), "](decisions/"))
}
