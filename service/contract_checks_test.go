package service

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/validate"
)

// A check that the contract names without code would check nothing, and code without a name would never run.
func TestEveryCheckOfTheContractIsMade(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct{ Schemas map[string]validate.Schema }
	}
	require.NoError(t, json.Unmarshal(contract.JSON, &document))
	named := map[string]bool{}
	for _, schema := range document.Components.Schemas {
		if schema.Check != "" {
			named[schema.Check] = true
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys((&Service{}).bodyChecks())), slices.Sorted(maps.Keys(named)))
}

// The contract describes each member of a refusal and each code of a fault.
func TestTheContractDescribesWhatRefusalsSay(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]struct{ Description string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(contract.JSON, &document))
	schemas := document.Components.Schemas
	for _, member := range inSources(t, "*.go internal/*/*.go ../api/*.go ../contract/problem/*.go", `\.With\("([a-z_]+)"`) {
		require.Contains(t, schemas["Problem"].Properties, member)
	}
	for _, code := range inSources(t, "../models/faults.go", `Field\w+ += "([a-z_]+)"`) {
		require.Contains(t, schemas["ProblemError"].Properties["code"].Description, code)
	}
}

// inSources returns the texts that a pattern captures in source files.
func inSources(t *testing.T, files, pattern string) (found []string) {
	t.Helper()
	var names []string
	for folder := range strings.SplitSeq(files, " ") {
		matches, err := filepath.Glob(folder)
		require.NoError(t, err)
		names = append(names, matches...)
	}
	for _, name := range names {
		source, err := os.ReadFile(name)
		require.NoError(t, err)
		for _, match := range regexp.MustCompile(pattern).FindAllSubmatch(source, -1) {
			found = append(found, string(match[1]))
		}
	}
	require.NotEmpty(t, found)
	return found
}
