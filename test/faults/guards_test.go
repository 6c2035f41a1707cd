package faults_test

import (
	"context"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/testsuite"

	"levy/activities"
	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
	"levy/test/testbed"
)

// The statements of the stages are taken as the store sends them, one guard is
// removed, and an invariant must be violated. With all guards in place the same statement, at the same moment, must
// violate none.
func TestEveryGuardOfAStageIsNeeded(t *testing.T) {
	t.Parallel()
	bed := testbed.New(t, testbed.Options{})
	statements := recordStages(t, bed)
	requireInvariants(t, bed, moment{})

	const (
		address = iota
		exemption
		nexus
		calculation
		never = 99 // nothing is undone: the statement is repeated
	)
	// The client edited the transaction before its last stage ran.
	edited := []string{
		`UPDATE transactions SET epoch = 2, revision = 2, total_amount = 1, subtotal = 1`,
		`UPDATE transaction_items SET amount = 1`,
		`UPDATE outbox SET epoch = 2`,
		`UPDATE transaction_stages SET epoch = 2`,
		`UPDATE nexus_contributions SET amount = 1`,
		`UPDATE nexus_counters SET amount = 1`,
		`INSERT INTO audit SELECT (jsonb_populate_record(a, '{"id":"edit","action":"update"}')).*
		   FROM audit a
		  WHERE entity_type = 'transaction'`,
	}
	// The primary keys are a second guard against a repeated stage.
	withoutPrimaryKeys := []string{
		`ALTER TABLE transaction_stages DROP CONSTRAINT transaction_stages_pkey`,
		`ALTER TABLE nexus_contributions DROP CONSTRAINT nexus_contributions_pkey`,
	}
	const status, anyStatus = `\w+\.processing_status = ANY \((\$\d+)::text\[\]\)`, `${1}::text[] IS NOT NULL`
	for _, c := range []struct {
		name     string
		stage    int
		undoFrom int // the stages from this one on are undone first
		before   []string
		guard    string // regular expression
		without  string
		violated []string // or refused, when empty
	}{
		{"the previous status, with the primary keys", nexus, never, nil, status, anyStatus, nil},
		{"the previous status", nexus, never, withoutPrimaryKeys, status, anyStatus, []string{"I-4 stages", "I-3 unfinished"}},
		{"the epoch", calculation, calculation, edited, ` AND (\w+\.epoch = i|i\.epoch = \w+)\.epoch`, ``,
			[]string{"I-4 what is calculated"}},
		{"the removal of the outbox row in the same transaction", calculation, calculation, nil,
			`(DELETE FROM outbox o USING [^\n]+ m\s+WHERE)`, `$1 false AND`, []string{"I-3 the outbox"}},
		{"the journal in the same transaction", exemption, exemption, nil,
			`(FROM updated m JOIN input i USING \(organization_id, id\))(\),\s+ended)`, `$1 WHERE false$2`,
			[]string{"I-4 the journal"}},
		{"the counters in the same transaction", nexus, nexus, nil, `(FROM deltas) (GROUP BY)`, `$1 WHERE false $2`,
			[]string{"I-11 counters"}},
		{"the contributions in the same transaction", nexus, nexus, nil,
			`(JOIN updated m ON m\.organization_id = c\.organization_id)`, `$1 AND false`, []string{"I-11 sales"}},
	} {
		statement := statements[c.stage]
		guard := regexp.MustCompile(c.guard)
		require.Len(t, guard.FindAllString(statement.sql, -1), 1, "%s: the guard is not where it was:\n%s", c.name,
			statement.sql)
		found, err := mutated(t, bed, c.undoFrom, c.before, statement.sql, statement.args)
		require.NoError(t, err)
		require.Empty(t, found, "%s: with the guard in place", c.name)
		found, err = mutated(t, bed, c.undoFrom, c.before, guard.ReplaceAllString(statement.sql, c.without), statement.args)
		if c.violated == nil {
			var refused *pgconn.PgError
			require.ErrorAs(t, err, &refused)
			require.Equal(t, "23505", refused.Code)
			t.Logf("without %s: refused by %s", c.name, refused.ConstraintName)
			continue
		}
		require.NoError(t, err)
		for _, prefix := range c.violated {
			require.Contains(t, found, named(t, prefix), "%s: found %v", c.name, found)
		}
		t.Logf("without %s: noticed by %v", c.name, c.violated)
	}
}

// undoOfStage are the statements that undo each stage.
var undoOfStage = [][]string{
	{`UPDATE transactions SET processing_status = 'QUEUED'`,
		`DELETE FROM transaction_stages WHERE stage = 'ADDRESS_DONE'`},
	{`UPDATE transactions SET processing_status = 'ADDRESS_DONE'`,
		`DELETE FROM transaction_stages WHERE stage = 'EXEMPT_DONE'`},
	{`UPDATE transactions SET processing_status = 'EXEMPT_DONE'`,
		`DELETE FROM transaction_stages WHERE stage = 'NEXUS_DONE'`,
		`DELETE FROM nexus_contributions`, `DELETE FROM nexus_counters`},
	{`UPDATE transactions SET processing_status = 'NEXUS_DONE'`,
		`DELETE FROM transaction_stages WHERE stage = 'PROCESSED'`,
		`DELETE FROM transaction_explanations`, `DELETE FROM transaction_totals`,
		`INSERT INTO outbox (organization_id, kind, aggregate_id, epoch)
		 SELECT organization_id, 1, id, epoch
		   FROM transactions`},
}

// mutated undoes stages, runs a statement and checks the invariants, in a
// database transaction that leaves nothing behind.
func mutated(
	t *testing.T, bed *testbed.Bed, undoFrom int, before []string, sql string, args []any,
) (map[string][]string, error) {
	t.Helper()
	ctx := context.Background()
	tx, err := bed.DB.Begin(ctx)
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(ctx) }()
	preparation := []string{ // triggers would refuse to undo; those that maintain sums stay enabled
		"SET LOCAL session_replication_role = replica",
		"ALTER TABLE transaction_totals ENABLE ALWAYS TRIGGER transaction_totals_add_nexus_taxes",
		"ALTER TABLE transaction_totals ENABLE ALWAYS TRIGGER transaction_totals_remove_nexus_taxes",
	}
	for i := len(undoOfStage) - 1; i >= undoFrom; i-- {
		preparation = append(preparation, undoOfStage[i]...)
	}
	for _, sql := range append(preparation, before...) {
		_, err := tx.Exec(ctx, sql)
		require.NoError(t, err, sql)
	}
	if _, err := tx.Exec(ctx, sql, args...); err != nil {
		return nil, err
	}
	found, err := violations(ctx, tx, moment{})
	delete(found, named(t, "I-16")) // the events of the stages that are undone here stay
	return found, err
}

// statement is a stage's statement as the store sent it.
type statement struct {
	sql  string
	args []any
}

// recordStages takes one transaction through all stages, each of them twice, and
// returns the statements.
func recordStages(t *testing.T, bed *testbed.Bed) []statement {
	t.Helper()
	recorder := &recorder{}
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(t, err)
	s := storetest.Open(t, pg.Options{URL: bed.DatabaseURL, Tracer: recorder, MasterKeys: ring})
	draft := storetest.Draft(models.Scope{OrganizationID: bed.OrganizationID}, "ORDER-1")
	draft.Actor = models.Actor{APIKeyID: "key", RequestID: "request"}
	intake := s.Transactions.StartIntake(1, 1)
	defer intake.Close()
	require.NoError(t, intake.Accept(t.Context(), draft))
	taxes, err := s.Content.OpenCache(t.Context())
	require.NoError(t, err)
	processing := activities.New(s.Processing(), taxes, slog.New(slog.DiscardHandler))
	var suite testsuite.WorkflowTestSuite
	env := suite.NewTestActivityEnvironment()
	env.RegisterActivity(processing)
	in := activities.StageInput{Refs: []models.Ref{{OrganizationID: draft.OrganizationID, ID: draft.ID,
		Epoch: draft.Epoch}}}
	var statements []statement
	for _, stage := range []any{processing.VerifyAddresses, processing.DetermineExemptions, processing.DetermineNexus,
		processing.CalculateTax} {
		before := records(bed)
		_, err := env.ExecuteActivity(stage, in)
		require.NoError(t, err)
		after := records(bed)
		require.NotEqual(t, before, after)
		_, err = env.ExecuteActivity(stage, in) // again: no change
		require.NoError(t, err)
		require.Equal(t, after, records(bed))
		statements = append(statements, recorder.take(t))
	}
	return statements
}

// records are all that stages change.
func records(bed *testbed.Bed) (all [][]map[string]any) {
	for _, table := range []string{"transactions", "transaction_items", "transaction_addresses",
		"transaction_exemptions", "transaction_explanations",
		"transaction_stages", "nexus_contributions", "nexus_counters", "outbox"} {
		all = append(all, bed.Rows(fmt.Sprintf("SELECT to_jsonb(r) FROM %s r ORDER BY 1", table)))
	}
	return all
}

// recorder keeps the statements that write the journal of stages.
type recorder struct {
	mu         sync.Mutex
	statements []statement
}

func (r *recorder) take(t *testing.T) statement {
	t.Helper()
	r.mu.Lock()
	defer r.mu.Unlock()
	require.Len(t, r.statements, 1, "one statement completes a stage, and a repeat changes nothing")
	s := r.statements[0]
	r.statements = nil
	return s
}

func (r *recorder) TraceQueryStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceQueryStartData) context.Context {
	return ctx
}
func (r *recorder) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart keeps the statements before they are sent: afterwards their arguments are gone.
func (r *recorder) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, q := range data.Batch.QueuedQueries {
		if strings.Contains(q.SQL, "INSERT INTO transaction_stages") {
			r.statements = append(r.statements, statement{q.SQL, slices.Clone(q.Arguments)})
		}
	}
	return ctx
}

func (r *recorder) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (r *recorder) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
