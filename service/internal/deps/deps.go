package deps

import (
	"context"

	"levy/models"
	"levy/tax"
)

// Deps are the parts of Levy that the API uses. The packages of store implement the records,
// and the cache of store/content the catalogue and the places; cmd/levy wires them.
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
	Provider      IdentityProvider // nil: people sign in with passwords
	Work          Work

	Onboardings Onboardings
	Links       OnboardingLinks
	Steps       Steps
	Edits       Edits
	Vault       Vault

	// Status says how the whole installation is.
	Status func(ctx context.Context) (models.Status, error)
	// ContentChanges are those of another version of the tax content.
	ContentChanges func(ctx context.Context) (models.ContentChanges, error)
	// Database and Workflows report whether PostgreSQL and Temporal answer.
	Database, Workflows Check
}

// Check reports whether a part that Levy depends on answers.
type Check func(ctx context.Context) error

// Principals finds the principal of a key. hashes are those of one key under every
// master key. Errors: models.ErrNotFound, models.ErrUnavailable.
type Principals interface {
	FindPrincipal(ctx context.Context, hashes [][]byte) (models.Principal, error)
}

// PrincipalChanges tell, until ctx ends, of which organizations something changed, in any
// process, that the principals of their keys say. heard is called when from now on nothing
// is missed, lost when something may be.
type PrincipalChanges interface {
	WatchPrincipals(ctx context.Context, heard func(), changed func(organizationID string), lost func(error))
}

// Organizations are the records of organizations. root is always an organization
// without a parent; methods that take it see that organization and its clients.
// They are created through Steps.
type Organizations interface {
	// NameHolder returns the client of root, not archived, that has the name; empty for none.
	NameHolder(ctx context.Context, root models.Scope, name string) (string, error)
	// Organization reads the organization itself. Errors: models.ErrNotFound.
	Organization(ctx context.Context, scope models.Scope) (models.Organization, error)
	// Reachable reads root itself or one of its clients, archived ones included.
	// Errors: models.ErrNotFound.
	Reachable(ctx context.Context, root models.Scope, id string) (models.Organization, error)
	// PrincipalOf is what a key of the organization would speak for, for a person who has a role
	// there. Errors: models.ErrNotFound for one that is unknown or archived.
	PrincipalOf(ctx context.Context, organizationID string) (models.Principal, error)
	// NameTaken reports whether a client of root that is not archived has the name.
	NameTaken(ctx context.Context, root models.Scope, name string) (bool, error)
	// UpdateOrganization reads an organization, lets change alter it and writes it,
	// all in one database transaction. Errors: models.ErrNotFound,
	// models.ErrArchived, *models.DuplicateError (name), and those of change.
	UpdateOrganization(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.Organization) error) (models.Organization, error)
	// ArchiveOrganization ends a client for good and revokes its keys. An archived
	// organization stays as it is. Errors: models.ErrNotFound.
	ArchiveOrganization(ctx context.Context, scope models.Scope, actor models.Actor, reason string) error
	// ChangeSettings lets change alter the settings and writes them, all in one
	// database transaction. Errors: models.ErrNotFound.
	ChangeSettings(ctx context.Context, scope models.Scope, actor models.Actor,
		change func(*models.OrganizationSettings)) (models.Organization, error)
	// ListOrganizations lists root and its clients.
	ListOrganizations(ctx context.Context, root models.Scope, f models.OrganizationFilter, order []models.Order,
		page models.Page) (models.List[models.Organization], error)
}

// APIKeys are the records of keys.
type APIKeys interface {
	// CreateAPIKey writes the record of a new key.
	// Errors: *models.LimitError when the organization has as many active keys as it may.
	CreateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, k *models.APIKey) error
	// APIKey reads one record. Errors: models.ErrNotFound.
	APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error)
	// ListAPIKeys lists the records, or only those of active keys.
	ListAPIKeys(ctx context.Context, scope models.Scope, activeOnly bool, order []models.Order,
		page models.Page) (models.List[models.APIKey], error)
	// UpdateAPIKey reads the record of a key, lets change alter it and writes it, all
	// in one database transaction. Errors: models.ErrNotFound, *models.TransitionError
	// for an end by which an expired key would work again.
	UpdateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.APIKey) error) (models.APIKey, error)
	// RotateAPIKey writes the record of a key that replaces another, with its name, metadata,
	// scopes and end. Errors: models.ErrNotFound, *models.TransitionError for a key that is not
	// active, *models.LimitError, and models.ErrForbidden for one that ends after the key which asks.
	RotateAPIKey(ctx context.Context, scope models.Scope, actor models.Actor, rotation models.APIKeyRotation) error
	// RevokeAPIKey ends a key for good; a revoked key stays as it is. Errors: models.ErrNotFound.
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
	// UpdateProduct reads a product, lets change alter it and writes it, all in one
	// database transaction. Errors: models.ErrNotFound, and those of change.
	UpdateProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string,
		change func(*models.Product) error) (models.Product, error)
	// RecentSales gives see the processed sales of a product, the newest first, a few at
	// a time. Errors: those of see.
	RecentSales(ctx context.Context, scope models.Scope, q models.RecentSalesQuery,
		see func([]models.Transaction) error) error
	// ArchiveProduct sets the status ARCHIVED. Errors: models.ErrNotFound.
	ArchiveProduct(ctx context.Context, scope models.Scope, actor models.Actor, id string) error
}

// Events are what happened to records, in an order that never changes.
type Events interface {
	// After returns events in their order, and whether there are more behind them.
	After(ctx context.Context, q models.EventQuery) (events []models.Event, more bool, err error)
	// Event reads the event at a place. Errors: models.ErrNotFound.
	Event(ctx context.Context, scope models.Scope, at models.EventPosition) (models.Event, error)
	// End is the place behind all events that may be seen by now.
	End(ctx context.Context) (models.EventPosition, error)
	// Newest returns the place of the newest event of each organization that has one of the last hour.
	Newest(ctx context.Context, organizations []string) (map[string]models.EventPosition, error)
	// Last returns the place of the newest event of an organization; the zero value where it has none.
	Last(ctx context.Context, scope models.Scope) (models.EventPosition, error)
	// EventRecords reads the records that events are about, as they were.
	EventRecords(ctx context.Context, events []models.Event) ([]models.EventRecord, error)
}

// Audit is the audit trail.
type Audit interface {
	// ListAudit lists the entries that pass the filter, the newest first.
	ListAudit(ctx context.Context, scope models.Scope, f models.AuditFilter,
		page models.Page) (models.List[models.AuditEntry], error)
	// NoteRead notes that somebody reads personal data, or all there is of something.
	NoteRead(ctx context.Context, read *models.AuditEntry) error
}

// Places knows addresses by the tax content in force.
type Places interface {
	Locator
	// Resolve finds the place of an address.
	Resolve(a tax.Address) tax.Place
	// Suggest completes the beginning of an address.
	Suggest(a tax.Address) []tax.Suggestion
	// Jurisdiction finds a taxing authority by the id that places carry.
	Jurisdiction(id string) (tax.Jurisdiction, bool)
}

// Locator finds the places of addresses.
type Locator interface {
	// Locate resolves addresses on their days, all by the same content and as finely
	// as the boundary files loaded allow. Each place names its content.
	Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error)
}

// Engine resolves places and calculates tax by the tax content in force.
type Engine interface {
	Locator
	// Calculator returns how sales are taxed by the content of that name: the one
	// that resolved their place. Errors of the calculation: tax.ErrOverflow for sums
	// that are no amounts, and those of requests that cannot be asked.
	Calculator(ctx context.Context, contentVersion string) (func(tax.Request) (tax.Result, error), error)
}

// Sales read what decides the tax of a sale that is not recorded.
type Sales interface {
	// SaleRecords finds the records that are named; those that do not exist are missing.
	SaleRecords(ctx context.Context, scope models.Scope, names models.SaleNames) (models.SaleRecords, error)
}

// Catalogue is the list of product categories with their tax classes.
type Catalogue interface {
	Categories() []tax.Category
	Classify(category, subcategory string) (class tax.TaxClass, how tax.Classification, ok bool)
}

// PrincipalCache forgets what keys stand for when that changes in this process.
type PrincipalCache interface {
	// Forget drops a key that was revoked.
	Forget(apiKeyID string)
	// ForgetOrganization drops the keys of an organization and of its clients.
	ForgetOrganization(id string)
}
