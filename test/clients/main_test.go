// Package clients_test has the clients of clients/ call the real service, and checks what their publication needs.
package clients_test

import (
	"flag"
	"testing"

	"levy/test/testbed"
)

// update rewrites where the files of the Go client name its path.
var update = flag.Bool("update", false, "write the path of the Go client, as its go.mod has it, into its files")

func TestMain(m *testing.M) { testbed.Main(m) }
