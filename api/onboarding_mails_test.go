package api_test

import (
	"log/slog"
	"regexp"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/internal/mail"
	"levy/internal/mail/mailtest"
	"levy/internal/secret"
	"levy/service"
	"levy/worker"
)

// clientLinkInMail finds the path of the link of an onboarding in a mail.
var clientLinkInMail = regexp.MustCompile(regexp.QuoteMeta(publicURL) + `(` + service.OnboardingLinkPath + `\w+)\n`)

// A partner has the link of an onboarding sent to the client. The addressee gets a token of their own: no answer, log or
// row of the database has it. Sending again ends it. A refused address is told to the partner in words.
func TestALinkIsSentToTheClient(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Mails, o.MailsPerDay, o.PublicURL = true, 10, publicURL })
	server := mailtest.Start(t)
	sender, err := mail.New(mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com", Contact: "help@example.com"})
	require.NoError(t, err)
	mailer := worker.NewMailer(in.store.People, in.store.Organizations.LinkMails(), in.store.Work, sender, worker.MailConfig{
		PublicURL: publicURL, PerDay: 10, Contact: sender.Contact(),
		NewClientLink: func() (string, []byte) {
			token := secret.NewToken()
			return service.OnboardingLinkPath + token, service.OnboardingHash(in.hasher, token)
		},
	}, prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	send := func() []mailtest.Message {
		found, err := mailer.SendNext(t.Context())
		require.NoError(t, err)
		require.True(t, found)
		return server.Take()
	}
	client := in.client("Acme")
	link := "/v1/onboarding/" + client.organizationID + "/link"
	works := func(path string, status int) {
		t.Helper()
		in.do(credentials{}, "GET", "/v1/onboarding", "", linked(path)).expect(status)
	}
	in.do(in.root, "POST", link, `{"email":"ada@client.example","to_contact":true}`).expect(400)
	in.do(in.root, "POST", link, `{"email":"nobody"}`).expect(400)
	missing := in.do(in.root, "POST", link, `{"to_contact":true}`).expect(400)
	require.Contains(t, missing.Body.String(), "has named no contact yet")

	made := in.do(in.root, "POST", link, `{"email":"ada@client.example"}`).expect(200)
	require.Contains(t, made.Body.String(), `"status":"PENDING"`)
	got := send()
	require.Len(t, got, 1)
	require.Equal(t, "ada@client.example", got[0].To)
	require.Equal(t, "<help@example.com>", got[0].Header.Get("Reply-To"))
	require.Empty(t, got[0].Header.Get("Bcc"))
	require.Contains(t, got[0].Text, `"Partner" asks you`)
	require.Contains(t, got[0].Text, "help@example.com")
	first := clientLinkInMail.FindStringSubmatch(got[0].Text)
	require.NotNil(t, first, got[0].Text)
	require.NotEqual(t, made.text("path"), first[1])
	require.Nil(t, in.do(in.root, "GET", link, "").expect(200).member("opened_at"))
	works(first[1], 200)
	works(made.text("path"), 200)
	known := in.do(in.root, "GET", link, "").expect(200)
	require.NotNil(t, known.member("opened_at"))
	require.Contains(t, known.Body.String(), `"status":"SENT"`)
	require.NotContains(t, known.Body.String(), first[1])
	require.NotContains(t, in.log.String(), "ada@client.example")
	require.NotContains(t, in.do(in.root, "GET", "/v1/audit", "").expect(200).Body.String(), "ada@client.example")

	server.Refuse("gone@client.example", "550 5.1.1 no such person")
	in.do(in.root, "POST", link, `{"email":"gone@client.example"}`).expect(200)
	works(first[1], 401)
	require.Empty(t, send())
	require.Contains(t, in.do(in.root, "GET", link, "").expect(200).Body.String(),
		"The mail server refused the address (SMTP 550). Correct the address")

	for range 3 {
		in.do(in.root, "POST", link, `{"email":"ada@client.example"}`).expect(200)
	}
	in.do(in.root, "POST", link, `{"email":"ada@client.example"}`).expect(429, "rate_limited")
	in.do(in.root, "POST", link, "").expect(200) // without an e-mail
	found, err := mailer.SendNext(t.Context())
	require.NoError(t, err)
	require.False(t, found, "the links before have ended")
}

// Without e-mail a link is made and handed over as before, and no address is taken.
func TestWithoutMailNoAddressIsTaken(t *testing.T) {
	t.Parallel()
	in := install(t)
	link := "/v1/onboarding/" + in.client("Acme").organizationID + "/link"
	refused := in.do(in.root, "POST", link, `{"email":"ada@client.example"}`).expect(400)
	require.Contains(t, refused.Body.String(), "This installation sends no e-mail")
	require.Nil(t, in.do(in.root, "POST", link, "{}").expect(200).member("mail"))
}
