package deps

import (
	"context"

	"levy/models"
)

// Transactions are the records of transactions.
type Transactions interface {
	// Transaction reads one with all its parts. Errors: models.ErrNotFound.
	Transaction(ctx context.Context, scope models.Scope, id string) (models.Transaction, error)
	// TransactionByExternalID finds one by the client's identifier. Errors: models.ErrNotFound.
	TransactionByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.Transaction, error)
	// ListTransactions lists those that pass the filter, with all their parts, or says in which pieces a
	// large page can be read.
	ListTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
		page models.Page) (models.TransactionPage, error)
	// TransactionsOf reads those of a piece of a page, in the order of the ids.
	TransactionsOf(ctx context.Context, scope models.Scope, ids []string) ([]models.Transaction, error)
	// ExportTransactions exports every line of those that pass the filter, in the order of the list. An error
	// of the export ends it and is returned.
	ExportTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
		to models.Export[models.ExportLine]) error
	// UpdateTransaction replaces the content of one by what build makes of the stored
	// version, all in one database transaction, and returns the new version.
	// Errors: models.ErrNotFound; those of build; *models.ProductsNotFoundError, *models.ReferencesNotFoundError,
	// *models.InvalidError; *models.CreditEndpointError, *models.LockedError, *models.TransitionError,
	// *models.HasCreditNotesError; *models.DuplicateError; models.ErrUnavailable, models.ErrOutcomeUnknown.
	UpdateTransaction(ctx context.Context, scope models.Scope, id string,
		build models.BuildUpdate) (models.Transaction, error)
	// ReprocessTransaction puts one back into the queue and returns its version to be
	// processed. Errors: models.ErrNotFound, *models.LockedError, *models.TransitionError,
	// models.ErrUnavailable, models.ErrOutcomeUnknown.
	ReprocessTransaction(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.Ref, error)
	// ArchiveTransactions archives those that may be and gives each its verdict, in the
	// order of ids. Verdicts: nil, models.ErrNotFound, *models.LockedError, *models.HasCreditNotesError,
	// *models.TransitionError.
	ArchiveTransactions(ctx context.Context, scope models.Scope, actor models.Actor, ids []string) ([]error, error)
	// ArchiveByDate archives those of a period, the oldest first. each gets every verdict;
	// next is the last one read when there may be more.
	// Errors: *models.ReferencesNotFoundError for an unknown p.After.
	ArchiveByDate(ctx context.Context, scope models.Scope, actor models.Actor, p models.ArchivePeriod,
		each func(id string, verdict error)) (next string, err error)
	// KnownIDs are those of ids that a transaction, customer, exemption, registration or filing has.
	KnownIDs(ctx context.Context, scope models.Scope, ids []string) (map[string]bool, error)
	// RelatedTransactions lists the credit notes of a sale, or the sale and other credit
	// notes of one, by date. Errors: models.ErrNotFound.
	RelatedTransactions(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.TransactionPage, error)
	// TransactionHistory lists what happened to one, the oldest first. Errors: models.ErrNotFound.
	TransactionHistory(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.StageRecord], error)
	// TransactionRevisions lists the versions that updates replaced, the newest first.
	// Errors: models.ErrNotFound.
	TransactionRevisions(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.TransactionRevision], error)
	// TransactionRevision reads a replaced version with its content. Errors: models.ErrNotFound.
	TransactionRevision(ctx context.Context, scope models.Scope, id string,
		revision int) (models.TransactionRevision, error)
	// TransactionExplanation reads how the tax of the current revision was computed.
	// Errors: models.ErrNotFound, *models.NotProcessedError.
	TransactionExplanation(ctx context.Context, scope models.Scope, id string) (models.TransactionExplanation, error)
}

// Intake writes new transactions.
type Intake interface {
	// Accept writes the transaction with everything that belongs to it, durably;
	// afterwards the draft holds it as stored.
	// Errors: *models.ProductsNotFoundError, *models.ReferencesNotFoundError, *models.InvalidError,
	// *models.DuplicateError, models.ErrUnavailable, models.ErrOutcomeUnknown.
	Accept(ctx context.Context, draft *models.TransactionDraft) error
	// AcceptAll is Accept for several: each has its own verdict, in the order of the
	// drafts, and of equal external ids the first wins.
	AcceptAll(ctx context.Context, drafts []*models.TransactionDraft) []error
	// HoldBatches belongs before the first AcceptAll of a request with a key; more says
	// that others follow. Errors: models.ErrUnavailable.
	HoldBatches(ctx context.Context, scope models.Scope, more bool) error
}

// Dispatcher starts the processing of transactions that are stored.
type Dispatcher interface {
	// Offer never blocks and may drop the offer: the outbox remembers the work.
	Offer(ctx context.Context, ref models.Ref)
}
