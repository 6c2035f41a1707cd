package docs_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// graph holds the imports of each package.
type graph map[string]map[string]bool

func (g graph) add(from, to string) {
	if from == to {
		return
	}
	if g[from] == nil {
		g[from] = map[string]bool{}
	}
	g[from][to] = true
}

// reaches reports whether a path of at least one arrow leads from one to the other.
func (g graph) reaches(from, to string) bool {
	for next := range g[from] {
		if next == to || g.reaches(next, to) {
			return true
		}
	}
	return false
}

// arrows are the imports along which no longer path leads, one in a line: of a graph
// without circles, as Go's is, there is only one such set.
func (g graph) arrows() []string {
	var arrows []string
	for from, all := range g {
		for to := range all {
			longer := false
			for other := range all {
				longer = longer || g.reaches(other, to)
			}
			if !longer {
				arrows = append(arrows, from+" --> "+to)
			}
		}
	}
	slices.Sort(arrows)
	return arrows
}

// imports are those of the module's packages without tests, under every build tag, each package by the name that
// nodeOf returns for it; those without a name are left out. The files are read here, not by `go list`, so that the
// cache of test results depends on them.
func imports(t *testing.T, nodeOf func(path string) string) graph {
	t.Helper()
	g := graph{}
	require.NoError(t, filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := entry.Name(); entry.IsDir() {
			if file != root && (name[0] == '.' || name == "testdata" || name == "node_modules") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") || strings.HasSuffix(file, "_test.go") {
			return nil
		}
		dir, err := filepath.Rel(root, filepath.Dir(file))
		require.NoError(t, err)
		from := nodeOf("levy/" + filepath.ToSlash(dir))
		if from == "" {
			return nil
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		require.NoError(t, err)
		for _, one := range parsed.Imports {
			path, err := strconv.Unquote(one.Path.Value)
			require.NoError(t, err)
			if to := nodeOf(path); to != "" {
				g.add(from, to)
			}
		}
		return nil
	}))
	return g
}

// folder is the top-level folder of a package; cmd/levy counts as one.
func folder(path string) string {
	own, ok := strings.CutPrefix(path, "levy/")
	name, _, _ := strings.Cut(own, "/")
	switch {
	case !ok || name == "test":
		return ""
	case name == "cmd":
		return own
	case name == "client": // the module in clients/go
		return "clients"
	default:
		return name
	}
}

// storePackage is the package of store; packages for tests have none.
func storePackage(path string) string {
	own, ok := strings.CutPrefix(path, "levy/store")
	if !ok || own == "/storetest" {
		return ""
	}
	if own == "" {
		return "store"
	}
	return own[1:]
}

// The pictures of docs/architecture.md show the imports of the code: every arrow is an import, and every import is an
// arrow or a path of arrows.
func TestThePicturesShowTheImports(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	require.NoError(t, err)
	for name, nodeOf := range map[string]func(string) string{"folders": folder, "store": storePackage} {
		require.Equal(t, imports(t, nodeOf).arrows(), drawn(t, string(page), name), "the picture of %s", name)
	}
}

// drawn are the arrows of the picture after the comment that names it.
func drawn(t *testing.T, page, name string) []string {
	t.Helper()
	_, after, found := strings.Cut(page, "<!-- picture: "+name+" -->\n```mermaid\n")
	require.True(t, found, "the picture of %s", name)
	picture, _, found := strings.Cut(after, "```")
	require.True(t, found)
	var arrows []string
	for line := range strings.Lines(picture) {
		from, all, ok := strings.Cut(strings.TrimSpace(line), " --> ")
		if !ok {
			continue
		}
		for one := range strings.SplitSeq(from, " & ") {
			for to := range strings.SplitSeq(all, " & ") {
				arrows = append(arrows, one+" --> "+to)
			}
		}
	}
	slices.Sort(arrows)
	return arrows
}

// The table of folders in the README names every folder that holds a package, and what it
// uses is what its packages import.
func TestTheTableOfFoldersShowsTheImports(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	_, after, found := strings.Cut(string(page), "| folder | holds | uses |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ := strings.Cut(after, "\n\n")
	g := imports(t, folder)
	code := regexp.MustCompile("`([^`]+)`")
	rows := map[string]bool{}
	for line := range strings.Lines(table + "\n") {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		require.Len(t, cells, 3, line)
		name := strings.Trim(cells[0], "`")
		rows[name] = true
		if name == "test" {
			continue
		}
		uses := map[string]bool{}
		for _, match := range code.FindAllStringSubmatch(cells[2], -1) {
			uses[match[1]] = true
		}
		require.ElementsMatch(t, slices.Collect(maps.Keys(g[name])), slices.Collect(maps.Keys(uses)), "what %s uses", name)
	}
	for from, all := range g {
		require.True(t, rows[from], "%s has no row", from)
		for to := range all {
			require.True(t, rows[to], "%s has no row", to)
		}
	}
}
