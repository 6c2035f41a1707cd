package people_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// noon returns a zone in which it is about noon, so that reminders and digests of today are due.
func noon() (zone string, today time.Time) {
	now := time.Now().UTC()
	ahead := 12 - now.Hour()
	local := now.Add(time.Duration(ahead) * time.Hour)
	return fmt.Sprintf("Etc/GMT%+d", -ahead), time.Date(local.Year(), local.Month(), local.Day(), 0, 0, 0, 0, time.UTC)
}

// worker makes an active person with a role, in the zone where it is noon. The digest is due another day.
func (b *book) worker(name, organization string, role models.Role) (id string) {
	b.Helper()
	zone, today := noon()
	id = b.invite(name+"@example.com", organization, role, name).ID
	storetest.Execute(b.T, b.url, "UPDATE users SET status = 'ACTIVE', password_hash = 'x', name = $2 WHERE id = $1", id, name)
	storetest.Execute(b.T, b.url, `INSERT INTO preferences (user_id, theme, date_format, number_format, time_zone, updated_at,
		  digest_day)
		VALUES ($1, 'SYSTEM', 'ISO', 'COMMA', $2, now(), $3)`, id, zone, (int(today.Weekday())+3)%7+1)
	return id
}

// planned plans the mails and returns all of them: person and kind, in order.
func (b *book) planned() []string {
	b.Helper()
	require.NoError(b, b.People.PlanMails(b.Context()))
	rows, err := storetest.SQL(b.T, b.url).Query(b.Context(), `SELECT u.name || ' ' || m.kind FROM mails m JOIN users u ON u.id = m.user_id
		WHERE m.status = 'PLANNED' ORDER BY 1`)
	require.NoError(b, err)
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(b, err)
	return all
}

// client makes a client of b.a with a return that is due after some days.
func (b *book) client(name string, days int) (scope models.Scope, filing string) {
	b.Helper()
	client := storetest.NewClient(name)
	require.NoError(b, storetest.CreateClient(b.Context(), b.Store, models.Scope{OrganizationID: b.a}, client))
	scope = models.Scope{OrganizationID: client.ID}
	filing, err := storetest.WriteReturn(b.Context(), b.Store, scope)
	require.NoError(b, err)
	_, today := noon()
	storetest.Execute(b.T, b.url, "UPDATE filings SET due_date = $1 WHERE id = $2", today.AddDate(0, 0, days), filing)
	return scope, filing
}

// People who act for the organization of a return are reminded of it once a day. They are those of the client, and those of
// its partner while the grant lasts. A reminder is planned 7 days ahead, the day before and on the day.
func TestPeopleAreRemindedOfReturns(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	client, filing := b.client("Client", 7)
	b.worker("partner", b.a, models.RolePreparer)
	b.worker("own", client.OrganizationID, models.RoleAdmin)
	b.worker("viewer", b.a, models.RoleViewer)
	b.worker("other", b.b, models.RoleAdmin)
	both := []string{"own DUE_DATES", "partner DUE_DATES"}
	for range 2 { // planned twice, written once
		require.Equal(t, both, b.planned())
	}
	for days, want := range map[int][]string{0: both, 1: both, 2: {}, 6: {}, 8: {}, -1: {}} {
		_, today := noon()
		storetest.Execute(t, b.url, "DELETE FROM mails")
		storetest.Execute(t, b.url, "UPDATE filings SET due_date = $1 WHERE id = $2", today.AddDate(0, 0, days), filing)
		require.Equal(t, want, append([]string{}, b.planned()...), days)
	}

	for change, want := range map[string][]string{
		"UPDATE client_grants SET ended_at = now()":                                        {"own DUE_DATES"},
		"UPDATE organizations SET status = 'ARCHIVED' WHERE id <> $1":                      {},
		"UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1":                       {},
		"UPDATE organizations SET disable_emails = true WHERE parent_organization_id = $1": {},
	} {
		b := newBook(t)
		client, _ := b.client("Client", 1)
		b.worker("partner", b.a, models.RolePreparer)
		b.worker("own", client.OrganizationID, models.RoleAdmin)
		args := []any{}
		if want == nil || change[len(change)-2:] == "$1" {
			args = append(args, b.a)
		}
		storetest.Execute(t, b.url, change, args...)
		require.Equal(t, want, append([]string{}, b.planned()...), change)
	}
}

// All events of an hour that has ended are one mail for each person.
func TestEventsOfAnHourAreOneMail(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	pat, ada := b.worker("pat", b.a, models.RolePreparer), b.worker("ada", b.a, models.RoleApprover)
	client, filing := b.client("Client", 30)
	hour := time.Now().UTC().Truncate(time.Hour).Add(-2 * time.Hour)
	for i := range 3 {
		storetest.Execute(t, b.url, `INSERT INTO filing_history (organization_id, filing_id, at, from_status, to_status, action,
			  actor_type, attempt)
			VALUES ($1, $2, $3, 'FILING', 'ISSUE', 'REJECTED', 'SYSTEM', $4)`, client.OrganizationID, filing, hour.Add(time.Minute), i)
	}
	storetest.Execute(t, b.url, "ALTER TABLE filings DISABLE TRIGGER USER") // it moves without a run
	storetest.Execute(t, b.url, "UPDATE filings SET status = 'ISSUE', issue_reason = 'NO_ACCOUNT' WHERE id = $1", filing)
	b.comment(client.OrganizationID, filing, pat, hour, ada)
	b.assignment(client.OrganizationID, filing, "ada", pat, hour)
	b.assignment(b.a, "filing_2", "pat", pat, hour) // by the person
	require.Equal(t, []string{"ada ASSIGNMENTS", "ada MENTIONS", "ada REJECTIONS", "pat REJECTIONS"}, b.planned())
	require.Len(t, b.planned(), 4)

	visible := models.Visibility{OrganizationIDs: []string{b.a}, Mailed: true}
	contents := func(visible models.Visibility) (totals []int) {
		rejected, err := b.Work.RejectedReturns(t.Context(), visible, hour, hour.Add(time.Hour), 10)
		require.NoError(t, err)
		mentions, err := b.Work.NewMentions(t.Context(), visible, ada, hour, hour.Add(time.Hour), 10)
		require.NoError(t, err)
		assigned, err := b.Work.NewAssignments(t.Context(), visible, ada, "ada", hour, hour.Add(time.Hour), 10)
		require.NoError(t, err)
		return []int{rejected.Total, mentions.Total, assigned.Total}
	}
	require.Equal(t, []int{1, 1, 1}, contents(visible))
	storetest.Execute(t, b.url, "UPDATE organizations SET disable_emails = true WHERE id = $1", client.OrganizationID)
	require.Equal(t, []int{0, 0, 0}, contents(visible), "the organization wants none")
	storetest.Execute(t, b.url, "UPDATE organizations SET disable_emails = false")
	storetest.Execute(t, b.url, "UPDATE client_grants SET ended_at = now()")
	require.Equal(t, []int{0, 0, 0}, contents(visible), "the grant has ended meanwhile")
}

// comment writes a comment of a person that mentions another.
func (b *book) comment(organization, filing, by string, at time.Time, mentioned string) {
	id := models.NewID(models.PrefixComment)
	storetest.Execute(b.T, b.url, `INSERT INTO comments (organization_id, id, object_type, object_id, user_id, created_at)
		VALUES ($1, $2, 'filing', $3, $4, $5)`, organization, id, filing, by, at)
	storetest.Execute(b.T, b.url, "INSERT INTO comment_mentions (organization_id, comment_id, user_id) VALUES ($1, $2, $3)",
		organization, id, mentioned)
}

// assignment assigns an exception.
func (b *book) assignment(organization, object, assignee, by string, at time.Time) {
	storetest.Execute(b.T, b.url, `INSERT INTO exception_notes (organization_id, type, object_id, assignee, updated_at, assigned_at,
		  assigned_by)
		VALUES ($1, 'FILING_ISSUE', $2, $3, now(), $4, $5)`, organization, object, assignee, at, by)
}

// The digest is planned on the day of the person, and on the day after it if that was missed, once a week.
func TestADigestIsPlannedOnItsDay(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	pat := b.worker("pat", b.a, models.RoleViewer)
	_, today := noon()
	for back, want := range map[int][]string{0: {"pat DIGEST"}, 1: {"pat DIGEST"}, 2: {}, -1: {}} {
		storetest.Execute(t, b.url, "DELETE FROM mails")
		storetest.Execute(t, b.url, "UPDATE preferences SET digest_day = $1 WHERE user_id = $2",
			(int(today.AddDate(0, 0, -back).Weekday())+6)%7+1, pat)
		for range 2 {
			require.Equal(t, want, append([]string{}, b.planned()...), back)
		}
	}
	storetest.Execute(t, b.url, "DELETE FROM mails")
	storetest.Execute(t, b.url, "UPDATE preferences SET digest_day = $1, time_zone = 'Nowhere/Else'", (int(time.Now().UTC().Weekday())+6)%7+1)
	require.NoError(t, b.People.PlanMails(t.Context()), "a zone that the database does not know stops nobody")
}

// The zone of a mail is that of a page: the chosen one, else that of the only organization of the person, else UTC. It says
// when the mail is planned, too: not before seven.
func TestTheZoneOfAMailIsThatOfAPage(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.client("Client", 1)
	pat := b.worker("pat", b.a, models.RolePreparer)
	noonThere, _ := noon()
	behind := time.Now().UTC().Hour() - 3
	if behind > 12 {
		behind -= 24
	}
	night := fmt.Sprintf("Etc/GMT%+d", behind) // it is about three o'clock there
	storetest.Execute(t, b.url, "UPDATE preferences SET time_zone = 'UTC'")
	setZone := func(zone string) {
		storetest.Execute(t, b.url, "UPDATE organization_settings SET time_zone = $1 WHERE organization_id = $2", zone, b.a)
	}
	setZone(night)
	require.Empty(t, b.planned())
	setZone(noonThere)
	require.Equal(t, []string{"pat DUE_DATES"}, b.planned())

	setZone("Asia/Kolkata")
	zone := func() string {
		storetest.Execute(t, b.url, "UPDATE mails SET next_attempt_at = now(), status = 'PLANNED', tries = 0")
		return b.lease(10).Person.Zone
	}
	require.Equal(t, "Asia/Kolkata", zone())
	storetest.Execute(t, b.url, "INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, 'viewer', now())",
		b.b, pat)
	require.Equal(t, "UTC", zone(), "one of two organizations is not the zone of the person")
	storetest.Execute(t, b.url, "DELETE FROM memberships WHERE organization_id = $1", b.b)
	storetest.Execute(t, b.url, "UPDATE preferences SET utc_chosen = true")
	require.Equal(t, "UTC", zone(), "it is chosen")
	storetest.Execute(t, b.url, "UPDATE preferences SET utc_chosen = false, time_zone = 'America/Boise'")
	require.Equal(t, "America/Boise", zone())
}

// A kind that cannot be planned leaves the others.
func TestOneKindThatFailsLeavesTheOthers(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.client("Client", 1)
	b.worker("pat", b.a, models.RolePreparer)
	storetest.Execute(t, b.url, "ALTER TABLE filing_history RENAME TO lost")
	require.ErrorContains(t, b.People.PlanMails(t.Context()), string(models.MailRejections))
	require.Equal(t, map[models.MailStatus]int{models.MailPlanned: 1}, b.statuses(), "the reminder")
}

// Nobody gets a kind that was turned off, also between planning and sending, and nobody without a role.
func TestATurnedOffKindIsNeitherPlannedNorSent(t *testing.T) {
	t.Parallel()
	for when, change := range map[string]string{
		"turned off": `UPDATE preferences SET mails_off = '["DUE_DATES"]'`,
		"no role":    "DELETE FROM memberships",
		"disabled":   "UPDATE users SET status = 'DISABLED'",
		"archived":   "UPDATE organizations SET status = 'ARCHIVED'",
	} {
		b := newBook(t)
		b.client("Client", 1)
		b.worker("pat", b.a, models.RolePreparer)
		require.Equal(t, []string{"pat DUE_DATES"}, b.planned(), when)
		storetest.Execute(t, b.url, change)
		m := b.lease(10)
		require.False(t, m.Reached, when)
		require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
		require.Equal(t, map[models.MailStatus]int{models.MailDropped: 1}, b.statuses())
		storetest.Execute(t, b.url, "DELETE FROM mails")
		require.Empty(t, b.planned(), when)
	}
}

// A mail about work is tried again like others. Those about access go first and have a fifth of the limit to themselves.
func TestMailsAboutAccessGoFirst(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	b.client("Client", 1)
	for i := range 6 {
		b.worker(fmt.Sprint("pat", i), b.a, models.RolePreparer)
	}
	require.Len(t, b.planned(), 6)
	b.mailed("zoe@example.com", b.a)
	var kinds []models.MailKind
	for m := b.lease(5); m != nil; m = b.lease(5) {
		kinds = append(kinds, m.Kind)
		require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))
	}
	require.Equal(t, []models.MailKind{models.MailInvitation, models.MailDueDates, models.MailDueDates, models.MailDueDates}, kinds)
	b.mailed("yan@example.com", b.a)
	m := b.lease(5)
	require.Equal(t, models.MailInvitation, m.Kind, "room was left for it")
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{}))

	storetest.Execute(t, b.url, "UPDATE mails SET sent_at = now() - interval '25 hours' WHERE status = 'SENT'")
	m = b.lease(5)
	require.NoError(t, b.People.EndMail(t.Context(), *m, models.MailResult{Failure: "no answer"}))
	require.Equal(t, 3, b.statuses()[models.MailPlanned], "it is tried again")
}

// The address in a mail turns off its kind and nothing else, and ends when the person turns the kind on.
func TestTheAddressInAMailTurnsOffItsKind(t *testing.T) {
	t.Parallel()
	b := newBook(t)
	pat := b.worker("pat", b.a, models.RolePreparer)
	storetest.Execute(t, b.url, `INSERT INTO mails (id, organization_id, user_id, kind, occasion, status)
		VALUES ('mail_1', $1, $2, 'DIGEST', '2026-W05', 'PLANNED')`, b.a, pat)
	late := *b.lease(10)
	require.ErrorIs(t, b.People.AddMailStop(t.Context(), models.Mail{ID: "mail_0", Attempt: 1}, []byte("none")), models.ErrNotFound)
	b.due() // the lease has ended
	m := *b.lease(10)
	require.ErrorIs(t, b.People.AddMailStop(t.Context(), late, []byte("late")), models.ErrNotFound)
	require.NoError(t, b.People.AddMailStop(t.Context(), m, []byte("stop")))
	_, err := b.People.StopMails(t.Context(), [][]byte{[]byte("other")}, "")
	require.ErrorIs(t, err, models.ErrNotFound)
	for range 2 {
		kind, err := b.People.StopMails(t.Context(), [][]byte{[]byte("other"), []byte("stop")}, "")
		require.NoError(t, err)
		require.Equal(t, models.MailDigest, kind)
	}
	change := func(f func(*models.Preferences)) models.Preferences {
		p, err := b.People.ChangePreferences(t.Context(), models.Actor{UserID: pat, UserName: "pat"}, f)
		require.NoError(t, err)
		return p
	}
	require.Equal(t, []models.MailKind{models.MailDigest}, change(func(*models.Preferences) {}).MailsOff)
	change(func(p *models.Preferences) { p.MailsOff = []models.MailKind{} })
	_, err = b.People.StopMails(t.Context(), [][]byte{[]byte("stop")}, "")
	require.ErrorIs(t, err, models.ErrNotFound)

	require.NoError(t, b.People.AddMailStop(t.Context(), m, []byte("old")))
	storetest.Execute(t, b.url, "UPDATE mail_stops SET created_at = now() - interval '61 days'")
	_, err = b.People.StopMails(t.Context(), [][]byte{[]byte("old")}, "")
	require.ErrorIs(t, err, models.ErrNotFound)
}
