// Package contract_test holds the running service against its contract: every
// answer against api/openapi.yaml, every route against the access table, every
// request against its number of statements.
package contract_test

import (
	"testing"

	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
