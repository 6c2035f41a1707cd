package testbed

import (
	"context"
	"strings"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/audit"
	"levy/store/pg"
	"levy/store/storetest"
)

// verifyAuditTrails verifies the audit trails of a test that has passed, whatever went wrong meanwhile. A database that the
// test left behind stopped is not verified.
func (b *Bed) verifyAuditTrails() {
	ctx, cancel := context.WithTimeout(context.Background(), WaitLimit)
	defer cancel()
	if b.tb.Failed() || b.tb.Skipped() || b.DB.Ping(ctx) != nil {
		return
	}
	ring, err := secret.ParseRing(b.allMasterKeys())
	require.NoError(b.tb, err)
	ring, err = ring.WithWrapping(b.setting("LEVY_WRAPPING_KEYS"))
	require.NoError(b.tb, err)
	db, err := pg.Open(ctx, pg.Options{URL: b.DatabaseURL, MaxConnections: 2, MasterKeys: ring})
	require.NoError(b.tb, err)
	defer db.Close()
	storetest.RequireTrails(ctx, b.tb, audit.New(db), secret.NewSealer(ring), b.OrganizationID)
}

// allMasterKeys are those that the processes were started with, the last and the first.
func (b *Bed) allMasterKeys() string {
	keys := b.setting("LEVY_MASTER_KEYS")
	switch {
	case keys == "":
		return b.MasterKeys
	case strings.Contains(keys, b.MasterKeys):
		return keys
	}
	return keys + "," + b.MasterKeys
}

// setting is the value of a setting of the processes, empty if there is none.
func (b *Bed) setting(name string) string {
	for _, setting := range b.env {
		if value, found := strings.CutPrefix(setting, name+"="); found {
			return value
		}
	}
	return ""
}
