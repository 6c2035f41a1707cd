package contracttest

import (
	"context"
	"encoding/json"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// Gate admits everyone to one session, see web.Gate.
type Gate struct{ contract.CallerSession }

// Person admits a person.
func (g Gate) Person(context.Context, string) (contract.CallerSession, error) {
	return g.CallerSession, nil
}

// Client admits a client.
func (g Gate) Client(context.Context, string) (contract.CallerSession, error) {
	return g.CallerSession, nil
}

// StopToken is the token of the address in an e-mail.
const StopToken = "stop"

// StopMails turns off the digest, for StopToken.
func (g Gate) StopMails(_ context.Context, token string) (models.MailKind, error) {
	if token != StopToken {
		return "", models.ErrUnauthenticated
	}
	return models.MailDigest, nil
}

// Feed admits a program that reads a calendar.
func (g Gate) Feed(context.Context, string) (contract.CallerSession, error) {
	return g.CallerSession, nil
}

// FirstSignIn returns the path at which the first admin sets a password.
func (g Gate) FirstSignIn(token string) string { return "/sign-in/first-of-" + token }

// Visitor admits a visitor.
func (g Gate) Visitor(context.Context) (contract.CallerSession, error) {
	return g.CallerSession, nil
}

// SealForm returns the form as it is.
func (Gate) SealForm(_ string, form []byte) string { return string(form) }

// OpenForm returns the form as it is.
func (Gate) OpenForm(_, sealed string) (form []byte, ok bool) { return []byte(sealed), true }

// Refusal is the error of an answer that is a problem: its code and detail.
func Refusal(_ int, body []byte) error {
	var p problem.Problem
	if err := json.Unmarshal(body, &struct {
		Code   *problem.Code
		Detail *string
	}{&p.Code, &p.Detail}); err != nil {
		return err
	}
	return &p
}
