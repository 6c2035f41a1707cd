package faults_test

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/test/testbed"
)

// slice is one short run of faults under load: its parameters, with which it can be repeated, and its results. The
// results of many runs are added up.
type slice struct {
	Began    time.Time      `json:"began"`
	Test     string         `json:"test"`
	Temporal string         `json:"temporal"` // the server: LEVY_TEST_OWN_TEMPORAL
	Seed     int            `json:"seed"`
	Posts    int            `json:"posts"` // LEVY_FAULTS_POSTS
	Count    int            `json:"count"` // LEVY_FAULTS_COUNT
	Dense    bool           `json:"dense,omitempty"`
	Faults   int            `json:"faults"`             // that happened
	Killed   map[string]int `json:"killed"`             // processes while they served the load, by name
	Requests int            `json:"requests"`           // requests of clients, with repeats
	Accepted int            `json:"accepted"`           // of them
	Compared int            `json:"compared"`           // transactions that were compared with what clients know
	Replaced int            `json:"replaced,omitempty"` // runs that Levy replaced as stuck
	Seconds  float64        `json:"seconds"`
	// Unfinished is a run that goes on or was interrupted: only the last line of a run counts.
	Unfinished bool     `json:"unfinished,omitempty"`
	Failed     bool     `json:"failed"`
	Findings   []string `json:"findings,omitempty"` // what a failed run was doing, and answers that no client should get
}

// slicesFile is where runs of `make chaos` are kept, in the state folder.
func slicesFile() (string, error) {
	bin, err := local.BinDir()
	return filepath.Join(filepath.Dir(bin), "chaos.jsonl"), err
}

// addSlice appends a run to the file, in one write: several tests may end at the same moment.
func addSlice(path string, s slice) error {
	line, err := json.Marshal(s)
	if err != nil {
		return err
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(line, '\n'))
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// sums are what runs add up to.
type sums struct {
	runs, faults, requests, accepted, compared int
	killed                                     map[string]int
	seconds                                    float64
}

func (a *sums) add(s slice) {
	a.runs, a.faults, a.seconds = a.runs+1, a.faults+s.Faults, a.seconds+s.Seconds
	a.requests, a.accepted, a.compared = a.requests+s.Requests, a.accepted+s.Accepted, a.compared+s.Compared
	if a.killed == nil {
		a.killed = map[string]int{}
	}
	for name, n := range s.Killed {
		a.killed[name] += n
	}
}

func (a *sums) String() string {
	kills, names := 0, []string{}
	for _, name := range slices.Sorted(maps.Keys(a.killed)) {
		kills += a.killed[name]
		names = append(names, fmt.Sprintf("%s %d", name, a.killed[name]))
	}
	return fmt.Sprintf("%d runs in %.0f minutes: %d faults, %d kills (%s), %d requests, %d accepted, "+
		"%d transactions compared",
		a.runs, a.seconds/60, a.faults, kills, strings.Join(names, ", "), a.requests, a.accepted, a.compared)
}

// lastLines are the last lines of each run of a file, in the order in which the runs began.
func lastLines(from io.Reader) (all []slice, err error) {
	type run struct {
		began string
		test  string
	}
	places, lines := map[run]int{}, json.NewDecoder(bufio.NewReader(from))
	for {
		var s slice
		if err := lines.Decode(&s); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		of := run{s.Began.Format(time.RFC3339Nano), s.Test}
		if place, known := places[of]; known {
			all[place] = s
			continue
		}
		places[of] = len(all)
		all = append(all, s)
	}
}

// sumOf adds up the runs of a file: all, those that compared everything there is with what clients know, and those that
// were interrupted or go on, which compared what was accepted until then. Others say nothing about loss.
func sumOf(from io.Reader) (string, error) {
	runs, err := lastLines(from)
	if err != nil {
		return "", err
	}
	var all, compared, unfinished sums
	var failed []string
	for _, s := range runs {
		all.add(s)
		switch {
		case s.Unfinished:
			unfinished.add(s)
		case s.Compared > 0:
			compared.add(s)
		}
		if s.Failed {
			failed = append(failed, fmt.Sprintf("%s of seed %d at %s", s.Test, s.Seed, strings.Join(s.Findings, "; ")))
		}
	}
	text := fmt.Sprintf("%s. Compared to the end: %s. Unfinished: %s. %d failed", &all, &compared, &unfinished,
		len(failed))
	if len(failed) > 0 {
		text += ": " + strings.Join(failed, ", ")
	}
	return text, nil
}

// keep adds the run to the file of `make chaos` when it ends, however it ends, and says what all runs there sum up to.
func (r *faultRun) keep(s slice) {
	r.t.Helper()
	if os.Getenv(wideVariable) == "" {
		return
	}
	s.Began, s.Test, s.Temporal = time.Now().UTC(), r.t.Name(), cmp.Or(os.Getenv(testbed.OwnTemporalVariable), "dev")
	var err error
	r.path, err = slicesFile()
	require.NoError(r.t, err)
	r.slice = s
	r.t.Cleanup(func() {
		if r.load == nil {
			return // it has not begun
		}
		last := r.line(!r.comparedAll)
		if last.Failed = r.t.Failed(); last.Failed {
			last.Findings = append([]string{r.step}, r.load.findings()...)
		}
		sum, err := last.addTo(r.path)
		if err != nil {
			r.t.Errorf("the run is not kept: %s", err)
			return
		}
		r.t.Log(sum)
	})
}

// line is the result of the run so far.
func (r *faultRun) line(unfinished bool) slice {
	s := r.slice
	s.Faults, s.Killed, s.Seconds = int(r.happened.Load()), r.nemesis.killed.byName(), time.Since(s.Began).Seconds()
	s.Requests, s.Accepted, s.Compared, s.Replaced = r.ledger.size(), r.ledger.count(accepted), int(r.compared.Load()),
		r.replaced
	s.Unfinished = unfinished
	if s.Findings = r.load.findings(); len(s.Findings) > 0 {
		s.Failed = true
	}
	return s
}

// addTo adds a run to a file, and says what all runs there sum up to.
func (s slice) addTo(path string) (sum string, err error) {
	if err := addSlice(path, s); err != nil {
		return "", err
	}
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum, err = sumOf(file)
	return fmt.Sprintf("all runs of %s: %s", path, sum), err
}

func TestRunsAddUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chaos.jsonl")
	first, second, third := time.Unix(1, 0).UTC(), time.Unix(2, 0).UTC(), time.Unix(3, 0).UTC()
	for _, s := range []slice{
		{Began: first, Test: "A", Faults: 4, Killed: map[string]int{"api": 1}, Requests: 40, Accepted: 30, Compared: 20,
			Seconds: 30, Unfinished: true},
		{Began: second, Test: "B", Seed: 2, Faults: 5, Killed: map[string]int{"api": 1}, Requests: 50, Accepted: 40,
			Seconds: 120, Failed: true,
			Findings: []string{"the comparison"}},
		{Began: first, Test: "A", Seed: 1, Faults: 10, Killed: map[string]int{"api": 2, "worker": 1}, Requests: 100,
			Accepted: 90, Compared: 80, Seconds: 60},
		{Began: third, Test: "A", Faults: 1, Requests: 20, Accepted: 10, Compared: 7, Seconds: 60, Unfinished: true},
		{Began: third, Test: "A", Faults: 2, Killed: map[string]int{"api": 1}, Requests: 30, Accepted: 20, Compared: 17,
			Seconds: 120, Unfinished: true},
	} {
		require.NoError(t, addSlice(path, s))
	}
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	sum, err := sumOf(file)
	require.NoError(t, err)
	require.Equal(t, "3 runs in 5 minutes: 17 faults, 5 kills (api 4, worker 1), 180 requests, 150 accepted, "+
		"97 transactions compared. "+
		"Compared to the end: 1 runs in 1 minutes: 10 faults, 3 kills (api 2, worker 1), 100 requests, 90 accepted, "+
		"80 transactions compared. "+
		"Unfinished: 1 runs in 2 minutes: 2 faults, 1 kills (api 1), 30 requests, 20 accepted, 17 transactions compared. "+
		"1 failed: B of seed 2 at the comparison", sum)
}
