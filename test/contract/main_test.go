// Package contract_test holds the running service against its contract: every
// answer against api/openapi.yaml, every route against the access table, every
// request against its number of statements.
package contract_test

import (
	"flag"
	"fmt"
	"os"
	"testing"

	"levy/store/storetest"
)

func TestMain(m *testing.M) {
	flag.Parse()
	if err := seeded(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	storetest.Main(m)
}
