package people_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
)

// book is a store of people with organizations, whose links and sessions have their names as hashes.
type book struct {
	*testing.T
	*store.Store
	url  string
	a, b string // two organizations
}

func newBook(t *testing.T) *book {
	t.Helper()
	s, url := storetest.NewStore(t)
	return &book{t, s, url, storetest.Organization(t, url).OrganizationID, storetest.Organization(t, url).OrganizationID}
}

// invite makes an account with a role in an organization, and a link.
func (b *book) invite(email, organization string, role models.Role, link string) models.User {
	b.Helper()
	u := models.User{Email: email, Name: "Zoe"}
	require.NoError(b, b.People.CreateUser(b.Context(), storetest.Actor, &u,
		&models.Membership{OrganizationID: organization, Role: role}, []byte(link)))
	return u
}

// command gives a role in an organization, or with staff, as the operator does.
func (b *book) command(email, organization, role, link string) (known bool) {
	b.Helper()
	u, m := models.User{Email: email, Name: "Zoe"}, (*models.Membership)(nil)
	if organization == "" {
		u.StaffRole = new(models.StaffRole(role))
	} else {
		m = &models.Membership{OrganizationID: organization, Role: models.Role(role)}
	}
	_, known, err := b.People.Ensure(b.Context(), storetest.Actor, u, m, []byte(link))
	require.NoError(b, err)
	return known
}

// open opens a link with a password, and begins a session of that name.
func (b *book) open(link, session string) models.User {
	b.Helper()
	u, err := b.People.UseLink(b.Context(), [][]byte{[]byte(link)}, "salt$"+session, "")
	require.NoError(b, err, link)
	require.NoError(b, b.People.BeginSession(b.Context(), &u, []byte(session), models.SignInProof{}, ""))
	return b.session(session)
}

func (b *book) session(name string) models.User {
	b.Helper()
	u, err := b.People.FindSession(b.Context(), [][]byte{[]byte(name)})
	require.NoError(b, err, name)
	return u
}

func (b *book) ended(sessions ...string) {
	b.Helper()
	for _, name := range sessions {
		_, err := b.People.FindSession(b.Context(), [][]byte{[]byte(name)})
		require.ErrorIs(b, err, models.ErrNotFound, name)
	}
}

func (b *book) dead(links ...string) {
	b.Helper()
	for _, link := range links {
		_, err := b.People.UseLink(b.Context(), [][]byte{[]byte(link)}, "salt$again", "")
		require.ErrorIs(b, err, models.ErrUnauthenticated, link)
	}
}

// passwords returns those that sign in with an address.
func (b *book) passwords(email string) (all []string) {
	b.Helper()
	accounts, err := b.People.Accounts(b.Context(), email)
	require.NoError(b, err)
	for _, u := range accounts {
		all = append(all, *u.PasswordHash)
	}
	return all
}

// confirm gives an account a second factor.
func (b *book) confirm(id string) {
	b.Helper()
	require.NoError(b, b.People.BeginSecondFactor(b.Context(), models.SecondFactor{
		UserID: id, MasterKeyID: "m", Wrapped: make([]byte, 60), Sealed: []byte("s"),
	}))
	storetest.Execute(b.T, b.url, "UPDATE second_factors SET confirmed_at = now() WHERE user_id = $1", id)
}

// newLink makes another link of an account, as an admin of an organization does.
func (b *book) newLink(organization, id, link string) {
	b.Helper()
	_, err := b.People.UpdateUser(b.Context(), storetest.Actor, organization, id, models.UserChange{
		Record: func(u *models.User) error { return nil }, LinkHash: []byte(link),
	})
	require.NoError(b, err)
}

func (b *book) roles(u models.User) map[string]string {
	roles := map[string]string{}
	if u.StaffRole != nil {
		roles["staff"] = string(*u.StaffRole)
	}
	for _, m := range u.Memberships {
		roles[map[string]string{b.a: "a", b.b: "b"}[m.OrganizationID]] = string(m.Role)
	}
	return roles
}

// An admin invites the address of a stranger and opens the link. A role that the operator gives to the address later
// waits for its own link. Opening that ends all that the admin has.
func TestARoleOfAKnownPersonWaitsForItsLink(t *testing.T) {
	t.Parallel()
	for _, where := range []string{"", "b"} {
		b := newBook(t)
		organization, role, given := "", "operator", map[string]string{"a": "viewer", "staff": "operator"}
		if where == "b" {
			organization, role, given = b.b, "admin", map[string]string{"a": "viewer", "b": "admin"}
		}
		set := b.invite("zoe@example.com", b.a, models.RoleViewer, "of a")
		b.open("of a", "beforehand")
		b.confirm(set.ID)
		require.NoError(t, b.People.RememberDevice(t.Context(), set.ID, []byte("device")))
		require.True(t, b.command("ZOE@example.com", organization, role, "of the operator"))
		b.newLink(b.a, set.ID, "of a again")
		only := map[string]string{"a": "viewer"}
		require.Equal(t, only, b.roles(b.session("beforehand")))
		require.Equal(t, only, b.roles(b.open("of a again", "again")), "a link gives what its maker could")
		b.newLink(b.a, set.ID, "of a for later")

		require.Equal(t, given, b.roles(b.open("of the operator", "hers")))
		b.ended("beforehand", "again")
		b.dead("of a for later", "of the operator")
		devices, err := b.People.DeviceAccounts(t.Context(), [][]byte{[]byte("device")})
		require.NoError(t, err)
		require.Empty(t, devices)
		require.Equal(t, []string{"salt$hers"}, b.passwords("zoe@example.com"))
		require.False(t, b.session("hers").SecondFactor)
	}
}

// An address that was invited elsewhere is free: each organization has an account of its own, and opening one changes
// nothing of another.
func TestAnAddressInvitedElsewhereBlocksNobody(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	first := b.invite("zoe@example.com", b.a, models.RoleAdmin, "of a")
	b.open("of a", "in a")
	b.confirm(first.ID)
	second := b.invite("Zoe@Example.com", b.b, models.RoleViewer, "of b")
	require.NotEqual(t, first.ID, second.ID)

	again := models.User{Email: "zoe@EXAMPLE.com", Name: "Zoe"}
	var duplicate *models.DuplicateError
	require.ErrorAs(t, b.People.CreateUser(t.Context(), storetest.Actor, &again,
		&models.Membership{OrganizationID: b.b, Role: models.RoleAdmin}, nil), &duplicate)
	require.Equal(t, second.ID, duplicate.ExistingID)
	staff := models.User{Email: "zoe@example.com", Name: "Zoe", StaffRole: new(models.StaffAuditor)}
	require.NoError(t, b.People.CreateUser(t.Context(), storetest.Actor, &staff, nil, []byte("of staff")))

	like, err := b.People.PasswordOfLink(t.Context(), [][]byte{[]byte("of b")})
	require.NoError(t, err)
	require.Equal(t, "salt$in a", *like)
	_, err = b.People.UseLink(t.Context(), [][]byte{[]byte("of b")}, "other$in b", "")
	require.ErrorIs(t, err, models.ErrChangedMeanwhile, "one hash compares a password with all of an address")
	require.Equal(t, map[string]string{"b": "viewer"}, b.roles(b.open("of b", "in b")))
	require.Equal(t, map[string]string{"staff": "auditor"}, b.roles(b.open("of staff", "at the operator")))
	require.Equal(t, map[string]string{"a": "admin"}, b.roles(b.session("in a")))
	require.True(t, b.session("in a").SecondFactor)
	require.Equal(t, []string{"salt$in a", "salt$in b", "salt$at the operator"}, b.passwords("ZOE@example.com"))

	// After the last role of a person, the address can be invited anew.
	require.NoError(t, b.People.RemoveUser(t.Context(), storetest.Actor, b.b, second.ID))
	b.ended("in b")
	b.invite("zoe@example.com", b.b, models.RoleViewer, "of b anew")
	require.Equal(t, map[string]string{"b": "viewer"}, b.roles(b.open("of b anew", "in b anew")))
}

// A link of the operator proves the address: all accounts that were invited with it become one. Accounts that an
// organization has disabled stay, and so do those of addresses that only look alike.
func TestTheOperatorsLinkJoinsTheAccountsOfAnAddress(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	c := storetest.Organization(t, b.url).OrganizationID
	inA := b.invite("zoe@example.com", b.a, models.RoleAdmin, "of a")
	inB := b.invite("zoe@example.com", b.b, models.RoleViewer, "of b")
	b.open("of b", "in b")
	_, err := b.People.ChangePreferences(t.Context(), models.Actor{UserID: inB.ID}, func(p *models.Preferences) {
		p.MailsOff = []models.MailKind{models.MailMentions, models.MailDigest}
	})
	require.NoError(t, err)
	storetest.Execute(t, b.url, "INSERT INTO mail_stops (hash, user_id, kind) VALUES ('stop', $1, 'DUE_DATES')", inA.ID)
	require.NoError(t, b.People.SaveView(t.Context(), models.Actor{UserID: inB.ID},
		models.SavedView{List: "filings", Name: "Mine", Query: "state_code=TX"}))
	scope := models.Scope{OrganizationID: b.b}
	comment, err := b.Work.CreateComment(t.Context(), scope, models.Actor{UserID: inB.ID},
		models.CommentSubject{Type: models.CommentOnOrganization, ID: b.b}, "For me", []string{inB.ID})
	require.NoError(t, err)
	b.invite("zo\u00e9@example.com", b.a, models.RoleAdmin, "of another letter")
	d := storetest.Organization(t, b.url).OrganizationID
	b.invite("zoe@example\uff0ecom", d, models.RoleAdmin, "of a wide dot") // NFKC makes it a dot
	disabled := b.invite("zoe@example.com", c, models.RoleAdmin, "of c")
	b.open("of c", "in c")
	_, err = b.People.UpdateUser(t.Context(), storetest.Actor, c, disabled.ID, models.UserChange{
		Record: func(u *models.User) error { u.Status = models.UserDisabled; return nil },
	})
	require.ErrorIs(t, err, models.ErrLastAdmin)
	storetest.Execute(t, b.url, "UPDATE users SET status = 'DISABLED' WHERE id = $1", disabled.ID)

	require.True(t, b.command("zoe@example.com", "", "auditor", "of the operator"))
	require.True(t, b.command("zoe@example.com", b.b, "admin", "another of the operator"))
	storetest.Execute(t, b.url, `INSERT INTO preferences (user_id, theme, date_format, number_format, time_zone, updated_at, mails_off)
		SELECT id, 'DARK', 'ISO', 'COMMA', 'UTC', now(), '["DIGEST", "REJECTIONS"]' FROM users WHERE email = 'zoe@example.com' AND id <> $1`,
		inB.ID)
	u := b.open("of the operator", "hers")
	require.Equal(t, map[string]string{"a": "admin", "b": "admin", "staff": "auditor"}, b.roles(u))
	p, err := b.People.ChangePreferences(t.Context(), models.Actor{UserID: u.ID}, func(*models.Preferences) {})
	require.NoError(t, err)
	require.ElementsMatch(t, []models.MailKind{models.MailMentions, models.MailDigest, models.MailRejections}, p.MailsOff)
	_, err = b.People.StopMails(t.Context(), [][]byte{[]byte("stop")}, "")
	require.NoError(t, err)
	p, err = b.People.ChangePreferences(t.Context(), models.Actor{UserID: u.ID}, func(*models.Preferences) {})
	require.NoError(t, err)
	require.Contains(t, p.MailsOff, models.MailDueDates, "the address in an earlier mail is of the account that stays")
	b.dead("of a", "another of the operator")
	b.ended("in b")
	views, err := b.People.SavedViews(t.Context(), u.ID)
	require.NoError(t, err)
	require.Len(t, views, 1)
	comment, err = b.Work.Comment(t.Context(), scope, comment.ID)
	require.NoError(t, err)
	require.Equal(t, []string{u.ID, u.ID}, []string{comment.Author.ID, comment.Mentions[0].ID})
	require.Equal(t, models.RoleAdmin, b.open("of a wide dot", "look-alike").Memberships[0].Role, "it is another address")
	require.Equal(t, map[string]string{"a": "admin", "b": "admin", "staff": "auditor"}, b.roles(b.session("hers")))

	kept := storetest.SQL(t, b.url)
	var names []string
	require.NoError(t, kept.QueryRow(t.Context(), "SELECT array_agg(name) FROM users WHERE email LIKE 'joined-%'").
		Scan(&names))
	require.Equal(t, []string{"Joined with " + u.ID}, names, "nothing personal is left of the accounts that ended")
	_, err = kept.Exec(t.Context(), "UPDATE users SET proven_at = now() WHERE email_key LIKE 'zoe@example.com%'")
	require.ErrorContains(t, err, "users_proven_address", "one account of an address is proven")
}

// The role of a proven person changes at once where that person has one. Others wait for the link to get more.
func TestTheCommandChangesTheRoleOfAProvenPersonAtOnce(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	require.False(t, b.command("ada@example.com", b.a, "viewer", "ada"))
	b.open("ada", "of ada")
	require.True(t, b.command("ada@example.com", b.a, "admin", "ada again"))
	require.Equal(t, map[string]string{"a": "admin"}, b.roles(b.session("of ada")))

	b.invite("bob@example.com", b.a, models.RoleApprover, "bob")
	b.open("bob", "of bob")
	require.True(t, b.command("bob@example.com", b.a, "admin", "bob again"))
	require.Equal(t, map[string]string{"a": "approver"}, b.roles(b.session("of bob")), "a higher role waits")
	require.True(t, b.command("bob@example.com", b.a, "viewer", "bob once more"))
	require.Equal(t, map[string]string{"a": "viewer"}, b.roles(b.session("of bob")), "a lower one does not")

	_, _, err := b.People.Ensure(t.Context(), storetest.Actor, models.User{Email: "cy@example.com"},
		&models.Membership{OrganizationID: b.a, Role: models.RoleViewer}, []byte("cy"))
	require.ErrorIs(t, err, models.ErrNotFound, "nobody has a name")
}
