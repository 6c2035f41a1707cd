package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// inserter writes the rows of sales without Levy, one commit for each.
type inserter struct {
	b          *bench
	program    string     // pgbench; empty: a client in Go
	statements [][]string // of one sale of each kind
	runs       int64      // makes the identifiers of each run its own
}

// newInserter posts one sale of each kind, which nobody processes, and takes their
// rows as the pattern.
func (b *bench) newInserter(ctx context.Context) (*inserter, error) {
	if err := b.ensure(ctx, false); err != nil {
		return nil, err
	}
	if _, _, err := b.sales.post(ctx, load{clients: 1, count: kinds}); err != nil {
		return nil, err
	}
	rows, err := b.db.Query(ctx, "SELECT id FROM transactions ORDER BY created_at DESC LIMIT $1", kinds)
	if err != nil {
		return nil, err
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	in := &inserter{b: b, program: b.findPgbench()}
	for _, id := range ids {
		statements, err := inserts(ctx, b.db, id)
		if err != nil {
			return nil, err
		}
		in.statements = append(in.statements, statements)
	}
	if in.program == "" {
		b.say("There is no pgbench on this machine: a client in Go does the same, and is slower.")
	}
	return in, nil
}

// findPgbench looks beside the server's program, then in PATH.
func (b *bench) findPgbench() string {
	if server, err := os.Readlink(fmt.Sprintf("/proc/%d/exe", b.postgres.PID())); err == nil {
		path := filepath.Join(filepath.Dir(server), "pgbench")
		if _, err := os.Stat(path); err == nil {
			return path
		}
	}
	path, err := exec.LookPath("pgbench")
	if err != nil {
		return ""
	}
	return path
}

// run inserts from many connections for the given time. pipelined sends all
// statements of a sale at once; otherwise each waits for the one before.
func (in *inserter) run(ctx context.Context, during time.Duration, pipelined bool) (phase, error) {
	in.runs++
	if in.program == "" {
		return in.runGo(ctx, during, pipelined)
	}
	dir := filepath.Join(in.b.dir, fmt.Sprintf("pgbench-%d", in.runs))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return phase{}, err
	}
	at, err := url.Parse(in.b.postgres.URL(referenceDatabase))
	if err != nil {
		return phase{}, err
	}
	password, _ := at.User.Password()
	args := []string{"--no-vacuum", "--protocol=prepared",
		"--client=" + strconv.Itoa(pgbenchClients), "--jobs=2", fmt.Sprintf("--time=%d", int(during.Seconds())),
		fmt.Sprintf("--define=run=%d", in.runs), "--define=n=0",
		"--log", "--log-prefix=" + filepath.Join(dir, "log"),
		"--host=" + at.Hostname(), "--port=" + at.Port(), "--username=" + at.User.Username()}
	for kind, statements := range in.statements { // pgbench takes one at random each time
		script := filepath.Join(dir, fmt.Sprintf("sale-%d.sql", kind))
		if err := os.WriteFile(script, []byte(scriptOf(statements, pipelined)), 0o600); err != nil {
			return phase{}, err
		}
		args = append(args, "--file="+script)
	}
	cmd := exec.CommandContext(ctx, in.program, append(args, referenceDatabase)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	before := in.b.cpuNow()
	output, err := cmd.CombinedOutput()
	if err != nil {
		return phase{}, fmt.Errorf("pgbench: %w: %s", err, output)
	}
	used := in.b.cpuNow().since(before)
	if used != nil {
		client := (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds()
		used["bench"] += client
		used["others"] = max(0, used["others"]-client)
	}
	all, seconds, err := readPgbenchLogs(dir)
	if err != nil {
		return phase{}, err
	}
	return newPhase(pgbenchClients, all, seconds, used), nil
}

// scriptOf counts per connection; runs, connections and sales make the number that
// identifiers end with, in about the order of time, as Levy's do.
func scriptOf(statements []string, pipelined bool) string {
	var s strings.Builder
	s.WriteString("\\set n :n + 1\n\\set key 100000000000000 + :run * 10000000000000 + :n * 1000 + :client_id\n")
	if pipelined {
		s.WriteString("\\startpipeline\n")
	}
	s.WriteString("BEGIN;\n")
	for _, statement := range statements {
		s.WriteString(withKey(statement, ":key") + ";\n")
	}
	s.WriteString("COMMIT;\n")
	if pipelined {
		s.WriteString("\\endpipeline\n")
	}
	return s.String()
}

// readPgbenchLogs reads the latency of every transaction. The time is from the
// start of the first to the end of the last.
func readPgbenchLogs(dir string) (all latencies, took time.Duration, err error) {
	paths, err := filepath.Glob(filepath.Join(dir, "log.*"))
	if err != nil {
		return nil, 0, err
	}
	var first, last time.Time
	for _, path := range paths {
		file, err := os.Open(path)
		if err != nil {
			return nil, 0, err
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		for lines.Scan() {
			// client, number, latency in µs, script, end in s, its fraction in µs
			fields := strings.Fields(lines.Text())
			if len(fields) < 6 {
				return nil, 0, fmt.Errorf("unknown line in pgbench's log: %s", lines.Text())
			}
			latency, err1 := strconv.ParseInt(fields[2], 10, 64)
			seconds, err2 := strconv.ParseInt(fields[4], 10, 64)
			fraction, err3 := strconv.ParseInt(fields[5], 10, 64)
			if err := errors.Join(err1, err2, err3); err != nil {
				return nil, 0, err
			}
			taken := time.Duration(latency) * time.Microsecond
			ended := time.UnixMicro(seconds*1_000_000 + fraction)
			if began := ended.Add(-taken); first.IsZero() || began.Before(first) {
				first = began
			}
			if ended.After(last) {
				last = ended
			}
			all = append(all, taken)
		}
		if err := lines.Err(); err != nil {
			return nil, 0, err
		}
	}
	if len(all) == 0 {
		return nil, 0, errors.New("pgbench wrote no log")
	}
	return all, last.Sub(first), nil
}
