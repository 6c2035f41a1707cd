package main

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

// Staff delete documents of exemptions that are over, after a preview of what is deleted.
func TestDocumentsAreDeletedByStaff(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	sale := storetest.Draft(b.Scope, "ORDER-1")
	require.NoError(t, b.Intake.Accept(t.Context(), sale))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: time.Now(),
		CustomerID: &sale.CustomerID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, b.Store.Catalog.CreateExemption(t.Context(), b.Scope, models.Actor{}, &e))
	ids := []string{models.NewID(models.PrefixAttachment), models.NewID(models.PrefixAttachment)}
	ring, err := secret.ParseRing(secret.NewMasterKey("k1"))
	require.NoError(t, err)
	vault := secret.NewVault(ring, b.Store.Organizations)
	for _, id := range ids {
		key, wrapped := vault.NewRecordKey(b.Scope.OrganizationID, id)
		a := models.Attachment{
			ID: id, ExemptionID: e.ID, Filename: "a.pdf", ContentType: "application/pdf", Size: 2048, SHA256: make([]byte, 32),
			CreatedAt: time.Now(), MasterKeyID: &wrapped.MasterKeyID, Wrapped: wrapped.Wrapped,
		}
		require.NoError(t, b.Store.Catalog.CreateAttachment(t.Context(), b.Scope, models.Actor{},
			models.AttachmentUpload{Attachment: &a, Content: make([]byte, a.Size), Key: key}))
	}
	levy := func(args ...string) (string, error) {
		return levyOn(t, b.URL, append([]string{"organization", "delete-documents", b.Scope.OrganizationID}, args...)...)
	}
	for _, wrong := range [][]string{{}, {ids[0], "--ended-before", "2020-01-01"}} {
		_, err := levy(wrong...)
		require.ErrorContains(t, err, "one of both", wrong)
	}
	_, err = levy(ids[0], "attm_x", "--yes")
	require.ErrorContains(t, err, "no documents of "+b.Scope.OrganizationID+": attm_x")
	said, err := levy(ids[0])
	require.NoError(t, err)
	require.Contains(t, said, "Documents: 1, 2 KiB.")
	require.Contains(t, said, "Nothing is deleted yet")
	said, err = levy(ids[0], "--yes")
	require.NoError(t, err)
	require.Contains(t, said, " and its partner 3 KiB of 20 GiB.", "with the overhead of sealing, rounded up")

	said, err = levy("--ended-before", "2999-01-01", "--yes")
	require.NoError(t, err)
	require.Contains(t, said, "Documents: 0", "it is in force")
	storetest.Execute(t, b.URL, "UPDATE exemptions SET status = 'ARCHIVED', updated_at = now() WHERE id = $1", e.ID)
	said, err = levy("--ended-before", "2999-01-01", "--yes")
	require.NoError(t, err)
	require.Contains(t, said, "Documents: 1, 2 KiB.")
	require.Contains(t, said, " and its partner 0 KiB of 20 GiB.")

	_, err = b.SQL.Exec(t.Context(), "SET session_replication_role = replica") // a letter without its registration
	require.NoError(t, err)
	_, err = b.SQL.Exec(t.Context(), `
		WITH notice AS (INSERT INTO notices (organization_id, id, registration_id, country_code, state_code, kind, authority, received_date,
		  status, revision, created_at, updated_at)
		  VALUES ($1, 'notc_1', 'regs_1', 'US', 'TX', 'OTHER', 'A', '2026-01-01', 'OPEN', 1, now(), now()))
		INSERT INTO notice_documents VALUES ($1, 'ndoc_1', 'notc_1', 'a.pdf', 'application/pdf', 4096, sha256(''), now())`,
		b.Scope.OrganizationID)
	require.NoError(t, err)
	said, err = levy("--ended-before", "2999-01-01", "--yes")
	require.NoError(t, err)
	require.Contains(t, said, "Documents: 0", "it waits for an answer")
	_, err = b.SQL.Exec(t.Context(), "UPDATE notices SET status = 'ANSWERED', answer = 'Paid', answered_at = now()")
	require.NoError(t, err)
	said, err = levy("--ended-before", "2999-01-01", "--yes")
	require.NoError(t, err)
	require.Contains(t, said, "Documents: 1, 4 KiB.")
}
