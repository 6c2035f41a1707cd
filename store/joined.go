package store

import (
	"levy/store/catalog"
	"levy/store/content"
	"levy/store/feed"
	"levy/store/filings"
	"levy/store/nexus"
	"levy/store/registrations"
	"levy/store/transactions"
)

// Some work reads and writes records of several subjects. Their stores are joined into one
// value that has the methods of all, for whoever declares what it needs.

type (
	catalogStore      = catalog.Store
	contentStore      = content.Store
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

// Processing joins what the four stages of a transaction need.
func (s *Store) Processing() Processing { return Processing{s.Transactions, s.Content} }

// Registering is for the work of a registration.
type Registering struct {
	*registrationStore
	*catalogStore
	*filingStore
}

// Registering joins what the work of a registration needs.
func (s *Store) Registering() Registering { return Registering{s.Registrations, s.Catalog, s.Filings} }

// Evaluation is for the evaluation and the recount of nexus.
type Evaluation struct {
	*nexusStore
	*contentStore
	*registrationStore
	*transactionStore
}

// Evaluation joins what the evaluation and the recount of nexus need.
func (s *Store) Evaluation() Evaluation {
	return Evaluation{s.Nexus, s.Content, s.Registrations, s.Transactions}
}

// Products is for products and what a change of one means for recent transactions.
type Products struct {
	*catalogStore
	*transactionStore
}

// Products joins products with recent transactions.
func (s *Store) Products() Products { return Products{s.Catalog, s.Transactions} }

// Feed is for events and the records that they are about.
func (s *Store) Feed() *feed.Store {
	return feed.New(s.DB, s.Events, feed.Subjects{
		Organizations: s.Organizations, Catalog: s.Catalog, Transactions: s.Transactions, Nexus: s.Nexus,
		Registrations: s.Registrations, Filings: s.Filings,
	})
}
