// Package words_test holds the language of the code: words that may not appear in names, comments and names of files,
// and the form of the sentences in comments.
//
// The folders of clean.txt are checked. To see the faults of others, or their number in each folder:
//
//	go test ./test/words -args -list store/... cmd/levy
//	go test ./test/words -args -counts ./...
//
// With -tests before the folders both read the files of tests, too.
package words_test

import (
	"cmp"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const root = "../.."

var (
	listed  = flag.Bool("list", false, "print the faults in the folders that follow")
	counted = flag.Bool("counts", false, "print the number of faults of each folder below the folders that follow")
	tests   = flag.Bool("tests", false, "read the files of tests, too")
)

// banned are words with no meaning in the field of sales tax or of software.
var banned = regexp.MustCompile(`(?i)\b(?:whoever|somebody|verdicts?|standstills?|struggl\w*|astray|` +
	`wait(?:s|ed|ing)? in vain|(?:come|comes|came|coming) to rest)\b`)

// exceptions are places that keep a banned word, because others store it or read it.
var exceptions = []struct{ file, name, reason string }{}

// fault is a break of a rule at a line of a file.
type fault struct {
	file string // from the root, with slashes
	line int
	text string
}

func (f fault) String() string { return fmt.Sprintf("%s:%d: %s", f.file, f.line, f.text) }

func TestCleanFoldersKeepTheRulesOfLanguage(t *testing.T) {
	t.Parallel()
	folders, withTests := cleanFolders(t)
	faults, err := faultsOf(folders, false)
	require.NoError(t, err)
	inTests, err := faultsOf(withTests, true)
	require.NoError(t, err)
	for _, f := range append(faults, inTests...) {
		t.Error(f)
	}
}

// TestMain lists the faults of the folders that are named if a flag asks for them, else it runs the tests.
func TestMain(m *testing.M) {
	flag.Parse()
	if !*listed && !*counted {
		os.Exit(m.Run())
	}
	faults, err := faultsOf(flag.Args(), *tests)
	if err != nil || len(flag.Args()) == 0 {
		_, _ = fmt.Fprintln(os.Stderr, "name folders, such as ./... or store/filings:", err)
		os.Exit(2)
	}
	if *listed {
		for _, f := range faults {
			_, _ = fmt.Fprintln(os.Stdout, f)
		}
	}
	byFolder := map[string]int{}
	for _, f := range faults {
		byFolder[path.Dir(f.file)]++
	}
	for _, folder := range slices.Sorted(maps.Keys(byFolder)) {
		_, _ = fmt.Fprintf(os.Stdout, "%6d %s\n", byFolder[folder], folder)
	}
	if len(faults) > 0 {
		os.Exit(1) // only then `go test` shows the output
	}
}

// cleanFolders reads clean.txt: one folder a line, with /... for all below it, and "with tests" if its tests are clean.
func cleanFolders(t *testing.T) (folders, withTests []string) {
	t.Helper()
	text, err := os.ReadFile("clean.txt")
	require.NoError(t, err)
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		pattern, tested := strings.CutSuffix(line, " with tests")
		require.DirExists(t, filepath.Join(root, strings.TrimSuffix(pattern, "/...")), "clean.txt")
		if tested {
			withTests = append(withTests, pattern)
		} else {
			folders = append(folders, pattern)
		}
	}
	return folders, withTests
}

// faultsOf returns the faults in the folders of the patterns, such as tax or store/..., by file and line.
func faultsOf(patterns []string, withTests bool) (faults []fault, err error) {
	err = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if file != root && (name[0] == '.' || name == "testdata" || name == "node_modules" || name == "bin" || name == "dist") {
				return filepath.SkipDir
			}
			return nil
		}
		relative, err := filepath.Rel(root, file)
		if err != nil {
			return err
		}
		relative = filepath.ToSlash(relative)
		isTest := strings.HasSuffix(name, "_test.go")
		if !matches(patterns, path.Dir(relative)) || isTest && !withTests {
			return nil
		}
		faults = append(faults, faultsOfName(relative)...)
		if !strings.HasSuffix(name, ".go") || strings.HasPrefix(relative, "test/words/") { // its own tests quote faults
			return nil
		}
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		found, err := faultsOfFile(relative, source)
		faults = append(faults, found...)
		return err
	})
	slices.SortStableFunc(faults, func(a, b fault) int {
		return cmp.Or(cmp.Compare(a.file, b.file), cmp.Compare(a.line, b.line))
	})
	return faults, err
}

// matches reports whether one of the patterns names the folder.
func matches(patterns []string, folder string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
		above, whole := strings.CutSuffix(pattern, "...")
		above = strings.TrimSuffix(above, "/")
		return folder == above || whole && (above == "" || strings.HasPrefix(folder, above+"/"))
	})
}

func faultsOfName(file string) []fault {
	words := strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(path.Base(file))
	if word := banned.FindString(words); word != "" && !excepted(file, path.Base(file)) {
		return []fault{{file, 1, "the name of the file has " + word}}
	}
	return nil
}

// faultsOfFile returns the faults of a file of Go in the order of its lines; none if it is generated.
func faultsOfFile(file string, source []byte) (faults []fault, err error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil || ast.IsGenerated(parsed) {
		return nil, err
	}
	report := func(line int, format string, args ...any) {
		faults = append(faults, fault{file, line, fmt.Sprintf(format, args...)})
	}
	for _, id := range declared(parsed) {
		if word := banned.FindString(wordsOf(id.Name)); word != "" && !excepted(file, id.Name) {
			report(set.Position(id.Pos()).Line, "the name %s has %s", id.Name, strings.ToLower(word))
		}
	}
	for _, group := range parsed.Comments {
		for _, s := range sentencesOf(linesOf(set, group)) {
			if word := banned.FindString(s.text()); word != "" && !excepted(file, strings.ToLower(word)) {
				report(s.line, "the comment has %s: %s", strings.ToLower(word), s.text())
			}
			if n := s.length(); n > longest {
				report(s.line, "a sentence of %d words, at most %d are allowed: %s", n, longest, s.text())
			}
			if word := s.beginsWithoutNoun(); word != "" {
				report(s.line, "a sentence begins with %q, a relative clause needs its noun: %s", word, s.text())
			}
		}
	}
	slices.SortStableFunc(faults, func(a, b fault) int { return cmp.Compare(a.line, b.line) })
	return faults, nil
}

func excepted(file, name string) bool {
	for _, e := range exceptions {
		if e.name == name && (e.file == "" || e.file == file) {
			return true
		}
	}
	return false
}

// declared returns the names that a file declares. Names that it only uses are declared elsewhere, perhaps by others.
func declared(file *ast.File) (names []*ast.Ident) {
	addExpressions := func(all ...ast.Expr) {
		for _, one := range all {
			if id, ok := one.(*ast.Ident); ok {
				names = append(names, id)
			}
		}
	}
	names = append(names, file.Name)
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			names = append(names, n.Name)
		case *ast.TypeSpec:
			names = append(names, n.Name)
		case *ast.ValueSpec:
			names = append(names, n.Names...)
		case *ast.Field:
			names = append(names, n.Names...)
		case *ast.ImportSpec:
			if n.Name != nil {
				names = append(names, n.Name)
			}
		case *ast.LabeledStmt:
			names = append(names, n.Label)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				addExpressions(n.Lhs...)
			}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE {
				addExpressions(n.Key, n.Value)
			}
		}
		return true
	})
	return names
}

var humps = regexp.MustCompile(`([a-z0-9])([A-Z])|([A-Z])([A-Z][a-z])`)

// wordsOf splits a name into its words: waitsInVain is "waits In Vain".
func wordsOf(name string) string {
	return humps.ReplaceAllString(strings.ReplaceAll(name, "_", " "), "$1$3 $2$4")
}
