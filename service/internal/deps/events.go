package deps

import (
	"context"

	"levy/models"
)

// Events are the changes of records in an order that never changes.
type Events interface {
	// After returns the events after a position in their order. more means that others follow.
	After(ctx context.Context, q models.EventQuery) (events []models.Event, more bool, err error)
	// Event reads the event at a position. Errors: models.ErrNotFound.
	Event(ctx context.Context, scope models.Scope, at models.EventPosition) (models.Event, error)
	// End returns the position after all events that are visible now.
	End(ctx context.Context) (models.EventPosition, error)
	// Newest returns the position of the newest event of each organization with an event in the last hour.
	Newest(ctx context.Context, organizations []string) (map[string]models.EventPosition, error)
	// Last returns the position of the newest event of an organization, or the zero value if it has none.
	Last(ctx context.Context, scope models.Scope) (models.EventPosition, error)
	// EventRecords reads the records of events as they were at the event.
	EventRecords(ctx context.Context, events []models.Event) ([]models.EventRecord, error)
}

// Audit is the audit trail.
type Audit interface {
	// ListAudit lists the entries that pass the filter, the newest first.
	ListAudit(ctx context.Context, scope models.Scope, f models.AuditFilter,
		page models.Page) (models.List[models.AuditEntry], error)
	// NoteRead records reads of personal data or of whole exports, all or none.
	NoteRead(ctx context.Context, reads ...*models.AuditEntry) error
}
