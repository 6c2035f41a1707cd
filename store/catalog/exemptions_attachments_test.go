package catalog_test

import (
	"bytes"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// A document lies in pieces that make it up again, and belongs to one organization.
func TestADocumentIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope, other := storetest.Organization(t, url), storetest.Organization(t, url)
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive, AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{}}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: time.Now(), CustomerID: &c.ID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, s.Catalog.CreateExemption(t.Context(), scope, models.Actor{}, &e))

	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	for _, size := range []int{1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3<<20 + 7} {
		content := bytes.Repeat([]byte("0123456789a"), size/11+1)[:size]
		sum := sha256.Sum256(content)
		a := models.Attachment{ID: models.NewID(models.PrefixAttachment), ExemptionID: e.ID, Filename: "a.pdf", ContentType: "application/pdf",
			Size: int64(size), SHA256: sum[:], CreatedAt: time.Now()}
		require.NoError(t, s.Catalog.CreateAttachment(t.Context(), scope, models.Actor{}, &a, content))
		var kept []byte
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT sha256(string_agg(content, ''::bytea ORDER BY n)) FROM exemption_attachment_pieces
			WHERE organization_id = $1 AND attachment_id = $2`, scope.OrganizationID, a.ID).Scan(&kept))
		require.Equal(t, sum[:], kept, "%d bytes", size)

		a.ID = models.NewID(models.PrefixAttachment)
		require.ErrorIs(
			t, s.Catalog.CreateAttachment(t.Context(), other, models.Actor{}, &a, content), models.ErrNotFound,
		)
	}
	list, err := s.Catalog.ListAttachments(t.Context(), scope, e.ID)
	require.NoError(t, err)
	require.Len(t, list, 5)
	_, err = s.Catalog.ListAttachments(t.Context(), other, e.ID)
	require.ErrorIs(t, err, models.ErrNotFound)

	// Those of an exemption that is over can be deleted, once, which makes room.
	ended := func() []models.Attachment {
		list, err := s.Catalog.EndedDocuments(t.Context(), scope, time.Now().Add(24*time.Hour))
		require.NoError(t, err)
		return list
	}
	require.Empty(t, ended(), "it is in force")
	storetest.Execute(t, url, "UPDATE exemptions SET status = 'ARCHIVED', updated_at = now() WHERE id = $1", e.ID)
	require.Len(t, ended(), 5)
	early, err := s.Catalog.EndedDocuments(t.Context(), scope, time.Now().Add(-24*time.Hour))
	require.NoError(t, err)
	require.Empty(t, early)
	before, err := s.Catalog.Stored(t.Context(), scope)
	require.NoError(t, err)
	last := list[4]
	require.ErrorIs(t, s.Catalog.DeleteDocument(t.Context(), other, models.Actor{}, last.ID), models.ErrNotFound)
	require.NoError(t, s.Catalog.DeleteDocument(t.Context(), scope, models.Actor{Staff: "ann"}, last.ID))
	require.ErrorIs(t, s.Catalog.DeleteDocument(t.Context(), scope, models.Actor{Staff: "ann"}, last.ID), models.ErrNotFound)
	after, err := s.Catalog.Stored(t.Context(), scope)
	require.NoError(t, err)
	require.Equal(t, last.Size, before-after)
	require.Equal(t, list[:4], ended())
	var deletions int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM audit
		WHERE entity_id = $1 AND action = 'delete' AND staff = 'ann'`, last.ID).Scan(&deletions))
	require.Equal(t, 1, deletions)
}

// A transaction shows its exemptions with their documents, in a list too.
func TestATransactionShowsTheDocumentsOfItsExemptions(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	first, second, third := storetest.Draft(b.Scope, "ORDER-1"), storetest.Draft(b.Scope, "ORDER-2"), storetest.Draft(b.Scope, "ORDER-3")
	require.NoError(t, b.Intake.Accept(t.Context(), first))
	require.NoError(t, b.Intake.Accept(t.Context(), second))
	require.NoError(t, b.Intake.Accept(t.Context(), third))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: time.Now(), CustomerID: &first.CustomerID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, b.Store.Catalog.CreateExemption(t.Context(), b.Scope, models.Actor{}, &e))
	for i, name := range []string{"older.pdf", "newer.pdf"} {
		a := models.Attachment{ID: models.NewID(models.PrefixAttachment), ExemptionID: e.ID, Filename: name, ContentType: "application/pdf",
			Size: 1, SHA256: make([]byte, 32), CreatedAt: time.Now().Add(time.Duration(i) * time.Second)}
		require.NoError(t, b.Store.Catalog.CreateAttachment(t.Context(), b.Scope, models.Actor{}, &a, []byte("x")))
	}
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO transaction_exemptions (organization_id, transaction_id, exemption_id, linked, applied)
		VALUES ($1, $2, $4, false, true), ($1, $3, $4, true, false)`, b.Scope.OrganizationID, first.ID, second.ID, e.ID)
	require.NoError(t, err)

	one, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, first.ID)
	require.NoError(t, err)
	list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{}, []models.Order{{Column: "external_id"}}, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, shown := range []models.Transaction{one, list.Items[0]} {
		require.Len(t, shown.Exemptions, 1)
		require.Len(t, shown.Exemptions[0].Attachments, 2)
		require.Equal(t, "older.pdf", shown.Exemptions[0].Attachments[0].Filename)
		require.Equal(t, "newer.pdf", shown.Exemptions[0].Attachments[1].Filename)
	}
	require.Empty(t, list.Items[1].Exemptions, "asked for, not applied")
}
