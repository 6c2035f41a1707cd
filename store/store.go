package store

import (
	"context"

	"levy/store/audit"
	"levy/store/catalog"
	"levy/store/content"
	"levy/store/engine"
	"levy/store/events"
	"levy/store/filings"
	"levy/store/idempotency"
	"levy/store/imports"
	"levy/store/integrity"
	"levy/store/ledger"
	"levy/store/masterkeys"
	"levy/store/nexus"
	"levy/store/notices"
	"levy/store/organizations"
	"levy/store/people"
	"levy/store/pg"
	"levy/store/registrations"
	"levy/store/transactions"
	"levy/store/webhooks"
	"levy/store/work"
)

// Store is one database with all stores on it.
type Store struct {
	*pg.DB

	Organizations *organizations.Store
	People        *people.Store
	Catalog       *catalog.Store
	Transactions  *transactions.Store
	Imports       *imports.Store
	Nexus         *nexus.Store
	Notices       *notices.Store
	Registrations *registrations.Store
	Filings       *filings.Store
	Content       *content.Store
	Idempotency   *idempotency.Store
	Audit         *audit.Store
	Engine        *engine.Store
	Events        *events.Store
	Webhooks      *webhooks.Store
	Work          *work.Store
	Integrity     *integrity.Store
	Ledger        *ledger.Store
	MasterKeys    *masterkeys.Store
}

// Options are the settings of a store.
type Options = pg.Options

// Open prepares all stores on one database. It does not connect, so a process may start before its database.
func Open(ctx context.Context, o Options) (*Store, error) {
	db, err := pg.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: db, Organizations: organizations.New(db), People: people.New(db), Catalog: catalog.New(db),
		Nexus: nexus.New(db), Notices: notices.New(db),
		Registrations: registrations.New(db), Idempotency: idempotency.New(db), Audit: audit.New(db),
		Engine: engine.New(db), Integrity: integrity.New(db), Work: work.New(db), Events: events.New(db)}
	s.Webhooks = webhooks.New(db, s.Events)
	s.Content = content.New(db, s.Nexus)
	s.Filings = filings.New(db, s.Registrations)
	s.Transactions = transactions.New(db, s.Filings, s.Content)
	s.Imports = imports.New(db, s.Transactions, s.Filings)
	s.Ledger = ledger.New(db, s.Filings, s.Audit)
	s.MasterKeys = masterkeys.New(db, s.Audit, s.Organizations.DataKeys(), s.Catalog.DocumentKeys(), s.People.SecondFactorKeys(),
		db.InstallationKeys())
	return s, nil
}
