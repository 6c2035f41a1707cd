package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

// Every stage saves with one statement. The guard (epoch and previous status), the transition, the journal and the
// effects of the stage succeed or fail together. The effects follow the rows that were changed. So a stage may run
// twice, or in two workflows at once, and has its effect once.
//
// Rows are locked in key order before they are changed. So batches with common rows wait for each other instead of
// deadlocking. LATERAL makes the planner look up each row by key. Otherwise it would use its statistics on the status,
// which are never right for a status that lasts milliseconds, and scan.

// stageHead is the beginning of every such statement. Its input must have organization_id, id, epoch and detail.
// "updated" follows it.
const stageHead = `
	locked AS (
	  SELECT t.organization_id, t.id FROM (SELECT organization_id, id, epoch FROM input ORDER BY organization_id, id) i
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = i.organization_id AND x.id = i.id
	        /* guard: stage: the previous status in the WHERE */ AND x.epoch = i.epoch AND x.processing_status = ANY (@statuses::text[])
	        FOR UPDATE) t)`

// stageJournal writes the transition to the journal.
const stageJournal = `
	journal AS (
	  INSERT INTO transaction_stages (organization_id, transaction_id, epoch, stage, revision, attempt, workflow_id,
	         run_id, detail)
	  SELECT m.organization_id, m.id, m.epoch, m.processing_status, m.revision, @attempt, @workflow_id, @run_id,
	         i.detail
	    FROM updated m JOIN input i USING (organization_id, id))`

// stageTail writes the transition to the journal, and deletes the outbox rows of transactions in an end status.
// If the outbox was empty when it was analyzed, the planner would read all of it for each row of the batch.
// So the kind is not a constant, and the organization cannot join two sorted lists.
const stageTail = stageJournal + `,
	ended AS (
	  DELETE FROM outbox o USING (SELECT *, 1::smallint AS kind FROM updated OFFSET 0) m
	   WHERE o.organization_id = ANY (ARRAY[m.organization_id]) AND o.kind = m.kind AND o.aggregate_id = m.id
	     AND o.epoch = m.epoch
	     AND m.processing_status NOT IN ('ADDRESS_DONE', 'EXEMPT_DONE', 'NEXUS_DONE'))`

// cacheForeignKeyPlans ends every statement of a stage. The database checks the foreign keys of new rows after the
// statement, row by row. If it planned each check anew, as statements are (see pg.Open), that would take most of the
// time. The statement itself is planned by then. stageSave.queue resets the mode if there are many rows.
const cacheForeignKeyPlans = `
	SELECT set_config('plan_cache_mode', 'force_generic_plan', true)`

// startStage marks transactions as QUEUED, up to the journal.
const startStage = `
	WITH input AS (SELECT organization_id, id, epoch, '{}'::jsonb AS detail FROM {ref}),` + stageHead + `,
	updated AS (
	  UPDATE transactions t SET processing_status = 'QUEUED', updated_at = now()
	    FROM locked l WHERE t.organization_id = l.organization_id AND t.id = l.id
	  RETURNING t.organization_id, t.id, t.epoch, t.revision, t.processing_status),`

var queueStarted = prepareStage(startStage+stageJournal+cacheForeignKeyPlans, refRows)

var numberedKeys = keyRows.Numbered("n")

var selectStates = pg.Prepare(`
	SELECT key.n, t.epoch, t.processing_status FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.epoch, x.processing_status FROM transactions x
	    WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t`, nil, numberedKeys)

// fewRows is the size of the largest part of a batch up to which its statements use cached plans. Planning would take
// most of the time. All rows are looked up by key, which is right for a few rows whatever the statistics are.
// For many rows the planner must know their number, or it compares each line with each other.
const fewRows = 32

// keepPlans applies to the following statements of a database transaction.
const keepPlans = "SET LOCAL plan_cache_mode = force_generic_plan"

// prepareStage prepares the statement with which a stage saves a batch.
func prepareStage(sql string, rows ...pg.Argument) pg.Statement {
	return pg.Prepare(sql, pg.Names{"statuses", "attempt", "workflow_id", "run_id"}, rows...)
}

// refColumns returns the first columns of the rows of a batch: organization, id and epoch, before other columns.
func refColumns[T any](of func(*T) *models.Ref, columns ...pg.Column[T]) []pg.Column[T] {
	return append([]pg.Column[T]{
		pg.Col("organization_id", "text", func(row *T) *string { return &of(row).OrganizationID }),
		pg.Col("id", "text", func(row *T) *string { return &of(row).ID }),
		pg.Col("epoch", "integer", func(row *T) *string { return pg.Integer(of(row).Epoch) }),
	}, columns...)
}

// Rows of refs: transactions with their version, transactions, their organizations.
var (
	refRows          = pg.RowsOf("ref", refColumns(sameRef)...)
	keyRows          = pg.RowsOf("key", refColumns(sameRef)[:2]...)
	organizationRows = pg.RowsOf("organization", refColumns(sameRef)[:1]...)
)

func sameRef(ref *models.Ref) *models.Ref { return ref }

// partColumns returns the first columns of the rows of parts of transactions: organization and transaction.
func partColumns[T any](of func(*T) *models.Ref, columns ...pg.Column[T]) []pg.Column[T] {
	return append([]pg.Column[T]{
		pg.Col("organization_id", "text", func(row *T) *string { return &of(row).OrganizationID }),
		pg.Col("transaction_id", "text", func(row *T) *string { return &of(row).ID }),
	}, columns...)
}

// stageSave is the statement with which a stage saves the outcomes of a batch.
type stageSave struct {
	pg.Statement
	before []string    // the statuses from which it moves transactions on
	rows   []pg.Arrays // the outcomes come first
}

func (save stageSave) queue(batch *pgx.Batch, run models.StageRun) {
	most := 0 // the number of rows of the largest part of the batch
	for _, r := range save.rows {
		most = max(most, r.Len())
	}
	if most <= fewRows {
		batch.Queue(keepPlans)
	}
	batch.Queue(save.SQL, save.Values([]any{save.before, run.Attempt, run.WorkflowID, run.RunID}, save.rows...)...)
	if most > fewRows {
		batch.Queue("SET LOCAL plan_cache_mode = force_custom_plan")
	}
}

// saveStage runs the statement of a stage and reads the status of every transaction of the batch, in one round trip and
// one database transaction.
func (s *Store) saveStage(
	ctx context.Context, run models.StageRun, refs []models.Ref, save stageSave,
) ([]models.StageState, error) {
	conn, err := s.db.Pipeline(ctx)
	if err != nil {
		return nil, pg.Translate(err)
	}
	defer conn.Release()
	batch := &pgx.Batch{}
	conn.BeginByKey(batch)
	if save.rows[0].Len() > 0 {
		save.queue(batch, run)
	}
	return commitStage(ctx, conn, batch, refs)
}

// commitStage sends the statements of a stage, reads the status of every transaction of the batch, and commits.
func commitStage(
	ctx context.Context, conn *pg.Pipeline, batch *pgx.Batch, refs []models.Ref,
) ([]models.StageState, error) {
	states := make([]models.StageState, len(refs))
	for i, ref := range refs {
		states[i].Ref = ref
	}
	var n, epoch int
	var status models.ProcessingStatus
	selectStates.Queue(batch, nil, numberedKeys.Of(refs)).Query(pg.Each([]any{&n, &epoch, &status}, func() error {
		states[n-1].Epoch, states[n-1].ProcessingStatus = epoch, status
		return nil
	}))
	conn.Commit(batch)
	if err := failpoint.Hit("before_stage_commit"); err != nil {
		conn.Rollback(ctx)
		return nil, err
	}
	if err := conn.Send(ctx, batch); err != nil {
		conn.Rollback(ctx)
		return nil, pg.Translate(err)
	}
	if err := failpoint.Hit("after_stage_commit"); err != nil {
		return nil, err
	}
	return states, nil
}
