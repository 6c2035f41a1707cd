package docs_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each promise about security names its test, or says that there is none. That the tests exist is checked where attacks
// are run. A promise is a row of a table whose last column is "test".
func TestEachPromiseOfSecurityNamesItsTest(t *testing.T) {
	t.Parallel()
	named := regexp.MustCompile("`(Test|Fuzz)[A-Z]\\w+`")
	for page, least := range map[string]int{"security.md": 40, "threat-model.md": 45} {
		text, err := os.ReadFile(filepath.Join(root, "docs", page))
		require.NoError(t, err)
		promises, isPromise := 0, false
		for line := range strings.Lines(string(text)) {
			cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
			last := strings.TrimSpace(cells[len(cells)-1])
			switch {
			case !strings.HasPrefix(line, "|"):
				isPromise = false
			case last == "test":
				isPromise = true
			case isPromise && !strings.HasPrefix(line, "|---"):
				promises++
				if !named.MatchString(last) && !strings.HasPrefix(last, "not tested") {
					t.Errorf("%s: no test is named for %s", page, strings.TrimSpace(cells[0]))
				}
			}
		}
		require.GreaterOrEqual(t, promises, least, page)
	}
}

// Every case of the suite of attacks that the threat model names is one of it.
func TestTheThreatModelNamesRealAttacks(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join(root, "docs", "threat-model.md"))
	require.NoError(t, err)
	files, err := filepath.Glob(filepath.Join(root, "test", "attack", "*_test.go"))
	require.NoError(t, err)
	var sources strings.Builder
	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		sources.Write(source)
	}
	count := 0
	for _, list := range regexp.MustCompile("`TestAttacks` \\(([^)]*)\\)").FindAllStringSubmatch(string(text), -1) {
		for _, name := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(list[1], -1) {
			count++
			require.Regexp(t, `(?m)^func (\([^)]*\) )?`+name[1]+`\(`, sources.String(), name[1])
		}
	}
	require.Greater(t, count, 10)
}
