package api

import (
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api/validate"
)

// A name in the contract without a check would check nothing, and a check without a name would never run.
func TestEveryCheckOfTheContractIsMade(t *testing.T) {
	t.Parallel()
	var document struct {
		Components struct{ Schemas map[string]validate.Schema }
	}
	require.NoError(t, json.Unmarshal(contractJSON, &document))
	named := map[string]bool{}
	for _, schema := range document.Components.Schemas {
		if schema.Check != "" {
			named[schema.Check] = true
		}
	}
	require.Equal(t, slices.Sorted(maps.Keys((&Server{}).bodyChecks())), slices.Sorted(maps.Keys(named)))
}
