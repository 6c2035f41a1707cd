package imports

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

var (
	insertRejections = pg.Prepare(`
	INSERT INTO transaction_import_rejections (organization_id, import_id, line, external_id, conflict, present, faults,
	       rows, lines)
	SELECT @organization_id, @import_id, rejection.* FROM {rejection}`,
		pg.Names{"organization_id", "import_id"}, rejectionRows)
	rejectionRows = pg.RowsOf("rejection",
		pg.Col("line", "bigint", func(e *models.ImportEntry) *string { return pg.Integer(int(e.Line)) }),
		pg.Col("external_id", "text", func(e *models.ImportEntry) *string { return pg.Optional(e.ExternalID) }),
		pg.Col("conflict", "boolean", func(e *models.ImportEntry) *string { return pg.Bool(e.Conflict) }),
		pg.Col("present", "boolean", func(e *models.ImportEntry) *string { return pg.Bool(e.Present) }),
		pg.Col("faults", "jsonb", func(e *models.ImportEntry) *string { return pg.JSON(e.Faults) }),
		pg.Col("rows", "jsonb", func(e *models.ImportEntry) *string { return pg.JSON(e.Rows) }),
		pg.Col("lines", "jsonb", func(e *models.ImportEntry) *string { return pg.JSON(e.Lines) }))
)

// queueRejections adds the statement that stores the entries that were not accepted, with their rows.
func (w *importWork) queueRejections(batch *pgx.Batch) {
	var rejected []models.ImportEntry
	room := max(0, models.ImportPresentListed-w.presentRows)
	for i := range w.chunk.Entries {
		e := w.chunk.Entries[i]
		if e.Faults == nil {
			continue
		}
		// guard: files: of the rows that are already present, a limited number is stored
		if e.Present {
			listed := min(room, int64(len(e.Rows)))
			if room -= listed; listed == 0 {
				continue
			}
			e.Rows, e.Lines = e.Rows[:listed], e.Lines[:listed]
		}
		rejected = append(rejected, e)
	}
	if rejected != nil {
		insertRejections.Queue(batch, []any{w.chunk.Import.OrganizationID, w.chunk.Import.ID}, rejectionRows.Of(rejected))
	}
}
