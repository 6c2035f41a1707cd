package worker

import (
	"strings"

	"levy/models"
)

// longestName is the number of characters of an organization's name in a mail.
const longestName = 80

// mailText returns subject and text of a mail. path is that of its sign-in link; empty for none. A mail names the
// organization and nothing else of its records: no number of a person or a company, and no client.
func mailText(m models.Mail, publicURL, path string) (subject, text string) {
	where := "this installation of Levy"
	if m.OrganizationID != "" {
		where = "\"" + shortName(m.Organization) + "\""
	}
	link := "Sign in here:\n\n  " + publicURL + "/\n"
	if path != "" {
		link = "This address sets your password. It works once, and ends after 7 days:\n\n  " + publicURL + path + "\n"
	}
	switch m.Kind {
	case models.MailInvitation:
		return "Your access to Levy", "You were given access to the sales-tax records of " + where + " in Levy.\n\n" + link +
			"\nIf you do not expect this, leave it: without your password nothing happens.\n"
	case models.MailSignInLink:
		return "Your new sign-in link for Levy", "An admin of " + where + " has made a new sign-in link for you in Levy.\n\n" +
			link + "\nIf you do not expect this, ask the admin, and leave the address closed.\n"
	case models.MailSecondFactorReset:
		return "Your second sign-in step was removed", "An admin of " + where + " has removed your second sign-in step and your " +
			"passkeys in Levy. Until you set up another, your password alone signs in:\n\n  " + publicURL + "/account\n" +
			"\nIf you do not expect this, change your password and tell the admin.\n"
	}
	return "A message from Levy", "Sign in here:\n\n  " + publicURL + "/\n"
}

// shortName returns a name as one line of at most longestName characters, without marks that programs make links of.
func shortName(name string) string {
	name = strings.Join(strings.Fields(strings.NewReplacer("://", " ", "\"", "'", "<", " ", ">", " ").Replace(name)), " ")
	if letters := []rune(name); len(letters) > longestName {
		name = string(letters[:longestName]) + "…"
	}
	return name
}
