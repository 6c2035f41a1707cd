package ledger_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

func TestMain(m *testing.M) { storetest.Main(m) }

// book is the ledger of an organization.
type book struct {
	*storetest.Bundle
	sealer *secret.Sealer
}

func newBook(t *testing.T) *book {
	t.Helper()
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	return &book{storetest.Setup(t, 2, 8), secret.NewSealer(ring)}
}

// sale accepts a sale, and processes it.
func (b *book) sale(t *testing.T, externalID string) *models.TransactionDraft {
	t.Helper()
	d := storetest.Draft(b.Scope, externalID)
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	b.Processed(t, []models.Ref{d.Ref()})
	return d
}

// seal seals all and requires an unbroken chain.
func (b *book) seal(t *testing.T) {
	t.Helper()
	require.NoError(t, b.Store.Audit.SealAll(t.Context(), b.sealer))
	v, err := b.Store.Audit.VerifyAudit(t.Context(), b.sealer, b.Scope.OrganizationID, nil)
	require.NoError(t, err)
	require.Empty(t, v.Broken)
}

func (b *book) verify(t *testing.T) models.LedgerResult {
	t.Helper()
	v, err := b.Store.Ledger.Verify(t.Context(), b.Scope.OrganizationID)
	require.NoError(t, err)
	return v
}

// asOwner executes statements as the owner of the database can, past all triggers.
func (b *book) asOwner(t *testing.T, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), b.URL)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	for _, sql := range append([]string{"SET session_replication_role = replica"}, statements...) {
		_, err = conn.Exec(t.Context(), sql)
		require.NoError(t, err, sql)
	}
}

func TestVerificationNamesTheFirstTransactionThatDiffers(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first, second := b.sale(t, "ORDER-1"), b.sale(t, "ORDER-2")
	_, err := b.Update(second.ID, func(d *models.TransactionDraft) { d.Description = new("A later version") })
	require.NoError(t, err)
	waiting := storetest.Draft(b.Scope, "ORDER-3")
	require.NoError(t, b.Intake.Accept(t.Context(), waiting))
	whole := b.verify(t) // decisions wait for their seal
	require.Equal(t, models.LedgerResult{Versions: 4, Decisions: 1}, whole)
	b.seal(t)
	require.Equal(t, whole, b.verify(t))
	_ = first
}
