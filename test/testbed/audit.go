package testbed

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/audit"
	"levy/store/pg"
)

// verifyTrails verifies the audit trails of all organizations of a test that has passed, whatever went wrong meanwhile:
// each row is as it was sealed, and none is missing. A database that the test left behind stopped is not verified.
func (b *Bed) verifyTrails() {
	ctx, cancel := context.WithTimeout(context.Background(), Patience)
	defer cancel()
	if b.tb.Failed() || b.tb.Skipped() || b.DB.Ping(ctx) != nil {
		return
	}
	ring, err := secret.ParseRing(b.allMasterKeys())
	require.NoError(b.tb, err)
	db, err := pg.Open(ctx, pg.Options{URL: b.DatabaseURL, MaxConnections: 2, MasterKeys: ring})
	require.NoError(b.tb, err)
	defer db.Close()
	trails := audit.New(db)
	ids, err := trails.AuditedOrganizations(ctx)
	require.NoError(b.tb, err)
	require.Contains(b.tb, ids, b.OrganizationID)
	for _, id := range ids {
		v, err := trails.VerifyAudit(ctx, secret.NewSealer(ring), id, nil)
		require.NoError(b.tb, err)
		require.Empty(b.tb, v.Broken, "the audit trail of %s", id)
	}
}

// allMasterKeys are those that the processes were started with, the last and the first.
func (b *Bed) allMasterKeys() string {
	for _, setting := range b.env {
		if keys, found := strings.CutPrefix(setting, "LEVY_MASTER_KEYS="); found && !strings.Contains(keys, b.MasterKeys) {
			return keys + "," + b.MasterKeys
		} else if found {
			return keys
		}
	}
	return b.MasterKeys
}
