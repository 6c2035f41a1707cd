package people_test

import (
	"context"
	"strconv"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// addPasskey gives an account a passkey, by a session of its own.
func (b *book) addPasskey(userID, credentialID string, counter int64) error {
	session := []byte("session of " + userID)
	storetest.Execute(b.T, b.url, `INSERT INTO sessions (hash, user_id, created_at, seen_at, ends_at)
		VALUES ($1, $2, now(), now(), now() + interval '1 hour') ON CONFLICT (hash) DO UPDATE SET revoked_at = NULL`,
		session, userID)
	return b.addPasskeyBy(session, userID, credentialID, counter)
}

func (b *book) addPasskeyBy(session []byte, userID, credentialID string, counter int64) error {
	return b.People.AddPasskey(b.Context(), models.Actor{UserID: userID}, [][]byte{session}, models.Passkey{
		CredentialID: []byte(credentialID), PublicKey: []byte("key"), Counter: counter, Name: "Laptop of Zoe",
	})
}

func (b *book) passkeys(userID string) (all []string) {
	b.Helper()
	keys, err := b.People.Passkeys(b.Context(), userID)
	require.NoError(b, err)
	for _, key := range keys {
		all = append(all, string(key.CredentialID))
	}
	return all
}

// A credential belongs to one account of the installation, and only that account removes it.
func TestAPasskeyBelongsToOneAccount(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	yan := b.invite("yan@example.com", b.a, models.RoleViewer, "yan")
	require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
	var duplicate *models.DuplicateError
	require.ErrorAs(t, b.addPasskey(yan.ID, "laptop", 0), &duplicate)
	require.ErrorAs(t, b.addPasskey(zoe.ID, "laptop", 0), &duplicate)
	require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: yan.ID}, []byte("laptop")))
	require.Equal(t, []string{"laptop"}, b.passkeys(zoe.ID))
	for i := range models.MaxPasskeys - 1 {
		require.NoError(t, b.addPasskey(zoe.ID, strconv.Itoa(i), 0))
	}
	var full *models.LimitError
	require.ErrorAs(t, b.addPasskey(zoe.ID, "one more", 0), &full)
	for range 2 { // a repetition changes nothing
		require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: zoe.ID}, []byte("laptop")))
	}
	_, err := b.People.Passkey(t.Context(), []byte("laptop"))
	require.ErrorIs(t, err, models.ErrNotFound)
	require.ErrorIs(t, b.addPasskeyBy([]byte("session of "+zoe.ID), yan.ID, "of another", 0), models.ErrUnauthenticated)
	storetest.Execute(t, b.url, "UPDATE sessions SET revoked_at = now()")
	require.ErrorIs(t, b.addPasskeyBy([]byte("session of "+zoe.ID), zoe.ID, "too late", 0), models.ErrUnauthenticated)
	list, err := b.People.ListUsers(t.Context(), b.a, models.Page{Limit: 10})
	require.NoError(t, err)
	for _, u := range list.Items {
		require.Equal(t, len(b.passkeys(u.ID)), u.Passkeys)
	}
}

// The counter of a device goes forward, or is 0 for good. One that goes back or stays, as a copy of the device does, is
// refused and audited.
func TestACopiedPasskeyIsRefused(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	require.NoError(t, b.addPasskey(zoe.ID, "counts", 5))
	require.NoError(t, b.addPasskey(zoe.ID, "does not", 0))
	use := func(credentialID string, counter int64) error {
		return b.People.UsePasskey(t.Context(), models.Actor{UserID: zoe.ID}, []byte(credentialID), counter)
	}
	require.NoError(t, use("counts", 6))
	for _, back := range []int64{6, 5, 0} {
		require.ErrorIs(t, use("counts", back), models.ErrUnauthenticated, back)
	}
	require.NoError(t, use("counts", 7))
	require.NoError(t, use("does not", 0))
	require.NoError(t, use("does not", 0))
	require.NoError(t, use("does not", 1<<32-1))
	require.ErrorIs(t, use("does not", 0), models.ErrUnauthenticated)
	require.ErrorIs(t, b.People.UsePasskey(t.Context(), models.Actor{UserID: models.NewID(models.PrefixUser)}, []byte("counts"), 8),
		models.ErrUnauthenticated)
	conn, err := pgx.Connect(t.Context(), b.url)
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	var audited int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM audit
		WHERE entity_id = $1 AND action = 'refuse_passkey' AND detail ? 'passkey'`, zoe.ID).Scan(&audited))
	require.Equal(t, 4, audited)
	key, err := b.People.Passkey(t.Context(), []byte("counts"))
	require.NoError(t, err)
	require.EqualValues(t, 7, key.Counter)
	require.NotNil(t, key.LastUsedAt)
}

// A passkey signs in without the password. So it ends with each link that sets another one. It also ends with the reset
// of the second step and with the person.
func TestPasskeysEndWithWhatTheyStandBeside(t *testing.T) {
	t.Parallel()
	reset := models.UserChange{Record: func(*models.User) error { return nil }, ResetSecondFactor: true}
	for name, ends := range map[string]func(b *book, id string){
		"a link of an admin": func(b *book, id string) {
			b.newLink(b.a, id, "again")
			b.open("again", "another")
		},
		"a link of the operator": func(b *book, _ string) {
			b.command("zoe@example.com", "", "operator", "of the operator")
			b.open("of the operator", "another")
		},
		"a reset": func(b *book, id string) {
			u, err := b.People.UpdateUser(b.Context(), storetest.Actor, b.a, id, reset)
			require.NoError(b, err)
			require.Zero(b, u.Passkeys)
		},
		"a removal": func(b *book, id string) {
			require.NoError(b, b.People.RemoveUser(b.Context(), storetest.Actor, b.a, id))
		},
		"an erasure": func(b *book, id string) {
			require.NoError(b, b.People.EraseUser(b.Context(), storetest.Actor, id))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBook(t)
			b.invite("ada@example.com", b.a, models.RoleAdmin, "ada")
			b.open("ada", "admin")
			zoe := b.invite("zoe@example.com", b.a, models.RoleViewer, "zoe")
			b.open("zoe", "with a password")
			require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
			require.Equal(t, 1, b.session("with a password").Passkeys)
			b.newLink(b.a, zoe.ID, "not opened")
			require.Equal(t, []string{"laptop"}, b.passkeys(zoe.ID), "a link ends nothing before it is opened")
			ends(b, zoe.ID)
			require.Empty(t, b.passkeys(zoe.ID))
		})
	}
}
