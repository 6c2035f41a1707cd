package soap

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/returns/ser"
)

const document = `<?xml version="1.0" encoding="UTF-8"?>
<SSTSimplifiedReturnTransmission transmissionVersion="SST2015V01">
  <TransmissionHeader>A &amp; B</TransmissionHeader>
</SSTSimplifiedReturnTransmission>
`

// The document is in the request byte for byte, but for its declaration and the word that it has no namespace.
func TestADocumentStandsInItsRequest(t *testing.T) {
	t.Parallel()
	body, err := SendRequest([]byte(document))
	require.NoError(t, err)
	message := Message(&Credentials{User: "S00004711", Password: `a<b&"c`}, body)
	header, read, err := Read(message)
	require.NoError(t, err)
	require.Equal(t, Send, read.Local)
	require.Equal(t, ServiceSpace, read.Space)
	token := header.Child("Security").Child("UsernameToken")
	require.Equal(t, SecuritySpace, token.Space)
	require.Equal(t, "S00004711", token.Child("Username").Text)
	require.Equal(t, `a<b&"c`, token.Child("Password").Text)
	sent := read.Child(TransmissionElement).Parts[0]
	require.Empty(t, sent.Space)
	whole := strings.Replace(string(sent.Raw), ` xmlns=""`, "", 1)
	require.Equal(t, strings.TrimSpace(strings.SplitAfterN(document, "\n", 2)[1]), whole)
	again, err := SendRequest([]byte(document))
	require.NoError(t, err)
	require.Equal(t, body, again)
}

// The file for a web site is the message without the one who signs in.
func TestAnUploadIsTheSameMessageWithoutAPassword(t *testing.T) {
	t.Parallel()
	file, err := UploadFile([]byte(document))
	require.NoError(t, err)
	body, err := SendRequest([]byte(document))
	require.NoError(t, err)
	require.Contains(t, string(file), string(body))
	header, _, err := Read(file)
	require.NoError(t, err)
	require.Nil(t, header)
	for _, wrong := range []string{"", "text", "<?xml version='1.0'?>"} {
		_, err := UploadFile([]byte(wrong))
		require.ErrorIs(t, err, ser.ErrMalformed, wrong)
	}
}

// A message comes back as it was put in. One that is no XML comes back as text.
func TestAMessageComesBack(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ message, want string }{
		{"<A><B>1</B></A>", `<A xmlns=""><B>1</B></A>`},
		{`<A xmlns="" c="2"/>`, `<A xmlns="" c="2"/>`},
		{"<SSTPAcknowledgement", "<SSTPAcknowledgement"},
		{"sorry & goodbye", "sorry & goodbye"},
	} {
		_, body, err := Read(Message(nil, Response(Ack, []byte(test.message))))
		require.NoError(t, err)
		message, err := MessageIn(body, Ack)
		require.NoError(t, err)
		require.Equal(t, test.want, string(message))
	}
	_, body, err := Read(Message(nil, Response(Ack, nil)))
	require.NoError(t, err)
	message, err := MessageIn(body, Ack)
	require.NoError(t, err)
	require.Nil(t, message)
	_, err = MessageIn(body, LastAck)
	require.ErrorIs(t, err, ErrNoEnvelope)
	_, err = MessageIn(nil, Ack)
	require.ErrorIs(t, err, ErrNoEnvelope)
	_, two, err := Read(Message(nil, wrapped("AckResponse", []byte("<A/><B/>"))))
	require.NoError(t, err)
	message, err = MessageIn(two, Ack)
	require.NoError(t, err)
	require.Equal(t, "<A/><B/>", string(message), "two messages are none that the reader of acknowledgements takes")
}

func TestWhatIsNoEnvelope(t *testing.T) {
	t.Parallel()
	whole := Message(nil, Response(Ack, []byte("<A>1</A>")))
	_, _, err := Read(whole)
	require.NoError(t, err)
	with := func(old, text string) []byte {
		require.Contains(t, string(whole), old)
		return bytes.Replace(whole, []byte(old), []byte(text), 1)
	}
	for name, message := range map[string][]byte{
		"nothing":             nil,
		"text":                []byte("sorry"),
		"a page":              []byte("<p>sorry<br>"),
		"half":                whole[:len(whole)/2],
		"another envelope":    with(EnvelopeSpace, "http://www.w3.org/2003/05/soap-envelope"),
		"two bodies' content": with("</soap:Body>", "<B/></soap:Body>"),
		"no body":             []byte(`<s:Envelope xmlns:s="` + EnvelopeSpace + `"/>`),
		"a document type":     with("<soap:Envelope", `<!DOCTYPE a [<!ENTITY b "b">]><soap:Envelope`),
		"an entity":           with(">1<", ">&b;<"),
		"an instruction":      with("<A ", "<?php x?><A "),
		"something after it":  append(bytes.Clone(whole), "<B/>"...),
		"text after it":       append(bytes.Clone(whole), "b"...),
	} {
		_, _, err := Read(message)
		require.Error(t, err, name)
	}
}

// The code of a fault is told, and its text is not: it may repeat what was sent.
func TestFaults(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{
		"soap:Client": "Client", "wsse:FailedAuthentication": "FailedAuthentication", "Client.Authentication": "Client.Authentication",
		"": "unknown", "a b": "unknown", "987-65-4321": "unknown",
	} {
		_, body, err := Read(Message(nil, Refusal(code, "TIN 987654321")))
		require.NoError(t, err)
		said, ok := Fault(body)
		require.True(t, ok)
		require.Equal(t, want, said)
	}
	_, ok := Fault(nil)
	require.False(t, ok)
	_, body, err := Read(Message(nil, Response(Ack, nil)))
	require.NoError(t, err)
	_, ok = Fault(body)
	require.False(t, ok)
}
