package storetest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/store/audit"
	"levy/store/ledger"
)

// RequireTrails verifies the audit trails of all organizations, which must include this one. Each row must be unchanged
// since its seal, and none missing.
func RequireTrails(
	ctx context.Context, tb testing.TB, trails *audit.Store, sealer *secret.Sealer, organizationID string,
) {
	tb.Helper()
	ids, err := trails.AuditedOrganizations(ctx)
	require.NoError(tb, err)
	require.Contains(tb, ids, organizationID)
	for _, id := range ids {
		v, err := trails.VerifyAudit(ctx, sealer, id, nil)
		require.NoError(tb, err)
		require.Empty(tb, v.Broken, "the audit trail of %s", id)
	}
}

// RequireLedger compares the records of all organizations with their leaves, of which none may lack.
func RequireLedger(ctx context.Context, tb testing.TB, trails *audit.Store, leaves *ledger.Store, sealer *secret.Sealer) {
	tb.Helper()
	ids, err := trails.AuditedOrganizations(ctx)
	require.NoError(tb, err)
	for _, id := range ids {
		chain, err := trails.VerifyAudit(ctx, sealer, id, nil)
		require.NoError(tb, err)
		v, err := leaves.Verify(ctx, id, chain.CoveredFrom)
		require.NoError(tb, err)
		require.Empty(tb, v.Broken, "the ledger of %s", id)
		require.Zero(tb, v.NotCovered, "in the ledger of %s: %s", id, v.FirstNotCovered)
	}
}
