// Command mutants removes one guard of the service after the other and runs the test that must fail then. A test that
// passes without the guard proves nothing. The tree is not changed; the compiler gets another version of one file.
//
//	go run ./test/mutants          all of them, some minutes
//	go run ./test/mutants claim    those whose name contains the word
//
// Its output belongs to the list in docs/reliability-appendix.md.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"levy/test/overlay"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "mutants:", err)
		os.Exit(1)
	}
}

// mutant is the service without one guard.
type mutant struct {
	guard  string // the guard; its marker has this name
	change change // how
	test   string // tests that must fail; several with | between them
}

// outcome is the result of a mutant.
type outcome struct {
	mutant
	noticed []string // the tests that failed
	waited  bool     // one of them for ever, or this machine is too slow
	took    time.Duration
}

func run(ctx context.Context, words []string) error {
	marked, err := guards(".")
	if err != nil {
		return err
	}
	tests, err := testsBy(".")
	if err != nil {
		return err
	}
	var outcomes []outcome
	for _, m := range mutants {
		if len(words) > 0 && !strings.Contains(m.guard, strings.Join(words, " ")) {
			continue
		}
		v, err := try(ctx, m, marked, tests)
		if err != nil {
			return fmt.Errorf("%s: %w", m.guard, err)
		}
		outcomes = append(outcomes, v)
		fmt.Fprintf(os.Stderr, "%s: %s\n", m.guard, result(v))
	}
	survivors := 0
	fmt.Fprint(os.Stdout, "| guard taken out | what notices |\n|---|---|\n")
	for _, v := range outcomes {
		noticed := "nothing"
		if len(v.noticed) > 0 {
			noticed = "`" + strings.Join(v.noticed, "`, `") + "`"
		} else {
			survivors++
		}
		fmt.Fprintf(os.Stdout, "| %s | %s |\n", v.guard, noticed)
	}
	if survivors > 0 {
		return fmt.Errorf("%d of %d guards can be removed without a failing test", survivors, len(outcomes))
	}
	return nil
}

func result(v outcome) string {
	if len(v.noticed) == 0 {
		return "NOT NOTICED by " + v.test
	}
	how := "in"
	if v.waited {
		how = "that waited for " + limit + ", in"
	}
	return fmt.Sprintf("noticed by %s %s %s", strings.Join(v.noticed, ", "), how, v.took.Round(time.Second))
}

// limit is the timeout of a test that waits for ever without its guard.
const limit = "180s"

// failing are the tests that failed, or waited for ever, in the output of `go test`.
var failing = regexp.MustCompile(`(?m)^--- FAIL: (\S+)|^\t\t(Test[^/\s]+) \(`)

// try runs the test of a mutant.
func try(ctx context.Context, m mutant, marked map[string][]place, tests map[string][]string) (outcome, error) {
	file, text, err := m.without(marked)
	if err != nil {
		return outcome{}, err
	}
	packages, err := m.packages(tests)
	if err != nil {
		return outcome{}, err
	}
	dir, err := os.MkdirTemp("", "levy-mutant-*")
	if err != nil {
		return outcome{}, err
	}
	defer os.RemoveAll(dir)
	other, err := overlay.Put(dir, map[string]string{file: text})
	if err != nil {
		return outcome{}, err
	}
	began := time.Now()
	arguments := []string{"test", "-vet=off", "-count=1", "-timeout", limit, "-overlay", other, "-run", "^(" + m.test +
		")$"}
	test := exec.CommandContext(ctx, "go", append(arguments, packages...)...)
	out, err := test.CombinedOutput()
	v := outcome{mutant: m, took: time.Since(began)}
	if err == nil {
		return v, nil
	}
	if strings.Contains(string(out), "[build failed]") {
		return v, fmt.Errorf("it does not compile without the guard:\n%s", out)
	}
	for _, failed := range failing.FindAllStringSubmatch(string(out), -1) {
		v.noticed = append(v.noticed, failed[1]+failed[2])
		v.waited = v.waited || failed[2] != ""
	}
	if len(v.noticed) == 0 {
		return v, fmt.Errorf("the test could not run: %w\n%s", err, out)
	}
	return v, ctx.Err()
}

// packages are those of the tests that must fail.
func (m mutant) packages(tests map[string][]string) (packages []string, err error) {
	for test := range strings.SplitSeq(m.test, "|") {
		if len(tests[test]) == 0 {
			return nil, fmt.Errorf("there is no test %s", test)
		}
		for _, folder := range tests[test] {
			if pkg := "./" + filepath.ToSlash(folder); !slices.Contains(packages, pkg) {
				packages = append(packages, pkg)
			}
		}
	}
	return packages, nil
}
