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
	"levy/service"
	"levy/worker"
)

const publicURL = "https://levy.example.com"

// linkInMail finds the token of the link in a mail.
var linkInMail = regexp.MustCompile(regexp.QuoteMeta(publicURL+service.SignInPath) + `(\w+)\n`)

// With e-mail, an invitation and a new link go to the person alone: no answer and no row of the database has them. The
// link sets the password, once.
func TestWithMailOnlyThePersonGetsALink(t *testing.T) {
	t.Parallel()
	in := install(t, func(_ *service.Deps, o *api.Options) { o.Mails, o.PublicURL = true, publicURL })
	server := mailtest.Start(t)
	sender, err := mail.New(mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	require.NoError(t, err)
	mailer := worker.NewMailer(in.store.People, sender, worker.MailConfig{
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
