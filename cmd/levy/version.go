package main

import (
	"fmt"
	"runtime"
)

// version is set by the linker.
var version = "development"

type versionCmd struct{}

// Run prints one line.
func (versionCmd) Run(p *program) error {
	_, err := fmt.Fprintf(p.stdout, "levy %s %s %s/%s\n", version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}
