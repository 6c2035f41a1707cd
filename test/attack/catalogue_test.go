package attack_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test that the catalogue of attacks and faults names exists, so that the
// catalogue stays true.
func TestTheCatalogueNamesRealTests(t *testing.T) {
	t.Parallel()
	const root = "../.."
	page, err := os.ReadFile(filepath.Join(root, "docs", "reliability.md"))
	require.NoError(t, err)
	exist := map[string]bool{}
	declared := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		source, err := os.ReadFile(path)
		for _, match := range declared.FindAllSubmatch(source, -1) {
			exist[string(match[1])] = true
		}
		return err
	}))
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Z]\\w+)`").FindAllStringSubmatch(string(page), -1)
	require.Greater(t, len(named), 100)
	for _, match := range named {
		require.True(t, exist[match[1]], "the catalogue names %s, which does not exist", match[1])
	}
}
