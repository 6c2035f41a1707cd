package mail_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/mail"
	"levy/internal/mail/mailtest"
)

// A mail about work has a second form, and the header by which a mail program ends such mails with one POST (RFC 8058).
func TestAMailHasTwoFormsAndAnAddressThatEndsIt(t *testing.T) {
	t.Parallel()
	server := mailtest.Start(t)
	s := sender(t, mail.Config{Address: server.Address, Security: mail.Plain, From: "levy@example.com"})
	require.NoError(t, s.Send(t.Context(), mail.Message{
		ID: "mail_1", To: "ada@example.com", Subject: "S", Text: "Grüße\n", HTML: "<p>Grüße</p>\n",
		Stop: "https://levy.example.com/unsubscribe/TOKEN",
	}))
	got := server.Take()
	require.Len(t, got, 1)
	require.Equal(t, "Grüße\n", got[0].Text)
	require.Equal(t, "<p>Grüße</p>\n", got[0].HTML)
	require.Equal(t, "<https://levy.example.com/unsubscribe/TOKEN>", got[0].Header.Get("List-Unsubscribe"))
	require.Equal(t, "List-Unsubscribe=One-Click", got[0].Header.Get("List-Unsubscribe-Post"))
}
