package testbed

import (
	"context"

	"github.com/stretchr/testify/require"

	"levy/internal/local/postgres"
	"levy/store/pg"
	"levy/store/storetest"
)

// TemplateVariable names a database of the shared PostgreSQL that NewTemplate has made. Without it each bed migrates.
const TemplateVariable = "LEVY_TEST_BED_TEMPLATE"

// NewTemplate makes a database for beds to copy from a migrated one, and returns its name. It belongs to the login that
// migrates, and has row-level security for the login that serves. Changing the owner of more than 150 tables takes
// longer than copying them.
func NewTemplate(ctx context.Context, server, migrated string) (name string, err error) {
	name = migrated + "_beds"
	address, _, err := newDatabase(ctx, server, name, migrated)
	if err != nil {
		return "", err
	}
	logins := pg.Logins{Admin: address}
	if logins.Owner, err = postgres.LoginURL(address, postgres.OwnerLogin, ""); err != nil {
		return "", err
	}
	if logins.Service, err = postgres.LoginURL(address, postgres.ServiceLogin, ""); err != nil {
		return "", err
	}
	if logins.Worker, err = postgres.LoginURL(address, postgres.WorkerLogin, ""); err != nil {
		return "", err
	}
	if _, err := pg.CreateLogins(ctx, logins); err != nil {
		return "", err
	}
	return name, storetest.Migrate(ctx, logins.Owner)
}

// nameLogins says the addresses of the bed's database for both logins. Beds on one server share them.
func (b *Bed) nameLogins() {
	b.tb.Helper()
	var err error
	b.ownerURL, err = postgres.LoginURL(b.DatabaseURL, postgres.OwnerLogin, "")
	require.NoError(b.tb, err)
	b.serviceURL, err = postgres.LoginURL(b.DatabaseURL, postgres.ServiceLogin, "")
	require.NoError(b.tb, err)
	b.workerURL, err = postgres.LoginURL(b.DatabaseURL, postgres.WorkerLogin, "")
	require.NoError(b.tb, err)
}

// makeLogins creates the logins.
func (b *Bed) makeLogins(ctx context.Context) {
	b.tb.Helper()
	_, err := pg.CreateLogins(ctx, pg.Logins{Admin: b.DatabaseURL, Owner: b.ownerURL, Service: b.serviceURL, Worker: b.workerURL})
	require.NoError(b.tb, err)
}
