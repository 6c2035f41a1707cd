// Package mail sends e-mail by SMTP.
package mail

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	netmail "net/mail"
	"net/textproto"
	"strconv"
	"strings"
	"time"

	gomail "github.com/wneessen/go-mail"

	"levy/internal/webhook"
)

// Security says how a connection to the server is protected.
type Security string

// The kinds of protection. Plain connections are for a server on the same machine.
const (
	StartTLS Security = "starttls" // TLS is required, and begins after the first words
	TLS      Security = "tls"      // TLS from the first byte
	Plain    Security = "none"
)

// sendTimeout bounds one attempt.
const sendTimeout = 30 * time.Second

// Config says by which server mail is sent.
type Config struct {
	Address        string // host:port
	Security       Security
	User, Password string      // empty: the server asks for none
	From           string      // an e-mail address, with or without a name
	Contact        string      // an e-mail address for answers; empty for that of From
	TLS            *tls.Config // nil: the authorities of the system
}

// Sender sends mail.
type Sender struct {
	config Config
	from   *netmail.Address
	answer *netmail.Address // nil for from
	host   string
	port   int
}

// Message is an e-mail. HTML is the same in another form; empty for none. Stop is the address that ends mails of its kind by one
// POST (RFC 8058); empty for none.
type Message struct{ ID, To, Subject, Text, HTML, Stop string }

// New returns a sender. Errors: a configuration that cannot work, in words of its fields.
func New(c Config) (*Sender, error) {
	host, port, err := net.SplitHostPort(c.Address)
	if err != nil {
		return nil, fmt.Errorf("%q is not HOST:PORT", c.Address)
	}
	s := &Sender{config: c, host: host}
	if s.port, err = strconv.Atoi(port); err != nil {
		return nil, fmt.Errorf("%q is not HOST:PORT", c.Address)
	}
	if s.from, err = netmail.ParseAddress(c.From); err != nil {
		return nil, fmt.Errorf("%q is no e-mail address", c.From)
	}
	if c.Contact != "" {
		if s.answer, err = netmail.ParseAddress(c.Contact); err != nil {
			return nil, fmt.Errorf("%q is no e-mail address", c.Contact)
		}
	}
	// guard: mails: a plain connection stays on this machine
	if c.Security == Plain && !webhook.OfThisMachine(host) {
		return nil, errors.New("without TLS mail goes only to a server of this machine")
	}
	return s, nil
}

// Contact returns the e-mail address for answers.
func (s *Sender) Contact() string {
	if s.answer != nil {
		return s.answer.Address
	}
	return s.from.Address
}

// RefusedError says that the server refuses a message, and why in its words.
type RefusedError struct {
	What      string // the thing that it refuses; empty for the message
	Code      int    // of the SMTP reply; 0 where the library tells none
	Permanent bool   // repeating it is of no use
}

func (e *RefusedError) Error() string {
	said := "the mail server refused " + cmp.Or(e.What, "the message")
	if e.Code == 0 {
		return said
	}
	return fmt.Sprintf("%s (SMTP %d)", said, e.Code)
}

// refusal returns the error of a reply to a command. A refused sender is a setting of the operator, so that the message can
// be repeated when it is mended. Only faults of the recipient or of the message are refusals for ever.
func refusal(err *gomail.SendError) *RefusedError {
	r := &RefusedError{Code: err.ErrorCode(), Permanent: !err.IsTemp()}
	if err.Reason == gomail.ErrSMTPRcptTo {
		r.What = "the address"
	}
	if refusesSender(err) {
		// guard: mails: a refused sender fails no mail for good
		r.What, r.Permanent = "the sender", false
	}
	return r
}

// refusesSender reports whether a reply is about the sender. Many servers say so only when they get the recipient.
func refusesSender(err *gomail.SendError) bool {
	if err.Reason != gomail.ErrSMTPRcptTo {
		return err.Reason == gomail.ErrSMTPMailFrom
	}
	status := err.EnhancedStatusCode() // RFC 3463: 5.1.7 and 5.1.8 are about the sender's address, 5.7 about permission
	return err.ErrorCode() == 530 || status == "5.1.7" || status == "5.1.8" || strings.HasPrefix(status, "5.7.")
}

// unsent returns the error of a connection in words that say where to look.
func unsent(err error) error {
	var reply *textproto.Error
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.As(err, &certificate):
		return fmt.Errorf("the certificate of the mail server is not valid for it: %w", err)
	case errors.As(err, &reply) && (reply.Code == 530 || reply.Code == 534 || reply.Code == 535):
		return &RefusedError{What: "the login", Code: reply.Code}
	case errors.As(err, &reply):
		return &RefusedError{What: "the connection", Code: reply.Code}
	}
	return fmt.Errorf("the mail server did not take the message: %w", err)
}

// Send sends one message. The error never repeats its text. Errors: *RefusedError.
func (s *Sender) Send(ctx context.Context, m Message) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	message := gomail.NewMsg(gomail.WithNoDefaultUserAgent())
	if err := message.FromFormat(s.from.Name, s.from.Address); err != nil {
		return errors.New("the address of the sender is none")
	}
	if s.answer != nil {
		if err := message.ReplyToFormat(s.answer.Name, s.answer.Address); err != nil {
			return errors.New("the address for answers is none")
		}
	}
	if err := message.To(m.To); err != nil {
		return &RefusedError{Permanent: true}
	}
	message.Subject(oneLine(m.Subject))
	message.SetMessageIDWithValue(m.ID + "@" + s.domain())
	message.SetDate()
	message.SetGenHeader("Auto-Submitted", "auto-generated") // RFC 3834: no answer by a program
	if m.Stop != "" {
		message.SetGenHeader("List-Unsubscribe", "<"+m.Stop+">")
		if strings.HasPrefix(m.Stop, "https:") { // RFC 8058 asks for it
			message.SetGenHeader("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")
		}
	}
	message.SetBodyString(gomail.TypeTextPlain, m.Text)
	if m.HTML != "" {
		message.AddAlternativeString(gomail.TypeTextHTML, m.HTML)
	}
	client, err := gomail.NewClient(s.host, s.options()...)
	if err != nil {
		return err
	}
	err = client.DialAndSendWithContext(ctx, message)
	if message.IsDelivered() {
		return nil // an error is of RSET or QUIT, after the server took the message
	}
	if refused, ok := errors.AsType[*gomail.SendError](err); ok && refused.ErrorCode() != 0 {
		return refusal(refused)
	}
	if err != nil {
		return unsent(err)
	}
	return nil
}

func (s *Sender) options() []gomail.Option {
	options := []gomail.Option{gomail.WithPort(s.port), gomail.WithTimeout(sendTimeout), gomail.WithHELO(s.domain())}
	switch s.config.Security {
	case TLS:
		options = append(options, gomail.WithSSL())
	case Plain:
		options = append(options, gomail.WithTLSPolicy(gomail.NoTLS))
	default:
		options = append(options, gomail.WithTLSPolicy(gomail.TLSMandatory))
	}
	if s.config.TLS != nil {
		options = append(options, gomail.WithTLSConfig(s.config.TLS))
	}
	if s.config.User != "" {
		options = append(options, gomail.WithSMTPAuth(gomail.SMTPAuthAutoDiscover),
			gomail.WithUsername(s.config.User), gomail.WithPassword(s.config.Password))
	}
	return options
}

// domain returns the part of the sender's address after the last @.
func (s *Sender) domain() string {
	return s.from.Address[strings.LastIndex(s.from.Address, "@")+1:]
}

// oneLine replaces line breaks and other control characters, so that no header can be added.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return ' '
		}
		return r
	}, text)), " ")
}
