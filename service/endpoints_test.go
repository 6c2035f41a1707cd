package service

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/contract/validate"
)

func TestEveryOperationHasAnEndpoint(t *testing.T) {
	t.Parallel()
	all, err := compileOperations(validate.Options{})
	require.NoError(t, err)
	require.Len(t, endpoints, len(all.byID))
	for id := range all.byID {
		require.NotNil(t, endpoints[id], id)
	}
}

// everyOperation lists the operations of the contract by id.
func everyOperation(t *testing.T) []*Operation {
	t.Helper()
	all, err := compileOperations(validate.Options{})
	require.NoError(t, err)
	list := make([]*Operation, 0, len(all.byID))
	for _, id := range slices.Sorted(maps.Keys(all.byID)) {
		list = append(list, all.byID[id])
	}
	return list
}

// enumOf lists the values of a schema of the contract.
func enumOf(t *testing.T, schema string) []string {
	t.Helper()
	var document struct {
		Components struct {
			Schemas map[string]struct{ Enum json.RawMessage }
		}
	}
	require.NoError(t, json.Unmarshal(contract.JSON, &document))
	var values []string
	require.NoError(t, json.Unmarshal(document.Components.Schemas[schema].Enum, &values))
	return values
}

// A call that takes longer than LastWrites allows reads, or is about returns, which need a registration.
func TestNoCallMakesSomethingLater(t *testing.T) {
	t.Parallel()
	for _, op := range everyOperation(t) {
		if op.Method != http.MethodGet && !strings.Contains(op.Path, "filing") {
			require.LessOrEqual(t, op.Timeout, longestWrite, op.ID)
		}
	}
}
