package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const testVersion = "v1.2.3-4-gabcdef0"

// TestMain removes the release that the tests share.
func TestMain(m *testing.M) {
	code := m.Run()
	if shared.folder != "" {
		_ = os.RemoveAll(shared.folder)
	}
	os.Exit(code)
}

var shared struct {
	once   sync.Once
	folder string
	err    error
}

// emulators are the programs that run those of an architecture elsewhere.
var emulators = map[string]string{"amd64": "qemu-x86_64-static", "arm64": "qemu-aarch64-static"}

// bothVariable is the variable that asks for the program of the other architecture, too. It takes minutes to compile.
const bothVariable = "PACKAGES_BOTH"

// made returns a release whose program for this machine is Levy. The program of the other architecture is Levy, too, where it is
// asked for, and else no program. The tests share it.
func made(t *testing.T) release {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("the programs in packages and images are for Linux, and are started here")
	}
	shared.once.Do(func() {
		if shared.folder, shared.err = os.MkdirTemp("", "levy-release-"); shared.err == nil {
			shared.err = makeShared(testRelease(shared.folder))
		}
	})
	require.NoError(t, shared.err)
	return testRelease(shared.folder)
}

func testRelease(folder string) release {
	r := release{
		dist: filepath.Join(folder, "dist"), root: "../..", version: testVersion, commit: strings.Repeat("ab", 20),
		time: time.Unix(1_800_000_000, 0).UTC(), maintainer: "Levy <levy@example.invalid>", key: filepath.Join(folder, "key"),
	}
	r.program = r.at(r.programFor(runtime.GOARCH))
	return r
}

func makeShared(r release) error {
	files := map[string]string{"THIRD_PARTY_NOTICES.txt": "notices", r.programFor(other()): "no program"}
	compiled := []string{runtime.GOARCH}
	if os.Getenv(bothVariable) != "" {
		delete(files, r.programFor(other()))
		compiled = append(compiled, other())
	}
	for _, architecture := range compiled {
		build := exec.Command("go", "build", "-ldflags", "-s -w -X main.version="+testVersion, "-o",
			mustAbs(r.at(r.programFor(architecture))), "./cmd/levy")
		build.Dir, build.Env = r.root, append(os.Environ(), "CGO_ENABLED=0", "GOARCH="+architecture)
		if out, err := build.CombinedOutput(); err != nil {
			return fmt.Errorf("%w: %s", err, out)
		}
	}
	if out, err := exec.Command(r.program, "content", "key", r.key).CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	for name, content := range files {
		if err := os.WriteFile(r.at(name), []byte(content), 0o755); err != nil {
			return err
		}
	}
	return r.make()
}

func mustAbs(path string) string {
	absolute, err := filepath.Abs(path)
	if err != nil {
		panic(err)
	}
	return absolute
}

// other is the architecture that this machine is not.
func other() string {
	return architectures[(slices.Index(architectures, runtime.GOARCH)+1)%len(architectures)]
}

// filesBelow returns the regular files below a folder, with what they contain.
func filesBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	found := map[string]string{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found["/"+strings.TrimPrefix(strings.TrimPrefix(path, folder), "/")] = string(content)
		return err
	}))
	return found
}

// The same programs and the same commit give the same bytes, whenever and with whatever rights their files were made.
func TestTheSameCommitGivesTheSameBytes(t *testing.T) {
	once := func(at time.Time, mode os.FileMode) map[string]string {
		folder := t.TempDir()
		r := testRelease(folder)
		require.NoError(t, os.Mkdir(r.dist, 0o755))
		for _, architecture := range architectures {
			path := r.at(r.programFor(architecture))
			require.NoError(t, os.WriteFile(path, []byte("#!/bin/sh\necho \"$@\"\n"), mode))
			require.NoError(t, os.Chtimes(path, at, at))
		}
		require.NoError(t, os.WriteFile(r.at("THIRD_PARTY_NOTICES.txt"), []byte("notices"), 0o600))
		r.key = "" // a script names no version of Go
		require.NoError(t, r.make())
		return filesBelow(t, r.dist)
	}
	first, second := once(time.Unix(1, 0), 0o700), once(time.Now(), 0o755)
	require.Len(t, first, 9)
	require.Contains(t, first["/SHA256SUMS"], "  levy_1.2.3+4.gabcdef0-1_amd64.deb\n")
	for name, content := range first {
		require.True(t, content == second[name], "%s differs", name)
	}

	r := made(t)
	sums, err := r.sums()
	require.NoError(t, err)
	one, err := r.statement(sums)
	require.NoError(t, err)
	two, err := r.statement(sums)
	require.NoError(t, err)
	require.Equal(t, string(one), string(two))
	require.NoError(t, r.provenance(sums))
}

// Packages of later commits are newer than those of the version before them.
func TestNumbersOfPackages(t *testing.T) {
	for version, want := range map[string]string{
		"v0.3.0": "0.3.0+", "v0.3.0-12-g883ed4e5": "0.3.0+12.g883ed4e5", "v0.3.0-12-g883ed4e5-dirty": "0.3.0+12.g883ed4e5.dirty",
		"v0.3.0-dirty": "0.3.0+dirty", "883ed4e5-dirty": "0.0.0+883ed4e5.dirty", "development": "0.0.0+development",
	} {
		number, metadata := release{version: version}.numbers()
		require.Equal(t, want, number+"+"+metadata, version)
	}
}

// Without a program there is no release, and without the one of this machine no completions.
func TestMissingProgramsAreNamed(t *testing.T) {
	r := testRelease(t.TempDir())
	require.NoError(t, os.Mkdir(r.dist, 0o755))
	require.ErrorContains(t, r.make(), "has no program of "+testVersion+": make release")
	require.NoError(t, os.WriteFile(r.at(r.programFor(other())), nil, 0o755))
	require.ErrorIs(t, r.make(), os.ErrNotExist, "no key")
	require.NoFileExists(t, r.at(sumsFile))
	r.key = ""
	require.ErrorIs(t, r.make(), errNoProgram)
}

// A release for macOS only has sums and its origin, and no packages.
func TestAReleaseWithoutLinuxHasNoPackages(t *testing.T) {
	r := testRelease(t.TempDir())
	r.key = made(t).key
	require.NoError(t, os.Mkdir(r.dist, 0o755))
	program, err := os.ReadFile(made(t).program)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(r.at("levy-"+testVersion+"-darwin-arm64"), program, 0o755))
	require.NoError(t, r.make())
	files := filesBelow(t, r.dist)
	require.Len(t, files, 3)
	require.Contains(t, files["/"+sumsFile], "-darwin-arm64\n")
	require.Contains(t, files, "/"+provenanceFile)
}
