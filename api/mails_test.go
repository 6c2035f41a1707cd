package api_test

import (
	"log/slog"
	"net/http"
	"regexp"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/internal/mail"
	"levy/internal/mail/mailtest"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/store/storetest"
	"levy/worker"
)

const publicURL = "https://levy.example.com"

// linkInMail finds the token of the link in a mail.
var linkInMail = regexp.MustCompile(regexp.QuoteMeta(publicURL+service.SignInPath) + `(\w+)\n`)

// The person whom an onboarding link invites gets an e-mail, and the link no path.
func TestWithMailALinkHandsOverNoInvitation(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Mails, o.PublicURL = true, publicURL })
	client := in.client("Acme")
	path := in.do(in.root, "POST", "/v1/onboarding/"+client.organizationID+"/link", "").expect(200).text("path")
	invited := in.do(credentials{}, "POST", "/v1/users", `{"name":"Ada","email":"ada@acme.example","role":"admin"}`,
		linked(path)).expect(200)
	require.Equal(t, []any{nil, true}, []any{invited.member("sign_in_path"), invited.member("mailed")})
}

// With e-mail, an invitation and a new link go to the person alone: no answer and no row of the database has them. The
// link sets the password, once.
func TestWithMailOnlyThePersonGetsALink(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Mails, o.PublicURL = true, publicURL })
	server := mailtest.Start(t)
	sender, err := mail.New(mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	require.NoError(t, err)
	mailer := worker.NewMailer(in.store.People, in.store.Organizations.LinkMails(), in.store.Work, sender, worker.MailConfig{
		PublicURL: publicURL, PerDay: 10,
		NewLink: func() (string, []byte) {
			token := secret.NewToken()
			return service.SignInPath + token, service.LinkHash(in.hasher, token)
		},
	}, prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	receive := func() mailtest.Message {
		found, err := mailer.SendNext(t.Context())
		require.NoError(t, err)
		require.True(t, found)
		got := server.Take()
		require.Len(t, got, 1)
		require.Equal(t, "ada@example.com", got[0].To)
		require.NotContains(t, in.log.String(), "ada@example.com")
		return got[0]
	}
	signIn := func(token string) answer {
		return in.do(credentials{}, "POST", "/v1/session",
			`{"token":"`+token+`","password":"correct horse battery staple"}`)
	}

	invited := in.do(in.root, "POST", "/v1/users", `{"email":"ada@example.com","name":"Ada","role":"viewer"}`).expect(200)
	require.Nil(t, invited.member("sign_in_path"))
	require.Equal(t, true, invited.member("mailed"))
	require.Equal(t, false, invited.member("secret_available"))
	first := receive()
	require.Contains(t, first.Text, `"Partner"`)
	token := linkInMail.FindStringSubmatch(first.Text)
	require.NotNil(t, token, first.Text)
	signIn(token[1]).expect(200)
	signIn(token[1]).expect(http.StatusUnauthorized)

	user := "/v1/users/" + invited.text("id")
	changed := in.do(in.root, "PUT", user, `{"new_link":true,"reset_second_factor":true}`).expect(200)
	require.Nil(t, changed.member("sign_in_path"))
	require.Equal(t, true, changed.member("mailed"))
	texts := receive().Text + receive().Text
	require.Contains(t, texts, "removed your second sign-in step")
	again := linkInMail.FindStringSubmatch(texts)
	require.NotNil(t, again, texts)
	signIn(again[1]).expect(200)

	require.Equal(t, false, in.do(in.root, "PUT", user, `{"name":"Ada L."}`).expect(200).member("mailed"))
	found, err := mailer.SendNext(t.Context())
	require.NoError(t, err)
	require.False(t, found)
}

// stopInMail finds the token of the address at the end of a mail about work.
var stopInMail = regexp.MustCompile(regexp.QuoteMeta(publicURL+service.StopMailsPath) + `(\w+)\n`)

// A mail about work is sent to a person with something to do. Its address ends mails of its kind, and is no
// sign-in. Without anything to tell there is no mail.
func TestAMailAboutWorkIsNoSignIn(t *testing.T) {
	t.Parallel()
	in := install(t)
	server := mailtest.Start(t)
	sender, err := mail.New(mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	require.NoError(t, err)
	mailer := worker.NewMailer(in.store.People, in.store.Organizations.LinkMails(), in.store.Work, sender, worker.MailConfig{
		PublicURL: publicURL, PerDay: 10,
		NewStop: func() (string, []byte) {
			token := secret.NewToken()
			return service.StopMailsPath + token, service.StopMailsHash(in.hasher, token)
		},
		Wants: func() models.ReturnWants { return models.ReturnWants{} },
	}, prometheus.NewRegistry(), slog.New(slog.DiscardHandler))
	ada := in.do(in.root, "POST", "/v1/users", `{"email":"ada@example.com","name":"Ada","role":"admin"}`).expect(200)
	storetest.Execute(t, in.address, "UPDATE users SET status = 'ACTIVE', password_hash = 'x'")
	plan := func(occasion string) {
		storetest.Execute(t, in.address, `INSERT INTO mails (id, organization_id, user_id, kind, occasion, status)
			SELECT 'mail_' || $1, $2, id, 'DIGEST', $1, 'PLANNED' FROM users WHERE id = $3`, occasion, in.root.organizationID, ada.text("id"))
		found, err := mailer.SendNext(t.Context())
		require.NoError(t, err)
		require.True(t, found)
	}
	plan("nothing")
	require.Empty(t, server.Take(), "there is nothing to tell")

	storetest.Execute(t, in.address, `INSERT INTO transaction_imports (organization_id, id, status, size, separator, columns, header_size,
		  header_lines, passes, created_at, updated_at, sha256, reason)
		VALUES ($1, 'batc_1', 'FAILED', 1, ',', '[]', 0, 1, 1, now(), now(), sha256('1'), 'GAVE_UP')`, in.root.organizationID)
	plan("first")
	got := server.Take()
	require.Len(t, got, 1)
	require.Equal(t, "Levy: 1 exception this week", got[0].Header.Get("Subject"))
	require.Contains(t, got[0].Text, "- Imports that failed\n  1 exception of 1 organization\n")
	require.Contains(t, got[0].HTML, "<li>Imports that failed<br>")
	token := stopInMail.FindStringSubmatch(got[0].Text)
	require.NotNil(t, token, got[0].Text)
	require.Equal(t, "<"+publicURL+service.StopMailsPath+token[1]+">", got[0].Header.Get("List-Unsubscribe"))

	in.do(credentials{}, "POST", "/v1/session", `{"token":"`+token[1]+`","password":"correct horse battery staple"}`).
		expect(http.StatusUnauthorized)
	_, err = in.server.Service().StopMails(t.Context(), "unknown")
	require.ErrorIs(t, err, models.ErrUnauthenticated)
	for range 2 {
		kind, err := in.server.Service().StopMails(t.Context(), token[1])
		require.NoError(t, err)
		require.Equal(t, models.MailDigest, kind)
	}
	plan("second")
	require.Empty(t, server.Take(), "it was turned off")
}
