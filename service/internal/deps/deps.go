package deps

import (
	"context"

	"levy/models"
	"levy/tax"
)

// Deps are the parts of Levy that the operations use. The packages of store implement the records.
// The cache of store/content implements catalogue and places. cmd/levy connects them.
type Deps struct {
	Principals    Principals
	Organizations Organizations
	APIKeys       APIKeys
	Products      Products
	Customers     Customers
	Exemptions    Exemptions
	Registrations Registrations
	Nexus         Nexus
	RateOverrides RateOverrides
	Law           Law
	Transactions  Transactions
	Intake        Intake
	CreditNotes   CreditNotes
	Dispatcher    Dispatcher
	Idempotency   Idempotency
	Catalogue     Catalogue
	Places        Places
	Engine        Engine
	Sales         Sales
	Reports       Reports
	Filings       Filings
	Imports       Imports
	Audit         Audit
	Events        Events
	Webhooks      Webhooks
	Addresses     Addresses
	People        People
	Provider      IdentityProvider // nil if people sign in with passwords
	Work          Work

	Onboardings Onboardings
	Links       OnboardingLinks
	Steps       Steps
	Edits       Edits
	Vault       Vault

	// Status returns the state of the whole installation.
	Status func(ctx context.Context) (models.Status, error)
	// ContentChanges returns the differences from another version of the tax content.
	ContentChanges func(ctx context.Context) (models.ContentChanges, error)
	// Database and Workflows report whether PostgreSQL and Temporal answer.
	Database, Workflows Check
}

// Check returns nil if a part that Levy depends on answers, else its error.
type Check func(ctx context.Context) error

// Principals finds the principal of a key. hashes are the hashes of one key under every master key. Errors:
// models.ErrNotFound, models.ErrUnavailable.
type Principals interface {
	FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error)
}

// PrincipalChanges reports organizations whose principals have changed in any process, until ctx ends.
// It calls heard when it will report all further changes, and lost when it may miss some.
type PrincipalChanges interface {
	WatchPrincipals(ctx context.Context, heard func(), changed func(organizationID string), lost func(error))
}

// Organizations are the records of organizations. root is always an organization without a parent.
// Methods with root see that organization and its clients. Steps creates organizations.
type Organizations interface {
	// NameHolder returns the id of the client of root that has the name and is not archived; empty if no client has it.
	NameHolder(ctx context.Context, root models.Scope, name string) (string, error)
	// Organization reads the organization itself. Errors: models.ErrNotFound.
	Organization(ctx context.Context, scope models.Scope) (models.Organization, error)
	// Reachable reads root itself or one of its clients, also archived ones. Errors: models.ErrNotFound.
	Reachable(ctx context.Context, root models.Scope, id string) (models.Organization, error)
	// PrincipalOf returns the principal of an organization for a person with a role there. Errors:
	// models.ErrNotFound for an unknown or archived organization.
	PrincipalOf(ctx context.Context, organizationID string) (models.Principal, error)
	// NameTaken reports whether a client of root that is not archived has the name.
	NameTaken(ctx context.Context, root models.Scope, name string) (bool, error)
	// UpdateOrganization reads an organization, calls change and writes the result, all in one database transaction.
	// Errors: models.ErrNotFound, models.ErrArchived, *models.DuplicateError (name), and those of change.
	UpdateOrganization(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.Organization) error) (models.Organization, error)
	// ArchiveOrganization archives a client permanently and revokes its keys. It does not change an archived
	// organization. Errors: models.ErrNotFound.
	ArchiveOrganization(ctx context.Context, scope models.Scope, actor models.Actor, reason string) error
	// ChangeSettings reads the settings, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound.
	ChangeSettings(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.OrganizationSettings)) (models.Organization, error)
	// ListOrganizations lists root and its clients.
	ListOrganizations(ctx context.Context, root models.Scope, f models.OrganizationFilter, order []models.Order,
		page models.Page) (models.List[models.Organization], error)
}

// APIKeys are the records of keys.
type APIKeys interface {
	// CreateAPIKey writes the record of a new key. Errors: *models.LimitError if the organization has the largest
	// number of active keys.
	CreateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, k *models.APIKey) error
	// APIKey reads one record. Errors: models.ErrNotFound.
	APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error)
	// ListAPIKeys lists the records of all keys or of active keys only.
	ListAPIKeys(ctx context.Context, scope models.Scope, activeOnly bool, order []models.Order,
		page models.Page) (models.List[models.APIKey], error)
	// UpdateAPIKey reads the record of a key, calls change and writes the result, all in one database transaction.
	// Errors: models.ErrNotFound, *models.TransitionError for an end that would revive an expired key.
	UpdateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.APIKey) error) (models.APIKey, error)
	// RotateAPIKey writes the record of a key that replaces another one, with its name, metadata, scopes and end.
	// Errors: models.ErrNotFound, *models.TransitionError for a key that is not active, *models.LimitError,
	// models.ErrForbidden for a key that ends after the key of the caller.
	RotateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, rotation models.APIKeyRotation) error
	// RevokeAPIKey revokes a key permanently. It does not change a revoked key. Errors: models.ErrNotFound.
	RevokeAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
}

// Products are the entries of the catalogues.
type Products interface {
	// CreateProduct writes a product. Errors: *models.DuplicateError (external_id).
	CreateProduct(ctx context.Context, scope models.Scope, actor models.Actor, p *models.Product) error
	// Product reads one product. Errors: models.ErrNotFound.
	Product(ctx context.Context, scope models.Scope, id string) (models.Product, error)
	// ProductByExternalID finds a product by the client's identifier. Errors: models.ErrNotFound.
	ProductByExternalID(ctx context.Context, scope models.Scope, externalID string) (models.Product, error)
	// ListProducts lists the products that pass the filter.
	ListProducts(ctx context.Context, scope models.Scope, f models.ProductFilter, order []models.Order,
		page models.Page) (models.List[models.Product], error)
	// UpdateProduct reads a product, calls change and writes the result, all in one database transaction. Errors:
	// models.ErrNotFound, and those of change.
	UpdateProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Product) error) (models.Product, error)
	// RecentSales calls see with the processed sales of a product, the newest first, a few at a time. Errors: those
	// of see.
	RecentSales(ctx context.Context, scope models.Scope, q models.RecentSalesQuery,
		see func([]models.Transaction) error) error
	// ArchiveProduct sets the status ARCHIVED. Errors: models.ErrNotFound.
	ArchiveProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
}

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
	// NoteRead records a read of personal data or of a whole export.
	NoteRead(ctx context.Context, read *models.AuditEntry) error
}

// Places resolves addresses by the tax content in force.
type Places interface {
	Locator
	// Resolve returns the place of an address.
	Resolve(a tax.Address) tax.Place
	// Suggest completes the beginning of an address.
	Suggest(a tax.Address) []tax.Suggestion
	// Jurisdiction returns the taxing authority with an id of a place.
	Jurisdiction(id string) (tax.Jurisdiction, bool)
}

// Locator finds the places of addresses.
type Locator interface {
	// Locate resolves addresses on their days, all by the same content and as precisely as the loaded boundary files
	// allow. Each place names its content.
	Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error)
}

// Engine resolves places and calculates tax by the tax content in force.
type Engine interface {
	Locator
	// Calculator returns the function that taxes sales by the named content, which resolved their place.
	// Errors of that function: tax.ErrOverflow for sums that are no amounts, and those of invalid requests.
	Calculator(ctx context.Context, contentVersion string) (func(tax.Request) (tax.Result, error), error)
}

// Sales reads the records that determine the tax of an unrecorded sale.
type Sales interface {
	// SaleRecords returns the named records that exist.
	SaleRecords(ctx context.Context, scope models.Scope, names models.SaleNames) (models.SaleRecords, error)
}

// Catalogue is the list of product categories with their tax classes.
type Catalogue interface {
	Categories() []tax.Category
	Classify(category, subcategory string) (class tax.TaxClass, how tax.Classification, ok bool)
}

// PrincipalCache drops principals that this process has changed.
type PrincipalCache interface {
	// Forget drops a key that was revoked.
	Forget(apiKeyID string)
	// ForgetOrganization drops the keys of an organization and of its clients.
	ForgetOrganization(id string)
}
