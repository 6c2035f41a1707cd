package workflows

import (
	"fmt"
	"strings"

	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// ImportInput names the import. How far it is, its record says, so that a run
// that was lost goes on in a new one.
type ImportInput struct {
	models.ImportRef
	Slices int `json:"turns,omitempty"` // of earlier runs
}

var imports *activities.Imports

// ImportTransactions takes in the transactions of a file, or its entries of returns, in slices of some seconds. It ends when
// the import does, and when it is paused: resuming it starts a new run. Errors: ImportFailed after
// a defect that trying again did not remove.
func ImportTransactions(ctx workflow.Context, in ImportInput) (activities.ImportStep, error) {
	i := &importRun{in: in}
	progress := func() (activities.ImportStep, error) { return i.step, nil }
	if err := answerProgress(ctx, progress); err != nil {
		return i.step, err
	}
	workflow.SetCurrentDetails(ctx, "Rows are taken in. How far the import is shows here after some seconds")
	for range stepsPerRun {
		err := i.slice(ctx)
		if temporal.IsCanceledError(err) {
			return i.cancelled(ctx)
		}
		if err != nil {
			return i.failed(ctx, err)
		}
		if i.step.Status != models.ImportRunning {
			return i.step, i.clear(ctx)
		}
	}
	if ctx.Err() != nil { // the next run would not know of it
		return i.cancelled(ctx)
	}
	in.Slices += stepsPerRun
	return i.step, workflow.NewContinueAsNewError(ctx, ImportTransactionsName, in)
}

// importRun is the state of a run.
type importRun struct {
	in   ImportInput
	step activities.ImportStep
}

// slice takes rows in for some seconds.
func (i *importRun) slice(ctx workflow.Context) error {
	summary := "Take in rows"
	if i.step.Line > 0 {
		summary = fmt.Sprintf("Take in rows from line %d on (%d %%)", i.step.Line, i.step.Percent)
	}
	if err := execute(ctx, summarized(sliceOptions, summary), imports.TakeInRows, i.in.ImportRef, &i.step); err != nil {
		return err
	}
	return i.show(ctx)
}

// show shows staff how far the import is.
func (i *importRun) show(ctx workflow.Context) error {
	s := i.step
	lines := []string{fmt.Sprintf("**%s**: %d %% of the file, %s read", s.Status, s.Percent, count(int(s.Rows), "row"))}
	if s.RowsPerSecond > 0 && s.Status == models.ImportRunning {
		lines[0] += fmt.Sprintf(", %d rows/s", s.RowsPerSecond)
	}
	record := "transaction"
	if s.Kind == models.ImportFilingEntries {
		record = "entry"
	}
	lines = append(lines, fmt.Sprintf("- %s recorded", count(int(s.Accepted), record)))
	for _, more := range []struct {
		n    int64
		what string
	}{
		{s.Present, "were there already"}, {s.Conflicting, "have the external id of another " + record},
		{s.Rejected, "refused: the page of the import in the console says why"},
	} {
		if more.n > 0 {
			lines = append(lines, fmt.Sprintf("- %d %s", more.n, more.what))
		}
	}
	workflow.SetCurrentDetails(ctx, strings.Join(lines, "\n"))
	return workflow.UpsertTypedSearchAttributes(
		ctx, transactionCount.ValueSet(s.Accepted), failedCount.ValueSet(s.Rejected+s.Conflicting),
	)
}

// cancelled ends the import because staff cancelled the run.
func (i *importRun) cancelled(ctx workflow.Context) (activities.ImportStep, error) {
	return i.end(ctx, models.ImportCancelled, "The run was cancelled by staff.")
}

// failed notes on the record that the import cannot go on.
func (i *importRun) failed(ctx workflow.Context, cause error) (activities.ImportStep, error) {
	code, ok := batchFailed(cause)
	if !ok {
		return i.step, cause // an outage exceeded its time: the record is found again
	}
	if _, err := i.end(ctx, models.ImportFailed, "Rows could not be taken in: "+code+"."); err != nil {
		return i.step, err
	}
	return i.step, temporal.NewNonRetryableApplicationError("import failed: "+code, activities.ErrTypeImportFailed, nil)
}

// end ends the import on its record, which has the last word.
func (i *importRun) end(
	ctx workflow.Context, status models.ImportStatus, reason string,
) (activities.ImportStep, error) {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	how := activities.ImportEnd{ImportRef: i.in.ImportRef, Status: status, Reason: reason}
	options := summarized(endOptions, "End the import: "+string(status))
	if err := execute(ctx, options, imports.EndImport, how, &i.step); err != nil {
		return i.step, err
	}
	if err := i.show(ctx); err != nil {
		return i.step, err
	}
	return i.step, i.clear(ctx)
}

// clear deletes the file of an import that is over.
func (i *importRun) clear(ctx workflow.Context) error {
	if i.step.Status == models.ImportPaused || i.step.Status == models.ImportFailed {
		return nil
	}
	summary := "Delete the file, which is not needed any more"
	return execute(ctx, summarized(endOptions, summary), imports.ClearImport, i.in.ImportRef, nil)
}
