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

// Some work reads and writes records of several subjects. A view joins their stores into
// one value that has the methods of all, for whoever declares what it needs.

type (
	catalogStore      = catalog.Store
	contentStore      = content.Store
	filingStore       = filings.Store
	nexusStore        = nexus.Store
	registrationStore = registrations.Store
	transactionStore  = transactions.Store
)

// ProcessingView is for the four stages of a transaction.
type ProcessingView struct {
	*transactionStore
	*contentStore
}

// Processing is for the four stages of a transaction.
func (s *Store) Processing() ProcessingView { return ProcessingView{s.Transactions, s.Content} }

// RegistrationView is for the work of a registration.
type RegistrationView struct {
	*registrationStore
	*catalogStore
	*filingStore
}

// Registering is for the work of a registration.
func (s *Store) Registering() RegistrationView {
	return RegistrationView{s.Registrations, s.Catalog, s.Filings}
}

// NexusView is for the evaluation and the recount of nexus.
type NexusView struct {
	*nexusStore
	*contentStore
	*registrationStore
	*transactionStore
}

// Evaluation is for the evaluation and the recount of nexus.
func (s *Store) Evaluation() NexusView {
	return NexusView{s.Nexus, s.Content, s.Registrations, s.Transactions}
}

// ProductView is for products and what a change of one means for recent transactions.
type ProductView struct {
	*catalogStore
	*transactionStore
}

// Products is for products and what a change of one means for recent transactions.
func (s *Store) Products() ProductView { return ProductView{s.Catalog, s.Transactions} }

// Feed is for events and the records that they are about.
func (s *Store) Feed() *feed.Store {
	return feed.New(s.DB, s.Events, feed.Subjects{
		Organizations: s.Organizations, Catalog: s.Catalog, Transactions: s.Transactions, Nexus: s.Nexus,
		Registrations: s.Registrations, Filings: s.Filings,
	})
}
