package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Linux counts the CPU time of processes in hundredths of a second, on every
// architecture that Go knows.
const ticksPerSecond = 100

// cpu is CPU time in seconds by whose it is. "others" is what the rest of the
// machine used: when it is large, the figures say little.
type cpu map[string]float64

// cpuNow reads the CPU time used so far. Outside Linux it is empty.
func (b *bench) cpuNow() cpu {
	machine, ok := machineBusy()
	if !ok {
		return nil
	}
	now := cpu{"bench": processCPU(os.Getpid(), false)}
	if b.postgres != nil {
		now["postgres"] = treeCPU(b.postgres.PID())
	}
	if b.temporal != nil {
		now["temporal"] = processCPU(b.temporal.PID(), false)
	}
	if b.api != nil {
		now["api"] = processCPU(b.api.PID(), false)
	}
	if b.worker != nil {
		now["worker"] = processCPU(b.worker.PID(), false)
	}
	if b.echo != nil {
		now["echo"] = processCPU(b.echo.PID(), false)
	}
	for _, seconds := range now {
		machine -= seconds
	}
	now["others"] = machine
	return now
}

func (c cpu) since(before cpu) cpu {
	used := cpu{}
	for name, seconds := range c {
		used[name] = max(0, seconds-before[name])
	}
	return used
}

func (c cpu) plus(more cpu) cpu {
	sum := cpu{}
	for name, seconds := range more {
		sum[name] = c[name] + seconds
	}
	return sum
}

// stat is what /proc reports about a process.
type stat struct {
	parent      int
	own, reaped float64 // seconds; reaped: of children that have ended
}

func readStat(pid int) (stat, bool) {
	content, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return stat{}, false
	}
	// The name in parentheses may hold anything; the fields after it are numbers.
	_, rest, ok := bytes.Cut(content[max(0, bytes.LastIndexByte(content, ')')):], []byte(" "))
	fields := strings.Fields(string(rest))
	if !ok || len(fields) < 15 {
		return stat{}, false
	}
	number := func(i int) float64 { n, _ := strconv.ParseFloat(fields[i], 64); return n }
	return stat{
		parent: int(number(1)),
		own:    (number(11) + number(12)) / ticksPerSecond,
		reaped: (number(13) + number(14)) / ticksPerSecond,
	}, true
}

func processCPU(pid int, withReaped bool) float64 {
	s, _ := readStat(pid)
	if withReaped {
		return s.own + s.reaped
	}
	return s.own
}

// treeCPU is the time of PostgreSQL: the main process, the children it has and
// those that have ended.
func treeCPU(pid int) float64 {
	total := processCPU(pid, true)
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return total
	}
	for _, entry := range entries {
		child, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if s, ok := readStat(child); ok && s.parent == pid {
			total += s.own + s.reaped
		}
	}
	return total
}

// machineBusy is the time that all CPUs worked; waiting for the disk is not work.
func machineBusy() (float64, bool) {
	content, err := os.ReadFile("/proc/stat")
	if err != nil {
		return 0, false
	}
	line, _, _ := strings.Cut(string(content), "\n")
	fields := strings.Fields(line)
	if len(fields) < 8 {
		return 0, false
	}
	total := 0.0
	for _, i := range []int{1, 2, 3, 6, 7} { // user, nice, system, interrupts
		n, _ := strconv.ParseFloat(fields[i], 64)
		total += n / ticksPerSecond
	}
	return total, true
}

// memory returns the memory of a process in MB. held is that of now, with its part of shared memory, such as the
// program of API and worker. peak is the maximum so far, with all of the shared memory.
func memory(pid int) (held, peak float64, err error) {
	if held, err = kilobytes(pid, "smaps_rollup", "Pss:"); err != nil {
		return 0, 0, err
	}
	peak, err = kilobytes(pid, "status", "VmHWM:")
	return held / 1024, peak / 1024, err
}

// kilobytes reads a figure of a file that describes a process.
func kilobytes(pid int, file, name string) (float64, error) {
	content, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), file))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(content)) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == name {
			return strconv.ParseFloat(fields[1], 64)
		}
	}
	return 0, fmt.Errorf("no %s of process %d in %s", name, pid, file)
}
