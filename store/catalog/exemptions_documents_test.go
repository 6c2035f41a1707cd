package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

// Documents that an earlier version stored in clear text are sealed one by one. A run that ends in the middle of a
// document does not change it, and is repeated. The keys of sealed documents can be wrapped by a new master key.
func TestDocumentsFromBeforeAreSealed(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope := storetest.Organization(t, url)
	c, e := exemptCustomer(t, s, scope)
	conn := storetest.SQL(t, url)
	exec := func(sql string, args ...any) {
		t.Helper()
		_, err := conn.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	old, current := secret.NewMasterKey("old"), secret.NewMasterKey("new")
	vault := newVault(t, s, old)
	want := map[string][]byte{}
	for _, content := range []string{"first document", "\x01 second document"} { // with the prefix of sealed content
		a, _ := newDocument(vault, scope, e.ID, []byte(content))
		exec(`INSERT INTO exemption_attachments (organization_id, id, exemption_id, filename, content_type, size, sha256,
			  created_at) VALUES ($1, $2, $3, $4, $5, $6, $7, now())`,
			scope.OrganizationID, a.ID, e.ID, a.Filename, a.ContentType, a.Size, a.SHA256)
		for n, piece := range []string{content[:5], content[5:]} {
			exec("INSERT INTO exemption_attachment_pieces VALUES ($1, $2, $3, $4)", scope.OrganizationID, a.ID, n, []byte(piece))
		}
		want[a.ID] = []byte(content)
	}
	inClear := func() int {
		t.Helper()
		n, err := s.Catalog.DocumentsInClear(t.Context())
		require.NoError(t, err)
		return int(n)
	}
	require.Equal(t, 2, inClear())
	requireDocuments(t, s, vault, c.ID, want)

	exec(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'the power is cut'; END $$`)
	exec("CREATE TRIGGER fail BEFORE INSERT ON exemption_attachment_pieces FOR EACH ROW WHEN (NEW.n = 1) " +
		"EXECUTE FUNCTION fail()")
	_, err := s.Catalog.SealDocument(t.Context(), vault)
	require.ErrorContains(t, err, "P0001")
	require.Equal(t, 2, inClear())
	exec("DROP TRIGGER fail ON exemption_attachment_pieces")
	for i := range 3 {
		found, err := s.Catalog.SealDocument(t.Context(), vault)
		require.NoError(t, err)
		require.Equal(t, i < 2, found)
	}
	require.Zero(t, inClear())
	requireDocuments(t, s, vault, c.ID, want)
	var clear, counted, stored int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FILTER (WHERE position('document' IN content) > 0),
		  sum(octet_length(content)),
		(SELECT bytes FROM partner_storage) FROM exemption_attachment_pieces`).Scan(&clear, &stored, &counted))
	require.Zero(t, clear)
	require.Equal(t, stored, counted, "what a partner stores is counted as it is now")

	for _, rotated := range []int{2, 0} {
		n, err := newVault(t, s, current, old).Rotate(t.Context(), s.Catalog.DocumentKeys())
		require.NoError(t, err)
		require.Equal(t, rotated, n)
	}
	requireDocuments(t, s, newVault(t, s, current), c.ID, want)
	err = s.Catalog.DocumentsOf(t.Context(), vault, c.ID, func(models.Attachment, []byte) error { return nil })
	require.ErrorIs(t, err, secret.ErrUnreadable, "the old master key opens nothing any more")
	keys, err := s.Integrity.MasterKeys(t.Context())
	require.NoError(t, err)
	require.Equal(t, []string{"new"}, keys)
}
