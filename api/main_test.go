package api_test

import (
	"testing"

	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }
