package main

import (
	_ "embed"
	"fmt"
	"strings"
)

// expectedSkips are the tests that may be skipped where CI is true, one in each line: the package, the test with its
// subtests, and why.
//
//go:embed skips.txt
var expectedSkips string

// maySkip reads the list.
func maySkip(list string) (tests map[testName]string, err error) {
	tests = map[testName]string{}
	for line := range strings.Lines(list) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fields := strings.SplitN(line, " ", 3)
		if len(fields) != 3 || fields[2] == "" {
			return nil, fmt.Errorf("a skip needs its package, its test and a reason: %s", line)
		}
		tests[testName{fields[0], fields[1]}] = fields[2]
	}
	return tests, nil
}

// unexpected are the skips that are not on the list. A test whose subtests may be skipped is not one of them. A machine
// may lack a program. So where CI is not true, only tests that another target of make runs have to be on the list.
func unexpected(skips []testReason, may map[testName]string, ci bool) (more []testReason) {
	for _, s := range skips {
		if _, ok := may[s.testName]; !ok && (ci || strings.HasPrefix(s.reason, "make ")) {
			more = append(more, s)
		}
	}
	return more
}

// conclude lists what was skipped on this machine and what failed, and prints the last lines. It reports whether skips
// are a failure.
func (o *outcome) conclude(may map[testName]string, ci, succeeded bool) (refused bool) {
	if ci {
		fmt.Fprintln(o.out, "\nThe slowest tests:")
		for _, t := range o.slowest {
			fmt.Fprintf(o.out, "  %6.1f s  %s %s\n", t.took.Seconds(), t.pkg, t.test)
		}
	}
	if len(o.skips) > 0 {
		fmt.Fprintln(o.out, "\nSkipped on this machine:")
	}
	for _, s := range o.skips {
		fmt.Fprintf(o.out, "  %s %s: %s\n", s.pkg, s.test, s.reason)
	}
	if more := unexpected(o.skips, may, ci); len(more) > 0 {
		refused = true
		fmt.Fprintln(o.out, "\nThese had to be run (test/servers/skips.txt names what may be skipped):")
		for _, s := range more {
			fmt.Fprintf(o.out, "  %s %s\n", s.pkg, s.test)
		}
	}
	if len(o.reasons) > 0 {
		fmt.Fprintln(o.out, "\nFailed, and why:")
	}
	for _, w := range o.reasons {
		fmt.Fprintf(o.out, "  %s %s\n%s", w.pkg, w.test, w.reason)
	}
	if refused || !succeeded {
		fmt.Fprintln(o.out, "FAIL")
	}
	fmt.Fprintf(o.out, "%d passed, %d failed, %d skipped\n", o.passed, o.failed, o.skipped)
	return refused
}
