package service

import (
	"reflect"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
)

// A door has a Service and gets operations only from the session of a caller whom Enter has admitted.
func TestAServiceHasNoOperationWithoutASession(t *testing.T) {
	t.Parallel()
	operations, open := reflect.TypeFor[contract.Operations](), reflect.TypeFor[*Service]()
	for i := range operations.NumMethod() {
		name := operations.Method(i).Name
		_, found := open.MethodByName(name)
		require.False(t, found, "the service has %s without a check of the caller", name)
	}
	require.Implements(t, (*contract.Operations)(nil), new(Session))
}
