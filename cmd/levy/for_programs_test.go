package main

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

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
		1: {errors.New("failed"), errDefects, fmt.Errorf("%w: 2", errAlarms)},
		2: {errRejected, &cannotTellError{errors.New("away")}, fmt.Errorf("at h: %w", &cannotTellError{errors.New("away")})},
	} {
		for _, err := range errs {
			require.Equal(t, want, exitCode(err), err)
		}
	}
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
