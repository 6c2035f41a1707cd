package workflows

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/workflow"
)

// activityOptions are all options of activities, by the name of their variable.
var activityOptions = map[string]workflow.ActivityOptions{
	"stageOptions":     stageOptions,
	"heartbeatOptions": heartbeatOptions,
	"stepOptions":      stepOptions,
	"undoOptions":      undoOptions,
	"recordOptions":    recordOptions,
	"submitOptions":    submitOptions,
	"askOptions":       askOptions,
	"expiryOptions":    expiryOptions,
	"planOptions":      planOptions,
	"sliceOptions":     sliceOptions,
	"endOptions":       endOptions,
	"deliverOptions":   deliverOptions,
	"nexusOptions":     nexusOptions,
	"recountOptions":   recountOptions,
	"fetchOptions":     fetchOptions,

	"acknowledgementOptions": acknowledgementOptions,
}

// After an outage, all waiting work continues within a minute. By default the retry interval grows to a hundred times
// the first one, and a call without a retry policy has that default.
func TestWaitsAfterAnOutageAreCappedAtAMinute(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, outagePause, time.Minute, "of returns whose transactions are not processed yet")
	for name, options := range activityOptions {
		require.NotNil(t, options.RetryPolicy, name)
		require.Positive(t, options.RetryPolicy.MaximumInterval, name)
		require.LessOrEqual(t, options.RetryPolicy.MaximumInterval, time.Minute, name)
	}
	for name, file := range declaredOptions(t) {
		require.Contains(t, slices.Collect(maps.Keys(activityOptions)), name, "options of %s", file)
	}
}

// An authority that holds a call until its two minutes are over leaves the activity time to note that.
func TestCallsOfAnAuthorityEndBeforeTheirActivity(t *testing.T) {
	t.Parallel()
	for _, options := range []workflow.ActivityOptions{submitOptions, askOptions} {
		require.GreaterOrEqual(t, options.StartToCloseTimeout, 3*time.Minute)
	}
}

// declaredOptions returns the files of the program that create options of activities, by the name of their variable.
// Options without a variable have the name of the file.
func declaredOptions(t *testing.T) map[string]string {
	t.Helper()
	declared := map[string]string{}
	require.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (path == "../test" || strings.HasPrefix(entry.Name(), ".") && path != ".."):
			return fs.SkipDir
		case entry.IsDir(), !strings.HasSuffix(path, ".go"), strings.HasSuffix(path,
			"_test.go"), strings.HasSuffix(path, ".gen.go"):
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		named := map[ast.Node]string{}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, value := range n.Values {
					named[value] = n.Names[i].Name
				}
			case *ast.CompositeLit:
				made, ok := n.Type.(*ast.SelectorExpr)
				if ok && (made.Sel.Name == "ActivityOptions" || made.Sel.Name == "LocalActivityOptions") {
					name, ok := named[n]
					if !ok {
						name = path
					}
					declared[name] = path
				}
			}
			return true
		})
		return nil
	}))
	require.NotEmpty(t, declared)
	return declared
}
