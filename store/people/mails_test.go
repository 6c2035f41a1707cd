package people_test

import (
	"fmt"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// mailed invites a person by e-mail.
func (b *book) mailed(email, organization string) models.User {
	b.Helper()
	u := models.User{Email: email, Name: "Zoe"}
	require.NoError(b, b.People.CreateUserByMail(b.Context(), storetest.Actor, &u,
		&models.Membership{OrganizationID: organization, Role: models.RoleViewer}))
	return u
}

// lease returns the mail that is due next; nil for none.
func (b *book) lease(perDay int) *models.Mail {
	b.Helper()
	m, ok, err := b.People.LeaseMail(b.Context(), perDay)
	require.NoError(b, err)
	if !ok {
		return nil
	}
	return &m
}

// due makes all waiting mails due.
func (b *book) due() {
	storetest.Execute(b.T, b.url, "UPDATE mails SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL")
}

// statuses returns how many mails have each status.
func (b *book) statuses() map[models.MailStatus]int {
	b.Helper()
	rows, err := storetest.SQL(b.T, b.url).Query(b.Context(), "SELECT status FROM mails")
	require.NoError(b, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[models.MailStatus])
	require.NoError(b, err)
	counts := map[models.MailStatus]int{}
	for _, status := range all {
		counts[status]++
	}
	return counts
}

// askForLink makes a new link by e-mail.
func (b *book) askForLink(organization, id string) {
	b.Helper()
	_, err := b.People.UpdateUser(b.Context(), storetest.Actor, organization, id, models.UserChange{
		Record: func(*models.User) error { return nil }, Mails: []models.MailKind{models.MailSignInLink},
	})
	require.NoError(b, err)
}

// One attempt has a mail at a time. A late attempt adds and writes nothing.
func TestAMailHasOneAttemptAtATime(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.mailed("zoe@example.com", b.a)
	late := b.lease(10)
	require.Equal(t, "zoe@example.com", late.Email)
	require.Equal(t, models.MailInvitation, late.Kind)
	require.True(t, late.Reached)
	require.Nil(t, b.lease(10))

	b.due() // the lease has ended
	m := b.lease(10)
	require.Equal(t, late.ID, m.ID)
	require.Equal(t, 2, m.Attempt)
	require.ErrorIs(t, b.People.LinkMail(t.Context(), *late, []byte("late")), models.ErrNotFound)
	require.NoError(t, b.People.EndMail(t.Context(), *late, models.MailResult{}))
	require.NoError(t, b.People.LinkMail(t.Context(), *m, []byte("link")))
	b.dead("late")
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{LinkHash: []byte("link")}))
	b.due()
	require.Nil(t, b.lease(10), "it was sent")
	b.open("link", "session")
}

// A failed attempt is repeated later, with longer pauses. After a refusal for good the mail has failed, and no link of
// it works.
func TestAFailedMailIsRepeatedUntilItIsRefused(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.mailed("zoe@example.com", b.a)
	m := b.lease(10)
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{Failure: "no answer"}))
	require.Nil(t, b.lease(10))
	b.due()
	m = b.lease(10)
	require.NoError(t, b.People.LinkMail(t.Context(), *m, []byte("link")))
	require.NoError(t, b.People.EndMail(t.Context(), *m,
		models.MailResult{Failure: "refused", Permanent: true, LinkHash: []byte("link")}))
	b.due()
	require.Nil(t, b.lease(10))
	b.dead("link")

	b.mailed("yan@example.com", b.a)
	for range models.MailAttempts {
		b.due()
		require.NoError(t, b.People.EndMail(t.Context(), *b.lease(10), models.MailResult{Failure: "no answer"}))
	}
	b.due()
	require.Nil(t, b.lease(10))
}

// A person who waits for a link gets one, however often it is asked for. Links of different times are different mails.
func TestAWaitingLinkIsMailedOnce(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleViewer, "invitation")
	b.open("invitation", "session")
	for range 3 {
		b.askForLink(b.a, zoe.ID)
	}
	m := b.lease(10)
	require.Equal(t, models.MailSignInLink, m.Kind)
	require.Nil(t, b.lease(10))
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
	b.askForLink(b.a, zoe.ID)
	require.NotNil(t, b.lease(10))
}

// A mail whose last attempt ended without a result has failed; it is not attempted again.
func TestAMailHasNoMoreAttemptsThanItMay(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.mailed("zoe@example.com", b.a)
	for range models.MailAttempts {
		b.due()
		require.NotNil(t, b.lease(10))
	}
	require.Nil(t, b.lease(10))
	require.Equal(t, map[models.MailStatus]int{models.MailPending: 1}, b.statuses(), "its last attempt may still end")
	b.due()
	require.Nil(t, b.lease(10))
	require.Equal(t, map[models.MailStatus]int{models.MailFailed: 1}, b.statuses())
}

// A link of one organization that waits does not hold back that of another.
func TestOrganizationsMailLinksOfTheirOwn(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.invite("zoe@example.com", b.a, models.RoleViewer, "invitation")
	b.open("invitation", "session")
	storetest.Execute(t, b.url, `INSERT INTO memberships (organization_id, user_id, role, created_at)
		VALUES ($1, $2, 'viewer', now())`, b.b, zoe.ID)
	b.askForLink(b.a, zoe.ID)
	b.askForLink(b.b, zoe.ID)
	require.ElementsMatch(t, []string{b.a, b.b}, []string{b.lease(10).OrganizationID, b.lease(10).OrganizationID})
	require.Nil(t, b.lease(10))
}

// An organization sends as many mails in 24 hours as it may. Others are not delayed by it, and the rest is sent later.
func TestAnOrganizationSendsAsManyMailsAsItMay(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	for _, email := range []string{"a@example.com", "b@example.com", "c@example.com"} {
		b.mailed(email, b.a)
	}
	b.mailed("of-b@example.com", b.b)
	var sent []string
	for m := b.lease(2); m != nil; m = b.lease(2) {
		sent = append(sent, m.Email)
		require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
	}
	require.Equal(t, []string{"a@example.com", "b@example.com", "of-b@example.com"}, sent)
	storetest.Execute(t, b.url, "UPDATE mails SET sent_at = now() - interval '25 hours' WHERE status = 'SENT'")
	require.Equal(t, "c@example.com", b.lease(2).Email)
}

// A partner and its clients send as many mails in 24 hours as one organization may.
func TestClientsSendNoMoreMailsThanTheirPartnerMay(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	client := storetest.Organization(t, b.url).OrganizationID
	for _, id := range []string{client, b.b} {
		storetest.Execute(t, b.url, "UPDATE organizations SET parent_organization_id = $1 WHERE id = $2", b.a, id)
	}
	other := storetest.Organization(t, b.url).OrganizationID
	for i, organization := range []string{client, b.b, b.a, client, other} {
		b.mailed(fmt.Sprintf("%d@example.com", i), organization)
	}
	var sent []string
	for m := b.lease(2); m != nil; m = b.lease(2) {
		sent = append(sent, m.Email)
		require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
	}
	require.Equal(t, []string{"0@example.com", "1@example.com", "4@example.com"}, sent)
}

// A mail that has waited for a week is dropped.
func TestAMailDoesNotWaitForever(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.mailed("zoe@example.com", b.a)
	b.mailed("yan@example.com", b.a)
	storetest.Execute(t, b.url, `UPDATE mails SET created_at = now() - interval '8 days'
		WHERE user_id = (SELECT id FROM users WHERE email = 'zoe@example.com')`)
	require.Equal(t, "yan@example.com", b.lease(10).Email)
	require.Nil(t, b.lease(10))
	require.Equal(t, map[models.MailStatus]int{models.MailDropped: 1, models.MailPending: 1}, b.statuses())
}

// A person who was removed or disabled meanwhile gets nothing.
func TestWhoHasNoRoleAnyMoreGetsNoMail(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	zoe := b.mailed("zoe@example.com", b.a)
	require.NoError(t, b.People.RemoveUser(t.Context(), storetest.Actor, b.a, zoe.ID))
	m := b.lease(10)
	require.False(t, m.Reached)
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
	b.due()
	require.Nil(t, b.lease(10))

	yan := b.mailed("yan@example.com", b.a)
	require.NoError(t, b.People.EraseUser(t.Context(), storetest.Actor, yan.ID))
	require.Nil(t, b.lease(10))
}
