package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"levy/internal/mail"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/worker"
)

// mailSender returns the server by which mail is sent; nil where none is set. Errors: settings that cannot work.
func (c Config) mailSender() (*mail.Sender, error) {
	if c.SMTPAddr == "" {
		if c.SMTPFrom != "" || c.SMTPContact != "" || c.SMTPUser != "" || c.SMTPPassword != "" {
			return nil, errors.New("LEVY_SMTP_ADDR must be set where other settings of e-mail are")
		}
		return nil, nil
	}
	errs := []error{
		address("LEVY_SMTP_ADDR", c.SMTPAddr), present("LEVY_SMTP_FROM", c.SMTPFrom),
		positive("LEVY_SMTP_DAILY", c.SMTPDaily),
	}
	if c.PublicURL == "" {
		errs = append(errs, errors.New("LEVY_PUBLIC_URL must be set for e-mail: its links begin with it"))
	}
	if (c.SMTPUser == "") != (c.SMTPPassword == "") {
		errs = append(errs, errors.New("LEVY_SMTP_USER and LEVY_SMTP_PASSWORD go together"))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	sender, err := mail.New(mail.Config{
		Address: c.SMTPAddr, Security: mail.Security(c.SMTPSecurity), User: c.SMTPUser, Password: c.SMTPPassword.Reveal(),
		From: c.SMTPFrom, Contact: c.SMTPContact,
	})
	if err != nil {
		return nil, fmt.Errorf("LEVY_SMTP_ADDR, LEVY_SMTP_FROM, LEVY_SMTP_CONTACT: %w", err)
	}
	return sender, nil
}

// validateMail checks the settings of e-mail: none, or those that it needs.
func (c Config) validateMail() error {
	_, err := c.mailSender()
	return err
}

// mailing are the loops that plan and send e-mail; none where it is off. wants are the data that returns want of registrations.
func (p *parts) mailing(hasher *secret.KeyHasher, wants func() models.ReturnWants) ([]func(context.Context), error) {
	sender, err := p.cfg.mailSender()
	if err != nil || sender == nil {
		return nil, err
	}
	config := worker.MailConfig{
		PublicURL: strings.TrimSuffix(p.cfg.PublicURL, "/"), PerDay: p.cfg.SMTPDaily, Contact: sender.Contact(),
		NewClientLink: func() (path string, hash []byte) {
			token := secret.NewToken()
			return service.OnboardingLinkPath + token, service.OnboardingHash(hasher, token)
		},
		NewStop: func() (path string, hash []byte) {
			token := secret.NewToken()
			return service.StopMailsPath + token, service.StopMailsHash(hasher, token)
		},
		Wants: wants,
	}
	if p.cfg.OIDCIssuer == "" {
		config.NewLink = func() (path string, hash []byte) {
			token := secret.NewToken()
			return service.SignInPath + token, service.LinkHash(hasher, token)
		}
	}
	links := p.store.Organizations.LinkMails()
	return []func(context.Context){
		worker.NewMailer(p.store.People, links, p.store.Work, sender, config, p.registry, p.log).Run,
		p.store.People.KeepPlanningMails, p.store.People.ForgetMails, links.Keep,
	}, nil
}
