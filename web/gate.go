package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"levy/contract"
	"levy/models"
	"levy/service"
)

// Gate admits the visitors of pages to the operations of the service. A page counts as one call, whatever it reads.
// Errors: models.ErrUnauthenticated, *problem.Problem, models.ErrUnavailable.
type Gate interface {
	// Person admits a person by the token of a session.
	Person(ctx context.Context, token string) (contract.CallerSession, error)
	// Client admits a client by the token of an onboarding link.
	Client(ctx context.Context, token string) (contract.CallerSession, error)
	// Feed admits a program that reads a calendar by the token of its feed.
	Feed(ctx context.Context, token string) (contract.CallerSession, error)
	// StopMails turns off a kind of e-mail by the token of the address in one, and returns the kind.
	StopMails(ctx context.Context, token string) (models.MailKind, error)
	// FirstSignIn returns the path at which the first admin sets a password whom the onboarding link with a token invited.
	FirstSignIn(token string) string
	// Visitor admits a visitor to operations that need no caller.
	Visitor(ctx context.Context) (contract.CallerSession, error)
	// SealForm encrypts a form for a page. It can be opened for the same owner only.
	SealForm(owner string, form []byte) string
	// OpenForm decrypts a form. ok is false for anything that SealForm did not encrypt for the owner.
	OpenForm(owner, sealed string) (form []byte, ok bool)
}

var _ Gate = (*service.Service)(nil)

// onceField is the field with the idempotency key of a form. Sending a form twice with the same key changes records
// once.
const onceField = "once"

// enter begins the page of an admitted caller. Its operations are about the organization of the path. The key of its form
// carries them out once.
func (v *pageRequest) enter(session contract.CallerSession) {
	v.Request = v.WithContext(session.Context(v.Context()))
	if v.org != "" {
		session = session.In(v.Context(), v.org)
	}
	if key := v.PostForm.Get(onceField); key != "" {
		session = session.WithForm(key)
	}
	v.session = session
}

// wasReplayed reports whether the form had been sent before: the service returned its stored answer.
func (v *pageRequest) wasReplayed() bool {
	return v.replayed || v.session != nil && v.session.Outcome().Replayed
}

// sending returns the session for a request with a body that comes from a form, see htmlForm.body. Its values are as
// they were typed: the service finds what is wrong with them. Errors: a value that has no JSON.
func (v *pageRequest) sending(body map[string]any) (contract.CallerSession, error) {
	raw, err := contract.Encode(body)
	return v.session.WithBody(raw), err
}

// changing returns the session for a request with the changed fields of a record. stored are its fields, see fieldsOf.
// Errors: *problem if another person has changed the same fields since the page was rendered.
func (v *pageRequest) changing(form htmlForm, stored map[string]any) (contract.CallerSession, error) {
	form = form.changing()
	if err := form.outdated(stored, v.PostForm); err != nil {
		return nil, err
	}
	return v.sending(form.body(stored, v.PostForm))
}

// fieldsOf returns the fields of an answer by their names in the contract, for a form.
func fieldsOf(answer any) (map[string]any, error) {
	raw, err := contract.Encode(answer)
	if err != nil {
		return nil, err
	}
	return decodedFields(raw)
}

// withFields returns a record that was read, and its fields for a form.
func withFields[T any](record T, err error) (T, map[string]any, error) {
	if err != nil {
		return record, nil, err
	}
	fields, err := fieldsOf(record)
	return record, fields, err
}

// follow makes the page follow a list by its stream. The stream has the same parameters, and identifies an answer by the
// first eight bytes of its SHA-256.
func (v *pageRequest) follow(path, query string, list any) error {
	raw, err := contract.Encode(list)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(raw)
	v.live = &live{Stream: path + "/stream?" + query, Mark: hex.EncodeToString(sum[:8])}
	return nil
}

// followEvents reads the cursor of the organization's newest event. The script of the page follows events after it. It
// is called before the page reads its records, so that no event in between is missed. Without a cursor the script
// compares pages: the page is shown nevertheless.
func (v *pageRequest) followEvents() {
	end, err := v.session.ListEvents(v.Context(), contract.ListEventsRequest{Params: contract.ListEventsParams{After: "now"}})
	if err == nil && end.NextCursor != nil {
		v.afterEvent = *end.NextCursor
	}
}
