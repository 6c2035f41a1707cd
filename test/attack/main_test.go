// Package attack_test attacks the running service as its clients and strangers could,
// while another organization goes on with its work: nothing ends in a 500 or a panic,
// memory stays bounded, and the other is served.
package attack_test

import (
	"fmt"
	"os"
	"testing"

	"levy/test/testbed"
)

func TestMain(m *testing.M) {
	if told := os.Getenv(witnessVariable); told != "" {
		if err := witnessed(told); err != nil {
			fmt.Fprintln(os.Stderr, "witness:", err)
			os.Exit(1)
		}
		return
	}
	if os.Getenv(neighbourVariable) != "" {
		neighbouring()
		return
	}
	testbed.Main(m)
}
