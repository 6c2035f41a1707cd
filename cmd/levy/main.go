// Command levy is the whole service: `levy dev` runs everything on one machine,
// `levy api` and `levy worker` are the processes of a deployment.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/alecthomas/kong"

	"levy/models"
)

type cli struct {
	Config

	Dev          devCmd          `cmd:"" help:"Run everything on this machine: PostgreSQL, Temporal with its UI, API and worker."`
	API          apiCmd          `cmd:"" name:"api" help:"Serve the HTTP API."`
	Worker       workerCmd       `cmd:"" help:"Run the workflows and activities."`
	Roles        rolesCmd        `cmd:"" help:"Make the roles and the database that an installation needs, and give the tables of an earlier layout to their owner. May run at any time."`
	Migrate      migrateCmd      `cmd:"" help:"Bring database, search attributes and schedules up to date. May run at any time, also several at once."`
	Bootstrap    bootstrapCmd    `cmd:"" help:"Create the first partner organization and its keys, and print them once."`
	Partner      partnerCmd      `cmd:"" help:"Manage the partner organizations of the installation, live ones and those for tests."`
	Operator     operatorCmd     `cmd:"" help:"Manage the keys of the people who run the installation, and sign what they send to workflows."`
	User         userCmd         `cmd:"" help:"Invite people who sign in to the console."`
	ExportPerson exportPersonCmd `cmd:"" name:"export-person" help:"Print all that is held about a person, a customer or an organization, one JSON object a line."`
	Erase        eraseCmd        `cmd:"" help:"Erase who a person, a customer or an organization is, and say what the law keeps."`
	Keys         keysCmd         `cmd:"" help:"Manage the keys of the installation."`
	Content      contentCmd      `cmd:"" help:"Show tax content, import official files, activate and roll back."`
	Import       importCmd       `cmd:"" help:"Import a CSV file of transactions through the API of a running service."`
	Organization organizationCmd `cmd:"" help:"Change organizations on behalf of the operator."`
	Audit        auditCmd        `cmd:"" help:"List and verify audit trails."`
	Nexus        nexusCmd        `cmd:"" help:"Check and repair nexus."`
	Limit        rateLimitCmd    `cmd:"" help:"Give one organization a rate limit of its own."`
	Status       statusCmd       `cmd:"" help:"Say what waits and why, and what needs you."`
	Requeue      requeueCmd      `cmd:"" help:"Make what waits due now: it is taken up within seconds, without the pause that failed attempts have earned it."`
	Backup       backupCmd       `cmd:"" help:"Take backups of PostgreSQL, keep its WAL, or record the backups of other programs."`
	Restore      restoreCmd      `cmd:"" help:"Make a data folder for PostgreSQL from a backup and from kept WAL, or bring the keys of a database up to date that another program restored."`
	Backups      backupsCmd      `cmd:"" help:"List and verify the backups that levy backup took."`
	Check        checkCmd        `cmd:"" help:"Say whether the records are whole: rules, audit trail, tax content, keys, and what Temporal lacks. It reads all records. After a restore, and whenever you want to know."`
	Ready        readyCmd        `cmd:"" help:"Ask a running api or worker whether it is ready; for container health checks."`
	Prepare      prepareCmd      `cmd:"" help:"Obtain PostgreSQL and Temporal for dev and the tests, so that later starts take seconds."`
	Explain      explainCmd      `cmd:"" help:"Recompute a stored explanation offline and say whether the same tax comes out."`
	VerifyFiling verifyFilingCmd `cmd:"" help:"Recompute the report of a filed return and say whether it still is what was filed."`

	VerifyRelease verifyReleaseCmd `cmd:"" name:"verify-release" help:"Say whether the files of a release are those that its publisher signed."`

	Return     returnCmd     `cmd:"" help:"Write the files of a return: what a person types in or uploads, and the proof of one that is filed."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
	Completion completionCmd `cmd:"" help:"Print the script by which a shell completes commands, flags and their values."`
	Man        manCmd        `cmd:"" help:"Print the manual page, for man."`
	Licences   licencesCmd   `cmd:"" help:"Print the licences of all software that the program is made of."`
}

// program is what a subcommand gets to work with.
type program struct {
	ctx            context.Context
	config         Config
	env            []string
	stdout, stderr io.Writer
	progressTo     io.Writer // of long work; io.Discard with --json
}

// skipWaits, in a context, ends each wait of a command at once. It is for tests.
type skipWaits struct{}

// wait returns after a time, or with the error of a context that ends earlier.
func (p *program) wait(ctx context.Context, d time.Duration) error {
	if p.ctx.Value(skipWaits{}) != nil {
		return ctx.Err()
	}
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// waited waits for a time, and reports whether the command may go on then.
func (p *program) waited(d time.Duration) bool { return p.wait(p.ctx, d) == nil }

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), endSignals()...)
	context.AfterFunc(ctx, stop) // a second signal ends the process at once
	err := run(ctx, os.Args[1:], os.Environ(), os.Stdout, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, "levy:", err)
		os.Exit(exitCode(err))
	}
}

// endSignals are the signals that ask for an orderly end. A closed terminal
// counts, unless the caller chose to ignore that (nohup).
func endSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// helpShown ends run after the help was printed.
type helpShown struct{}

// run executes one command line with the given environment. It returns when the command has ended. A long-running
// command ends when ctx is done and all is stopped.
func run(ctx context.Context, args, env []string, stdout, stderr io.Writer) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(helpShown); !ok {
				panic(r)
			}
			err = nil
		}
	}()
	var c cli
	command, err := c.parse(args, env, stdout, stderr)
	defer func() { err = reported(command, err) }()
	if err != nil {
		return err
	}
	notice, err := c.findDev(command.Command(), newEnvironment(env))
	if err != nil {
		return err
	}
	if notice != "" {
		fmt.Fprintln(stderr, notice)
	}
	err = command.Run(&program{ctx: ctx, config: c.Config, env: env, stdout: stdout, stderr: stderr, progressTo: stderr})
	if ctx.Err() != nil && (errors.Is(err, context.Canceled) || errors.Is(err, models.ErrUnavailable)) {
		if slices.Contains(untilTold, command.Command()) {
			return nil
		}
		return errInterrupted
	}
	return c.whereDatabaseIs(err)
}

// parse reads a command line, and the settings from the environment. It reports all settings that cannot be read, and
// all variables that are no settings, at once. With an error it returns the command as far as it was read.
func (c *cli) parse(args, env []string, stdout, stderr io.Writer) (*kong.Context, error) {
	given := newEnvironment(env)
	var faults []error
	for {
		*c = cli{}
		command, app, err := c.parseWith(given, args, stdout, stderr)
		if app == nil {
			return nil, err
		}
		if err != nil {
			if rest, fault, ok := given.withoutFault(app, args, err); ok {
				given, faults = rest, append(faults, fault)
				continue
			}
			faults = append(faults, err)
		}
		if command == nil || !slices.Contains(withoutSecrets, command.Command()) {
			faults = append(faults, given.unknown(knownVariables(app)))
		}
		if err := errors.Join(faults...); err != nil {
			return command, fmt.Errorf("%w (levy --help lists commands and settings)", err)
		}
		return command, noSecretFlags(command.Path)
	}
}

// parseWith is parse with an environment. app is nil if the command line of this program is wrong.
func (c *cli) parseWith(
	given environment, args []string, stdout, stderr io.Writer,
) (command *kong.Context, app *kong.Application, err error) {
	parser, err := kong.New(c,
		kong.Name("levy"),
		kong.Description("A self-hosted sales-tax compliance engine."),
		kong.Writers(stdout, stderr),
		kong.Exit(func(int) { panic(helpShown{}) }),
		kong.Resolvers(given),
		kong.ValueFormatter(helpWithVariable),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
	)
	if err != nil {
		return nil, nil, err
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err = parser.Parse(args)
	if fault, ok := errors.AsType[*kong.ParseError](err); ok {
		command = fault.Context
	}
	return command, parser.Model, err
}

// whereDatabaseIs adds to an error of a database that does not answer which one was asked, without its login.
func (c Config) whereDatabaseIs(err error) error {
	at, unread := url.Parse(c.DatabaseURL.Reveal())
	if !errors.Is(err, models.ErrUnavailable) || unread != nil || at.Host == "" {
		return err
	}
	return fmt.Errorf("%w (LEVY_DATABASE_URL names %s)", err, at.Host)
}

// untilTold are the commands that work until they are told to end.
var untilTold = []string{"dev", "api", "worker"}

// errInterrupted says that a command was told to end before it had done its work.
var errInterrupted = errors.New("interrupted before it was done")

func helpWithVariable(v *kong.Value) string {
	if name := v.Tag.Get("var"); name != "" {
		return v.Help + " ($" + name + ")"
	}
	return v.Help
}
