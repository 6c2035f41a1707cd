package worker

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// toldContents has one record of each kind, and remembers the times that it was asked for.
type toldContents struct {
	items models.MailItems
	asked []time.Time
}

func (c *toldContents) found(times ...time.Time) (models.MailItems, error) {
	c.asked = times
	return c.items, nil
}

func (c *toldContents) DueReturns(
	_ context.Context, _ models.Visibility, first, last time.Time, _ int,
) (models.MailItems, error) {
	return c.found(first, last)
}

func (c *toldContents) RejectedReturns(
	_ context.Context, _ models.Visibility, since, until time.Time, _ int,
) (models.MailItems, error) {
	return c.found(since, until)
}

func (c *toldContents) NewMentions(
	_ context.Context, _ models.Visibility, _ string, since, until time.Time, _ int,
) (models.MailItems, error) {
	return c.found(since, until)
}

func (c *toldContents) NewAssignments(
	_ context.Context, _ models.Visibility, _, _ string, since, until time.Time, _ int,
) (models.MailItems, error) {
	return c.found(since, until)
}

func (c *toldContents) ListExceptionGroups(
	context.Context, models.Visibility, models.ExceptionFilter,
) ([]models.ExceptionGroup, error) {
	groups := make([]models.ExceptionGroup, c.items.Total*mailRows)
	for i := range groups {
		groups[i] = models.ExceptionGroup{Type: models.ExceptionImport, Code: "FAILED", Count: 2, Organizations: 1}
	}
	return groups, nil
}

// Each kind of mail about work tells of its own time, is bounded, and is not sent without anything to tell.
func TestMailsAboutWork(t *testing.T) {
	t.Parallel()
	hour := time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC)
	ofHour := []time.Time{hour, hour.Add(time.Hour)}
	contents := &toldContents{}
	m := &Mailer{contents: contents, config: MailConfig{
		PublicURL: "https://levy.example.com", Wants: func() models.ReturnWants { return models.ReturnWants{} },
		Now: func() time.Time { return time.Date(2026, 12, 1, 3, 0, 0, 0, time.UTC) },
	}}
	for kind, want := range map[models.MailKind]struct {
		subject, link string
		times         []time.Time
	}{
		models.MailDigest: {"Levy: 120 exceptions this week", "/exceptions", nil},
		// In Chicago it is the day before.
		models.MailDueDates: {"Levy: 3 returns are due within 7 days", "/filings", []time.Time{
			time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC), time.Date(2026, 12, 7, 0, 0, 0, 0, time.UTC)}},
		models.MailRejections:  {"Levy: 3 returns were not accepted", "/exceptions?type__in=FILING_ISSUE", ofHour},
		models.MailMentions:    {"Levy: 3 comments wait for you", "/", ofHour},
		models.MailAssignments: {"Levy: 3 exceptions were assigned to you", "/exceptions?assignee=Ada+%26+Co", ofHour},
	} {
		due := &models.Mail{Kind: kind, Occasion: "2026-12-01T09", Person: models.MailRecipient{Name: "Ada & Co", Zone: "America/Chicago"}}
		contents.items, contents.asked = models.MailItems{}, nil
		_, ok, err := m.workText(t.Context(), due)
		require.NoError(t, err)
		require.False(t, ok, kind)

		contents.items = models.MailItems{Total: 3, Items: make([]models.MailItem, 2)}
		contents.asked = nil
		text, ok, err := m.workText(t.Context(), due)
		require.NoError(t, err)
		require.True(t, ok, kind)
		require.Equal(t, want.subject, text.Subject)
		require.Equal(t, "https://levy.example.com"+want.link, text.Link)
		require.Equal(t, want.times, contents.asked, kind)
		require.LessOrEqual(t, len(text.Rows), mailRows)
		require.NotEmpty(t, text.More)
	}
}
