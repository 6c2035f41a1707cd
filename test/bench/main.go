// Command bench measures Levy on this machine, in one run. It uses one PostgreSQL with fsync and one Temporal server of
// its own. It compares each figure with one of the same machine without Levy. It builds the program that it measures,
// and writes its figures into the state folder, as bench/latest.md and bench/latest.json.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"

	"levy/internal/local"
)

type options struct {
	Clients       []int    `default:"64" help:"Connections that post at once, measured one after the other; the first also drives the end-to-end run."`
	Transactions  int      `default:"20000" help:"Transactions of the end-to-end run."`
	Seconds       int      `default:"10" help:"Seconds of each run that has no fixed number: pgbench, accepting."`
	Workflows     int      `default:"300" help:"Transactions given to the design of one workflow for each."`
	Idle          int      `default:"50" help:"Transactions posted one at a time to an idle service."`
	Rows          int      `default:"1000000" help:"Transactions of the organization whose lists, exports and filings are measured."`
	Imported      int      `default:"50000" help:"Sales of the file that is imported."`
	Starts        int      `default:"3" help:"Starts of API and worker."`
	Kills         int      `default:"20" help:"How often each part is killed whose recovery is measured."`
	Killed        []string `enum:"api,worker,postgresql,temporal" default:"api,worker,postgresql,temporal" help:"Whose recovery is measured: ${enum}."`
	Onboardings   int      `default:"10000" help:"Onboardings in progress at once, and clients of the partner whose pages are measured."`
	Registrations int      `default:"10000" help:"Registrations whose filings are planned on one day."`
	Boundaries    int      `default:"3600000" help:"Records of the boundary file that is imported, some 130 bytes each."`
	Only          []string `enum:"start,idle,estimate,pgbench,accept,process,single,nexus,webhooks,onboarding,plan,lists,pages,home,export,filing,import,boundaries,growth,nightly,recovery,backlog" default:"start,idle,estimate,pgbench,accept,process,single,nexus" help:"Steps to run: ${enum}. The last twelve take minutes, lists, pages, home, export, filing, boundaries, growth, nightly and backlog some gigabytes of disk."`
	Backlog       int      `default:"1000000" help:"Transactions of another organization that wait while one sells."`
	Growth        []int    `default:"10000,100000,1000000" help:"Transactions of the organization that grows, in ascending order."`
	Levy          string   `type:"existingfile" help:"The program to measure; empty: that of these sources."`
	Home          string   `env:"LEVY_HOME" default:".levy" help:"State folder: programs are found and figures are left there."`
	Out           string   `help:"Where the figures go, without extension; empty: bench/latest in the state folder."`
	ServeEcho     string   `hidden:"" help:"Be the reference of estimates, on this address."`
	EchoAnswer    string   `hidden:"" help:"The file with the answer of that reference."`
	Profile       string   `help:"Folder for profiles of API and worker: their CPU during the load, their heaps whenever memory is measured; empty: none."`
}

// pgbenchClients is how many connections the reference has; the figures of the
// aims are for as many clients of Levy.
const pgbenchClients = 64

func main() {
	var o options
	kong.Parse(&o, kong.Name("bench"),
		kong.Description("Measures Levy beside pgbench and beside one workflow per transaction."))
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work := func() error { return run(ctx, o, os.Stdout) }
	if o.ServeEcho != "" {
		work = func() error { return serveEcho(ctx, o.ServeEcho, o.EchoAnswer) }
	} else {
		debug.SetGCPercent(1000) // a client that pauses for its own garbage would count as latency of the service
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// build makes the program of these sources, so that none of an older day is measured.
func build(ctx context.Context, dir string) (program string, err error) {
	program = filepath.Join(dir, "levy")
	cmd := exec.CommandContext(ctx, "go", "build", "-o", program, "levy/cmd/levy")
	cmd.Env, cmd.Stderr = append(os.Environ(), "CGO_ENABLED=0"), os.Stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build levy: %w", err)
	}
	return program, nil
}

func run(ctx context.Context, o options, out io.Writer) (err error) {
	if o.Out == "" {
		o.Out = filepath.Join(o.Home, "bench", "latest")
	}
	if err := local.MakeFolder(o.Home); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(o.Out), 0o711); err != nil {
		return err
	}
	if o.Levy == "" {
		if o.Levy, err = build(ctx, filepath.Dir(o.Out)); err != nil {
			return err
		}
	}
	b := &bench{options: o, out: out, report: newReport()}
	defer func() { err = errors.Join(err, b.end()) }()
	if err := b.begin(ctx); err != nil {
		return err
	}
	steps := []struct {
		name string
		run  func(context.Context) error
	}{
		{"start", b.measureStart},
		{"idle", b.measureIdle},
		{"estimate", b.measureEstimate},
		{"pgbench", b.measurePgbench},
		{"accept", b.measureAccept},
		{"process", b.measureProcess},
		{"single", b.measureSingle},
		{"nexus", b.measureNexus},
		{"webhooks", b.measureWebhooks},
		{"onboarding", b.measureOnboarding},
		{"plan", b.measurePlan},
		{"lists", b.measureLists},
		{"pages", b.measurePages},
		{"home", b.measureHome},
		{"export", b.measureExport},
		{"filing", b.measureFiling},
		{"import", b.measureImport},
		{"boundaries", b.measureBoundaries},
		{"growth", b.measureGrowth},
		{"nightly", b.measureNightly},
		{"recovery", b.measureRecovery},
		{"backlog", b.measureBacklog}, // last: most of it is left
	}
	var failed []error
	for _, step := range steps {
		if !slices.Contains(o.Only, step.name) || ctx.Err() != nil {
			continue
		}
		if err := step.run(ctx); err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", step.name, err))
			b.report.note("The step %s failed, and its figures are missing or incomplete.", step.name)
			b.say("  FAILED: %s; the next step goes on", err)
		}
	}
	b.report.conclude()
	fmt.Fprintf(out, "\n%s\n", b.report.markdown())
	return errors.Join(append(failed, b.report.write(o.Out))...)
}

// say reports progress.
func (b *bench) say(format string, args ...any) { fmt.Fprintf(b.out, format+"\n", args...) }
