// Command release creates the files of a release of Levy. These are static programs for Linux and macOS on two
// architectures, their list of parts (SBOM), and the licences of all parts. It also creates the files from which Docker
// makes an image. tools/packages adds packages, an image and checksums. The same commit gives the same bytes, on any
// machine at any time.
package main

import (
	"debug/buildinfo"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// targets are the systems that a release is for.
var targets = []target{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}}

type target struct{ os, arch string }

func main() {
	out := flag.String("out", "dist", "folder for the files")
	version := flag.String("version", "", "name of the release, such as v1.2.3")
	systems := flag.String("systems", "", "only these, such as linux/amd64,darwin/arm64: to check them, not for a release")
	commit := flag.Int64("time", 0,
		"time of the commit in seconds since 1970: it stands in all files instead of that of the build")
	notices := flag.String("notices", "", "write only the licences of all parts, packed, into this file")
	root := flag.String("root", ".", "folder of the module, for -notices")
	flag.Parse()
	if *notices != "" {
		if err := writeNotices(*root, *notices); err != nil {
			fmt.Fprintln(os.Stderr, "release:", err)
			os.Exit(1)
		}
		return
	}
	of, err := chosen(*systems)
	if *version == "" || flag.NArg() > 0 || err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		flag.Usage()
		os.Exit(2)
	}
	if err := release(*out, *version, of, time.Unix(*commit, 0).UTC(), os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// chosen are the targets of a list; all of them when it is empty.
func chosen(list string) (of []target, err error) {
	if list == "" {
		return targets, nil
	}
	for name := range strings.SplitSeq(list, ",") {
		at := slices.IndexFunc(targets, func(t target) bool { return t.os+"/"+t.arch == name })
		if at < 0 {
			return nil, fmt.Errorf("no release is for %s", name)
		}
		of = append(of, targets[at])
	}
	return of, nil
}

// release fills the folder out, which it makes; files of an earlier release there are replaced.
func release(out, version string, targets []target, at time.Time, log io.Writer) error {
	if err := os.RemoveAll(out); err != nil {
		return err
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	var all []*buildinfo.BuildInfo
	for _, t := range targets {
		name := fmt.Sprintf("levy-%s-%s-%s", version, t.os, t.arch)
		if err := build(t, version, filepath.Join(out, name), log); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		info, err := buildinfo.ReadFile(filepath.Join(out, name))
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, info)
	}
	parts, err := partsOf(all)
	if err != nil {
		return err
	}
	sbom, err := sbomOf(version, at, all[0].GoVersion, parts)
	if err != nil {
		return err
	}
	notices, err := noticesOf(".", parts)
	if err != nil {
		return err
	}
	for name, content := range map[string][]byte{
		"levy-" + version + ".cdx.json": sbom, "THIRD_PARTY_NOTICES.txt": notices,
	} {
		if err := os.WriteFile(filepath.Join(out, name), content, 0o644); err != nil {
			return err
		}
	}
	image := "levy-" + version + "-image.tar.gz"
	if err := imageContext(out, image, version, targets, at); err != nil {
		return fmt.Errorf("%s: %w", image, err)
	}
	return nil
}

// build compiles one program: without C, without paths and state of this machine.
func build(t target, version, to string, log io.Writer) error {
	fmt.Fprintln(log, "build", filepath.Base(to))
	abs, err := filepath.Abs(to)
	if err != nil {
		return err
	}
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-mod=readonly",
		"-ldflags", "-s -w -buildid= -X main.version="+version, "-o", abs, "./cmd/levy")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOAMD64=v1", "GOARM64=v8.0",
		"GOOS="+t.os, "GOARCH="+t.arch)
	cmd.Stdout, cmd.Stderr = log, log
	return cmd.Run()
}
