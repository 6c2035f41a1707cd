package deps

import (
	"context"

	"levy/models"
)

// Transactions are the records of transactions.
type Transactions interface {
	// Transaction reads a transaction with all its parts. Errors: models.ErrNotFound.
	Transaction(ctx context.Context, scope models.Scope, id string) (models.Transaction, error)
	// TransactionByExternalID finds a transaction by the client's identifier. Errors: models.ErrNotFound.
	TransactionByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.Transaction, error)
	// ListTransactions lists the transactions that pass the filter with all their parts. For a large page it returns
	// instead the ids of the pieces in which TransactionsOf reads it.
	ListTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
		page models.Page) (models.TransactionPage, error)
	// TransactionsOf reads the transactions of one piece of a page, in the order of the ids.
	TransactionsOf(ctx context.Context, scope models.Scope, ids []string) ([]models.Transaction, error)
	// ExportTransactions exports every line of the transactions that pass the filter, in the order of the list. Errors:
	// those of the export, which end it.
	ExportTransactions(ctx context.Context, scope models.Scope, f models.TransactionFilter, order []models.Order,
		to models.Export[models.ExportLine]) error
	// UpdateTransaction replaces the content of a transaction by the result of build, all
	// in one database transaction, and returns the new version. Errors: models.ErrNotFound, those of build,
	// *models.ProductsNotFoundError, *models.ReferencesNotFoundError, *models.InvalidError,
	// *models.CreditEndpointError, *models.LockedError, *models.TransitionError, *models.HasCreditNotesError,
	// *models.DuplicateError, models.ErrUnavailable, models.ErrOutcomeUnknown.
	UpdateTransaction(ctx context.Context, scope models.Scope, id string,
		build models.BuildUpdate) (models.Transaction, error)
	// ReprocessTransaction puts a transaction back into the queue and returns the version to be processed. Errors:
	// models.ErrNotFound, *models.LockedError, *models.TransitionError, models.ErrUnavailable,
	// models.ErrOutcomeUnknown.
	ReprocessTransaction(ctx context.Context, scope models.Scope, actor models.Actor, id string) (models.Ref, error)
	// ArchiveTransactions archives the transactions that may be archived. It returns an error per id, in the order
	// of ids: nil, models.ErrNotFound, *models.LockedError, *models.HasCreditNotesError or *models.TransitionError.
	ArchiveTransactions(ctx context.Context, scope models.Scope, actor models.Actor, ids []string) ([]error, error)
	// ArchiveByDate archives the transactions of a period, the oldest first, and calls each with every result.
	// next is the last transaction read if more may follow, else empty. Errors: *models.ReferencesNotFoundError
	// for an unknown p.After.
	ArchiveByDate(ctx context.Context, scope models.Scope, actor models.Actor, p models.ArchivePeriod,
		each func(id string, err error)) (next string, err error)
	// KnownIDs returns the ids that a transaction, customer, exemption, registration or filing has.
	KnownIDs(ctx context.Context, scope models.Scope, ids []string) (map[string]bool, error)
	// RelatedTransactions lists the credit notes of a sale by date. For a credit note it lists the sale
	// and its other credit notes. Errors: models.ErrNotFound.
	RelatedTransactions(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.TransactionPage, error)
	// TransactionHistory lists the changes of a transaction's status, the oldest first. Errors: models.ErrNotFound.
	TransactionHistory(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.StageRecord], error)
	// TransactionRevisions lists the replaced versions of a transaction, the newest first. Errors: models.ErrNotFound.
	TransactionRevisions(ctx context.Context, scope models.Scope, id string,
		page models.Page) (models.List[models.TransactionRevision], error)
	// TransactionRevision reads a replaced version with its content. Errors: models.ErrNotFound.
	TransactionRevision(ctx context.Context, scope models.Scope, id string,
		revision int) (models.TransactionRevision, error)
	// TransactionExplanation reads the explanation of the tax of the current revision. Errors: models.ErrNotFound,
	// *models.NotProcessedError.
	TransactionExplanation(ctx context.Context, scope models.Scope, id string) (models.TransactionExplanation, error)
}

// Intake writes new transactions.
type Intake interface {
	// Accept writes a transaction with all its parts durably. The draft then contains the stored record. Errors:
	// *models.ProductsNotFoundError, *models.ReferencesNotFoundError, *models.InvalidError, *models.DuplicateError,
	// models.ErrUnavailable, models.ErrOutcomeUnknown.
	Accept(ctx context.Context, draft *models.TransactionDraft) error
	// AcceptAll is Accept for several drafts. It returns an error per draft, in their order. Of drafts
	// with the same external id the first is accepted.
	AcceptAll(ctx context.Context, drafts []*models.TransactionDraft) []error
	// HoldBatches locks the batches of an organization before the first AcceptAll of a request with a key.
	// more means that further calls of AcceptAll follow. Errors: models.ErrUnavailable.
	HoldBatches(ctx context.Context, scope models.Scope, more bool) error
}

// Dispatcher starts the processing of stored transactions.
type Dispatcher interface {
	// Offer never blocks and may drop the offer, because the relay starts what the dispatcher does not.
	Offer(ctx context.Context, ref models.Ref)
}

// CreditNotes are the records of credit notes and tax refunds.
type CreditNotes interface {
	// AcceptRefund writes a credit note or tax refund with all its effects on the original. The draft then contains the
	// stored record. waits means that the original must be processed first. Errors: models.ErrNotFound,
	// *models.ReferencesNotFoundError, *models.ProductsNotFoundError, models.ErrOriginalIsRefund,
	// *models.OriginalNotCommittedError, *models.InvalidError, *models.CreditExceedsError, *models.DuplicateError,
	// models.ErrUnavailable, models.ErrOutcomeUnknown.
	AcceptRefund(ctx context.Context, scope models.Scope, draft *models.RefundDraft) (waits bool, err error)
	// ChangeRefund reads a refund of a sale, calls change and writes a new version, all in one database transaction.
	// Errors: models.ErrNotFound, *models.LockedError, *models.TransitionError, those of change and of AcceptRefund.
	ChangeRefund(ctx context.Context, scope models.Scope, saleID, refundID string,
		change func(*models.RefundDraft) error) (d *models.RefundDraft, waits bool, err error)
}
