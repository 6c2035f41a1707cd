package docs_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var (
	readsExplanations = regexp.MustCompile(`(?:FROM|JOIN)\s+transaction_explanations\s+(\w+)`)
	formOfExplanation = regexp.MustCompile(`\b(?:body|packed)\b`)
)

// An explanation is stored in one of two forms, each in a column of its own. A statement that reads one of them by its
// name finds nothing where the other was stored: all read them by packed.Column.
func TestEveryStatementReadsBothFormsOfAnExplanation(t *testing.T) {
	t.Parallel()
	both := 0
	require.NoError(t, filepath.WalkDir(filepath.Join(root, "store"),
		func(path string, entry fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
				return err
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			ast.Inspect(parsed, func(n ast.Node) bool {
				expression, ok := n.(ast.Expr)
				if !ok {
					return true
				}
				statement, ok := textOf(expression)
				if !ok {
					return true
				}
				read := readsExplanations.FindStringSubmatch(statement)
				if read == nil {
					return false
				}
				require.NotRegexp(t, formOfExplanation, statement, "%s names one form; packed.Column reads both", path)
				require.NotContains(t, statement, read[1]+".*", "%s reads the forms apart; packed.Column reads both", path)
				both += strings.Count(statement, "(Column)")
				return false
			})
			return nil
		}))
	require.GreaterOrEqual(t, both, 4, "statements that read explanations are no longer found")
}

// textOf is the text of a statement, which may be joined of several. A call for a part of it is replaced by its name
// in brackets.
func textOf(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, e.Kind == token.STRING && err == nil
	case *ast.BinaryExpr:
		left, isLeft := textOf(e.X)
		right, isRight := textOf(e.Y)
		return left + right, e.Op == token.ADD && (isLeft || isRight)
	case *ast.CallExpr:
		if called, ok := e.Fun.(*ast.SelectorExpr); ok {
			return "(" + called.Sel.Name + ")", false
		}
	}
	return "", false
}
