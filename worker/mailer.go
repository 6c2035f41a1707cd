package worker

import (
	"context"
	"crypto/tls"
	"errors"
	"log/slog"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"levy/internal/mail"
	"levy/models"
)

// mailInterval is the time between two looks for mails that are due.
const mailInterval = 2 * time.Second

// WaitingMails are e-mails that wait in the database.
type WaitingMails interface {
	// LeaseMail returns the mail that is due next; no other caller gets it for two minutes.
	LeaseMail(ctx context.Context, perDay int) (m models.Mail, ok bool, err error)
	// LinkMail adds the link that an attempt sends. Errors: models.ErrNotFound if the attempt has lost its mail.
	LinkMail(ctx context.Context, m models.Mail, hash []byte) error
	// EndMail writes the result of an attempt.
	EndMail(ctx context.Context, m models.Mail, r models.MailResult) error
}

// Mails are the e-mails to people with an account.
type Mails interface {
	WaitingMails
	// AddMailStop adds the address in a mail that turns off its kind. Errors: models.ErrNotFound if the attempt has lost its
	// mail.
	AddMailStop(ctx context.Context, m models.Mail, hash []byte) error
}

// MailSender sends one message. Errors: *mail.RefusedError.
type MailSender interface {
	Send(ctx context.Context, m mail.Message) error
}

// MailConfig says what mails say and how many are sent.
type MailConfig struct {
	PublicURL string // without a slash at its end
	PerDay    int    // mails of an organization with its clients in 24 hours
	Contact   string // the e-mail address of the operator, for questions of clients
	// NewLink makes a sign-in link: its path and the hash that is stored. nil: people sign in at a provider.
	NewLink func() (path string, hash []byte)
	// NewClientLink makes the link of an onboarding for a client.
	NewClientLink func() (path string, hash []byte)
	// NewStop makes the address that turns off a kind of mail: its path and the hash that is stored. It is no sign-in link.
	NewStop func() (path string, hash []byte)
	// Wants returns the data that returns want of registrations, by the current law.
	Wants func() models.ReturnWants
	// Now is the clock; nil for the system's.
	Now func() time.Time
}

// Mailer sends the e-mails that wait. Every API process has one; the database gives each mail to one of them.
type Mailer struct {
	mails    Mails
	clients  WaitingMails // to clients without an account
	contents MailContents
	sender   MailSender
	config   MailConfig
	log      *slog.Logger
	sent     *prometheus.CounterVec // result
}

// NewMailer returns a mailer. Call it once per registry.
func NewMailer(
	mails Mails, clients WaitingMails, contents MailContents,
	sender MailSender, config MailConfig, registry prometheus.Registerer, log *slog.Logger,
) *Mailer {
	return &Mailer{mails: mails, clients: clients, contents: contents, sender: sender, config: config, log: log,
		sent: promauto.With(registry).NewCounterVec(prometheus.CounterOpts{
			Name: "levy_mails_total",
			Help: "Attempts to send an e-mail: sent, failed (repeated, or given up), dropped.",
		}, []string{"result"}),
	}
}

// Run sends until ctx ends.
func (m *Mailer) Run(ctx context.Context) {
	repeat(ctx, mailInterval, func(ctx context.Context) (more bool) {
		more, err := m.SendNext(ctx)
		if err != nil && ctx.Err() == nil {
			m.log.WarnContext(ctx, "mail that is due was not sent", "error", err.Error())
			return false
		}
		return more && ctx.Err() == nil
	})
}

// SendNext sends the mail to a person and the mail to a client that are due next. It reports whether there was one. Errors:
// those of the database.
func (m *Mailer) SendNext(ctx context.Context) (found bool, err error) {
	for _, waiting := range []WaitingMails{m.mails, m.clients} {
		one, failed := m.sendNext(ctx, waiting)
		found, err = found || one, errors.Join(err, failed)
	}
	return found, err
}

// sendNext sends the first of these mails that is due.
func (m *Mailer) sendNext(ctx context.Context, waiting WaitingMails) (found bool, err error) {
	due, found, err := waiting.LeaseMail(ctx, m.config.PerDay)
	if err != nil || !found {
		return false, err
	}
	ctx = context.WithoutCancel(ctx) // its result is written although the process stops
	var result models.MailResult
	if !due.Reached {
		m.sent.WithLabelValues("dropped").Inc()
		return true, waiting.EndMail(ctx, due, result)
	}
	text, err := m.text(ctx, &due, &result)
	if errors.Is(err, models.ErrNotFound) {
		return true, nil // another process has it
	}
	if err != nil {
		return true, err
	}
	if result.Dropped {
		m.sent.WithLabelValues("dropped").Inc()
		return true, waiting.EndMail(ctx, due, result)
	}
	html, err := text.html()
	if err != nil {
		return true, err
	}
	err = m.sender.Send(ctx, mail.Message{
		ID: due.ID, To: due.Email, Subject: text.Subject, Text: text.plain(), HTML: html, Stop: text.Stop,
	})
	if err == nil {
		m.sent.WithLabelValues("sent").Inc()
		return true, waiting.EndMail(ctx, due, result)
	}
	m.sent.WithLabelValues("failed").Inc()
	m.log.WarnContext(ctx, "mail was not sent", "mail", due.ID, "attempt", due.Attempt, "error", err.Error())
	result.Failure, result.Permanent = failureOf(err)
	return true, waiting.EndMail(ctx, due, result)
}

// failureOf returns why a mail was not sent, in a sentence without addresses and settings, and whether it is of no use to
// repeat it.
func failureOf(err error) (failure string, permanent bool) {
	if refused, ok := errors.AsType[*mail.RefusedError](err); ok {
		said := refused.Error()
		return strings.ToUpper(said[:1]) + said[1:] + ".", refused.Permanent
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return "The certificate of the mail server is not valid for it.", false
	}
	return "The mail server did not answer, or the connection to it broke.", false
}

// text returns what a mail says, and adds its link. A mail about work is dropped if it has nothing to tell. Errors:
// models.ErrNotFound if the attempt has lost its mail.
func (m *Mailer) text(ctx context.Context, due *models.Mail, result *models.MailResult) (text mailText, err error) {
	if due.Kind.IsAboutWork() {
		text, ok, err := m.workText(ctx, due)
		if err != nil || !ok {
			result.Dropped = true
			return text, err
		}
		path, hash := m.config.NewStop()
		text.Stop = m.config.PublicURL + path
		return text, m.mails.AddMailStop(ctx, *due, hash)
	}
	path := ""
	if due.Kind.IsToClient() {
		path, result.LinkHash = m.config.NewClientLink()
		return clientText(due, m.config.PublicURL+path, m.config.Contact), m.clients.LinkMail(ctx, *due, result.LinkHash)
	}
	if due.Kind.HasLink() && m.config.NewLink != nil {
		path, result.LinkHash = m.config.NewLink()
		err = m.mails.LinkMail(ctx, *due, result.LinkHash)
	}
	return accessText(*due, m.config.PublicURL, path), err
}

// now returns the time.
func (m *Mailer) now() time.Time {
	if m.config.Now != nil {
		return m.config.Now()
	}
	return time.Now()
}
