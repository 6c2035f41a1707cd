package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// cpuVariable says whether CPU time is measured.
const cpuVariable = "LEVY_TEST_CPU"

// meterCommand is the first argument with which `go test -exec` runs this program: a file and the command follow.
const meterCommand = "-meter"

// cost is the time that the tests of a package took, with all processes that they started and waited for.
type cost struct {
	folder          string
	user, sys, wall time.Duration
}

func (c cost) cpu() time.Duration { return c.user + c.sys }

func (c cost) String() string {
	return fmt.Sprintf("%7.1f s user %6.1f s sys %6.1f s wall  %s", c.user.Seconds(), c.sys.Seconds(), c.wall.Seconds(),
		c.folder)
}

// meter runs a command and appends to the file what it cost. It returns the command's exit code.
func meter(file string, command []string) (exit int) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, syscall.SIGQUIT, syscall.SIGINT, syscall.SIGTERM) // go test asks for stacks by the first
	begun := time.Now()
	err := cmd.Start()
	if err == nil {
		go func() {
			for s := range signals {
				_ = cmd.Process.Signal(s)
			}
		}()
		err = cmd.Wait()
	}
	if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
		fmt.Fprintln(os.Stderr, "servers:", err)
		return 1
	}
	folder, err := os.Getwd()
	if err == nil {
		err = appendCost(file, cost{folder, cmd.ProcessState.UserTime(), cmd.ProcessState.SystemTime(), time.Since(begun)})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		return 1
	}
	return max(cmd.ProcessState.ExitCode(), -cmd.ProcessState.ExitCode()) // a signal is -1
}

func appendCost(file string, c cost) error {
	out, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "%d %d %d %s\n", c.user, c.sys, c.wall, c.folder)
	return errors.Join(err, out.Close())
}

func readCosts(file string) (all []cost, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		var c cost
		if _, err := fmt.Sscan(line, &c.user, &c.sys, &c.wall, &c.folder); err != nil {
			return nil, err
		}
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b cost) int { return cmp.Compare(b.cpu(), a.cpu()) })
	return all, nil
}

// measure has a command that runs tests measured where LEVY_TEST_CPU is true. printCost, called when it has ended,
// prints what they cost, the most expensive package first.
func measure(c command, dir string) (measured command, printCost func(), err error) {
	if !wanted() {
		return c, func() {}, nil
	}
	self, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	file := filepath.Join(dir, "costs")
	measured = c.with("-exec", strings.Join([]string{self, meterCommand, file}, " "))
	return measured, func() { printCosts(file) }, nil
}

// printCosts prints the costs in a file, and what the go commands took besides.
func printCosts(file string) {
	all, err := readCosts(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, "servers:", err)
		return
	}
	fmt.Fprintln(os.Stdout, "\nThe CPU time of the tests, with the processes that they started:")
	sum := cost{folder: "all tests; the wall clock of each package, one after the other"}
	here, _ := os.Getwd()
	for _, c := range all {
		if inside, err := filepath.Rel(here, c.folder); err == nil {
			c.folder = inside
		}
		fmt.Fprintln(os.Stdout, c)
		sum.user, sum.sys, sum.wall = sum.user+c.user, sum.sys+c.sys, sum.wall+c.wall
	}
	fmt.Fprintln(os.Stdout, sum)
	compiled := spent()
	compiled.user, compiled.sys, compiled.folder = compiled.user-sum.user, compiled.sys-sum.sys, "compilers and linkers"
	fmt.Fprintln(os.Stdout, compiled)
}

// costOf stops the PostgreSQL that the tests share, and prints what that took where CPU time is measured.
func costOf(stop func() error) error {
	before, begun := spent(), time.Now()
	err := stop()
	after := spent()
	if wanted() {
		fmt.Fprintln(os.Stdout, cost{"the PostgreSQL that tests share", after.user - before.user,
			after.sys - before.sys, time.Since(begun)})
	}
	return err
}

// spent is the time of all processes that this one has waited for.
func spent() (c cost) {
	var r syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_CHILDREN, &r) == nil {
		c.user, c.sys = time.Duration(r.Utime.Nano()), time.Duration(r.Stime.Nano())
	}
	return c
}

func wanted() bool {
	is, _ := strconv.ParseBool(os.Getenv(cpuVariable))
	return is
}
