// Command mutants takes one guard out of the service after the other and runs the test
// that must notice: a test that stays green without the guard proves nothing. The tree is
// left as it is; the compiler is given another version of one file.
//
//	go run ./test/mutants          all of them, some minutes
//	go run ./test/mutants claim    those whose name contains the word
//
// The table that it prints is the one of docs/reliability.md.
package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
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
	guard          string // what is taken out
	file, old, new string // how: old stands in the file once
	pkg, test      string // who must notice
}

// without is the difference that the guard makes.
func (m mutant) without() overlay.Edit { return overlay.Edit{File: m.file, Old: m.old, New: m.new} }

// verdict is what became of a mutant.
type verdict struct {
	mutant
	noticed []string // the tests that failed
	waited  bool     // for ever, one of them: or this machine is too slow to tell
	took    time.Duration
}

func run(ctx context.Context, words []string) error {
	var verdicts []verdict
	for _, m := range mutants {
		if len(words) > 0 && !strings.Contains(m.guard, strings.Join(words, " ")) {
			continue
		}
		v, err := try(ctx, m)
		if err != nil {
			return fmt.Errorf("%s: %w", m.guard, err)
		}
		verdicts = append(verdicts, v)
		fmt.Fprintf(os.Stderr, "%s: %s\n", m.guard, result(v))
	}
	survivors := 0
	fmt.Fprint(os.Stdout, "| guard taken out | what notices |\n|---|---|\n")
	for _, v := range verdicts {
		noticed := "nothing"
		if len(v.noticed) > 0 {
			noticed = "`" + strings.Join(v.noticed, "`, `") + "`"
		} else {
			survivors++
		}
		fmt.Fprintf(os.Stdout, "| %s | %s |\n", v.guard, noticed)
	}
	if survivors > 0 {
		return fmt.Errorf("%d of %d guards can be taken out and no test notices", survivors, len(verdicts))
	}
	return nil
}

func result(v verdict) string {
	if len(v.noticed) == 0 {
		return "NOT NOTICED by " + v.test
	}
	how := "in"
	if v.waited {
		how = "that waited for " + limit + ", in"
	}
	return fmt.Sprintf("noticed by %s %s %s", strings.Join(v.noticed, ", "), how, v.took.Round(time.Second))
}

// limit is for a test that without its guard waits for ever.
const limit = "180s"

// failing are the tests that failed, or waited for ever, in what `go test` prints.
var failing = regexp.MustCompile(`(?m)^--- FAIL: (\S+)|^\t\t(Test[^/\s]+) \(`)

// try runs the test of a mutant.
func try(ctx context.Context, m mutant) (verdict, error) {
	dir, err := os.MkdirTemp("", "levy-mutant-*")
	if err != nil {
		return verdict{}, err
	}
	defer os.RemoveAll(dir)
	other, err := overlay.Write(dir, m.without())
	if err != nil {
		return verdict{}, err
	}
	began := time.Now()
	test := exec.CommandContext(ctx, "go", "test", "-vet=off", "-count=1", "-timeout", limit, "-overlay", other, "-run", "^("+m.test+")$", m.pkg)
	out, err := test.CombinedOutput()
	v := verdict{mutant: m, took: time.Since(began)}
	if err == nil {
		if strings.Contains(string(out), "no tests to run") {
			return v, fmt.Errorf("there is no test %s in %s", m.test, m.pkg)
		}
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
