package pg_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Codes of errors of PostgreSQL are in two files: those that the store tells apart, and those of outages, which
// activities know too. Everything else asks these files.
func TestCodesOfErrorsAreInTwoFiles(t *testing.T) {
	t.Parallel()
	code := regexp.MustCompile(`^"(08|2[0-9A-F]|3[0-9B-F]|4[0-4]|5[3-8]|P0|XX)[0-9A-Z]{3}"$`)
	have := map[string]bool{"store/pg/errors.go": false, "models/errors.go": false}
	root := filepath.Join("..", "..")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.IsDir() && (entry.Name() == "test" || strings.HasPrefix(entry.Name(), ".") && path != root) {
			return filepath.SkipDir
		}
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			literal, ok := n.(*ast.BasicLit)
			if !ok || literal.Kind != token.STRING || !code.MatchString(literal.Value) {
				return true
			}
			name, err := filepath.Rel(root, path)
			require.NoError(t, err)
			name = filepath.ToSlash(name)
			require.Contains(t, have, name, "%s has the code %s", name, literal.Value)
			have[name] = true
			return true
		})
		return nil
	})
	require.NoError(t, err)
	for name, found := range have {
		require.True(t, found, name)
	}
}
