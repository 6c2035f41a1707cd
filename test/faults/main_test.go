// Package faults_test kills the parts of the service at chosen moments and under
// load, and checks that every accepted transaction was processed exactly once.
package faults_test

import (
	"flag"
	"testing"

	"levy/test/testbed"
)

func TestMain(m *testing.M) {
	// Many of these tests wait, for timeouts and leases: more of them than processors can run
	// at a time. Each starts processes that compute, so not many more.
	flag.Parse()
	if err := flag.Set("test.parallel", "3"); err != nil {
		panic(err)
	}
	testbed.Main(m)
}
