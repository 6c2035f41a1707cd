package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// E-mail is off without a server. With one it needs a sender and the address that its links begin with. A server on
// another machine is reached by TLS.
func TestTheSettingsOfEMail(t *testing.T) {
	t.Parallel()
	sender, err := Config{}.mailSender()
	require.NoError(t, err)
	require.Nil(t, sender)
	whole := Config{SMTPAddr: "smtp.example.com:587", SMTPSecurity: "starttls", SMTPFrom: "Levy <levy@example.com>",
		SMTPDaily: 10, PublicURL: "https://levy.example.com"}
	sender, err = whole.mailSender()
	require.NoError(t, err)
	require.NotNil(t, sender)
	for named, change := range map[string]func(c *Config){
		"LEVY_SMTP_ADDR must be set":  func(c *Config) { c.SMTPAddr = "" },
		"LEVY_SMTP_ADDR must be HOST": func(c *Config) { c.SMTPAddr = "smtp.example.com" },
		"LEVY_SMTP_FROM must be set":  func(c *Config) { c.SMTPFrom = "" },
		"is no e-mail address":        func(c *Config) { c.SMTPFrom = "levy" },
		"LEVY_SMTP_DAILY":             func(c *Config) { c.SMTPDaily = 0 },
		"LEVY_PUBLIC_URL":             func(c *Config) { c.PublicURL = "" },
		"LEVY_SMTP_PASSWORD":          func(c *Config) { c.SMTPUser = "levy" },
		"without TLS":                 func(c *Config) { c.SMTPSecurity = "none" },
	} {
		c := whole
		change(&c)
		require.ErrorContains(t, c.validateMail(), named)
	}
}
