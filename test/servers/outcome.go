package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// event is a line of `go test -json`.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// keepAtMost bounds what is kept of the output of one test until it is known how it ends: its end is the most useful
// part.
const keepAtMost = 256 << 10

// outcome turns the events of a run of tests into what `go test` prints without -json, and keeps count. Of tests that
// pass nothing is kept: it needs the memory of those that run.
type outcome struct {
	out     io.Writer
	verbose bool // everything is printed as it comes

	running                 map[testName]*bytes.Buffer
	failures                map[string]int // of tests, by package
	passed, failed, skipped int
	skips                   []testReason
	reasons                 []testReason // of the tests that failed
	slowest                 []timed
}

type testName struct{ pkg, test string }

// testReason is the message of a test: why it was skipped, or why it failed.
type testReason struct {
	testName
	reason string
}

type timed struct {
	testName
	took time.Duration
}

func newOutcome(out io.Writer, verbose bool) *outcome {
	return &outcome{out: out, verbose: verbose, running: map[testName]*bytes.Buffer{}, failures: map[string]int{}}
}

// read reads events until the end. It passes other lines on, such as messages of the go command.
func (o *outcome) read(in io.Reader) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if line[0] != '{' || json.Unmarshal(line, &e) != nil {
				fmt.Fprintf(o.out, "%s", line)
			} else {
				o.take(e)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (o *outcome) take(e event) {
	name := testName{e.Package, e.Test}
	switch e.Action {
	case "build-output":
		fmt.Fprint(o.out, e.Output)
	case "output":
		o.output(name, e.Output)
	case "pass", "fail", "skip":
		if e.Test == "" {
			o.endPackage(e)
			return
		}
		o.endTest(name, e)
	}
}

func (o *outcome) output(name testName, text string) {
	if o.verbose {
		fmt.Fprint(o.out, text)
	}
	kept := o.running[name]
	if kept == nil {
		kept = &bytes.Buffer{}
		o.running[name] = kept
	}
	if kept.Len()+len(text) > keepAtMost {
		kept.Next(kept.Len() / 2)
	}
	kept.WriteString(text)
}

func (o *outcome) endTest(name testName, e event) {
	text := o.taken(name)
	switch e.Action {
	case "pass":
		o.passed++
	case "skip":
		o.skipped++
		o.skips = append(o.skips, testReason{name, reasonOf(text)})
	case "fail":
		o.failed++
		o.failures[name.pkg]++
		o.reasons = append(o.reasons, testReason{name, whyOf(text)})
		o.print(text)
	}
	if !strings.Contains(name.test, "/") {
		o.slowest = append(o.slowest, timed{name, time.Duration(e.Elapsed * float64(time.Second))})
		slices.SortFunc(o.slowest, func(a, b timed) int { return int(b.took - a.took) })
		o.slowest = o.slowest[:min(len(o.slowest), 10)]
	}
}

// endPackage prints how a package ended. One that failed and none of its tests counts itself: it could not be built,
// or its process ended. Then the output of the tests that had begun is printed.
func (o *outcome) endPackage(e event) {
	text := o.taken(testName{pkg: e.Package})
	if e.Action != "fail" {
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
				o.print(line)
			}
		}
		return
	}
	var begun []testName
	for name := range o.running {
		if name.pkg == e.Package {
			begun = append(begun, name)
		}
	}
	slices.SortFunc(begun, func(a, b testName) int { return strings.Compare(a.test, b.test) })
	for _, name := range begun {
		o.print(fmt.Sprintf("--- NOT ENDED: %s\n%s", name.test, o.taken(name)))
		o.failures[e.Package]++
		o.failed++
	}
	if o.failures[e.Package] == 0 {
		o.failed++
	}
	o.print(text)
}

func (o *outcome) taken(name testName) string {
	kept := o.running[name]
	delete(o.running, name)
	if kept == nil {
		return ""
	}
	return kept.String()
}

// print prints output without the lines that say which test runs now; with -v everything is printed already.
func (o *outcome) print(text string) {
	if o.verbose {
		return
	}
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "=== ") {
			fmt.Fprint(o.out, line)
		}
	}
}

// reasonOf is what a test said when it was skipped: the last line but that which says so, without the place.
func reasonOf(text string) string {
	reason := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "=== ") || strings.HasPrefix(line, "--- SKIP") {
			continue
		}
		reason = line
		if place, said, found := strings.Cut(line, ": "); found && strings.Contains(place, ".go:") {
			reason = said
		}
	}
	return reason
}

const whyLines = 30

// whyOf returns the output of a failed test without its log and the logs of servers. It begins with the first failed
// assertion, or with the first line without one.
func whyOf(text string) string {
	begin := strings.Index(text, "Error Trace:")
	if begin < 0 {
		begin = strings.Index(text, ".go:")
	}
	if begin < 0 {
		return "" // its subtests say it
	}
	begin = strings.LastIndexByte(text[:begin], '\n') + 1
	var why strings.Builder
	lines := 0
	for line := range strings.Lines(text[begin:]) {
		said := strings.TrimSpace(line)
		if lines++; lines > whyLines || strings.HasPrefix(said, "Test:") || strings.HasPrefix(said, "--- FAIL") {
			break
		}
		if len(line) > 400 {
			line = line[:400] + "...\n"
		}
		why.WriteString(line)
	}
	return why.String()
}
