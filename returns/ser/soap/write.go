package soap

import (
	"bytes"
	"encoding/xml"
	"slices"

	"levy/returns/ser"
)

// Operations of the web service of a state, as the implementation guide of the Streamlined Sales Tax Governing Board names them. It has
// Ping besides, which nothing needs.
const (
	Send    = "Send"
	Ack     = "Ack"
	LastAck = "LastAck"
)

// Operations are all operations.
var Operations = []string{Send, Ack, LastAck}

// Namespaces of the messages. Those of security are of OASIS Web Services Security 1.0, with its username token profile.
const (
	ServiceSpace  = "http://streamlinedsalestax.org/efile"
	EnvelopeSpace = "http://schemas.xmlsoap.org/soap/envelope/"
	SecuritySpace = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-wssecurity-secext-1.0.xsd"
	passwordText  = "http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordText"
)

// MediaType is the media type of messages of SOAP 1.1.
const MediaType = "text/xml; charset=utf-8"

// Elements of requests.
const (
	TransmissionElement = "Transmission"
	TransmitterElement  = "TransmitterId"
)

// Credentials are what a transmitter signs in with.
type Credentials struct{ User, Password string }

// Action returns the value of the header SOAPAction.
func Action(operation string) string { return `"` + ServiceSpace + "/" + operation + `"` }

// Message returns the bytes of a message. body is XML. Without credentials it has no header.
func Message(who *Credentials, body []byte) []byte {
	var b bytes.Buffer
	b.WriteString(xml.Header + `<soap:Envelope xmlns:soap="` + EnvelopeSpace + `">`)
	if who != nil {
		b.WriteString(`<soap:Header><wsse:Security xmlns:wsse="` + SecuritySpace + `" soap:mustUnderstand="1"><wsse:UsernameToken>` +
			`<wsse:Username>` + escaped(who.User) + `</wsse:Username>` +
			`<wsse:Password Type="` + passwordText + `">` + escaped(who.Password) + `</wsse:Password>` +
			`</wsse:UsernameToken></wsse:Security></soap:Header>`)
	}
	b.WriteString(`<soap:Body>`)
	b.Write(body)
	b.WriteString(`</soap:Body></soap:Envelope>` + "\n")
	return b.Bytes()
}

// AckRequest returns the element of Ack or LastAck, which names a transmitter.
func AckRequest(operation, transmitter string) []byte {
	return wrapped(operation, within(TransmitterElement, []byte(escaped(transmitter))))
}

// SendRequest returns the element that hands a document over. But for its declaration, and the word that it has no namespace, the
// document is in it byte for byte. Errors: ser.ErrMalformed.
func SendRequest(document []byte) ([]byte, error) {
	inner, err := unqualified(document)
	if err != nil {
		return nil, err
	}
	return wrapped(Send, within(TransmissionElement, inner)), nil
}

// UploadFile returns the message by which a document is sent, as a person uploads it at the web site of a state. It has no header
// with a password: the person has signed in at the site. Errors: ser.ErrMalformed.
func UploadFile(document []byte) ([]byte, error) {
	body, err := SendRequest(document)
	if err != nil {
		return nil, err
	}
	return Message(nil, body), nil
}

// Response returns the element that answers an operation with a message; nil for none. A message that is no XML is text in it.
func Response(operation string, message []byte) []byte {
	if message == nil {
		return wrapped(operation+responseSuffix, nil)
	}
	inner, err := unqualified(message)
	if err == nil {
		_, err = readParts(inner)
	}
	if err != nil {
		inner = []byte(escaped(string(message)))
	}
	return wrapped(operation+responseSuffix, within(operation+resultSuffix, inner))
}

const (
	responseSuffix = "Response"
	resultSuffix   = "Result"
)

// Refusal returns the element of a fault, such as soap:Client. The names of its parts have no namespace, by SOAP 1.1, section 4.4.
func Refusal(code, text string) []byte {
	return []byte(`<soap:Fault xmlns:wsse="` + SecuritySpace + `"><faultcode>` + escaped(code) + `</faultcode><faultstring>` + escaped(text) +
		`</faultstring></soap:Fault>`)
}

// wrapped returns an element of the service with XML in it.
func wrapped(name string, inner []byte) []byte {
	return slices.Concat([]byte(`<`+name+` xmlns="`+ServiceSpace+`">`), inner, []byte(`</`+name+`>`))
}

// within returns an element in the namespace around it.
func within(name string, inner []byte) []byte {
	return slices.Concat([]byte("<"+name+">"), inner, []byte("</"+name+">"))
}

func escaped(text string) string {
	var b bytes.Buffer
	_ = xml.EscapeText(&b, []byte(text)) // a buffer takes all of it
	return b.String()
}

// unqualified returns a message without its declaration, whose first element says that it has no namespace. Errors:
// ser.ErrMalformed.
func unqualified(message []byte) ([]byte, error) {
	in := xml.NewDecoder(bytes.NewReader(message))
	for {
		at := in.InputOffset()
		token, err := in.Token()
		if err != nil {
			return nil, ser.ErrMalformed
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		rest := bytes.TrimSpace(message[at:])
		if slices.ContainsFunc(start.Attr, func(a xml.Attr) bool { return a.Name.Space == "" && a.Name.Local == "xmlns" }) {
			return rest, nil
		}
		name := bytes.IndexAny(rest, " \t\r\n/>")
		return slices.Concat(rest[:name], []byte(` xmlns=""`), rest[name:]), nil
	}
}
