package main

import (
	"os"
	"runtime/debug"
)

// memoryGoal is what a process tries to stay within: it collects garbage more often
// before it takes more. What is really needed beyond it is still taken.
const memoryGoal = 256 << 20

// boundMemory sets the goal, unless GOMEMLIMIT says another one.
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
}
