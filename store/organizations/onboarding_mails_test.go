package organizations_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// mailedLink makes the link of an onboarding and its e-mail.
func mailedLink(n *storetest.OnboardingBundle, t *testing.T, hash string) models.OnboardingLink {
	t.Helper()
	link, err := n.Store.Organizations.MakeOnboardingLink(t.Context(), n.Scope, storetest.Actor, []byte(hash),
		&models.LinkMailRequest{Email: "ada@client.example", PerDay: 10})
	require.NoError(t, err)
	return link
}

// leaseLink returns the mail with a link that is due next; nil for none.
func leaseLink(n *storetest.OnboardingBundle, t *testing.T) *models.Mail {
	t.Helper()
	m, ok, err := n.Store.Organizations.LinkMails().LeaseMail(t.Context(), 10)
	require.NoError(t, err)
	if !ok {
		return nil
	}
	return &m
}

// dueLinks makes all waiting mails due.
func dueLinks(n *storetest.OnboardingBundle, t *testing.T) {
	storetest.Execute(t, n.URL, "UPDATE onboarding_mails SET next_attempt_at = now() WHERE next_attempt_at IS NOT NULL")
}

// opens reports whether a token opens the link.
func opens(n *storetest.OnboardingBundle, t *testing.T, hash string) bool {
	t.Helper()
	_, err := n.Store.Organizations.FindOnboardingLink(t.Context(), [][]byte{[]byte(hash)})
	if err != nil {
		require.ErrorIs(t, err, models.ErrNotFound)
	}
	return err == nil
}

// Two attempts at one mail, the first cut off after the server took it, send two tokens of one link. Both work until the
// link ends, and the database forgets the address then.
func TestEachTokenOfAMailedLinkEndsWithIt(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	mails := n.Store.Organizations.LinkMails()
	mailedLink(n, t, "maker")
	cutOff := leaseLink(n, t)
	require.Equal(t, []any{"ada@client.example", models.MailOnboardingLink, "Acme", true},
		[]any{cutOff.Email, cutOff.Kind, cutOff.Organization, cutOff.Reached})
	require.NoError(t, mails.LinkMail(t.Context(), *cutOff, []byte("first")))
	require.Nil(t, leaseLink(n, t), "one attempt at a time")
	dueLinks(n, t)
	m := leaseLink(n, t)
	require.ErrorIs(t, mails.LinkMail(t.Context(), *cutOff, []byte("late")), models.ErrNotFound)
	require.NoError(t, mails.LinkMail(t.Context(), *m, []byte("second")))
	require.NoError(t, mails.EndMail(t.Context(), *cutOff, models.MailResult{Failure: "late"}))
	require.NoError(t, mails.EndMail(t.Context(), *m, models.MailResult{}))
	dueLinks(n, t)
	require.Nil(t, leaseLink(n, t), "it was sent")
	for hash, works := range map[string]bool{"maker": true, "first": true, "second": true, "late": false} {
		require.Equal(t, works, opens(n, t, hash), hash)
	}
	link, err := n.Store.Organizations.OnboardingLink(t.Context(), n.Scope)
	require.NoError(t, err)
	require.Equal(t, models.MailSent, link.Mail.Status)
	require.NotNil(t, link.Mail.SentAt)

	// Sending again makes another link.
	again := mailedLink(n, t, "again")
	require.True(t, again.CreatedAt.After(link.CreatedAt))
	link, err = n.Store.Organizations.OnboardingLink(t.Context(), n.Scope)
	require.NoError(t, err)
	require.WithinDuration(t, again.CreatedAt, link.CreatedAt, time.Microsecond)
	for hash, works := range map[string]bool{"maker": false, "first": false, "second": false, "again": true} {
		require.Equal(t, works, opens(n, t, hash), hash)
	}
	require.NoError(t, n.Store.Organizations.EndOnboardingLink(t.Context(), n.Scope, storetest.Actor))
	require.Nil(t, leaseLink(n, t), "its link has ended")
	var left int
	require.NoError(t, storetest.SQL(t, n.URL).QueryRow(t.Context(),
		"SELECT count(*) FROM onboarding_mails WHERE email <> '' OR hashes <> '{}'").Scan(&left))
	require.Zero(t, left)
}

// A link goes also to an organization without a partner, which it names as the sender.
func TestAPartnerMailsALinkOfItsOwn(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	storetest.Execute(t, n.URL, "UPDATE organizations SET parent_organization_id = NULL WHERE id = $1", n.Scope.OrganizationID)
	mailedLink(n, t, "maker")
	m := leaseLink(n, t)
	require.NotNil(t, m)
	require.Equal(t, []any{"Acme", "Acme", true}, []any{m.Organization, m.Link.Partner, m.Reached})
}

// A mail that the server refuses for good has failed. Its token ends, the link of the maker works, and the maker is told.
func TestARefusedAddressIsTold(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	mails := n.Store.Organizations.LinkMails()
	mailedLink(n, t, "maker")
	m := leaseLink(n, t)
	require.NoError(t, mails.LinkMail(t.Context(), *m, []byte("token")))
	refused := models.MailResult{Failure: "The mail server refused the address (SMTP 550).", Permanent: true}
	require.NoError(t, mails.EndMail(t.Context(), *m, refused))
	require.False(t, opens(n, t, "token"))
	require.True(t, opens(n, t, "maker"))
	link, err := n.Store.Organizations.OnboardingLink(t.Context(), n.Scope)
	require.NoError(t, err)
	require.Equal(t, models.MailFailed, link.Mail.Status)
	require.Contains(t, link.Mail.Advice(), "refused the address (SMTP 550). Correct the address")
	state, err := n.Store.People.MailState(t.Context())
	require.NoError(t, err)
	require.Equal(t, models.MailState{Failed: 1, Failure: "The mail server refused the address (SMTP 550)."}, *state)
}

// A link that was sent and not opened is reminded of once, shortly before it ends. One that was opened meanwhile is not.
func TestAnUnusedLinkIsRemindedOfOnce(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	mails := n.Store.Organizations.LinkMails()
	mailedLink(n, t, "maker")
	plan := func() *models.Mail {
		require.NoError(t, mails.PlanMails(t.Context()))
		dueLinks(n, t)
		return leaseLink(n, t)
	}
	endIn := func(left time.Duration) {
		storetest.Execute(t, n.URL, "UPDATE onboarding_links SET created_at = now() - interval '14 days' + $1, expires_at = now() + $1", left)
	}
	endIn(time.Hour)
	m := plan()
	require.Equal(t, models.MailOnboardingLink, m.Kind, "it was not sent yet")
	require.NoError(t, mails.EndMail(t.Context(), *m, models.MailResult{}))
	endIn(models.LinkReminderBefore + time.Hour)
	require.Nil(t, plan(), "there is time")
	endIn(models.LinkReminderBefore - time.Hour)
	storetest.Execute(t, n.URL, "UPDATE organization_settings SET disable_onboarding = true")
	require.Nil(t, plan(), "without reminders")
	storetest.Execute(t, n.URL, "UPDATE organization_settings SET disable_onboarding = false")
	m = plan()
	require.Equal(t, models.MailOnboardingReminder, m.Kind)
	require.True(t, m.Reached)
	require.NoError(t, mails.LinkMail(t.Context(), *m, []byte("reminder")))
	require.True(t, opens(n, t, "reminder"))
	m = plan() // as after an attempt that was cut off: the client has opened the link
	require.False(t, m.Reached)
	require.NoError(t, mails.EndMail(t.Context(), *m, models.MailResult{}))
	require.Nil(t, plan(), "once")
}

// A client gets as many links in 24 hours as it may, and a partner sends as many mails with its clients as it may. More are
// refused before anything is written.
func TestLinksByMailAreLimited(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	send := func(perDay int) error {
		_, err := n.Store.Organizations.MakeOnboardingLink(t.Context(), n.Scope, storetest.Actor, []byte(models.NewID("link")),
			&models.LinkMailRequest{Email: "ada@client.example", PerDay: perDay})
		return err
	}
	require.NoError(t, send(1))
	require.Equal(t, &models.LimitError{What: models.LimitLinkMails, Limit: 1}, send(1), "one waits")
	storetest.Execute(t, n.URL, "UPDATE onboarding_mails SET status = 'SENT', sent_at = now(), next_attempt_at = NULL")
	require.Equal(t, &models.LimitError{What: models.LimitLinkMails, Limit: 1}, send(1), "one was sent")
	for range models.MaxLinkMails - 1 {
		require.NoError(t, send(10))
	}
	newest, err := n.Store.Organizations.OnboardingLink(t.Context(), n.Scope)
	require.NoError(t, err)
	require.Equal(t, &models.LimitError{What: models.LimitLinkMails, Limit: models.MaxLinkMails}, send(10))
	after, err := n.Store.Organizations.OnboardingLink(t.Context(), n.Scope)
	require.NoError(t, err)
	require.Equal(t, newest, after, "the link works on")
}

// After the end of an onboarding nothing is sent, and the address is forgotten.
func TestAnEndedOnboardingForgetsTheAddress(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	mails := n.Store.Organizations.LinkMails()
	mailedLink(n, t, "maker")
	require.NoError(t, mails.ForgetMails(t.Context()))
	require.NotNil(t, leaseLink(n, t))
	dueLinks(n, t)
	n.End()
	m := leaseLink(n, t)
	require.False(t, m.Reached)
	require.NoError(t, mails.ForgetMails(t.Context()))
	var email, status string
	require.NoError(t, storetest.SQL(t, n.URL).QueryRow(t.Context(), "SELECT email, status FROM onboarding_mails").Scan(&email, &status))
	require.Equal(t, []string{"", "DROPPED"}, []string{email, status})
}
