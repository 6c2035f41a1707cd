package worker

import (
	"fmt"
	"html/template"
	"strings"
	"unicode"

	"levy/models"
)

// longestName is the number of characters of a name in a mail.
const longestName = 80

// mailText is what a mail says. It is written as plain text and as HTML.
type mailText struct {
	Subject string
	Intro   string
	Rows    []mailRow
	More    string // how many records are not named; empty for none
	Ask     string // the sentence before the address
	Link    string
	Outro   string
	Stop    string // the address that ends mails of the kind; empty for none
}

// mailRow is a record, or a cause of several, in one line and the details below it.
type mailRow struct{ Title, Detail string }

// plain returns the mail as text.
func (t *mailText) plain() string {
	var b strings.Builder
	b.WriteString(t.Intro + "\n\n")
	for _, row := range t.Rows {
		b.WriteString("- " + row.Title + "\n")
		if row.Detail != "" {
			b.WriteString("  " + row.Detail + "\n")
		}
	}
	if t.More != "" {
		b.WriteString(t.More + "\n")
	}
	if len(t.Rows) > 0 {
		b.WriteString("\n")
	}
	b.WriteString(t.Ask + "\n\n  " + t.Link + "\n\n" + t.Outro + "\n")
	if t.Stop != "" {
		b.WriteString("\nTo get no more of these e-mails:\n\n  " + t.Stop + "\n")
	}
	return b.String()
}

// mailPage is the HTML form of a mail. It loads nothing and has no form.
var mailPage = template.Must(template.New("mail").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{{.Subject}}</title></head>
<body style="font-family:sans-serif;max-width:40em">
<p>{{.Intro}}</p>
{{if .Rows}}<ul>{{range .Rows}}
<li>{{.Title}}{{with .Detail}}<br><small>{{.}}</small>{{end}}</li>{{end}}
</ul>{{end}}{{with .More}}<p>{{.}}</p>{{end}}
<p>{{.Ask}}<br><a href="{{.Link}}">{{.Link}}</a></p>
<p>{{.Outro}}</p>
{{with .Stop}}<p><small><a href="{{.}}">Get no more of these e-mails</a></small></p>{{end}}
</body></html>
`))

// html returns the mail as HTML.
func (t *mailText) html() (string, error) {
	var b strings.Builder
	err := mailPage.Execute(&b, t)
	return b.String(), err
}

// accessText returns the text of a mail about access. path is that of its sign-in link; empty for none. It names the
// organization and nothing else of its records: no number of a person or a company, and no client.
func accessText(m models.Mail, publicURL, path string) mailText {
	where := "this installation of Levy"
	if m.OrganizationID != "" {
		where = "\"" + shortName(m.Organization) + "\""
	}
	ask, link := "Sign in here:", publicURL+"/"
	if path != "" {
		ask, link = "This address sets your password. It works once, and expires after 7 days:", publicURL+path
	}
	if m.Kind == models.MailInvitation {
		return mailText{Subject: "Your access to Levy",
			Intro: "You were given access to the sales-tax records of " + where + " in Levy.", Ask: ask, Link: link,
			Outro: "If you do not expect this, ignore it: nothing happens without your password."}
	}
	if m.Kind == models.MailSignInLink {
		return mailText{Subject: "Your new sign-in link for Levy",
			Intro: "An admin of " + where + " has made a new sign-in link for you in Levy.", Ask: ask, Link: link,
			Outro: "If you do not expect this, ask the admin, and do not open the address."}
	}
	return mailText{Subject: "Your second sign-in step was removed",
		Intro: "An admin of " + where + " has removed your second sign-in step and your passkeys in Levy.",
		Ask:   "Until you set up another, your password alone signs in:", Link: publicURL + "/account",
		Outro: "If you do not expect this, change your password and tell the admin."}
}

// instantText is the form of an instant in a mail to a client, whose time zone is not known.
const instantText = "2 January 2006, 15:04 UTC"

// clientText returns the text of a mail with the link of an onboarding. It names the partner, the client and the address of
// the operator, and no number of a person or a company.
func clientText(m *models.Mail, link, contact string) mailText {
	partner, client := "\""+shortName(m.Link.Partner)+"\"", "\""+shortName(m.Organization)+"\""
	text := mailText{
		Subject: "The onboarding of " + client + " in Levy",
		Intro: partner + " asks you to fill in the steps of the onboarding of " + client + " in Levy, which keeps its sales-tax " +
			"records. They ask for the company, its owners, a contact and a bank account.",
		Ask: "This address opens the steps, any number of times, until " + m.Link.ExpiresAt.UTC().Format(instantText) + ":", Link: link,
		Outro: "It is for you alone: each person who has it can fill in these steps. If you do not expect this, leave it closed. " +
			"Questions are answered by " + partner + ", or by the operator of this installation of Levy at " + contact + ".",
	}
	if m.Kind == models.MailOnboardingReminder {
		text.Subject = "Reminder: the onboarding of " + client + " in Levy"
		text.Intro = "The link that " + partner + " sent you on " + m.Link.MadeAt.UTC().Format("2 January 2006") +
			" was not opened yet. It leads to the steps of the onboarding of " + client + " in Levy. This is the only reminder."
	}
	return text
}

// shortName returns a name as one line of at most longestName characters. It has no marks of which programs make links, and
// no characters that are invisible or change the direction of the text after them.
func shortName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case unicode.IsControl(r), r == '<', r == '>', unicode.Is(unicode.Zl, r), unicode.Is(unicode.Zp, r):
			return ' '
		case r == '"':
			return '\''
		}
		return r
	}, strings.ToValidUTF8(name, " "))
	name = strings.Join(strings.Fields(strings.ReplaceAll(name, "://", " ")), " ")
	if letters := []rune(name); len(letters) > longestName {
		name = string(letters[:longestName]) + "…"
	}
	return name
}

// count returns a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
