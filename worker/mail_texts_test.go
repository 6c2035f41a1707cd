package worker

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A name that a client or a partner typed adds no line, header, markup or link, and does not turn the text around.
func TestANameInAMailIsOneHarmlessLine(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Acme\r\nBcc: eve@example.com":     "Acme Bcc: eve@example.com",
		"Acme\u2028\u2029\u0085x":          "Acme x",
		"<b>Acme</b> \"Ltd\"":              "b Acme /b 'Ltd'",
		"https://evil.example.com/login":   "https evil.example.com/login",
		"Acme\u202egnp.exe\u2066\u200b":    "Acmegnp.exe",
		"\xff\xfeAcme":                     "Acme",
		strings.Repeat("ü", longestName+1): strings.Repeat("ü", longestName) + "…",
	} {
		require.Equal(t, want, shortName(name), "%q", name)
	}
	p := &models.MailRecipient{DateFormat: models.ISODate}
	day := time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)
	m := &Mailer{config: MailConfig{PublicURL: "https://levy.example.com"}}
	text := m.listed(p, models.MailItems{Total: 3, Items: []models.MailItem{
		{Organization: "<img src=x>\r\nA & B", Place: "Texas", From: &day, To: &day, Due: &day},
	}}, "return", "is due", "are due", "/filings")
	require.Equal(t, "Levy: 3 returns are due", text.Subject)
	require.Contains(t, text.plain(), "- img src=x A & B: return for Texas, 2026-12-20 to 2026-12-20\n  Due on 2026-12-20\nAnd 2 more.\n")
	html, err := text.html()
	require.NoError(t, err)
	require.Contains(t, html, "<li>img src=x A &amp; B: return for Texas")
	require.NotContains(t, html, "<img")
	require.NotContains(t, text.plain(), "To get no more")
}

// The reason of an issue may be a text of a person or an authority, with a number in it. No mail has it.
func TestACauseInAMailHasNoTextOfAPerson(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 12, 20, 0, 0, 0, 0, time.UTC)
	p := &models.MailRecipient{DateFormat: models.DayMonthYear}
	row := causeRow(p, &models.ExceptionGroup{Type: models.ExceptionFilingIssue, Code: "EIN 12-3456789 is wrong", Count: 2, Organizations: 1,
		Due: &day, Amounts: []models.OverviewFigure{{Currency: "USD", Amount: "12.30", Count: 2}}})
	require.Equal(t, "Returns with an issue: other reasons", row.Title)
	require.Equal(t, "2 exceptions of 1 organization, 12.30 USD, first due on 20 Dec 2026", row.Detail)
}

// The mail with the link of an onboarding names the partner, the operator and the end of the link. Both of its forms say
// the same, names add nothing to it, and its only link is that of the onboarding.
func TestTheMailWithALinkOfAnOnboarding(t *testing.T) {
	t.Parallel()
	m := &models.Mail{
		Kind: models.MailOnboardingLink, Organization: "Acme\r\nBcc: eve@example.com",
		Link: models.MailedLink{
			Partner: "<b>Partner</b> https://evil.example.com", MadeAt: time.Date(2026, 12, 1, 9, 0, 0, 0, time.UTC),
			ExpiresAt: time.Date(2026, 12, 15, 9, 30, 0, 0, time.UTC),
		},
	}
	for kind, says := range map[models.MailKind]string{
		models.MailOnboardingLink:     "asks you to fill in the steps",
		models.MailOnboardingReminder: "sent you on 1 December 2026 was not opened yet",
	} {
		m.Kind = kind
		text := clientText(m, "https://levy.example.com/join/token", "help@example.com")
		html, err := text.html()
		require.NoError(t, err)
		for _, form := range []string{text.plain(), html} {
			for _, want := range []string{says, "b Partner /b https evil.example.com", "Acme Bcc: eve@example.com",
				"until 15 December 2026, 09:30 UTC", "at help@example.com", "https://levy.example.com/join/token"} {
				require.Contains(t, form, want, kind)
			}
			require.NotContains(t, form, "https://evil")
		}
		require.NotContains(t, text.Subject, "\n")
		require.Equal(t, 1, strings.Count(text.plain(), "://"))
	}
}
