package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each guard is where it is taken out, and the tests that must notice exist: the list
// follows the code.
func TestEveryMutantCanBeMade(t *testing.T) {
	t.Chdir("../..")
	for _, m := range mutants {
		content, err := m.without().Content()
		require.NoError(t, err, m.guard)
		require.NotEmpty(t, content)
		require.NotEqual(t, m.old, m.new, m.guard)
		source := testsOf(t, m.pkg)
		for test := range strings.SplitSeq(m.test, "|") {
			require.Contains(t, source, "\nfunc "+test+"(", "%s: no such test in %s", m.guard, m.pkg)
		}
	}
}

// testsOf is the source of the tests of a package.
func testsOf(t *testing.T, pkg string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(pkg, "*_test.go"))
	require.NoError(t, err)
	var source strings.Builder
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		source.Write(text)
	}
	return source.String()
}

// The table of docs/reliability.md has one row for each mutant, in their order, and a row
// names only tests that are run for its mutant.
func TestTheTableOfGuardsIsThatOfTheMutants(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/reliability.md")
	require.NoError(t, err)
	var listed, guards []string
	noticed := map[string]string{}
	for _, row := range tableAfter(t, string(page), "**Of statements and code**") {
		listed = append(listed, row[0])
		noticed[row[0]] = row[1]
	}
	for _, m := range mutants {
		guards = append(guards, m.guard)
	}
	require.Equal(t, guards, listed)
	for _, m := range mutants {
		names := regexp.MustCompile("`([^`]*)`").FindAllStringSubmatch(noticed[m.guard], -1)
		require.NotEmpty(t, names, "%s: its row names no test", m.guard)
		for _, name := range names {
			require.Contains(t, strings.Split(m.test, "|"), name[1], "%s: its row names a test that is not run for it", m.guard)
		}
	}
}

// tableAfter is the first table of two columns after a text of the page, without its head.
func tableAfter(t *testing.T, page, text string) (rows [][2]string) {
	t.Helper()
	_, after, found := strings.Cut(page, text)
	require.True(t, found, text)
	_, after, found = strings.Cut(after, "\n|---|---|\n")
	require.True(t, found, "a table after %s", text)
	for line := range strings.Lines(after) {
		first, second, ok := strings.Cut(strings.Trim(line, "| \n"), " | ")
		if !ok {
			break
		}
		rows = append(rows, [2]string{first, second})
	}
	return rows
}
