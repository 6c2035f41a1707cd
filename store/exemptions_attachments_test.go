package store_test

import (
	"bytes"
	"crypto/sha256"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// A document lies in pieces that make it up again, and belongs to one organization.
func TestADocumentIsKeptByteForByte(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url})
	scope, other := storetest.Organization(t, url), storetest.Organization(t, url)
	c := models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "C-1", Status: models.CustomerActive, AddressStatus: "BLANK", Source: "API",
		TaxRegistrations: []models.CustomerTaxRegistration{}}
	require.NoError(t, s.CreateCustomer(t.Context(), scope, models.Actor{}, &c))
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionCustomer, StartDate: time.Now(), CustomerID: &c.ID, CountryCode: "US", Status: models.ExemptionActive,
	}}
	require.NoError(t, s.CreateExemption(t.Context(), scope, models.Actor{}, &e))

	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(t.Context()) })
	for _, size := range []int{1, 1<<20 - 1, 1 << 20, 1<<20 + 1, 3<<20 + 7} {
		content := bytes.Repeat([]byte("0123456789a"), size/11+1)[:size]
		sum := sha256.Sum256(content)
		a := models.Attachment{ID: models.NewID(models.PrefixAttachment), ExemptionID: e.ID, Filename: "a.pdf", ContentType: "application/pdf",
			Size: int64(size), SHA256: sum[:], CreatedAt: time.Now()}
		require.NoError(t, s.CreateAttachment(t.Context(), scope, models.Actor{}, &a, content))
		var kept []byte
		require.NoError(t, conn.QueryRow(t.Context(), `SELECT sha256(string_agg(content, ''::bytea ORDER BY n)) FROM exemption_attachment_pieces
			WHERE organization_id = $1 AND attachment_id = $2`, scope.OrganizationID, a.ID).Scan(&kept))
		require.Equal(t, sum[:], kept, "%d bytes", size)

		a.ID = models.NewID(models.PrefixAttachment)
		require.ErrorIs(t, s.CreateAttachment(t.Context(), other, models.Actor{}, &a, content), models.ErrNotFound)
	}
	list, err := s.ListAttachments(t.Context(), scope, e.ID, models.Page{Limit: 2})
	require.NoError(t, err)
	require.EqualValues(t, 5, list.Total)
	require.Len(t, list.Items, 2)
	_, err = s.ListAttachments(t.Context(), other, e.ID, models.Page{Limit: 2})
	require.ErrorIs(t, err, models.ErrNotFound)
}
