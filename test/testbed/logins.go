package testbed

import (
	"context"

	"github.com/stretchr/testify/require"

	"levy/internal/local"
	"levy/store/pg"
)

// nameLogins says by which addresses the logins of the bed's database are reached. Beds on one server share them.
func (b *Bed) nameLogins() {
	b.tb.Helper()
	var err error
	b.ownerURL, err = local.LoginURL(b.DatabaseURL, local.OwnerLogin, "")
	require.NoError(b.tb, err)
	b.serviceURL, err = local.LoginURL(b.DatabaseURL, local.ServiceLogin, "")
	require.NoError(b.tb, err)
}

// makeLogins makes them.
func (b *Bed) makeLogins(ctx context.Context) {
	b.tb.Helper()
	_, err := pg.MakeLogins(ctx, pg.Logins{Admin: b.DatabaseURL, Owner: b.ownerURL, Service: b.serviceURL})
	require.NoError(b.tb, err)
}
