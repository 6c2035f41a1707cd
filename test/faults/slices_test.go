package faults_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/local"
)

// slice is one run of faults under load: what it takes to repeat it, and what came of it. Runs add up over days, each
// of them short.
type slice struct {
	Began    time.Time `json:"began"`
	Test     string    `json:"test"`
	Seed     int       `json:"seed"`
	Posts    int       `json:"posts"` // LEVY_FAULTS_POSTS
	Dense    bool      `json:"dense,omitempty"`
	Faults   int       `json:"faults"`
	Kills    int       `json:"kills"`
	Requests int       `json:"requests"` // that clients sent
	Accepted int       `json:"accepted"` // of them
	Seconds  float64   `json:"seconds"`
	Failed   bool      `json:"failed"`
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

// sumOf adds up the runs of a file.
func sumOf(from io.Reader) (string, error) {
	var sum slice
	runs := 0
	var failed []string
	lines := json.NewDecoder(bufio.NewReader(from))
	for {
		var s slice
		if err := lines.Decode(&s); err == io.EOF {
			break
		} else if err != nil {
			return "", err
		}
		runs++
		sum.Faults, sum.Kills, sum.Seconds = sum.Faults+s.Faults, sum.Kills+s.Kills, sum.Seconds+s.Seconds
		sum.Requests, sum.Accepted = sum.Requests+s.Requests, sum.Accepted+s.Accepted
		if s.Failed {
			failed = append(failed, fmt.Sprintf("%s of seed %d", s.Test, s.Seed))
		}
	}
	text := fmt.Sprintf("%d runs in %.0f minutes: %d faults, %d of them kills, %d requests, %d accepted; %d runs failed",
		runs, sum.Seconds/60, sum.Faults, sum.Kills, sum.Requests, sum.Accepted, len(failed))
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
	s.Began, s.Test = time.Now().UTC(), r.t.Name()
	r.t.Cleanup(func() {
		s.Faults, s.Kills, s.Seconds = r.happened, r.kills, time.Since(s.Began).Seconds()
		s.Requests, s.Accepted, s.Failed = r.book.size(), r.book.count(accepted), r.t.Failed()
		path, err := slicesFile()
		if err == nil {
			err = addSlice(path, s)
		}
		var sum string
		if err == nil {
			var file *os.File
			if file, err = os.Open(path); err == nil {
				defer file.Close()
				sum, err = sumOf(file)
			}
		}
		if err != nil {
			r.t.Errorf("the run is not kept: %s", err)
			return
		}
		r.t.Logf("all runs of %s: %s", path, sum)
	})
}

func TestRunsAddUp(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "chaos.jsonl")
	require.NoError(t, addSlice(path, slice{Test: "A", Seed: 1, Faults: 10, Kills: 3, Requests: 100, Accepted: 90, Seconds: 60}))
	require.NoError(t, addSlice(path, slice{Test: "B", Seed: 2, Faults: 5, Kills: 1, Requests: 50, Accepted: 40, Seconds: 120, Failed: true}))
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	sum, err := sumOf(file)
	require.NoError(t, err)
	require.Equal(t, "2 runs in 3 minutes: 15 faults, 4 of them kills, 150 requests, 130 accepted; 1 runs failed: B of seed 2", sum)
}
