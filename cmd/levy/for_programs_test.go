package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/integrity"
	"levy/store/migrations"
	"levy/store/pg"
)

// The JSON of a check has the same lines as its text, with the defects apart.
func TestCheckSeparatesDefectsForPrograms(t *testing.T) {
	t.Parallel()
	require.Equal(t, checked{
		Facts: []string{"Records: 39 of 40 rules hold.", "Last backup: none."}, Defects: []string{"a row is missing"},
	}, checkedOf("Records: 39 of 40 rules hold.\nDEFECT: a row is missing\nLast backup: none.\n", false))
	require.Equal(t, checked{Whole: true, Facts: []string{}, Defects: []string{}}, checkedOf("", true))

	var said bytes.Buffer
	require.NoError(t, printViolations(&said, []integrity.Violation{
		{Says: "sums add up", Records: 3, Some: []string{"a", "b"}},
	}))
	require.Equal(t, checked{Facts: []string{}, Defects: []string{"it does not hold that sums add up: a, b and 1 more"}},
		checkedOf(said.String(), false))
}

func TestExitCodesSayWhetherACommandCouldTell(t *testing.T) {
	t.Parallel()
	for want, errs := range map[int][]error{
		0: {nil},
		1: {errors.New("failed"), errDefects, errBroken, fmt.Errorf("%w: 2", errAlarms)},
		2: {errRejected, &cannotTellError{errors.New("away")}, fmt.Errorf("at h: %w", &cannotTellError{errors.New("away")})},
	} {
		for _, err := range errs {
			require.Equal(t, want, exitCode(err), err)
		}
	}
}

// A report whose command line, settings or database are wrong, or that is interrupted, cannot tell. Another command failed.
func TestAReportThatCannotTellIsNoBadState(t *testing.T) {
	t.Parallel()
	ended, end := context.WithCancel(t.Context())
	end()
	away := []string{"LEVY_DATABASE_URL=postgres://levy@127.0.0.1:1/levy", "LEVY_MASTER_KEYS=" + secret.NewMasterKey("k1"),
		"LEVY_TEMPORAL_ADDRESS=127.0.0.1:1"}
	for name, env := range map[string][]string{
		"no settings": nil, "an unknown variable": append(away[:3:3], "LEVY_DATABASE_URI=x"), "no database": away,
		"a setting that cannot be read": append(away[:3:3], "LEVY_DRAIN_DELAY=soon"),
	} {
		for _, ctx := range []context.Context{t.Context(), ended} {
			for _, args := range [][]string{{"status"}, {"status", "--json"}, {"check"}, {"check", "org_1"}, {"audit", "verify"}, {"keys", "list"}} {
				require.Equal(t, 2, exitCode(run(ctx, args, env, io.Discard, io.Discard)), "%s %v", name, args)
			}
			for _, args := range [][]string{{"audit", "list"}, {"keys", "rotate"}, {"migrate"}, {"backup", t.TempDir()}} {
				require.Equal(t, 1, exitCode(run(ctx, args, env, io.Discard, io.Discard)), "%s %v", name, args)
			}
		}
	}
	require.Equal(t, 2, exitCode(run(t.Context(), []string{"status", "--wrong"}, away, io.Discard, io.Discard)))
}

// A command that tells prints sentences, or only its document; also beside an error.
func TestTellPrintsSentencesOrTheDocument(t *testing.T) {
	t.Parallel()
	work := func(p *program) (*contentNamed, error) {
		_, err := fmt.Fprintln(p.stdout, "1 is in force.")
		return &contentNamed{"1"}, errors.Join(err, errDefects)
	}
	for flag, want := range map[bool]string{false: "1 is in force.\n", true: "{\n  \"version\": \"1\"\n}\n"} {
		var out bytes.Buffer
		require.ErrorIs(t, tell(&program{stdout: &out}, jsonFlag{flag}, work), errDefects)
		require.Equal(t, want, out.String())
	}
	var out bytes.Buffer
	require.ErrorIs(t, tell(&program{stdout: &out}, jsonFlag{true}, func(*program) (*contentNamed, error) { return nil, errAlarms }),
		errAlarms)
	require.Empty(t, out.String(), "no document")
}

// The plan names the kinds that it has, and says what they do.
func TestThePlanIsPrinted(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	require.NoError(t, printPlan(&out, nil))
	require.Equal(t, "The schema is up to date.\n", out.String())
	out.Reset()
	require.NoError(t, printPlan(&out, []pg.PlannedMigration{
		{Version: 270, File: "00270_identities.sql", Kind: migrations.Concurrent,
			Tables: []pg.PlannedTable{{Name: "products", Bytes: 8 << 20, Rows: 1200}}},
		{Version: 272, File: "00272_more.sql", Kind: migrations.Concurrent},
	}))
	require.Equal(t, `00270_identities.sql  concurrent  products (8 MiB, about 1200 rows)
00272_more.sql        concurrent  no existing table

concurrent: works while rows are read and written, and waits for database transactions that began before it.
Migrations to apply: 2. The service continues meanwhile.
`, out.String())
}
