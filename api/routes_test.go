package api

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/service"
)

func TestEveryOperationHasARoute(t *testing.T) {
	t.Parallel()
	s := emptyService(t)
	for _, route := range routes {
		op := s.Operation(route.Operation)
		require.NotNil(t, op, "%s %s", route.Method, route.Path)
		path := strings.NewReplacer("{", ":", "}", "").Replace(op.Path)
		require.Equal(t, route.Method+" "+route.Path, op.Method+" "+path)
	}
}

// emptyService is a service without records.
func emptyService(t *testing.T) *service.Service {
	t.Helper()
	s, err := service.New(service.Deps{}, service.Options{})
	require.NoError(t, err)
	return s
}
