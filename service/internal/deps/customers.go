package deps

import (
	"context"
	"io"

	"levy/internal/secret"
	"levy/models"
)

// Customers are the records of buyers.
type Customers interface {
	// CreateCustomer writes a customer. Errors: *models.DuplicateError (external_id).
	CreateCustomer(ctx context.Context, scope models.Scope, actor models.Actor, c *models.Customer) error
	// Customer reads one customer. Errors: models.ErrNotFound.
	Customer(ctx context.Context, scope models.Scope, id string) (models.Customer, error)
	// CustomerByExternalID finds a customer by the client's identifier. Errors: models.ErrNotFound.
	CustomerByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.Customer, error)
	// ListCustomers lists the customers that pass the filter.
	ListCustomers(ctx context.Context, scope models.Scope, f models.CustomerFilter, order []models.Order,
		page models.Page) (models.List[models.Customer], error)
	// UpdateCustomer reads a customer, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound, *models.DuplicateError (external_id), and those of change.
	UpdateCustomer(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Customer) error) (models.Customer, error)
}

// Exemptions are the records of exemptions with their documents.
type Exemptions interface {
	// CreateExemption writes an exemption and sets the customer's name in it. Errors: *models.ReferencesNotFoundError
	// (customer_id, transaction_id).
	CreateExemption(ctx context.Context, scope models.Scope, actor models.Actor, e *models.ExemptionRecord) error
	// Exemption reads one exemption. Errors: models.ErrNotFound.
	Exemption(ctx context.Context, scope models.Scope, id string) (models.ExemptionRecord, error)
	// ListExemptions lists the exemptions that pass the filter.
	ListExemptions(ctx context.Context, scope models.Scope, f models.ExemptionFilter, order []models.Order,
		page models.Page) (models.List[models.ExemptionRecord], error)
	// UpdateExemption reads an exemption, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound, and those of change.
	UpdateExemption(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Exemption) error) (models.ExemptionRecord, error)
	// CreateAttachment stores a document of an exemption, sealed by the document's own key. Errors: models.ErrNotFound.
	CreateAttachment(ctx context.Context, scope models.Scope, actor models.Actor, upload models.AttachmentUpload) error
	// ListAttachments lists the documents of an exemption, the oldest first. Errors: models.ErrNotFound.
	ListAttachments(ctx context.Context, scope models.Scope, exemptionID string) ([]models.Attachment, error)
	// Attachment reads a document of an exemption without its content. Errors: models.ErrNotFound.
	Attachment(ctx context.Context, scope models.Scope, exemptionID, id string) (models.Attachment, error)
	// WriteAttachment writes the decrypted content of a document piece by piece. Errors: those of to,
	// secret.ErrUnreadable.
	WriteAttachment(ctx context.Context, scope models.Scope, keys secret.RecordKeyOpener, a models.Attachment,
		to io.Writer) error
}
