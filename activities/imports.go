package activities

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"levy/models"
)

const (
	// sliceTime is how long one activity takes rows in.
	sliceTime = 15 * time.Second
	// mostUnprocessed is how many transactions of the organization wait for processing
	// while an import goes on.
	mostUnprocessed = 3000
	// longestWait bounds one wait for them, waitPause is the time between two counts of them.
	longestWait, waitPause = 10 * time.Second, 100 * time.Millisecond
)

// ImportStep is how far an import is.
type ImportStep struct {
	Status        models.ImportStatus `json:"status"` // empty when the import is gone
	Kind          models.ImportKind   `json:"kind,omitempty"`
	Percent       int                 `json:"percent"`
	Line          int64               `json:"line"`
	Rows          int64               `json:"rows"`
	Accepted      int64               `json:"accepted"`
	Present       int64               `json:"present,omitempty"`
	Conflicting   int64               `json:"conflicting,omitempty"`
	Rejected      int64               `json:"rejected,omitempty"`
	RowsPerSecond int64               `json:"rows_per_second"` // of this slice
}

// ImportEnd says how an import is to end.
type ImportEnd struct {
	models.ImportRef
	Status models.ImportStatus `json:"status"`
	Reason string              `json:"reason"`
}

// Imports holds the activities of the workflow ImportTransactions.
type Imports struct {
	records ImportRecords
	sheets  ImportSheets
	offers  Offers
	count   func(models.ImportCounts)
	now     func() time.Time
	log     *slog.Logger
}

// NewImports returns the activities of ImportTransactions. count gets what each
// chunk has found once it is recorded.
func NewImports(
	records ImportRecords, sheets ImportSheets, offers Offers, count func(models.ImportCounts), log *slog.Logger,
) *Imports {
	return &Imports{records: records, sheets: sheets, offers: offers, count: count, now: time.Now, log: log}
}

// TakeInRows takes rows in for a while, from the position of the import. It may be
// repeated at any time: the position says what it did.
func (a *Imports) TakeInRows(ctx context.Context, ref models.ImportRef) (ImportStep, error) {
	if ref.OrganizationID == "" || ref.ID == "" {
		return ImportStep{}, invalidInput("no import given")
	}
	defer sendHeartbeats(ctx)()
	return a.step(ctx, true, func(ctx context.Context) (ImportStep, error) {
		began := a.now()
		im, err := a.records.OpenImport(ctx, ref)
		if errors.Is(err, models.ErrNotFound) {
			return ImportStep{}, nil
		}
		before := im.Rows
		if err == nil && im.Status == models.ImportRunning {
			if err = a.takeIn(ctx, &im, began); err == nil {
				im, err = a.records.OpenImport(ctx, ref)
			}
		}
		step := stepOf(&im)
		step.RowsPerSecond = (im.Rows - before) * 1000 / max(1, a.now().Sub(began).Milliseconds())
		return step, err
	})
}

// takeIn saves chunk by chunk until the time is over, the file ends or the import
// is stopped.
func (a *Imports) takeIn(ctx context.Context, im *models.Import, began time.Time) error {
	reading, stop := context.WithCancel(ctx)
	defer stop()
	pieces, err := a.readChunks(reading, im)
	if err != nil {
		return err
	}
	defer func() {
		stop()
		for range pieces.next { // until the reader has stopped
		}
	}()
	for chunk := range pieces.next {
		save := a.save
		if chunk.From.Pass == 0 {
			save = a.records.ArrangeImportChunk
		}
		err := save(ctx, chunk)
		if errors.Is(err, models.ErrImportChanged) {
			return nil // paused, cancelled, or taken in by another attempt
		}
		if err != nil {
			return err
		}
		if chunk.Ended || chunk.From.Pass != chunk.To.Pass || a.now().Sub(began) >= sliceTime {
			return nil
		}
	}
	return pieces.err
}

// save takes a chunk in and offers its transactions for processing.
func (a *Imports) save(ctx context.Context, chunk *models.ImportChunk) error {
	if err := a.settled(ctx, chunk); err != nil {
		return err
	}
	saved, refs, err := a.records.SaveImportChunk(ctx, chunk)
	if err != nil {
		return err
	}
	if chunk.Import.Kind == models.ImportFilingEntries { // the metrics have transactions by result
		saved = models.ImportCounts{Rows: saved.Rows}
	}
	a.count(saved)
	for _, ref := range refs {
		a.offers.Offer(ctx, ref)
	}
	return nil
}

// EndImport fails an import, or cancels it because staff cancelled the run.
func (a *Imports) EndImport(ctx context.Context, in ImportEnd) (ImportStep, error) {
	return a.step(ctx, false, func(ctx context.Context) (ImportStep, error) {
		im, err := a.records.EndImport(ctx, in.ImportRef, in.Status, in.Reason)
		if errors.Is(err, models.ErrNotFound) {
			return ImportStep{}, nil
		}
		return stepOf(&im), err
	})
}

// ClearImport deletes the file of an import that is over.
func (a *Imports) ClearImport(ctx context.Context, ref models.ImportRef) (StageResult, error) {
	_, err := a.step(ctx, false, func(ctx context.Context) (ImportStep, error) {
		return ImportStep{}, a.records.ClearImport(ctx, ref)
	})
	return StageResult{}, err
}

// step turns errors into failures. One that givesUp does so after MaxDefects.
func (a *Imports) step(
	ctx context.Context, givesUp bool, work func(context.Context) (ImportStep, error),
) (step ImportStep, err error) {
	ctx, cancel := ownDeadline(ctx)
	defer cancel()
	err = guarded(ctx, a.log, func(ctx context.Context) (err error) {
		step, err = work(ctx)
		return err
	})
	if err != nil {
		report(ctx, a.log, "import not taken in", err)
		defects := 0
		if givesUp {
			defects = countDefect(ctx, err)
		}
		return ImportStep{}, failure(err, defects)
	}
	return step, nil
}

func stepOf(im *models.Import) ImportStep {
	return ImportStep{
		Status: im.Status, Kind: im.Kind, Percent: im.Percent(), Line: im.Line, Rows: im.Rows,
		Accepted: im.Accepted, Present: im.Present, Conflicting: im.Conflicting, Rejected: im.Rejected,
	}
}
