package store

import (
	"levy/store/catalog"
	"levy/store/content"
	"levy/store/events"
	"levy/store/feed"
	"levy/store/filings"
	"levy/store/nexus"
	"levy/store/registrations"
	"levy/store/transactions"
)

// Some work reads and writes records of several stores. They are joined into one value with the methods of all,
// for consumers that declare interfaces.

type (
	catalogStore      = catalog.Store
	contentStore      = content.Store
	eventStore        = events.Store
	filingStore       = filings.Store
	nexusStore        = nexus.Store
	registrationStore = registrations.Store
	transactionStore  = transactions.Store
)

// Processing is for the four stages of a transaction.
type Processing struct {
	*transactionStore
	*contentStore
}

// Processing returns the stores for the four stages of a transaction.
func (s *Store) Processing() Processing { return Processing{s.Transactions, s.Content} }

// Registering is for the work of a registration.
type Registering struct {
	*registrationStore
	*catalogStore
	*filingStore
}

// Registering returns the stores for the work of a registration.
func (s *Store) Registering() Registering { return Registering{s.Registrations, s.Catalog, s.Filings} }

// Evaluation is for the evaluation and the recount of nexus.
type Evaluation struct {
	*nexusStore
	*contentStore
	*registrationStore
	*transactionStore
	*eventStore
}

// Evaluation returns the stores for the evaluation and the recount of nexus.
func (s *Store) Evaluation() Evaluation {
	return Evaluation{s.Nexus, s.Content, s.Registrations, s.Transactions, s.Events}
}

// Products is for products and the effect of a change on recent transactions.
type Products struct {
	*catalogStore
	*transactionStore
}

// Products returns the stores of products and transactions.
func (s *Store) Products() Products { return Products{s.Catalog, s.Transactions} }

// Feed returns the store of events with the records that they are about.
func (s *Store) Feed() *feed.Store {
	return feed.New(s.DB, s.Events, feed.Subjects{
		Organizations: s.Organizations, Catalog: s.Catalog, Transactions: s.Transactions, Nexus: s.Nexus,
		Registrations: s.Registrations, Filings: s.Filings,
	})
}
