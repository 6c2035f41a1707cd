package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// comes is a sign-in at the provider with a subject and a verified address.
func (b *book) comes(subject, email string) (models.User, error) {
	b.Helper()
	u, err := b.People.UserOfIdentity(b.Context(), models.Identity{Issuer: "https://id", Subject: subject, Email: email}, "")
	if err != nil {
		return u, err
	}
	require.NoError(b, b.People.BeginSession(b.Context(), &u, []byte("session of "+u.ID), models.SignInProof{}, ""))
	return b.session("session of " + u.ID), nil
}

func (b *book) enters(subject, email string) models.User {
	b.Helper()
	u, err := b.comes(subject, email)
	require.NoError(b, err)
	storetest.Execute(b.T, b.url, "DELETE FROM sessions WHERE user_id = $1", u.ID)
	return u
}

// The first sign-in binds the account with the address as it was invited. No letter that looks alike, or that Unicode
// folds into another, is the same.
func TestAnIdentityIsInvitedByItsAddressAsItIsSpelled(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.invite("Kim@example.com", b.a, models.RoleAdmin, "kim")
	for name, email := range map[string]string{
		"the sign of Kelvin": "\u212aim@example.com", "a Cyrillic letter": "K\u0456m@example.com",
		"a wide letter": "\uff2bim@example.com", "a wide dot": "Kim@example\uff0ecom", "a space": "Kim @example.com",
		"an invisible letter": "Kim\u200b@example.com", "nothing": "",
	} {
		_, err := b.comes("other", email)
		require.ErrorIs(t, err, models.SignInUnknown, name)
	}
	for _, who := range []models.Identity{
		{Issuer: "https://id", Email: "kim@example.com"}, {Subject: "1", Email: "kim@example.com"},
	} {
		_, err := b.People.UserOfIdentity(t.Context(), who, "")
		require.ErrorIs(t, err, models.SignInUntrusted, "%+v is nobody", who)
	}
	kim := b.enters("1", "KIM@Example.com")
	require.Equal(t, kim.ID, b.enters("1", "kim.lee@example.com").ID, "the address does not matter any more")
	_, err := b.comes("2", "kim@example.com")
	require.ErrorIs(t, err, models.SignInOtherOne)
	b.dead("kim")
}

// Later invitations of an address come to the account whose person proves it again. The next owner of the address
// gets the later invitations, and nothing of the person before.
func TestInvitationsComeToTheIdentityThatProvesTheAddress(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	before := b.invite("kim@example.com", b.a, models.RoleViewer, "of a")
	b.open("of a", "with a password")
	b.confirm(before.ID)
	kim := b.enters("1", "kim@example.com")
	require.Equal(t, before.ID, kim.ID)
	b.ended("with a password")
	require.Empty(t, b.passwords("kim@example.com"), "it ends with the first sign-in at the provider")
	require.False(t, kim.SecondFactor)

	b.invite("kim@example.com", b.b, models.RoleAdmin, "of b")
	require.Equal(t, map[string]string{"a": "viewer"}, b.roles(b.enters("1", "elsewhere@example.com")))
	require.Equal(t, map[string]string{"a": "viewer", "b": "admin"}, b.roles(b.enters("1", "kim@example.com")))
	require.True(t, b.command("kim@example.com", "", "auditor", "of the operator"))
	require.Equal(t, map[string]string{"a": "viewer", "b": "admin"}, b.roles(b.enters("1", "elsewhere@example.com")),
		"it waits for the address")
	require.Equal(t, map[string]string{"a": "viewer", "b": "admin", "staff": "auditor"},
		b.roles(b.enters("1", "kim@example.com")))

	c := storetest.Organization(t, b.url).OrganizationID
	another := b.invite("kim@example.com", c, models.RoleViewer, "of c")
	next := b.enters("2", "kim@example.com")
	require.Equal(t, another.ID, next.ID)
	require.Len(t, next.Memberships, 1)
	require.Equal(t, map[string]string{"a": "viewer", "b": "admin", "staff": "auditor"},
		b.roles(b.enters("1", "elsewhere@example.com")))

	// A link of the operator admits another account of the provider.
	require.True(t, b.command("kim@example.com", b.a, "viewer", "anew"))
	require.Equal(t, next.ID, b.enters("3", "kim@example.com").ID)
	_, err := b.comes("2", "kim@example.com")
	require.ErrorIs(t, err, models.SignInOtherOne)

	storetest.Execute(t, b.url, "UPDATE users SET status = 'DISABLED' WHERE id = $1", next.ID)
	_, err = b.comes("3", "kim@example.com")
	require.ErrorIs(t, err, models.SignInDisabled)
	d := storetest.Organization(t, b.url).OrganizationID
	anew := b.invite("kim@example.com", d, models.RoleViewer, "of d")
	u := b.enters("3", "kim@example.com")
	require.Equal(t, anew.ID, u.ID, "who disabled the account has not invited this one")
	require.Len(t, u.Memberships, 1)
}
