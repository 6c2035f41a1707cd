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
	require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: yan.ID}, nil, []byte("laptop")))
	require.Equal(t, []string{"laptop"}, b.passkeys(zoe.ID))
	for i := range models.MaxPasskeys - 1 {
		require.NoError(t, b.addPasskey(zoe.ID, strconv.Itoa(i), 0))
	}
	var full *models.LimitError
	require.ErrorAs(t, b.addPasskey(zoe.ID, "one more", 0), &full)
	for range 2 { // a repetition changes nothing
		require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: zoe.ID}, nil, []byte("laptop")))
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

// audited returns the detail of the last row of the trail about a person with an action.
func (b *book) audited(id, action string) (detail map[string]any) {
	b.Helper()
	conn, err := pgx.Connect(b.Context(), b.url)
	require.NoError(b, err)
	defer func() { _ = conn.Close(context.WithoutCancel(b.Context())) }()
	require.NoError(b, conn.QueryRow(b.Context(), `SELECT detail FROM audit WHERE entity_id = $1 AND action = $2
		ORDER BY at DESC, id DESC LIMIT 1`, id, action).Scan(&detail))
	return detail
}

// A removed passkey, a reset of the second step and a new password end what another device may have open. The session that
// asks goes on, and the browsers of others are forgotten.
func TestOtherSessionsEnd(t *testing.T) {
	t.Parallel()
	acting := [][]byte{[]byte("acting under an older key"), []byte("acting")}
	reset := models.UserChange{
		Record: func(*models.User) error { return nil }, ResetSecondFactor: true, Session: acting,
	}
	for name, c := range map[string]struct {
		change func(b *book, id string)
		acting bool // the session of the person goes on
	}{
		"a removed passkey": {func(b *book, id string) {
			require.NoError(b, b.People.RemovePasskey(b.Context(), models.Actor{UserID: id}, acting, []byte("laptop")))
		}, true},
		"a reset of one's own second step": {func(b *book, id string) {
			_, err := b.People.UpdateUser(b.Context(), models.Actor{UserID: id}, b.a, id, reset)
			require.NoError(b, err)
		}, true},
		"a reset by an admin": {func(b *book, id string) {
			other := reset
			other.Session = [][]byte{[]byte("of the admin")}
			_, err := b.People.UpdateUser(b.Context(), storetest.Actor, b.a, id, other)
			require.NoError(b, err)
		}, false},
		"a changed password": {func(b *book, id string) {
			person, err := b.People.Account(b.Context(), id)
			require.NoError(b, err)
			change := func(before string) error {
				return b.People.ChangePassword(b.Context(), models.Actor{UserID: id}, acting, before, "another hash")
			}
			require.ErrorIs(b, change("a hash of before"), models.ErrChangedMeanwhile)
			b.session("lost")
			b.newLink(b.a, id, "of an admin")
			require.NoError(b, change(*person.PasswordHash))
			_, err = b.People.PersonOfLink(b.Context(), [][]byte{[]byte("of an admin")})
			require.ErrorIs(b, err, models.ErrUnauthenticated)
			person, err = b.People.Account(b.Context(), id)
			require.NoError(b, err)
			require.Equal(b, "another hash", *person.PasswordHash)
			passkeys, err := b.People.Passkeys(b.Context(), id)
			require.NoError(b, err)
			require.Len(b, passkeys, 1, "they stay")
		}, true},
		"a new password": {func(b *book, id string) {
			b.newLink(b.a, id, "again")
			b.open("again", "after the link")
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBook(t)
			zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
			yan := b.invite("yan@example.com", b.a, models.RoleAdmin, "yan")
			b.open("yan", "of another person")
			b.open("zoe", "acting")
			proven, err := b.People.Account(t.Context(), zoe.ID)
			require.NoError(t, err)
			require.NoError(t, b.People.BeginSession(t.Context(), &proven, []byte("lost"), models.SignInProof{}, ""))
			require.NoError(t, b.People.RememberDevice(t.Context(), zoe.ID, []byte("browser")))
			require.NoError(t, b.addPasskeyBy([]byte("acting"), zoe.ID, "laptop", 0))

			require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: zoe.ID}, acting, []byte("none")))
			require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: yan.ID}, nil, []byte("laptop")))
			b.session("lost") // there was no such passkey
			c.change(b, zoe.ID)
			b.ended("lost")
			b.session("of another person")
			if c.acting {
				b.session("acting")
			} else {
				b.ended("acting")
			}
			known, err := b.People.DeviceAccounts(t.Context(), [][]byte{[]byte("browser")})
			require.NoError(t, err)
			require.Empty(t, known)
		})
	}
}

// A passkey that is removed between its proof and the session begins none.
func TestAProofOfARemovedPasskeyBeginsNoSession(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	yan := b.invite("yan@example.com", b.a, models.RoleAdmin, "yan")
	b.openedWith("zoe", "a password")
	b.openedWith("yan", "a password")
	require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
	begin := func(id, session string) error {
		proven, err := b.People.Account(t.Context(), id)
		require.NoError(t, err)
		return b.People.BeginSession(t.Context(), &proven, []byte(session),
			models.SignInProof{CredentialID: []byte("laptop")}, "")
	}
	require.NoError(t, begin(zoe.ID, "before"))
	require.ErrorIs(t, begin(yan.ID, "of another"), models.ErrUnauthenticated)
	require.NoError(t, b.People.RemovePasskey(t.Context(), models.Actor{UserID: zoe.ID}, nil, []byte("laptop")))
	require.ErrorIs(t, begin(zoe.ID, "after"), models.ErrUnauthenticated)
	b.ended("before", "after")
}

// The maker and the opener of a link learn how many passkeys it ends, and so does the trail.
func TestALinkSaysWhichPasskeysItEnds(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	require.Zero(t, b.openedWith("zoe", "a password"))
	require.NotContains(t, b.audited(zoe.ID, models.AuditUpdate), "passkeys_ended")
	require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
	require.NoError(t, b.addPasskey(zoe.ID, "phone", 0))
	b.newLink(b.a, zoe.ID, "of an admin")
	require.Equal(t, 2, b.openedWith("of an admin", "another"))
	detail := b.audited(zoe.ID, models.AuditUpdate)
	require.Equal(t, []any{"password", "passkeys"}, detail["fields"])
	require.EqualValues(t, 2, detail["passkeys_ended"])

	require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
	named, known, err := b.People.Ensure(t.Context(), storetest.Actor, models.User{Email: "zoe@example.com"},
		&models.Membership{OrganizationID: b.b, Role: models.RoleViewer}, []byte("of the operator"))
	require.NoError(t, err)
	require.True(t, known)
	require.Equal(t, 1, named.Passkeys)
	require.Equal(t, 1, b.openedWith("of the operator", "a third"))
	require.EqualValues(t, 1, b.audited(zoe.ID, models.AuditUpdate)["passkeys_ended"])

	require.NoError(t, b.addPasskey(zoe.ID, "laptop", 0))
	reset := models.UserChange{Record: func(*models.User) error { return nil }, ResetSecondFactor: true}
	for _, fields := range [][]any{{"second_factor", "passkeys"}, {"second_factor"}} {
		_, err = b.People.UpdateUser(t.Context(), storetest.Actor, b.b, zoe.ID, reset)
		require.NoError(t, err)
		require.Subset(t, b.audited(zoe.ID, models.AuditUpdate)["fields"], fields)
	}
	require.NotContains(t, b.audited(zoe.ID, models.AuditUpdate)["fields"], "passkeys", "there were none")
}

// openedWith returns how many passkeys end with the opening of a link.
func (b *book) openedWith(link, password string) int {
	b.Helper()
	u, err := b.People.UseLink(b.Context(), [][]byte{[]byte(link)}, "salt$"+password, "")
	require.NoError(b, err)
	return u.PasskeysEnded
}

// The trail names the proof of each sign-in and of each session that is proved again.
func TestTheTrailNamesTheProof(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleAdmin, "zoe")
	b.openedWith("zoe", "a password")
	proven, err := b.People.Account(t.Context(), zoe.ID)
	require.NoError(t, err)
	require.NoError(t, b.People.BeginSession(t.Context(), &proven, []byte("session"), models.SignInProof{
		Kinds: []models.ProofKind{models.ProofPassword, models.ProofPasskey}, Passkey: "Laptop of Zoe",
	}, ""))
	require.Equal(t, map[string]any{"proof": []any{"password", "passkey"}, "passkey_name": "Laptop of Zoe"},
		b.audited(zoe.ID, models.AuditSignIn))
	require.NoError(t, b.People.ProveSession(t.Context(), models.Actor{UserID: zoe.ID}, [][]byte{[]byte("session")},
		models.SignInProof{Kinds: []models.ProofKind{models.ProofRecoveryCode}}))
	require.Equal(t, map[string]any{"proof": []any{"recovery_code"}}, b.audited(zoe.ID, models.AuditProve))
}
