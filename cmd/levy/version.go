package main

import (
	"fmt"
	"regexp"
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

// taggedVersion is what `git describe` says of a commit that has a tag: no two programs
// share it.
var taggedVersion = regexp.MustCompile(`^v\d+\.\d+\.\d+$`)

// noBuildID switches the versioning of workers off.
const noBuildID = "none"

// buildID returns the name of the release for Temporal. Two programs with different workflows must not share it, so the
// name of a program without a tag contains a part of its own hash. The same program has the same name on every machine.
//
// The operator may set another name, or none.
func buildID(set, version string, program func() (string, error)) (string, error) {
	switch set {
	case "":
	case noBuildID:
		return "", nil
	default:
		return set, nil
	}
	if taggedVersion.MatchString(version) {
		return version, nil
	}
	path, err := program()
	if err != nil {
		return "", fmt.Errorf("find the program: %w", err)
	}
	sum, err := fileSHA256(path)
	if err != nil {
		return "", fmt.Errorf("read the program: %w", err)
	}
	return version + "-" + sum[:12], nil
}
