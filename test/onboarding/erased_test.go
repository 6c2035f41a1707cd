package onboarding_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// requireErasable erases a client that is onboarded, on request: its details and those of its people are deleted,
// records that tax law requires are kept, sealed, and the trail says who did it.
func (c *client) requireErasable() {
	c.t.Helper()
	bed := c.bed
	send := func(method, path, body string, headers ...string) answer {
		c.t.Helper()
		a, err := c.call(bed.API, c.key, c.id, method, path, body, headers...)
		require.NoError(c.t, err)
		require.Equal(c.t, http.StatusOK, a.status, a.raw)
		return a
	}
	text := func(a answer, member string) string { s, _ := a.body[member].(string); return s }
	customer := text(send("POST", "/v1/customers", `{"external_id":"C-1","name":"Bo Buyer"}`), "id")
	exemption := text(send("POST", "/v1/exemptions",
		`{"exemption_type":"customer","customer_id":"`+customer+`","start_date":"2026-01-01"}`), "id")
	const cert, older = "%PDF-1.7 a certificate of Bo Buyer", "%PDF-1.7 an older one of Bo Buyer"
	document := text(send("POST", "/v1/exemptions/"+exemption+"/attachments", formOf(c, cert), "Content-Type",
		"multipart/form-data; boundary=levy"), "id")
	bed.Exec(`INSERT INTO exemption_attachments (organization_id, id, exemption_id, filename, content_type, size, sha256,
		  created_at)
		VALUES ($1, 'attm_older', $2, 'a.pdf', 'application/pdf', length($3::text), sha256($3::text::bytea), now())`,
		c.id, exemption, older)
	bed.Exec("INSERT INTO exemption_attachment_pieces VALUES ($1, 'attm_older', 0, $2::text::bytea)", c.id, older)
	require.Contains(c.t, bed.Status(), "1 document is stored in clear text")
	require.Contains(c.t, string(bed.Run("keys", "seal")), "1 documents are sealed now")
	require.NotContains(c.t, bed.Status(), "in clear text")
	require.NotContains(c.t, c.dump(), "of Bo Buyer")

	send("POST", "/v1/registrations",
		`{"country_code":"US","state_code":"TX","filing_frequency":"MONTHLY","password_plain_text":"PORTAL-CANARY-word"}`)
	send("POST", "/v1/webhook_endpoints", `{"url":"https://127.0.0.1:1/hook","enabled_events":["*"]}`)
	ring, err := secret.ParseRing(bed.MasterKeys)
	require.NoError(c.t, err)
	require.Contains(c.t, string(bed.Run("export-person", c.id)), "48151623420", "an export contains the values in clear")

	for _, of := range []string{c.id,
		bed.OrganizationID} { // as stored for idempotency keys, by the partner where it created the client
		bed.Exec(`INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, status, body, expires_at)
			VALUES ($1, sha256('key'), sha256('request'), 200, convert_to($2, 'UTF8'), now() + interval '1 day')`,
			of, `{"id":"`+c.id+`"}`)
	}
	_, problems, err := bed.Try("erase", "--yes", bed.OrganizationID)
	require.Error(c.t, err)
	require.Contains(c.t, problems, "whose clients have to be erased first")
	said := string(bed.Run("erase", c.id))
	require.Contains(c.t, said, "Nothing is erased yet")
	require.Contains(c.t, said, "exemptions with their documents and notices with their letters, which are sealed")
	require.NotZero(c.t, bed.Count("SELECT count(*) FROM data_keys WHERE organization_id = $1", c.id))
	for range 2 { // a second time changes nothing
		require.Contains(c.t, string(bed.Run("erase", "--yes", c.id)), c.id+" is erased.")
	}

	for _, table := range []string{"data_keys", "personal_data", "bank_details"} {
		require.Zero(c.t, bed.Count("SELECT count(*) FROM "+table+" WHERE organization_id = $1", c.id), table)
	}
	require.Zero(c.t, bed.Count(`SELECT count(*)
		FROM idempotency_keys
		WHERE organization_id = $1 AND (body IS NOT NULL OR sealed_body IS NOT NULL)`, c.id))
	require.Zero(c.t, bed.Count(`SELECT count(*)
		FROM idempotency_keys
		WHERE position(convert_to($1, 'UTF8') IN body) > 0`, c.id))
	require.Equal(c.t, 2, bed.Count(`SELECT count(*)
		FROM idempotency_keys
		WHERE key_hash = sha256('key') AND sealed_status = 200`), "the idempotency keys stay used")
	records := storetest.Open(c.t, pg.Options{URL: bed.DatabaseURL})
	_, err = secret.NewVault(ring, records.Organizations).Key(c.t.Context(), c.id)
	require.ErrorIs(c.t, err, secret.ErrNoKey, "values that it sealed, also in histories, cannot be decrypted any more")
	dump := c.dump()
	for _, gone := range []string{"Ada Example", "ada@example.com", "350 5th Ave", "123456780", "office@example.com",
		"Somebody Else"} {
		require.NotContains(c.t, dump, gone)
	}
	refused, err := c.call(bed.API, c.key, c.id, "GET", "/v1/products", "")
	require.NoError(c.t, err)
	require.Equal(c.t, http.StatusUnauthorized, refused.status, "its keys are revoked")
	bed.Eventually("its webhooks are gone", func(context.Context) (bool, error) {
		return bed.Count("SELECT count(*) FROM webhook_endpoints WHERE organization_id = $1", c.id) == 0, nil
	})

	folder := c.t.TempDir()
	require.Contains(c.t, string(bed.Run("export-person", customer, "--documents", folder)), "Bo Buyer",
		"records that tax law requires")
	for id, want := range map[string]string{document: cert, "attm_older": older} {
		content, err := os.ReadFile(filepath.Join(folder, id))
		require.NoError(c.t, err)
		require.Equal(c.t, want, string(content))
	}
	require.Equal(c.t, 1, bed.Count("SELECT count(*) FROM registrations WHERE organization_id = $1", c.id))
	require.Equal(c.t, 2, bed.Count(`SELECT count(*)
		FROM audit
		WHERE organization_id = $1 AND action = $2 AND staff IS NOT NULL`, c.id, models.AuditErase))
	bed.VerifyAudit()
	whole, _, err := bed.Try("check")
	require.NoError(c.t, err, string(whole))
}

// formOf is a form with one file.
func formOf(c *client, content string) string {
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	require.NoError(c.t, w.SetBoundary("levy"))
	part, err := w.CreateFormFile("file", "certificate.pdf")
	require.NoError(c.t, err)
	_, err = part.Write([]byte(content))
	require.NoError(c.t, err)
	require.NoError(c.t, w.Close())
	return b.String()
}
