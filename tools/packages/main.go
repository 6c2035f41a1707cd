// Command packages makes of the programs of a release what machines install: packages for Debian and for RPM, and a
// container image in the layout of OCI. Then it writes the checksums of the release, and signs where it comes from. It
// needs no engine and no registry, and the same commit gives the same bytes.
//
// It has a module of its own: what it needs is no part of Levy.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// release is what the files are made of.
type release struct {
	dist    string    // folder with the programs, and for the files
	root    string    // folder of the repository
	version string    // such as v0.3.0-12-g883ed4e5
	commit  string    // of the repository
	time    time.Time // of the commit: it stands in all files
	program string    // runs on this machine, and prints completions and manual

	maintainer string
	key        string // file with the private key of the publisher; "" signs nothing
}

// architectures are those that programs, packages and images are for.
var architectures = []string{"amd64", "arm64"}

func main() {
	r := release{}
	flag.StringVar(&r.dist, "dist", "", "folder with the programs of make release")
	flag.StringVar(&r.root, "root", "../..", "folder of the repository")
	flag.StringVar(&r.version, "version", "", "name of the release, such as v1.2.3")
	flag.StringVar(&r.commit, "commit", "", "commit of the release")
	seconds := flag.Int64("time", 0, "time of the commit in seconds since 1970")
	flag.StringVar(&r.maintainer, "maintainer", "", "publisher of the packages: Name <address>")
	flag.Parse()
	r.time = time.Unix(*seconds, 0).UTC()
	r.key = os.Getenv("LEVY_CONTENT_SIGNING_KEY_FILE")
	r.program = r.at(r.programOf(runtime.GOOS, runtime.GOARCH))
	if r.dist == "" || r.version == "" || r.commit == "" || *seconds == 0 || r.maintainer == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := r.make(); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

// at is the path of a file of the release.
func (r release) at(name string) string { return filepath.Join(r.dist, name) }

// make writes all files of the release besides its programs, their parts and licences.
func (r release) make() error {
	if len(r.programs()) == 0 {
		return fmt.Errorf("%s has no program of %s: make release", r.dist, r.version)
	}
	if r.key != "" { // a key that cannot be read fails at once
		if _, err := readKey(r.key); err != nil {
			return err
		}
	}
	if built := r.architectures(); len(built) == 0 {
		fmt.Fprintln(os.Stderr, "There are no packages and no image: the release has no program for Linux.")
	} else if err := r.forLinux(built); err != nil {
		return err
	}
	sums, err := r.sums()
	if err != nil {
		return err
	}
	if r.key == "" {
		fmt.Fprintln(os.Stderr, "The release is not signed: LEVY_CONTENT_SIGNING_KEY_FILE names no key (levy content key makes one).")
		return nil
	}
	return r.provenance(sums)
}

// forLinux makes the packages and the image.
func (r release) forLinux(built []string) error {
	texts, err := r.texts()
	if err != nil {
		return err
	}
	for _, architecture := range built {
		if err := r.packages(architecture, texts); err != nil {
			return fmt.Errorf("packages for %s: %w", architecture, err)
		}
	}
	if err := r.image(built); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	return nil
}

// programs returns the paths of all programs of the release, also of those for other systems.
func (r release) programs() (found []string) {
	for _, system := range []string{"linux", "darwin"} {
		for _, architecture := range architectures {
			path := r.at(r.programOf(system, architecture))
			if _, err := os.Stat(path); err == nil {
				found = append(found, path)
			}
		}
	}
	return found
}

// architectures returns those that the folder has a program for.
func (r release) architectures() (built []string) {
	for _, architecture := range architectures {
		if _, err := os.Stat(r.at(r.programFor(architecture))); err == nil {
			built = append(built, architecture)
		}
	}
	return built
}

// programFor returns the name of the program for Linux.
func (r release) programFor(architecture string) string { return r.programOf("linux", architecture) }

// programOf returns the name that make release gives to a program.
func (r release) programOf(system, architecture string) string {
	return fmt.Sprintf("levy-%s-%s-%s", r.version, system, architecture)
}

// described is the name of a commit after a version, as tools/version.sh makes it.
var described = regexp.MustCompile(`^v(\d+\.\d+\.\d+)(?:-(\d+-g[0-9a-f]+))?(?:-(dirty))?$`)

// numbers returns the version as packages have it, and what follows it after a +: packages of later commits are newer.
func (r release) numbers() (version, metadata string) {
	match := described.FindStringSubmatch(r.version)
	if match == nil {
		return "0.0.0", regexp.MustCompile(`[^0-9A-Za-z]+`).ReplaceAllString(r.version, ".")
	}
	var after []string
	for _, part := range match[2:] {
		if part != "" {
			after = append(after, strings.ReplaceAll(part, "-", "."))
		}
	}
	return match[1], strings.Join(after, ".")
}

var errNoProgram = errors.New("completions and manual are printed by the program for this machine, which is missing: add its system to SYSTEMS")
