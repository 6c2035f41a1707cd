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
		read, err := s.Catalog.Attachment(t.Context(), scope, e.ID, a.ID)
		require.NoError(t, err)
		var written bytes.Buffer
		require.NoError(t, s.Catalog.WriteAttachment(t.Context(), scope, read, &written))
		require.Equal(t, sum, sha256.Sum256(written.Bytes()), "%d bytes", size)
		_, err = s.Catalog.Attachment(t.Context(), other, e.ID, a.ID)
		require.ErrorIs(t, err, models.ErrNotFound)

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
