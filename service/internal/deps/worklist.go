package deps

import (
	"context"
	"time"

	"levy/models"
)

// Work is the worklist of exceptions of all subjects, and the search.
type Work interface {
	// ListExceptions lists the exceptions that pass the filter, the oldest first.
	ListExceptions(ctx context.Context, visible models.Visibility, f models.ExceptionFilter,
		page models.Page) (models.ExceptionList, error)
	// ListExceptionGroups groups the exceptions that pass the filter by type and reason, the most urgent first.
	ListExceptionGroups(ctx context.Context, visible models.Visibility, f models.ExceptionFilter) ([]models.ExceptionGroup, error)
	// Figures reads what the visible organizations owe as of a day. organizationID names one of them, or is "".
	Figures(ctx context.Context, visible models.Visibility, organizationID string, today time.Time) (models.Overview, error)
	// Exception reads the exception of one record. Errors: models.ErrNotFound.
	Exception(ctx context.Context, scope models.Scope, ref models.ExceptionRef) (models.Exception, error)
	// NoteException changes the note of an exception, such as the person who works on it. Errors: models.ErrNotFound.
	NoteException(ctx context.Context, scope models.Scope, actor models.Actor, ref models.ExceptionRef,
		change func(*models.ExceptionNote)) (models.Exception, error)
	// CommentSubjectExists returns an error if the organization has no such record. Errors: models.ErrNotFound.
	CommentSubjectExists(ctx context.Context, scope models.Scope, on models.CommentSubject) error
	// ListComments lists the comments of a record, the oldest first.
	ListComments(ctx context.Context, scope models.Scope, on models.CommentSubject) ([]models.Comment, error)
	// Comment reads a comment. Errors: models.ErrNotFound.
	Comment(ctx context.Context, scope models.Scope, id string) (models.Comment, error)
	// CreateComment writes a comment of the actor, for the people with the ids. Errors: *models.LimitError.
	CreateComment(ctx context.Context, scope models.Scope, actor models.Actor, on models.CommentSubject, text string,
		mentions []string) (models.Comment, error)
	// ChangeComment corrects or withdraws a comment of the actor. Errors: models.ErrNotFound, models.ErrForbidden,
	// *models.LimitError.
	ChangeComment(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change models.CommentChange) (models.Comment, error)
	// Colleagues lists the people who see organizations, by organization and name; those of staff only for staff.
	Colleagues(ctx context.Context, visible models.Visibility, organizations []string, staff bool) ([]models.Colleague, error)
	// ListMentions lists the comments that wait for a person, the oldest first.
	ListMentions(ctx context.Context, visible models.Visibility, userID string, most int) ([]models.CommentMention, error)
	// EndMention ends that a comment waits for the actor. Errors: models.ErrNotFound.
	EndMention(ctx context.Context, actor models.Actor, commentID string) error
	// Search finds records by a text, such as a part of a name.
	Search(ctx context.Context, visible models.Visibility, text string) (models.SearchResults, error)
	// Report reads a page of a report.
	Report(ctx context.Context, visible models.Visibility, q models.ReportQuery,
		page models.Page) (models.List[models.ReportRow], error)
	// ExportReport exports the rows of a report. begin is called with their number before the first pause.
	ExportReport(ctx context.Context, visible models.Visibility, q models.ReportQuery, begin func(total int64) error,
		to models.Export[models.ReportRow]) error
}
