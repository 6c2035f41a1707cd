package contract_test

import (
	"fmt"
	"net/http"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/service"
)

// person is a person with a role in an organization, who can sign in by the link of that hash.
func (in *installation) person(as credentials, email string, link []byte) string {
	in.t.Helper()
	u := models.User{Email: email, Name: "Ada"}
	role := &models.Membership{OrganizationID: as.organization, Role: models.RoleViewer}
	require.NoError(in.t, in.store.People.CreateUser(in.t.Context(), models.Actor{}, &u, role, link))
	return u.ID
}

// signIn is the body of a sign-in of the same person.
func (in *installation) signIn() string {
	in.t.Helper()
	const email = "signs-in@example.com"
	in.signer.Do(func() {
		in.person(in.root, email, service.LinkHash(in.hasher, "link"))
		in.call(credentials{}, "POST", "/v1/session", fmt.Sprintf(`{"token":"link","password":%q}`, ownPassword), 200)
	})
	return fmt.Sprintf(`{"email":%q,"password":%q}`, email, ownPassword)
}

// ownPassword is the password of people.
const ownPassword = "correct horse battery staple"

// staff is the cookie of a member of staff, whose session stays proven.
func (in *installation) staff() string {
	in.t.Helper()
	in.hired.Do(func() {
		role := models.StaffAuditor
		u := models.User{Email: "staff@example.com", Name: "Bob", StaffRole: &role}
		require.NoError(in.t, in.store.People.CreateUser(in.t.Context(), models.Actor{}, &u, nil,
			service.LinkHash(in.hasher, "link of staff")))
		a := in.call(credentials{}, "POST", "/v1/session",
			`{"token":"link of staff","password":"`+ownPassword+`"}`, 200)
		cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
		require.NoError(in.t, err)
		in.session = cookie.String()
		in.execute("UPDATE sessions SET proven_at = now() + interval '1 day' WHERE user_id = $1", u.ID)
	})
	return in.session
}

// admin is the cookie of an admin of an organization.
func (in *installation) admin(of credentials) string {
	in.t.Helper()
	if in.admins[of.organization] == "" {
		email := in.next("admin") + "@example.com"
		u := models.User{Email: email, Name: "Eve"}
		role := &models.Membership{OrganizationID: of.organization, Role: models.RoleAdmin}
		require.NoError(in.t, in.store.People.CreateUser(in.t.Context(), models.Actor{}, &u, role,
			service.LinkHash(in.hasher, email)))
		a := in.call(credentials{}, "POST", "/v1/session",
			fmt.Sprintf(`{"token":%q,"password":%q}`, email, ownPassword), 200)
		cookie, err := http.ParseSetCookie(a.header.Get("Set-Cookie"))
		require.NoError(in.t, err)
		if in.admins == nil {
			in.admins = map[string]string{}
		}
		in.admins[of.organization] = cookie.String()
	}
	return in.admins[of.organization]
}
