package seed_test

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/test/seed"
)

func TestRapidBeginsWithTheSeed(t *testing.T) {
	t.Parallel()
	require.Equal(t, fmt.Sprint(seed.Seed()), flag.Lookup("rapid.seed").Value.String())
	require.Equal(t, seed.Variable+"="+fmt.Sprint(seed.Seed()), seed.Again())
}

// byChance finds what no test may begin with: the clock as a seed, and generators that have one of their own.
var byChance = regexp.MustCompile(`UnixNano\(\)|rand\.(Int|Uint|N\(|Float|Shuffle|Perm|Seed)\w*\(|"testing/quick"`)

// mayUseTheClock are files in which the time is no seed.
var mayUseTheClock = map[string]bool{"test/seed/seed_test.go": true}

// A package that draws has the seed of package seed, and nothing else is drawn.
func TestWhatIsDrawnHasTheSeed(t *testing.T) {
	t.Parallel()
	draws, seeded := map[string]string{}, map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() &&
			(name == "node_modules" || name == "testdata" || len(name) > 2 && name[0] == '.') {
			return filepath.SkipDir
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, folder := filepath.ToSlash(path)[len("../../"):], filepath.Dir(path)
		if strings.Contains(string(text), `"pgregory.net/rapid"`) {
			draws[folder] = name
		}
		seeded[folder] = seeded[folder] || strings.Contains(string(text), `"levy/test/seed"`)
		if !mayUseTheClock[name] {
			require.Empty(t, byChance.FindAllString(string(text), -1), "%s draws by chance: take package seed", name)
		}
		return nil
	}))
	require.NotEmpty(t, draws)
	for folder, name := range draws {
		require.True(t, seeded[folder], "%s draws, and nothing of its package imports package seed", name)
	}
}
