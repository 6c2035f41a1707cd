package imports

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"levy/internal/failpoint"
	"levy/models"
	"levy/rules"
)

// saveEntries stores the entries of filings of a chunk, each with the change of its filing, and then advances the import. A
// change of a filing locks its registration before any row, so each is a database transaction of its own. A repeat after a
// failure in between recognizes the entries that it has added. Errors: as of SaveImportChunk.
func (w *importWork) saveEntries(ctx context.Context) error {
	w.counts.Rows = w.chunk.Rows
	// An import that is paused or elsewhere adds no entry.
	if err := w.checkPosition(ctx); err != nil {
		return err
	}
	for i := range w.chunk.Entries {
		e := &w.chunk.Entries[i]
		if e.FilingEntry == nil {
			continue
		}
		accepted, err := w.saveEntry(ctx, e)
		if err != nil {
			if e.Faults, err = w.chunk.Explain(e, err); err != nil {
				return err
			}
		}
		if accepted {
			w.counts.Accepted++
			w.counts.AcceptedRows++
		}
	}
	w.count()
	if err := failpoint.Hit("import_entries_added"); err != nil {
		return err
	}
	return w.store.db.InTx(ctx, func(ctx context.Context) (err error) {
		if w.presentRows, err = w.store.lockPosition(ctx, w.chunk); err != nil {
			return err
		}
		return w.write(ctx)
	})
}

// checkPosition returns models.ErrImportChanged if the import does not run or has another position.
func (w *importWork) checkPosition(ctx context.Context) error {
	return w.store.db.InTx(ctx, func(ctx context.Context) error {
		_, err := w.store.lockPosition(ctx, w.chunk)
		return err
	})
}

// saveEntry adds an entry to its filing, unless its external id is recorded. accepted reports whether this import has added
// it, now or in an earlier attempt. Errors: what refuses the entry, with all faults of its row.
func (w *importWork) saveEntry(ctx context.Context, e *models.ImportEntry) (accepted bool, err error) {
	scope, actor := w.chunk.Import.Scope(), w.chunk.Import.Actor()
	_, faults := e.FilingEntry.Of(nil)
	if faults == nil {
		// A repeated file adds no entry twice, also to the amendment of a return that was filed.
		stored, err := w.store.filings.EntryByExternalID(ctx, scope, e.ExternalID)
		if !errors.Is(err, models.ErrNotFound) {
			if err != nil {
				return false, err
			}
			return w.decideEntry(ctx, e, &stored)
		}
	}
	id, unnamed, err := w.filingOf(ctx, e.FilingEntry)
	if err != nil {
		return false, err
	}
	if id == "" {
		return false, &models.InvalidError{Faults: append(faults, unnamed...)}
	}
	_, err = w.store.filings.UpdateFiling(ctx, scope, actor, id, func(f *models.Filing) error {
		added, faults := e.FilingEntry.Of(f)
		added.CreatedBy, added.ImportID, added.ImportLine = actor.Name(), w.chunk.Import.ID, e.Line
		return f.AddEntry(added, faults...)
	})
	if duplicate, ok := errors.AsType[*models.DuplicateError](err); ok {
		stored, err := w.store.filings.EntryByExternalID(ctx, scope, e.ExternalID)
		if err != nil {
			return false, fmt.Errorf("%w: entry %s is not there", models.ErrUnavailable, duplicate.ExistingID)
		}
		return w.decideEntry(ctx, e, &stored)
	}
	return err == nil, err
}

// filingOf returns the id of the filing that a draft names, or the faults if there is none.
func (w *importWork) filingOf(ctx context.Context, d *models.FilingEntryDraft) (id string, faults []models.Fault, err error) {
	scope := w.chunk.Import.Scope()
	switch {
	case d.FilingID != "":
		_, err := w.store.filings.Filing(ctx, scope, d.FilingID)
		if errors.Is(err, models.ErrNotFound) {
			return "", rules.NoFilingOfEntry(d), nil
		}
		return d.FilingID, nil, err
	case !d.NamesPeriod():
		return "", nil, nil // the row has the fault
	}
	list, err := w.store.filings.FilingsOfPeriod(ctx, scope, d.CountryCode, d.StateCode, d.StartDate, d.EndDate)
	if err == nil {
		id, faults = rules.FilingOfEntry(d, list)
	}
	return id, faults, err
}

// decideEntry decides about an entry whose external id is recorded: the same content counts as present, other content as a
// conflict. Errors: what refuses the entry.
func (w *importWork) decideEntry(ctx context.Context, e *models.ImportEntry, stored *models.FilingEntry) (accepted bool, err error) {
	// guard: files: an entry that this import has added is not already present
	if stored.ImportID == w.chunk.Import.ID {
		if stored.ImportLine == e.Line {
			return true, nil // an earlier attempt
		}
		e.Conflict = true
		e.Faults = []models.ImportFault{{
			Line: e.Line, Column: "external_id", Code: duplicateExternalID,
			Message: fmt.Sprintf("Line %d of this file is recorded under this external_id.", stored.ImportLine),
		}}
		return false, nil
	}
	f, err := w.store.filings.Filing(ctx, w.chunk.Import.Scope(), stored.FilingID)
	if err != nil {
		return false, err
	}
	differing, err := rules.DifferingEntryColumns(e.FilingEntry, stored, &f, w.chunk.Import.Columns)
	if err != nil {
		return false, err
	}
	if len(differing) == 0 {
		e.Present = true
		e.Faults = []models.ImportFault{{
			Line: e.Line, Code: models.ImportAlreadyPresent,
			Message: "Recorded before this file with the same content: nothing was changed.",
		}}
		return false, nil
	}
	e.Conflict = true
	e.Faults = []models.ImportFault{{
		Line: e.Line, Column: differing[0], Code: duplicateExternalID,
		Message: fmt.Sprintf("An entry with this external_id is recorded already and differs in %s.",
			strings.Join(differing, ", ")),
	}}
	return false, nil
}
