// Package nexus_test follows nexus from the first sale to the obligation, through the
// real service: HTTP, PostgreSQL and Temporal.
package nexus_test

import (
	"testing"

	"levy/test/testbed"
)

func TestMain(m *testing.M) { testbed.Main(m) }
