package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/mail"
	"levy/internal/mail/mailtest"
)

func sender(t *testing.T, c mail.Config) *mail.Sender {
	t.Helper()
	s, err := mail.New(c)
	require.NoError(t, err)
	return s
}

// A message arrives as it was written, and a name with line breaks adds no header.
func TestAMessageArrives(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	s := sender(t, mail.Config{Address: server.Address, Security: mail.Plain, From: "Levy <levy@example.com>"})
	require.NoError(t, s.Send(t.Context(), mail.Message{
		ID: "mail_1", To: "ada@example.com",
		Subject: "Müller & Söhne\r\nBcc: eve@example.com",
		Text:    "Grüße\n\n.\nhttps://levy.example.com/x\n",
	}))
	got := server.Take()
	require.Len(t, got, 1)
	require.Equal(t, "levy@example.com", got[0].From)
	require.Equal(t, "ada@example.com", got[0].To)
	require.Equal(t, "Grüße\n\n.\nhttps://levy.example.com/x\n", got[0].Text)
	require.Equal(t, "<mail_1@example.com>", got[0].Header.Get("Message-Id"))
	require.Equal(t, "auto-generated", got[0].Header.Get("Auto-Submitted"))
	require.Empty(t, got[0].Header.Get("Bcc"))
}

// A message that the server accepted is sent, although the connection breaks then. Repeating it would send it twice.
func TestAnAcceptedMessageIsSentAlthoughTheConnectionBreaks(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	server.HangUp()
	s := sender(t, mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	require.NoError(t, s.Send(t.Context(), mail.Message{ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "T"}))
	require.Len(t, server.Take(), 1)
}

// A refusal says whether it is for good. The error repeats neither the address nor the text.
func TestARefusalSaysWhetherItIsForGood(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	s := sender(t, mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	for reply, permanent := range map[string]bool{"550 no such person": true, "451 later": false} {
		server.Refuse("ada@example.com", reply)
		err := s.Send(t.Context(), mail.Message{ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "secret"})
		var refused *mail.RefusedError
		require.ErrorAs(t, err, &refused, reply)
		require.Equal(t, permanent, refused.Permanent, reply)
		require.NotContains(t, err.Error(), "ada@example.com")
	}
	require.Empty(t, server.Take())
}

// A refusal says what was refused. A message is repeated where the operator can mend the cause, such as the sender or the login.
func TestARefusalSaysWhatWasRefused(t *testing.T) {
	t.Parallel()
	server := mailtest.StartTLS(t)
	s := sender(t, mail.Config{
		Address: server.Address, Security: mail.TLS, TLS: server.TLS, From: "levy@example.com", User: "levy", Password: "wrong",
	})
	send := func() error {
		return s.Send(t.Context(), mail.Message{ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "T"})
	}
	require.NoError(t, send())
	require.Len(t, server.Take(), 1)
	for _, c := range []struct {
		what, reply, says string
		permanent         bool
	}{
		{"ada@example.com", "550 5.1.1 no such person", "the mail server refused the address (SMTP 550)", true},
		{"ada@example.com", "452 4.2.2 full", "the mail server refused the address (SMTP 452)", false},
		{"MAIL", "553 5.7.1 not yours", "the mail server refused the sender (SMTP 553)", false},
		{"ada@example.com", "553 5.7.1 not yours", "the mail server refused the sender (SMTP 553)", false},
		{"ada@example.com", "553 5.1.7 no address", "the mail server refused the sender (SMTP 553)", false},
		{"ada@example.com", "550 5.1.8 no such domain", "the mail server refused the sender (SMTP 550)", false},
		{"ada@example.com", "530 sign in first", "the mail server refused the sender (SMTP 530)", false},
		{"DATA", "554 5.7.1 looks like spam", "the mail server refused the message (SMTP 554)", true},
		{"AUTH", "535 5.7.8 no", "the mail server refused the login (SMTP 535)", false},
	} {
		server.Refuse(c.what, c.reply)
		err := send()
		server.Refuse(c.what, "")
		var refused *mail.RefusedError
		require.ErrorAs(t, err, &refused, c.reply)
		require.Equal(t, c.says, refused.Error())
		require.Equal(t, c.permanent, refused.Permanent, c.reply)
		require.NotContains(t, err.Error(), "wrong")
	}
	require.Empty(t, server.Take())
}

// A server whose certificate is of an unknown authority, or for another name, gets nothing. The error says so.
func TestACertificateThatIsNotValidIsTold(t *testing.T) {
	t.Parallel()
	server := mailtest.StartTLS(t)
	s := sender(t, mail.Config{Address: server.Address, Security: mail.TLS, From: "levy@example.com"})
	err := s.Send(t.Context(), mail.Message{ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "T"})
	require.ErrorContains(t, err, "the certificate of the mail server is not valid for it")
	require.Empty(t, server.Take())
}

// A sign-in link is as good as a password. So no message goes to another machine without TLS, nor to a server that
// does not offer TLS where TLS is required.
func TestNoMessageTravelsInTheClear(t *testing.T) {
	t.Parallel()
	for _, host := range []string{"mail.example.com:25", "192.0.2.1:25", "[2001:db8::1]:25"} {
		_, err := mail.New(mail.Config{Address: host, Security: mail.Plain, From: "levy@example.com"})
		require.ErrorContains(t, err, "without TLS", host)
	}
	server := mailtest.Start(t)
	for _, security := range []mail.Security{mail.StartTLS, mail.TLS, ""} {
		s := sender(t, mail.Config{Address: server.Address, Security: security, From: "levy@example.com"})
		require.Error(t, s.Send(t.Context(), mail.Message{ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "T"}), security)
	}
	require.Empty(t, server.Take())
}

func TestSettingsThatCannotWorkAreRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []mail.Config{
		{Address: "mail.example.com", From: "levy@example.com"}, {Address: "mail.example.com:smtp-", From: "levy@example.com"},
		{Address: "mail.example.com:587", From: "levy"},
	} {
		_, err := mail.New(c)
		require.Error(t, err)
	}
}
