package attack_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Every test that the pages about reliability name exists, so that they stay true.
func TestTheCatalogueNamesRealTests(t *testing.T) {
	t.Parallel()
	const root = "../.."
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
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	require.NoError(t, err)
	count := 0
	for _, file := range pages {
		page, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(`\b((?:Test|Fuzz)[A-Z]\w+)`).FindAllStringSubmatch(string(page), -1) {
			count++
			require.True(t, exist[match[1]], "%s names %s, which does not exist", filepath.Base(file), match[1])
		}
	}
	require.Greater(t, count, 100)
}

// Every attack and every fault of the catalogues has its row: what is not tried says so.
func TestTheCatalogueIsComplete(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reliability-appendix.md")
	require.NoError(t, err)
	listed := map[string]int{}
	for _, row := range regexp.MustCompile(`(?m)^\| ([AF]-\d\d[^|]*)\|`).FindAllStringSubmatch(string(page), -1) {
		for _, ids := range regexp.MustCompile(`([AF])-(\d\d)(?: to [AF]-(\d\d))?`).FindAllStringSubmatch(row[1], -1) {
			first, last := number(t, ids[2]), number(t, ids[2])
			if ids[3] != "" {
				last = number(t, ids[3])
			}
			for n := first; n <= last; n++ {
				listed[fmt.Sprintf("%s-%02d", ids[1], n)]++
			}
		}
	}
	for _, of := range []struct {
		letter      string
		first, last int
	}{{"A", 1, 56}, {"A", 60, 75}, {"F", 1, 54}} {
		for n := of.first; n <= of.last; n++ {
			require.Equal(t, 1, listed[fmt.Sprintf("%s-%02d", of.letter, n)], "%s-%02d", of.letter, n)
		}
	}
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	require.NoError(t, err)
	return n
}
