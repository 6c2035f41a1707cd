package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

// pages are the pages of the root and of docs, by their paths from the root.
func pages(t *testing.T) map[string]string {
	t.Helper()
	var files []string
	for _, pattern := range []string{"*.md", "docs/*.md", "docs/*/*.md"} {
		some, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		require.NoError(t, err)
		require.NotEmpty(t, some, pattern)
		files = append(files, some...)
	}
	found := map[string]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		name, err := filepath.Rel(root, file)
		require.NoError(t, err)
		found[name] = string(text)
	}
	return found
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every relative link leads to a file, and to a heading of it where it names one.
func TestLinksHaveATarget(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for name, text := range all {
		for _, match := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(match[1], "://") {
				continue
			}
			path, heading, _ := strings.Cut(match[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(filepath.Join(root, target)); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", name, match[1])
			} else if page, ok := all[target]; ok && heading != "" && !headings(page)[heading] {
				t.Errorf("%s: %s has no heading for the link to %s", name, target, match[1])
			}
		}
	}
}

// headings are the anchors of a page, as GitHub makes them.
func headings(page string) map[string]bool {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}\- _]`)
	found := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		found[strings.ReplaceAll(dropped.ReplaceAllString(strings.ToLower(match[1]), ""), " ", "-")] = true
	}
	return found
}

// planned are files that the pages for maintainers name, and that are about to be written.
var planned = map[string]bool{}

// Every folder and file of the project that a page names in code or in the text of a link
// exists, or is planned: a path that begins with a folder of the top level.
func TestPathsExist(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(root)
	require.NoError(t, err)
	var names []string
	for _, folder := range folders {
		if folder.IsDir() && !strings.HasPrefix(folder.Name(), ".") {
			names = append(names, regexp.QuoteMeta(folder.Name()))
		}
	}
	path := regexp.MustCompile("[`\\[]((?:\\./)?(?:" + strings.Join(names, "|") + ")/[\\w./-]+)[`\\]]")
	count := 0
	for name, text := range pages(t) {
		for _, match := range path.FindAllStringSubmatch(text, -1) {
			count++
			if _, err := os.Stat(filepath.Join(root, match[1])); err != nil && !planned[match[1]] {
				t.Errorf("%s names %s, which does not exist", name, match[1])
			}
		}
	}
	require.Greater(t, count, 30)
}

// Every target of make that a page names exists.
func TestTargetsOfMakeExist(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	require.NoError(t, err)
	targets := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^([a-z][a-z-]*):`).FindAllStringSubmatch(string(makefile), -1) {
		targets[match[1]] = true
	}
	named := regexp.MustCompile("(?m)`(?:[A-Z_]+=\\S+ )*make ([a-z][a-z-]*)[^`]*`|^make ([a-z][a-z-]*)(?: +#|$)")
	count := 0
	for name, text := range pages(t) {
		for _, match := range named.FindAllStringSubmatch(text, -1) {
			count++
			if target := match[1] + match[2]; !targets[target] {
				t.Errorf("%s: make has no target %s", name, target)
			}
		}
	}
	require.Greater(t, count, 10)
}

// Every name of the code that a page has in code, such as `UpdateFiling`, `next_check_at` or
// `LEVY_HOME`, occurs in the sources.
func TestNamesOfTheCodeExist(t *testing.T) {
	t.Parallel()
	words := map[string]bool{}
	word := regexp.MustCompile(`\w+`)
	require.NoError(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() {
			if path != root && (name[0] == '.' || name == "testdata" || name == "node_modules" || name == "data") {
				return filepath.SkipDir
			}
			return nil
		}
		switch filepath.Ext(path) {
		case ".go", ".sh", ".sql", ".yaml":
		default:
			if entry.Name() != "Makefile" {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		for _, name := range word.FindAll(text, -1) {
			words[string(name)] = true
		}
		return err
	}))
	code := regexp.MustCompile("`([A-Za-z_][\\w.]*)(?:\\(\\))?`")
	named := regexp.MustCompile(`[a-z][A-Z]|_`)
	count := 0
	for page, text := range pages(t) {
		for _, match := range code.FindAllStringSubmatch(text, -1) {
			for name := range strings.SplitSeq(match[1], ".") {
				if !named.MatchString(name) {
					continue
				}
				count++
				if !words[name] {
					t.Errorf("%s: nothing in the code is called %s", page, name)
				}
			}
		}
	}
	require.Greater(t, count, 300)
}
