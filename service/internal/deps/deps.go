package deps

import (
	"context"

	"levy/models"
	"levy/returns"
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
	SentTo        returns.AdapterAuthorities // authorities to which an adapter sends returns
	Filings       Filings
	Imports       Imports
	Audit         Audit
	Events        Events
	Webhooks      Webhooks
	Addresses     Addresses
	People        People
	Provider      IdentityProvider // nil if people sign in with passwords
	Work          Work
	Notices       Notices

	Onboardings Onboardings
	Links       OnboardingLinks

	CalendarFeeds CalendarFeeds

	Connections AuthorityConnections
	// Consents are those of the authorities to which returns of test organizations go by a grant, by adapter; nil for none. No
	// adapter sends returns of others.
	Consents map[string]Consents

	Steps Steps
	Edits Edits
	Vault Vault

	// Status returns the state of the whole installation.
	Status func(ctx context.Context) (models.Status, error)
	// ContentChanges returns the differences from another version of the tax content.
	ContentChanges func(ctx context.Context) (models.ContentChanges, error)
	// MasterKeys returns what needs each master key.
	MasterKeys func(ctx context.Context) (models.MasterKeys, error)
	// Database and Workflows report whether PostgreSQL and Temporal answer.
	Database, Workflows Check
}

// Check returns nil if a part that Levy depends on answers, else its error.
type Check func(ctx context.Context) error
