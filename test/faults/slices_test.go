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

// slice is one run of faults under load: what it takes to repeat it, and what came of it. Runs add up over days, each
// of them short.
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
	Requests int            `json:"requests"`           // records that clients asked for, each as often as they did
	Accepted int            `json:"accepted"`           // of them
	Compared int            `json:"compared"`           // transactions that were held against what clients know
	Replaced int            `json:"replaced,omitempty"` // runs that Levy took for stuck
	Seconds  float64        `json:"seconds"`
	Failed   bool           `json:"failed"`
	Findings []string       `json:"findings,omitempty"` // what a run that failed was at, and answers that no client should get
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
	return fmt.Sprintf("%d runs in %.0f minutes: %d faults, %d kills (%s), %d requests, %d accepted, %d transactions compared",
		a.runs, a.seconds/60, a.faults, kills, strings.Join(names, ", "), a.requests, a.accepted, a.compared)
}

// sumOf adds up the runs of a file: all, and those that compared what there is with what clients know. Others say
// nothing about loss.
func sumOf(from io.Reader) (string, error) {
	var all, compared sums
	var failed []string
	lines := json.NewDecoder(bufio.NewReader(from))
	for {
		var s slice
		if err := lines.Decode(&s); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		all.add(s)
		if s.Compared > 0 {
			compared.add(s)
		}
		if s.Failed {
			failed = append(failed, fmt.Sprintf("%s of seed %d at %s", s.Test, s.Seed, strings.Join(s.Findings, "; ")))
		}
	}
	text := fmt.Sprintf("%s. Compared to the end: %s. %d failed", &all, &compared, len(failed))
	if len(failed) > 0 {
		text += ": " + strings.Join(failed, ", ")
	}
	return text, nil
}

// keep adds the run to the file of `make chaos` when it ends, however it ends, and says what all runs there sum up to.
func (r *faultRun) keep(s slice) {
	if os.Getenv(wideVariable) == "" {
		return
	}
	s.Began, s.Test, s.Temporal = time.Now().UTC(), r.t.Name(), cmp.Or(os.Getenv(testbed.OwnTemporalVariable), "dev")
	r.t.Cleanup(func() {
		if r.load == nil {
			return // it has not begun
		}
		s.Faults, s.Killed, s.Seconds = r.happened, r.fate.killed.names, time.Since(s.Began).Seconds()
		s.Requests, s.Accepted, s.Compared, s.Replaced = r.book.size(), r.book.count(accepted), r.compared, r.replaced
		s.Failed = r.t.Failed()
		if s.Failed {
			s.Findings = append([]string{r.step}, r.load.said()...)
		}
		sum, err := s.addTo()
		if err != nil {
			r.t.Errorf("the run is not kept: %s", err)
			return
		}
		r.t.Log(sum)
	})
}

// addTo adds a run to the file, and says what all runs there sum up to.
func (s slice) addTo() (sum string, err error) {
	path, err := slicesFile()
	if err != nil {
		return "", err
	}
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
	for _, s := range []slice{
		{Test: "A", Seed: 1, Faults: 10, Killed: map[string]int{"api": 2, "worker": 1}, Requests: 100, Accepted: 90, Compared: 80, Seconds: 60},
		{Test: "B", Seed: 2, Faults: 5, Killed: map[string]int{"api": 1}, Requests: 50, Accepted: 40, Seconds: 120, Failed: true,
			Findings: []string{"the comparison"}},
	} {
		require.NoError(t, addSlice(path, s))
	}
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	sum, err := sumOf(file)
	require.NoError(t, err)
	require.Equal(t, "2 runs in 3 minutes: 15 faults, 4 kills (api 3, worker 1), 150 requests, 130 accepted, 80 transactions compared. "+
		"Compared to the end: 1 runs in 1 minutes: 10 faults, 3 kills (api 2, worker 1), 100 requests, 90 accepted, 80 transactions compared. "+
		"1 failed: B of seed 2 at the comparison", sum)
}
