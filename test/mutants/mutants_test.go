package main

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each guard is where it is taken out, and the test that must notice exists: the list
// follows the code.
func TestEveryMutantCanBeMade(t *testing.T) {
	t.Chdir("../..")
	for _, m := range mutants {
		content, err := m.without()
		require.NoError(t, err, m.guard)
		require.NotEmpty(t, content)
		require.NotEqual(t, m.old, m.new, m.guard)
		files, err := os.ReadDir(m.pkg)
		require.NoError(t, err, m.guard)
		declared := regexp.MustCompile(`(?m)^func (` + m.test + `)\(`)
		found := false
		for _, f := range files {
			text, err := os.ReadFile(m.pkg + "/" + f.Name())
			found = found || err == nil && declared.Match(text)
		}
		require.True(t, found, "%s: no test %s in %s", m.guard, m.test, m.pkg)
	}
}
