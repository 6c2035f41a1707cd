package hmrc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"levy/authority"
	"levy/models"
	"levy/returns/vat"
	"levy/tax/calendar"
)

// Name is the name of the adapter.
const Name = models.BritishAuthority

// Adapter files VAT returns. It implements authority.Gateway.
type Adapter struct {
	client   *Client
	grants   Grants
	records  Records
	now      func() time.Time
	consent  func(organizationID string) string
	scenario func(s models.AuthoritySubmission) string
}

// Records are what Levy has stored of the attempts of returns.
type Records interface {
	authority.Documents
	// ConnectionOfAttempt reads the connection of the call that began an attempt. Errors: models.ErrNotFound.
	ConnectionOfAttempt(ctx context.Context, scope models.Scope, attempt models.Attempt) (models.ClientConnection, error)
}

// NewSandboxAdapter returns the adapter of a sandbox, which asks no person for consent. The sandbox reads the notes
// of a return as
// the scenario that is wanted.
func NewSandboxAdapter(client *Client, grants Grants, records Records, now func() time.Time) *Adapter {
	return &Adapter{
		client: client, grants: grants, records: records, now: now, consent: sandboxCode,
		scenario: func(s models.AuthoritySubmission) string { return scenarioOf(s.Notes) },
	}
}

// Name implements authority.Gateway.
func (a *Adapter) Name() string { return Name }

// session is how calls for a submission sign in.
type session struct {
	organizationID string
	token          string
	header         http.Header
	left           []string // headers for fraud prevention that are not known
}

// sessionOf returns the session of an attempt, with the headers of the call that began it. If no such call is stored, known is false
// and the timer calls.
func (a *Adapter) sessionOf(ctx context.Context, key models.AuthorityKey) (x *session, known bool, err error) {
	x = &session{organizationID: key.OrganizationID}
	c, err := a.records.ConnectionOfAttempt(ctx, models.Scope{OrganizationID: key.OrganizationID},
		models.Attempt{RecordID: key.RecordID, Number: key.Attempt})
	switch {
	case err == nil:
		x.header, x.left = headersOf(a.client.app.Version, &c)
	case errors.Is(err, models.ErrNotFound):
		x.header, x.left = headersOf(a.client.app.Version, nil)
	default:
		return nil, false, err
	}
	return x, err == nil, nil
}

// Submit implements authority.Gateway. A submission whose answer was lost is decided by what the authority has: it is not sent
// again while the authority has a return of the period. Nor is a return sent that a person had filed by a call that was not recorded:
// the authority wants the call described. Errors: models.ErrUnavailable, models.ErrOutcomeUnknown.
func (a *Adapter) Submit(ctx context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	// guard: hmrc: the authority takes no amended return, so people carry the difference
	if s.Return == nil || s.Return.Category != string(calendar.FilingRegular) {
		return models.AuthorityAnswer{Outcome: models.AuthorityManual}, nil
	}
	r, ok := returnOf(s.Document)
	if !ok {
		return authority.Incomplete, nil
	}
	x, known, err := a.sessionOf(ctx, s.Key)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	// guard: hmrc: a return whose call cannot be described is not sent
	if !known && !s.Automatic {
		answer, err := a.settle(ctx, x, &r, false)
		if errors.Is(err, models.ErrNotFound) {
			return rejected(ReasonCallUnknown), nil
		}
		return answer, err
	}
	if a.scenario != nil {
		if wanted := a.scenario(s); wanted != "" {
			x.header.Set(scenarioHeader, wanted)
		}
	}
	return a.settle(ctx, x, &r, true)
}

// Check implements authority.Gateway. It submits nothing. Errors: as for Submit, and models.ErrNotFound while the authority has
// no return of the period.
func (a *Adapter) Check(ctx context.Context, key models.AuthorityKey) (models.AuthorityAnswer, error) {
	d, err := authority.DocumentOf(ctx, a.records, key)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	r, ok := returnOf(&d)
	if !ok {
		return models.AuthorityAnswer{}, models.ErrNotFound
	}
	x, _, err := a.sessionOf(ctx, key)
	if err != nil {
		return models.AuthorityAnswer{}, err
	}
	return a.settle(ctx, x, &r, false)
}

// settle asks what the authority wants and has of a period, and submits the return if it has none and that is wanted.
func (a *Adapter) settle(ctx context.Context, x *session, r *vat.Return, submits bool) (models.AuthorityAnswer, error) {
	o, answer, err := a.obligation(ctx, x, r)
	if err != nil || answer.Outcome != "" {
		return answer, err
	}
	answer, has, err := a.has(ctx, x, r, o)
	// guard: hmrc: a return that the authority has is not sent again
	if err != nil || has {
		return answer, err
	}
	if o.Status == fulfilled {
		return answer, fmt.Errorf("%w: the VAT API has a return of the period, and does not show it", models.ErrOutcomeUnknown)
	}
	if !submits {
		return answer, models.ErrNotFound
	}
	reply, err := a.signed(ctx, x, func() (reply, error) { return a.client.submit(ctx, x, r, o.PeriodKey) })
	if err != nil {
		return connected(err)
	}
	answer, again, err := submitted(&reply, r.Boxes, x.left)
	if err != nil || !again {
		return answer, err
	}
	if answer, has, err = a.has(ctx, x, r, o); err == nil && !has {
		err = fmt.Errorf("%w: the VAT API calls it a duplicate, and has no return of the period", models.ErrOutcomeUnknown)
	}
	return answer, err
}

// obligation returns the obligation of exactly the period of a return. Without one the answer is a rejection.
func (a *Adapter) obligation(ctx context.Context, x *session, r *vat.Return) (o Obligation, answer models.AuthorityAnswer, err error) {
	reply, err := a.signed(ctx, x, func() (reply, error) { return a.client.obligations(ctx, x, r) })
	if err != nil {
		answer, err = connected(err)
		return o, answer, err
	}
	var said struct {
		Obligations []Obligation `json:"obligations"`
	}
	switch {
	case reply.status == http.StatusNotFound:
		return o, rejected(ReasonNoObligation), nil
	case reply.status >= http.StatusBadRequest:
		return o, rejected(reply.code()), nil
	case reply.status != http.StatusOK || json.Unmarshal(reply.body, &said) != nil:
		return o, answer, fmt.Errorf("%w: the obligations of the VAT API cannot be read", models.ErrUnavailable)
	}
	at := slices.IndexFunc(said.Obligations, func(o Obligation) bool { return o.Start == r.Start && o.End == r.End })
	// guard: hmrc: a return without an obligation for exactly its period is not sent
	if at < 0 || !vat.IsPeriodKey(said.Obligations[at].PeriodKey) {
		return o, rejected(ReasonNoObligation), nil
	}
	return said.Obligations[at], answer, nil
}

// has asks for the return that the authority has of a period.
func (a *Adapter) has(ctx context.Context, x *session, r *vat.Return, o Obligation) (answer models.AuthorityAnswer, has bool, err error) {
	reply, err := a.signed(ctx, x, func() (reply, error) { return a.client.view(ctx, x, r, o.PeriodKey) })
	switch {
	case err != nil:
		answer, err = connected(err)
		return answer, err == nil, err
	case reply.status == http.StatusNotFound:
		return answer, false, nil
	case reply.status >= http.StatusBadRequest:
		return rejected(reply.code()), true, nil
	}
	answer, err = viewed(&reply, o, r.Boxes)
	return answer, err == nil, err
}

// signed calls with a token in force. A token that the authority refuses is renewed once. The status 401 is of OAuth 2.0 (RFC
// 6750, section 3.1): the description has none. Errors: errNotConnected, models.ErrUnavailable, models.ErrOutcomeUnknown.
func (a *Adapter) signed(ctx context.Context, x *session, call func() (reply, error)) (answer reply, err error) {
	refused := ""
	for range 2 {
		if x.token, err = a.token(ctx, x.organizationID, refused); err != nil {
			return answer, err
		}
		answer, err = call()
		if err != nil || answer.status != http.StatusUnauthorized {
			return answer, err
		}
		refused = x.token
	}
	return answer, errNotConnected
}

// connected returns the rejection of a return whose organization is not connected, or the error.
func connected(err error) (models.AuthorityAnswer, error) {
	if errors.Is(err, errNotConnected) {
		return rejected(ReasonNotConnected), nil
	}
	return models.AuthorityAnswer{}, err
}

// returnOf reads the return of a document; false if there is none, or it is another file.
func returnOf(d *models.FilingDocument) (vat.Return, bool) {
	if d == nil || d.Layout != vat.Layout {
		return vat.Return{}, false
	}
	r, err := vat.ReadDocument(d.Content)
	return r, err == nil
}
