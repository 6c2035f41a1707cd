package catalog_test

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/pg"
	"levy/store/storetest"
)

func newVault(t *testing.T, s *store.Store, masterKeys ...string) *secret.Vault {
	t.Helper()
	if masterKeys == nil {
		masterKeys = []string{secret.NewMasterKey("k1")}
	}
	ring, err := secret.ParseRing(strings.Join(masterKeys, ","))
	require.NoError(t, err)
	return secret.NewVault(ring, s.Organizations)
}

// newDocument is a document that is to be stored, with its key.
func newDocument(
	vault *secret.Vault, scope models.Scope, exemptionID string, content []byte,
) (models.Attachment, models.Sealer) {
	sum := sha256.Sum256(content)
	a := models.Attachment{
		ID: models.NewID(models.PrefixAttachment), ExemptionID: exemptionID,
		Filename: "a.pdf", ContentType: "application/pdf",
		Size: int64(len(content)), SHA256: sum[:], CreatedAt: time.Now(),
	}
	key, wrapped := vault.NewRecordKey(scope.OrganizationID, a.ID)
	a.MasterKeyID, a.Wrapped = &wrapped.MasterKeyID, wrapped.Wrapped
	return a, key
}

// requireDocuments checks that the documents of a customer are these, by their ids.
func requireDocuments(t *testing.T, s *store.Store, vault *secret.Vault, customerID string, want map[string][]byte) {
	t.Helper()
	got := map[string][]byte{}
	err := s.Catalog.DocumentsOf(t.Context(), vault, customerID, func(a models.Attachment, content []byte) error {
		got[a.ID] = content
		return nil
	})
	require.NoError(t, err)
	require.Len(t, got, len(want))
	for id, content := range want {
		require.True(t, bytes.Equal(content, got[id]), "%s: %d of %d bytes", id, len(got[id]), len(content))
	}
}

// exemptCustomer is a customer with an exemption.
func exemptCustomer(t *testing.T, s *store.Store, scope models.Scope) (models.Customer, models.ExemptionRecord) {
	t.Helper()
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive,
		AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{}}
	require.NoError(t, s.Catalog.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer,
		StartDate: time.Now(), CustomerID: &c.ID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, s.Catalog.CreateExemption(t.Context(), scope, models.Actor{}, &e))
	return c, e
}

// A document is stored in sealed pieces, is read back unchanged, and belongs to one organization.
func TestADocumentIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope, other := storetest.Organization(t, url), storetest.Organization(t, url)
	c, e := exemptCustomer(t, s, scope)

	conn := storetest.SQL(t, url)
	vault := newVault(t, s)
	kept := map[string][]byte{}
	for _, size := range []int{1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3<<20 + 7} {
		content := bytes.Repeat([]byte("0123456789a"), size/11+1)[:size]
		a, key := newDocument(vault, scope, e.ID, content)
		require.NoError(t, s.Catalog.CreateAttachment(t.Context(), scope, models.Actor{},
			models.AttachmentUpload{Attachment: &a, Content: content, Key: key}))
		kept[a.ID] = content
		read, err := s.Catalog.Attachment(t.Context(), scope, e.ID, a.ID)
		require.NoError(t, err)
		var written bytes.Buffer
		require.NoError(t, s.Catalog.WriteAttachment(t.Context(), scope, vault, read, &written))
		require.Equal(t, content, written.Bytes(), "%d bytes", size)
		_, err = s.Catalog.Attachment(t.Context(), other, e.ID, a.ID)
		require.ErrorIs(t, err, models.ErrNotFound)

		a, key = newDocument(vault, other, e.ID, content)
		require.ErrorIs(t, s.Catalog.CreateAttachment(t.Context(), other, models.Actor{},
			models.AttachmentUpload{Attachment: &a, Content: content, Key: key}), models.ErrNotFound)
	}
	requireDocuments(t, s, vault, c.ID, kept)
	var readable int
	require.NoError(t, conn.QueryRow(t.Context(),
		`SELECT count(*) FROM exemption_attachment_pieces
		  WHERE octet_length(content) > 60 AND position('456789a0' IN content) > 0`).Scan(&readable))
	require.Zero(t, readable, "the stored content is sealed")
	_, err := conn.Exec(t.Context(), `UPDATE exemption_attachment_pieces p
		SET content = q.content
		FROM exemption_attachment_pieces q
		WHERE p.attachment_id = q.attachment_id AND p.n = 1 AND q.n = 2`)
	require.NoError(t, err)
	err = s.Catalog.DocumentsOf(t.Context(), vault, c.ID, func(models.Attachment, []byte) error { return nil })
	require.ErrorIs(t, err, secret.ErrUnreadable, "a piece belongs to its place")
	list, err := s.Catalog.ListAttachments(t.Context(), scope, e.ID)
	require.NoError(t, err)
	require.Len(t, list, 5)
	_, err = s.Catalog.ListAttachments(t.Context(), other, e.ID)
	require.ErrorIs(t, err, models.ErrNotFound)

	// Documents of an exemption that has ended can be deleted, once, which frees space of the quota.
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
	require.ErrorIs(t, s.Catalog.DeleteDocument(t.Context(), scope, models.Actor{Staff: "ann"}, last.ID),
		models.ErrNotFound)
	after, err := s.Catalog.Stored(t.Context(), scope)
	require.NoError(t, err)
	require.InEpsilon(t, last.Size, before.Partner-after.Partner, 0.001, "and the overhead of sealing for each piece")
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
	first, second, third := storetest.Draft(b.Scope, "ORDER-1"), storetest.Draft(b.Scope, "ORDER-2"),
		storetest.Draft(b.Scope, "ORDER-3")
	require.NoError(t, b.Intake.Accept(t.Context(), first))
	require.NoError(t, b.Intake.Accept(t.Context(), second))
	require.NoError(t, b.Intake.Accept(t.Context(), third))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: time.Now(),
		CustomerID: &first.CustomerID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, b.Store.Catalog.CreateExemption(t.Context(), b.Scope, models.Actor{}, &e))
	vault := newVault(t, b.Store)
	for i, name := range []string{"older.pdf", "newer.pdf"} {
		a := models.Attachment{ID: models.NewID(models.PrefixAttachment), ExemptionID: e.ID, Filename: name,
			ContentType: "application/pdf",
			Size:        1, SHA256: make([]byte, 32), CreatedAt: time.Now().Add(time.Duration(i) * time.Second)}
		key, _ := vault.NewRecordKey(a.OrganizationID, a.ID)
		require.NoError(t, b.Store.Catalog.CreateAttachment(t.Context(), b.Scope, models.Actor{},
			models.AttachmentUpload{Attachment: &a, Content: []byte("x"), Key: key}))
	}
	_, err := b.SQL.Exec(t.Context(), `INSERT INTO transaction_exemptions (organization_id, transaction_id, exemption_id,
		  linked, applied)
		VALUES ($1, $2, $4, false, true), ($1, $3, $4, true, false)`, b.Scope.OrganizationID, first.ID, second.ID, e.ID)
	require.NoError(t, err)

	one, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, first.ID)
	require.NoError(t, err)
	list, err := b.Store.Transactions.ListTransactions(t.Context(), b.Scope, models.TransactionFilter{},
		[]models.Order{{Column: "external_id"}}, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, shown := range []models.Transaction{one, list.Items[0]} {
		require.Len(t, shown.Exemptions, 1)
		require.Len(t, shown.Exemptions[0].Attachments, 2)
		require.Equal(t, "older.pdf", shown.Exemptions[0].Attachments[0].Filename)
		require.Equal(t, "newer.pdf", shown.Exemptions[0].Attachments[1].Filename)
	}
	require.Empty(t, list.Items[1].Exemptions, "asked for, not applied")
}
