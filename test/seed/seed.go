// Package seed is the source of random values in tests. They are the same in every run of `make test`, so that it is
// deterministic, and different in each run of `make chaos`. In a test that imports it, package rapid begins with the
// seed, too.
package seed

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"sync"
	"time"

	_ "pgregory.net/rapid" // defines the flag
)

// Variable is a number, or "random" for another one in each run; unset: 1.
const Variable = "LEVY_TEST_SEED"

// rapidFlag is where package rapid takes its seed from; one on the command line counts more.
const rapidFlag = "rapid.seed"

func init() {
	if err := flag.Set(rapidFlag, fmt.Sprint(Seed())); err != nil {
		panic(err)
	}
}

// Seed is that of this run. A test that draws by itself prints it (Again) when it fails.
var Seed = sync.OnceValue(func() uint64 {
	switch text := os.Getenv(Variable); text {
	case "":
		return 1
	case "random":
		return uint64(time.Now().UnixNano())
	default:
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", Variable, err))
		}
		return n
	}
})

// Again is how to draw the same once more.
func Again() string { return fmt.Sprintf("%s=%d", Variable, Seed()) }
