// Package attack_test attacks the running service as its clients and strangers could,
// while another organization continues its work: nothing ends in a 500 or a panic,
// memory stays bounded, and the other is served.
package attack_test

import (
	"fmt"
	"os"
	"testing"

	"levy/test/testbed"
)

func TestMain(m *testing.M) {
	if description := os.Getenv(victimVariable); description != "" {
		if err := runVictimClient(description); err != nil {
			fmt.Fprintln(os.Stderr, "victim client:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(neighbourVariable) != "" {
		runNeighbour()
		return
	}
	testbed.Main(m)
}
