package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sample is a module whose packages end in every way in which a package can end.
var sample = map[string]string{
	"go.mod": "module sample\n\ngo 1.26\n",
	"good/good_test.go": "package good\nimport \"testing\"\nfunc TestGood(t *testing.T) { t.Log(\"unheard\"); " +
		"t.Run(\"part\", func(*testing.T) {}) }\nfunc TestAbsent(t *testing.T) { t.Skip(\"no such thing here\") }\n",
	"bad/bad_test.go": "package bad\nimport \"testing\"\nfunc TestBad(t *testing.T) { t.Run(\"part\", " +
		"func(t *testing.T) { t.Error(\"it is wrong\") }) }\nfunc TestFine(*testing.T) {}\n",
	"gone/gone_test.go": "package gone\nimport (\"os\"; \"testing\")\nfunc TestGone(t *testing.T) { println(\"last " +
		"words\"); os.Exit(3) }\n",
	"torn/torn_test.go": "package torn\nimport \"testing\"\nfunc TestTorn(t *testing.T) { missing() }\n",
	"none/none.go":      "package none\n",
}

// conclusion runs the tests of some packages of the sample.
func conclusion(t *testing.T, list string, ci bool, packages ...string) (out string, refused, succeeded bool) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range sample {
		require.NoError(t, os.MkdirAll(filepath.Join(dir, filepath.Dir(name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	may, err := maySkip(list)
	require.NoError(t, err)
	var text strings.Builder
	o := newOutcome(&text, false)
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-json"}, packages...)...)
	cmd.Dir = dir
	events, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	require.NoError(t, o.read(events))
	succeeded = cmd.Wait() == nil
	require.Empty(t, o.running, "nothing is kept of what has ended")
	refused = o.conclude(may, ci, succeeded)
	return regexp.MustCompile(`\d+\.\d+ ?s`).ReplaceAllString(text.String(), "0s"), refused, succeeded
}

func TestARunThatSucceedsSaysWhatWasSkipped(t *testing.T) {
	t.Parallel()
	out, refused, succeeded := conclusion(t, "", false, "./good")
	require.True(t, succeeded)
	require.False(t, refused, "people skip what their machine cannot do")
	require.Equal(t, "ok  \tsample/good\t0s\n\nSkipped on this machine:\n  sample/good TestAbsent: "+
		"no such thing here\n2 passed, 0 failed, 1 skipped\n", out)
	out, _, _ = conclusion(t, "", false, "./none")
	require.Equal(t, "?   \tsample/none\t[no test files]\n0 passed, 0 failed, 0 skipped\n", out)
}

func TestCISkipsOnlyWhatIsListed(t *testing.T) {
	t.Parallel()
	out, refused, _ := conclusion(t, "", true, "./good")
	require.True(t, refused)
	require.Contains(t, out, "\nThese had to be run (test/servers/skips.txt names what may be skipped):\n  sample/good "+
		"TestAbsent\nFAIL\n2 passed")
	_, refused, _ = conclusion(t, "# a comment\nsample/good TestAbsent it is nowhere\n", true, "./good")
	require.False(t, refused)
	_, err := maySkip("sample/good TestAbsent")
	require.ErrorContains(t, err, "reason")
}

func TestARunThatFailsSaysWhy(t *testing.T) {
	t.Parallel()
	out, _, succeeded := conclusion(t, "", false, "./good", "./bad")
	require.False(t, succeeded)
	require.Contains(t, out, "it is wrong")
	require.Contains(t, out, "--- FAIL: TestBad (0s)")
	require.Contains(t, out, "FAIL\tsample/bad\t0s")
	require.Regexp(t, `(?s)Failed, and why:\n  sample/bad TestBad/part\n +bad_test.go:3: it is wrong\n`, out)
	require.NotContains(t, out, "unheard")
	require.NotContains(t, out, "=== RUN")
	require.True(t, strings.HasSuffix(out, "FAIL\n3 passed, 2 failed, 1 skipped\n"), out)
}

// Nothing passes silently: neither a process that ends in the middle of a test nor a package that cannot be built.
func TestAPackageThatFailsWithoutATestIsAFailure(t *testing.T) {
	t.Parallel()
	out, _, succeeded := conclusion(t, "", false, "./gone")
	require.False(t, succeeded)
	require.Contains(t, out, "--- NOT ENDED: TestGone")
	require.Contains(t, out, "last words")
	require.True(t, strings.HasSuffix(out, "0 passed, 1 failed, 0 skipped\n"), out)
	out, _, succeeded = conclusion(t, "", false, "./torn")
	require.False(t, succeeded)
	require.Contains(t, out, "undefined: missing")
	require.True(t, strings.HasSuffix(out, "0 passed, 1 failed, 0 skipped\n"), out)
}

// Each entry of the list is a test that exists.
func TestTheListOfSkipsNamesTests(t *testing.T) {
	t.Parallel()
	may, err := maySkip(expectedSkips)
	require.NoError(t, err)
	for name := range may {
		folder := filepath.Join("../..", strings.TrimPrefix(name.pkg, "levy/"))
		files, err := filepath.Glob(filepath.Join(folder, "*_test.go"))
		require.NoError(t, err)
		function, _, _ := strings.Cut(name.test, "/")
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			found = found || strings.Contains(string(text), "func "+function+"(")
		}
		require.True(t, found, "%s has no %s", name.pkg, function)
	}
}
