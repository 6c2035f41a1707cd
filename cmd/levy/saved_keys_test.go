package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/backup"
	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// keyHolders are the records of a database that have wrapped keys.
type keyHolders struct {
	t      *testing.T
	store  *store.Store
	vault  *secret.Vault
	sealed map[string][]byte // by organization

}

// organization makes one with personal data and a document, and returns its id and that of the document.
func (h *keyHolders) organization(address string) (id, document string) {
	h.t.Helper()
	scope := storetest.Organization(h.t, address)
	key, err := h.vault.KeyOrNew(h.t.Context(), scope.OrganizationID)
	require.NoError(h.t, err)
	value := key.Seal("business_contact_ssn", []byte("123456789"))
	h.sealed[scope.OrganizationID] = value
	storetest.Execute(h.t, address, "INSERT INTO personal_data VALUES ($1, 'business_contact_ssn', $2)",
		scope.OrganizationID, value)
	e := models.ExemptionRecord{Exemption: models.Exemption{
		ID: models.NewID(models.PrefixExemption), ExemptionType: models.ExemptionWholesale,
		StartDate: time.Now(), CountryCode: "US", Status: models.ExemptionActive,
		CustomerID: new(h.customer(scope)),
	}}
	require.NoError(h.t, h.store.Catalog.CreateExemption(h.t.Context(), scope, models.Actor{}, &e))
	document = models.NewID(models.PrefixAttachment)
	documentKey, wrapped := h.vault.NewRecordKey(scope.OrganizationID, document)
	sum := sha256.Sum256([]byte("cert"))
	a := models.Attachment{
		ID: document, ExemptionID: e.ID, Filename: "a.pdf", ContentType: "application/pdf", Size: 4, SHA256: sum[:],
		CreatedAt: time.Now(), MasterKeyID: &wrapped.MasterKeyID, Wrapped: wrapped.Wrapped,
	}
	require.NoError(h.t, h.store.Catalog.CreateAttachment(h.t.Context(), scope, models.Actor{},
		models.AttachmentUpload{Attachment: &a, Content: []byte("cert"), Key: documentKey}))
	return scope.OrganizationID, document
}

func (h *keyHolders) customer(scope models.Scope) string {
	h.t.Helper()
	c := &models.Customer{ID: models.NewID(models.PrefixCustomer), ExternalID: "zoe", Name: new("Zoe Strand"),
		AddressStatus: "UNVERIFIED",
		Source:        "API", Status: models.CustomerActive, TaxRegistrations: []models.CustomerTaxRegistration{}}
	require.NoError(h.t, h.store.Catalog.CreateCustomer(h.t.Context(), scope, models.Actor{}, c))
	return c.ID
}

// person makes one with a second factor.
func (h *keyHolders) person(name, address string) string {
	h.t.Helper()
	u := &models.User{Email: name + "@example.com", Name: name}
	require.NoError(h.t, h.store.People.CreateUser(h.t.Context(), models.Actor{}, u, nil, []byte("link of "+name)))
	h.factor(u.ID, address)
	return u.ID
}

func (h *keyHolders) factor(user, address string) {
	h.t.Helper()
	_, wrapped := h.vault.NewRecordKey(models.InstallationAudit, user)
	storetest.Execute(h.t, address, "DELETE FROM second_factors WHERE user_id = $1", user)
	storetest.Execute(h.t, address,
		"INSERT INTO second_factors (user_id, master_key_id, wrapped, sealed, created_at) VALUES ($1, $2, $3, 'x', now())",
		user, wrapped.MasterKeyID, wrapped.Wrapped)
}

// olderCopy copies a database to which nobody else is connected.
func olderCopy(t *testing.T, address string) string {
	t.Helper()
	at, err := url.Parse(address)
	require.NoError(t, err)
	name := strings.TrimPrefix(at.Path, "/")
	admin := *at
	admin.Path = "/postgres"
	sql := storetest.SQL(t, admin.String())
	storetest.SQL(t, address).Reset() // PostgreSQL waits for some seconds until its connections have ended
	_, err = sql.Exec(t.Context(), "CREATE DATABASE "+name+"_older TEMPLATE "+name)
	require.NoError(t, err)
	t.Cleanup(func() {
		_, err := sql.Exec(context.Background(), "DROP DATABASE "+name+"_older WITH (FORCE)")
		require.NoError(t, err)
	})
	at.Path += "_older"
	return at.String()
}

// withoutRights returns the address for a login that may read no table.
func withoutRights(t *testing.T, address string) string {
	t.Helper()
	at, err := url.Parse(address)
	require.NoError(t, err)
	role := "plain_" + strings.TrimPrefix(at.Path, "/")
	storetest.Execute(t, address, "CREATE ROLE "+role+" LOGIN PASSWORD 'plain'")
	storetest.SQL(t, address).Reset()
	at.User = url.UserPassword(role, "plain")
	admin, err := url.Parse(address)
	require.NoError(t, err)
	admin.Path = "/postgres"
	sql := storetest.SQL(t, admin.String())
	t.Cleanup(func() {
		_, err := sql.Exec(context.Background(), "DROP ROLE "+role)
		require.NoError(t, err)
	})
	return at.String()
}

// A database that is restored to an earlier time gets the current wrapped keys. Records erased since then stay erased,
// also in clear text. Other records are readable without the wrapping key of that time.
func TestRestoredWrappedKeysKeepErasedDataErased(t *testing.T) {
	t.Parallel()
	master, first, second := secret.NewMasterKey("k1"), secret.NewMasterKey("w1"), secret.NewMasterKey("w2")
	ring := func(wrapping string) *secret.Ring {
		ring, err := secret.ParseRing(master)
		require.NoError(t, err)
		with, err := ring.WithWrapping(wrapping)
		require.NoError(t, err)
		return with
	}
	address, folder := storetest.URL(t), t.TempDir()
	levyIn := func(ctx context.Context, database, wrapping string, args ...string) (string, error) {
		var out, problems bytes.Buffer
		err := run(ctx, args, []string{
			"LEVY_DATABASE_URL=" + database, "LEVY_MASTER_KEYS=" + master, "LEVY_WRAPPING_KEYS=" + wrapping,
			"LEVY_KEYS_FOLDER=" + folder,
			"LEVY_TEMPORAL_ADDRESS=127.0.0.1:1",
		}, &out, &problems)
		return out.String() + problems.String(), err
	}
	levy := func(database, wrapping string, args ...string) (string, error) {
		return levyIn(t.Context(), database, wrapping, args...)
	}
	open := func(database, wrapping string) *keyHolders {
		s, err := store.Open(t.Context(), store.Options{URL: database, MaxConnections: 2, MasterKeys: ring(wrapping)})
		require.NoError(t, err)
		_, err = s.LoadTaxIDKey(t.Context())
		require.NoError(t, err)
		return &keyHolders{t: t, store: s, vault: secret.NewVault(ring(wrapping), s.Organizations),
			sealed: map[string][]byte{}}
	}
	h := open(address, first)
	stays, paper := h.organization(address)
	goes, _ := h.organization(address)
	other, thrown := h.organization(address)
	customer := h.customer(models.Scope{OrganizationID: storetest.Organization(t, address).OrganizationID})
	keeps, removes, replaces, leaves := h.person("keeps", address), h.person("removes", address),
		h.person("replaces", address), h.person("leaves", address)
	h.store.Close()
	older := olderCopy(t, address)

	h2 := open(address, first)
	for _, id := range []string{goes, customer, leaves} {
		_, err := levy(address, first, "erase", "--yes", id)
		require.NoError(t, err, id)
	}
	said, err := levy(address, first, "export-person", goes)
	require.NoError(t, err)
	require.Contains(t, said, `"type":"erasure"`)
	storetest.Execute(t, address, "INSERT INTO personal_data VALUES ($1, 'business_contact_ssn', $2)", goes,
		h.sealed[goes])
	said, err = levy(address, first, "export-person", goes)
	require.NoError(t, err, "erased data that cannot be read is no fault")
	require.Contains(t, said, `"erased":true,"field":"business_contact_ssn"`)
	storetest.Execute(t, address, "DELETE FROM personal_data WHERE organization_id = $1", goes)
	require.NoError(t, h2.store.Catalog.DeleteDocument(t.Context(), models.Scope{OrganizationID: other}, models.Actor{},
		thrown))
	storetest.Execute(t, address, "DELETE FROM second_factors WHERE user_id = $1", removes)
	h2.factor(replaces, address)
	h2.store.Close()
	said, err = levy(address, second+","+first, "keys", "rotate")
	require.NoError(t, err, said)
	require.Contains(t, said, "2 data keys, 2 keys of documents, 2 of second factors and 1 of the installation are "+
		"wrapped by the current wrapping key now, w2")
	require.Contains(t, said, "No data key needs w1, k1 any more")
	file := backup.KeysFile(folder)
	for name, text := range map[string]string{"a plain value": "123456789",
		"a master key": strings.TrimPrefix(master, "k1:"), "a wrapping key": strings.TrimPrefix(second, "w2:")} {
		content, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NotContains(t, string(content), text, name)
	}

	_, err = levy(older, first, "keys", "save")
	require.ErrorContains(t, err, "knows who was erased since",
		"an older database does not overwrite keys that it does not have")

	restore := func(database, wrapping string) (string, error) {
		var out, problems bytes.Buffer
		s := open(database, wrapping)
		defer s.store.Close()
		keys, err := backup.ReadKeys(file)
		require.NoError(t, err)
		defer keys.Close()
		p := &program{ctx: t.Context(), stdout: &out, stderr: &problems,
			config: Config{MasterKeys: Secret(master), WrappingKeys: Secret(second)}}
		require.NoError(t, tryKeys(p, keys))
		err = restoreKeys(p, s.store, keys, file)
		return out.String(), err
	}
	inUse := open(older, first)
	unused, end := context.WithCancel(context.WithValue(t.Context(), skipWaits{}, true))
	defer end()
	_, err = levyIn(unused, older, second, "restore", "--keys", file)
	require.ErrorIs(t, err, errStillInUse)
	inUse.store.Close()
	plain := withoutRights(t, older)
	_, err = levy(plain, second, "restore", "--keys", file)
	require.ErrorIs(t, err, errMayNotRestoreKeys)
	// Processes that ran on what was restored made keys that the file cannot have. A process with another login is seen.
	ran := open(older, second+","+first)
	since, written := ran.organization(older)
	joins := ran.person("joins", older)
	storetest.SQL(t, older).Reset()
	_, err = levyIn(unused, plain, second, "restore", "--keys", file)
	require.ErrorIs(t, err, errStillInUse)
	ran.store.Close()
	_, err = levy(older, second, "restore", "--keys", file, "--until", "2026-11-23T08:30:00Z")
	require.ErrorContains(t, err, "name a backup")
	said, err = levy(older, second, "restore", "--keys", file)
	require.NoError(t, err, said)
	for _, words := range []string{
		"The wrapped keys are up to date. Start the processes, and run levy check.",
		"It needs the master and wrapping keys with these ids: w2.\n",
		"Wrapped keys: 6 are those of " + file + "; 3 are newer than it.", "the document " + other + " " + thrown,
		"Taken off since, and now again: the second step of the sign-in of " + removes,
		"Replaced since: the second step of the sign-in of " + replaces,
		"Erased since, and now again: " + goes, "Erased since, and now again: " + customer,
		"Erased since, and now again: " + leaves,
	} {
		require.Contains(t, said, words)
	}
	h3 := open(older, second) // w1 is destroyed
	defer h3.store.Close()
	for _, id := range []string{stays, other} {
		key, err := h3.vault.Key(t.Context(), id)
		require.NoError(t, err)
		plain, err := key.Open("business_contact_ssn", h.sealed[id])
		require.NoError(t, err)
		require.Equal(t, "123456789", string(plain))
	}
	_, err = h3.vault.Key(t.Context(), since)
	require.NoError(t, err)
	var content bytes.Buffer
	documents, err := h3.store.Catalog.Documents(t.Context(), models.Scope{OrganizationID: stays}, []string{paper})
	require.NoError(t, err)
	require.Len(t, documents, 1)
	require.NoError(t, h3.store.Catalog.WriteAttachment(t.Context(), models.Scope{OrganizationID: stays}, h3.vault,
		documents[0], &content))
	require.Equal(t, "cert", content.String())
	_, err = h3.vault.Key(t.Context(), goes)
	require.ErrorIs(t, err, secret.ErrNoKey)
	count := func(sql string, args ...any) (n int) {
		require.NoError(t, h3.store.QueryRow(models.AcrossOrganizations(t.Context()), sql, args...).Scan(&n))
		return n
	}
	require.Zero(t, count("SELECT count(*) FROM customers WHERE name = 'Zoe Strand' AND id = $1", customer))
	require.Zero(t, count("SELECT count(*) FROM users WHERE name = 'leaves'"))
	require.Zero(t, count("SELECT count(*) FROM exemption_attachments WHERE id = $1", thrown))
	require.Equal(t, 1, count("SELECT count(*) FROM exemption_attachments WHERE id = $1", written))
	require.Equal(t, 1, count("SELECT count(*) FROM second_factors WHERE user_id = $1", joins))
	require.Equal(t, 1, count("SELECT count(*) FROM second_factors WHERE user_id = $1 AND master_key_id = 'w2'", keeps))
	require.Equal(t, 1, count("SELECT count(*) FROM second_factors WHERE user_id = $1 AND master_key_id = 'w2'",
		replaces), "not the password alone")
	require.Zero(t, count("SELECT count(*) FROM second_factors WHERE user_id = ANY ($1)", []string{removes, leaves}))
	require.Equal(t, 1, count("SELECT count(*) FROM audit WHERE action = $1 AND staff IS NOT NULL",
		models.AuditRestoreKeys))

	said, err = restore(older, second)
	require.NoError(t, err)
	require.Contains(t, said, "7 are those of", "again")
	require.NotContains(t, said, "now again")
	_, err = levy(older, second, "keys", "save")
	require.NoError(t, err, "it has applied the file")

	// Keys that are newer than the file stay.
	h4 := open(older, second)
	newer, _ := h4.organization(older)
	storetest.Execute(t, older, "UPDATE data_keys SET created_at = now() - interval '1 day' WHERE organization_id = $1", newer)
	h4.store.Close()
	said, err = restore(older, second)
	require.NoError(t, err)
	require.Contains(t, said, "; 2 are newer than it.")
	_, err = h3.vault.Key(t.Context(), newer)
	require.NoError(t, err)

	stranger := storetest.URL(t)
	open(stranger, second).store.Close()
	_, err = restore(stranger, second)
	require.ErrorContains(t, err, "those of another installation")
}

// ending stops a process once it has printed a text.
type ending struct {
	bytes.Buffer
	end context.CancelFunc
}

func (e *ending) Write(text []byte) (int, error) {
	e.end()
	return e.Buffer.Write(text)
}

// Without a scheduler one process saves the keys periodically, the first time at once, until it is stopped.
func TestWrappedKeysAreSavedRepeatedly(t *testing.T) {
	t.Parallel()
	address, folder := storetest.URL(t), t.TempDir()
	ctx, end := context.WithCancel(t.Context())
	out := &ending{end: end}
	save := func(every string) error {
		return run(ctx, []string{"keys", "save", "--every", every},
			[]string{"LEVY_DATABASE_URL=" + address, "LEVY_KEYS_FOLDER=" + folder}, out, io.Discard)
	}
	require.ErrorIs(t, save("1s"), errSavedTooOften)
	require.NoError(t, save("1h"))
	require.Contains(t, out.String(), "wrapped keys that there are now")
	require.FileExists(t, backup.KeysFile(folder))
}

// An incomplete file is refused; the next run removes what a killed run has left.
func TestAFileOfWrappedKeysIsWholeOrRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(folder, ".levy-keys.jsonl-killed"), nil, 0o600))
	w, err := backup.WriteKeys(folder, "keys_1", "levy test")
	require.NoError(t, err)
	key := secret.StoredKey{Kind: secret.KeyOfOrganization, MadeAt: time.Now(),
		RecordKey: secret.RecordKey{OrganizationID: "org_1",
			WrappedKey: secret.WrappedKey{MasterKeyID: "w1", Wrapped: []byte("wrapped")}}}
	require.NoError(t, w.Key(key))
	require.NoError(t, w.Erased("user_1"))
	require.NoFileExists(t, backup.KeysFile(folder), "before it is whole")
	require.NoError(t, w.Commit())
	w.Discard()
	entries, err := os.ReadDir(folder)
	require.NoError(t, err)
	require.Len(t, entries, 1)
	whole, err := os.ReadFile(backup.KeysFile(folder))
	require.NoError(t, err)
	lines := strings.SplitAfter(string(whole), "\n")
	for name, text := range map[string]string{
		"nothing": "", "no end": strings.Join(lines[:3], ""), "a line is missing": lines[0] + lines[2] + lines[3],
		"a changed line": strings.Replace(string(whole), "org_1", "org_2", 1), "more": string(whole) + lines[1],
		"something else": "hello\n",
		"cut off":        string(whole[:len(whole)/2]),
	} {
		path := filepath.Join(t.TempDir(), "keys")
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := backup.ReadKeys(path)
		require.ErrorContains(t, err, "is not a whole file of wrapped keys", name)
	}
}

func TestWrappedKeysAreNotSavedBesideBackups(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "backups"), 0o700))
	require.NoError(t, os.Symlink(filepath.Join(dir, "backups"), filepath.Join(dir, "link")))
	for _, keys := range []string{"backups", "backups/keys", ".", "link/keys", "backups/../backups/x/y"} {
		require.ErrorContains(t, backup.Apart(filepath.Join(dir, keys), filepath.Join(dir, "backups")),
			"keep them in a folder apart", keys)
	}
	for _, keys := range []string{"keys", "backups-keys", "..keys"} {
		require.NoError(t, backup.Apart(filepath.Join(dir, keys), filepath.Join(dir, "backups")), keys)
	}
}
