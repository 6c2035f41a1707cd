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
