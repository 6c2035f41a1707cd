package masterkeys_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

func ringOf(t *testing.T, keys string) *secret.Ring {
	t.Helper()
	ring, err := secret.ParseRing(keys)
	require.NoError(t, err)
	return ring
}

// process is a process of an installation with master keys.
type process struct {
	*store.Store

	ring   *secret.Ring
	hasher *secret.KeyHasher
	vault  *secret.Vault
}

// start starts a process. Errors: those of its keys.
func start(t *testing.T, address, keys string) (*process, error) {
	t.Helper()
	p := &process{ring: ringOf(t, keys)}
	p.Store = storetest.Open(t, store.Options{URL: address, MasterKeys: p.ring})
	p.hasher, p.vault = secret.NewKeyHasher(p.ring), secret.NewVault(p.ring, p.Organizations)
	if err := p.MasterKeys.Check(t.Context(), p.ring); err != nil {
		return p, err
	}
	return p, p.MasterKeys.Register(t.Context(), p.ring)
}

func started(t *testing.T, address, keys string) *process {
	t.Helper()
	p, err := start(t, address, keys)
	require.NoError(t, err)
	return p
}

// finish makes steps until nothing is left.
func (p *process) finish(t *testing.T) {
	t.Helper()
	work := p.MasterKeys.NewTakeOver(p.ring)
	for {
		more, err := work.Step(t.Context())
		require.NoError(t, err)
		if !more {
			return
		}
	}
}

// needs returns what needs a key, by kind.
func (p *process) needs(t *testing.T, id string) map[models.MasterKeyNeedKind]int64 {
	t.Helper()
	found, err := p.MasterKeys.Needs(t.Context(), id)
	require.NoError(t, err)
	by := map[models.MasterKeyNeedKind]int64{}
	for _, n := range found {
		by[n.Kind] = n.Count
	}
	return by
}

// installation is an installation with one value of each kind under the key k1.
type installation struct {
	address, old string
	scope        models.Scope
	operator     string
	used, unused string // API keys
	sealed       []byte // under the data key
	taxID        string
	document     secret.RecordKey
	piece        []byte
}

func newInstallation(t *testing.T) *installation {
	t.Helper()
	i := &installation{address: storetest.URL(t), old: secret.NewMasterKey("k1")}
	p := started(t, i.address, i.old)
	made, err := p.Organizations.Bootstrap(t.Context(), p.hasher, models.Actor{}, "Partner", true)
	require.NoError(t, err)
	i.scope, i.used, i.operator = models.Scope{OrganizationID: made.OrganizationID}, made.APIKey, made.OperatorKey
	var record *models.APIKey
	i.unused, record = storetest.NewKey(p.hasher)
	require.NoError(t, p.Organizations.CreateAPIKey(t.Context(), i.scope, storetest.Actor, record))
	key, err := p.vault.KeyOrNew(t.Context(), i.scope.OrganizationID)
	require.NoError(t, err)
	i.sealed = key.Seal("field", []byte("a value"))
	text, err := p.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	i.taxID = text.Seal("org_1", "12-3456789")
	i.addDocument(t, p)
	i.addPerson(t, p)
	require.NoError(t, p.Audit.SealAll(t.Context(), secret.NewSealer(p.ring)))
	return i
}

// addDocument writes the key of a document.
func (i *installation) addDocument(t *testing.T, p *process) {
	t.Helper()
	id := models.NewID(models.PrefixAttachment)
	key, wrapped := p.vault.NewRecordKey(i.scope.OrganizationID, id)
	i.document = secret.RecordKey{OrganizationID: i.scope.OrganizationID, RecordID: id}
	i.piece = key.Seal("piece", []byte("a document"))
	// Without its exemption, so that it needs no customer.
	conn, err := pgx.Connect(t.Context(), i.address)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), "SET session_replication_role = replica")
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `INSERT INTO exemption_attachments (organization_id, id, exemption_id, filename, content_type, size,
		  sha256, created_at, master_key_id, wrapped)
		VALUES ($1, $2, 'exem_1', 'a.pdf', 'application/pdf', 1, sha256(''), now(), $3, $4)`,
		i.scope.OrganizationID, id, wrapped.MasterKeyID, wrapped.Wrapped)
	require.NoError(t, err)
}

// person is the account of addPerson.
const person = "user_1"

// addPerson writes a person with a second factor, a recovery code and a session.
func (i *installation) addPerson(t *testing.T, p *process) {
	t.Helper()
	key, wrapped := p.vault.NewRecordKey(models.InstallationAudit, person)
	storetest.Execute(t, i.address, `INSERT INTO users (id, email, email_key, name, status, password_hash, created_at,
		  updated_at) VALUES ($1, 'ann@example.com', 'ann@example.com', 'Ann', 'ACTIVE', 'x', now(), now())`, person)
	f := models.SecondFactor{UserID: person, MasterKeyID: wrapped.MasterKeyID, Wrapped: wrapped.Wrapped,
		Sealed: key.Seal(models.SecondFactorField, []byte("secret"))}
	require.NoError(t, p.People.BeginSecondFactor(t.Context(), f))
	require.NoError(t, p.People.UseCode(t.Context(), models.Actor{UserID: person}, f, 1, [][]byte{p.hasher.Hash("code")}))
	storetest.Execute(t, i.address, `INSERT INTO sessions (hash, user_id, created_at, seen_at, ends_at)
		VALUES ($1, $2, now(), now(), now() + interval '1 hour')`, p.hasher.Hash("session"), person)
}

// requireReadable reads all that is encrypted.
func (i *installation) requireReadable(t *testing.T, p *process) {
	t.Helper()
	key, err := p.vault.Key(t.Context(), i.scope.OrganizationID)
	require.NoError(t, err)
	plain, err := key.Open("field", i.sealed)
	require.NoError(t, err)
	require.Equal(t, "a value", string(plain))
	text, err := p.LoadTaxIDKey(t.Context())
	require.NoError(t, err)
	number, err := text.Open("org_1", i.taxID)
	require.NoError(t, err)
	require.Equal(t, "12-3456789", number)
	stored := i.document
	require.NoError(t, storetest.SQL(t, i.address).QueryRow(t.Context(),
		"SELECT master_key_id, wrapped FROM exemption_attachments WHERE id = $1", stored.RecordID).
		Scan(&stored.MasterKeyID, &stored.Wrapped))
	document, err := p.vault.RecordKey(stored)
	require.NoError(t, err)
	plain, err = document.Open("piece", i.piece)
	require.NoError(t, err)
	require.Equal(t, "a document", string(plain))
	f, err := p.People.SecondFactor(t.Context(), person)
	require.NoError(t, err)
	require.NoError(t, p.vault.Opens(secret.RecordKey{OrganizationID: models.InstallationAudit, RecordID: person,
		WrappedKey: secret.WrappedKey{MasterKeyID: f.MasterKeyID, Wrapped: f.Wrapped}}))
	v, err := p.Audit.VerifyAudit(t.Context(), secret.NewSealer(p.ring), i.scope.OrganizationID, nil)
	require.NoError(t, err)
	require.Empty(t, v.Broken)
	require.Positive(t, v.Seals)
}

// longAgo lets it be three minutes since a process said which key it has in front.
func (i *installation) longAgo(t *testing.T) {
	t.Helper()
	storetest.Execute(t, i.address, "UPDATE master_keys SET in_front_at = in_front_at - interval '3 minutes'")
}
