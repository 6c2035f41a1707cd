package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A line that names no test excuses nothing, or the next test of that name. Names of subtests are not read.
func TestEveryExpectedSkipIsATest(t *testing.T) {
	t.Parallel()
	may, err := maySkip(expectedSkips)
	require.NoError(t, err)
	of := map[string]string{} // the tests of a package
	for name := range may {
		if of[name.pkg] == "" {
			files, err := filepath.Glob(filepath.Join("../..", strings.TrimPrefix(name.pkg, "levy/"), "*_test.go"))
			require.NoError(t, err)
			for _, file := range files {
				text, err := os.ReadFile(file)
				require.NoError(t, err)
				of[name.pkg] += string(text)
			}
		}
		test, _, _ := strings.Cut(name.test, "/")
		begin := regexp.MustCompile(`(?m)^func ` + test + `\(t \*testing\.T\)`)
		require.True(t, begin.MatchString(of[name.pkg]), "%s %s", name.pkg, test)
	}
}

// `make faults` runs what the list names: a test that is not on it runs nowhere.
func TestATestOfAnotherTargetIsOnTheListEverywhere(t *testing.T) {
	t.Parallel()
	kill := testReason{testName{"levy/a", "TestKill"}, "make faults runs it"}
	node := testReason{testName{"levy/a", "TestNode"}, "it needs Node"}
	skips := []testReason{kill, node}
	require.Equal(t, []testReason{kill}, unexpected(skips, nil, false))
	require.Equal(t, skips, unexpected(skips, nil, true))
	require.Empty(t, unexpected(skips, map[testName]string{kill.testName: "", node.testName: ""}, true))
}
