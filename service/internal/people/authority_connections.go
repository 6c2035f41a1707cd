package people

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/service/internal/deps"
)

// ConnectionsPath is the path to which authorities send people back. The authority follows it.
const ConnectionsPath = "/connections/"

// ListAuthorityConnections lists the authorities that take returns of the organization by a grant.
func (o *Operations) ListAuthorityConnections(
	ctx context.Context, _ contract.ListAuthorityConnectionsRequest,
) (contract.AuthorityConnectionList, error) {
	list := contract.AuthorityConnectionList{Items: []contract.AuthorityConnection{}}
	consents, err := o.consents(ctx)
	if err != nil || len(consents) == 0 {
		return list, err
	}
	connections, err := o.deps.Connections.Connections(ctx, call.Of(ctx).Scope)
	if err != nil {
		return list, err
	}
	for _, authority := range slices.Sorted(maps.Keys(consents)) {
		list.Items = append(list.Items, o.connectionTo(authority, connections))
	}
	return list, nil
}

// consents returns the consents of the authorities to which returns of the organization go.
func (o *Operations) consents(ctx context.Context) (map[string]deps.Consents, error) {
	if len(o.deps.Consents) == 0 {
		return nil, nil
	}
	organization, err := o.deps.Organizations.Organization(ctx, call.Of(ctx).Scope)
	// guard: consents: only a test organization grants access to a sandbox
	if err != nil || !organization.IsTest {
		return nil, err
	}
	return o.deps.Consents, nil
}

// connectionTo returns the connection to an authority, of those that the organization has.
func (o *Operations) connectionTo(authority string, connections []models.AuthorityConnection) contract.AuthorityConnection {
	answer := contract.AuthorityConnection{
		Authority: contract.ConnectedAuthority(authority), Status: contract.AuthorityConnectionStatus(models.ConnectionNone),
	}
	for _, c := range connections {
		if c.Authority == authority {
			answer.Status = contract.AuthorityConnectionStatus(c.Status(o.now()))
			answer.GrantedAt, answer.EndsAt = convert.OptionalInstant(&c.GrantedAt), convert.OptionalInstant(&c.EndsAt)
			answer.GrantedBy = &c.GrantedBy
		}
	}
	return answer
}

// ChangeAuthorityConnection carries out a step of granting or ending access at an authority.
func (o *Operations) ChangeAuthorityConnection(
	ctx context.Context, r contract.ChangeAuthorityConnectionRequest,
) (answer contract.AuthorityConnection, err error) {
	c, b := call.Of(ctx), &r.Body
	if c.Person == nil {
		return answer, problem.New(problem.CodeForbiddenForKey, "Only a person with a session grants access at an authority.")
	}
	consents, err := o.consents(ctx)
	if err != nil {
		return answer, err
	}
	at, ok := consents[string(b.Authority)]
	if !ok {
		return answer, problem.Invalid(models.FieldNotAllowed, "authority", "No return of this organization goes to this authority by a grant.")
	}
	var address *string
	switch b.Action {
	case contract.AuthorityConnectionChangeActionBEGIN:
		address, err = o.beginConsent(ctx, string(b.Authority), at)
	case contract.AuthorityConnectionChangeActionFINISH:
		err = o.finishConsent(ctx, b, at)
	case contract.AuthorityConnectionChangeActionEND:
		// Ending twice is ending once.
		if err = o.deps.Connections.Disconnect(ctx, c.Scope, c.Actor(), string(b.Authority)); errors.Is(err, models.ErrNotFound) {
			err = nil
		}
	}
	if err != nil {
		return answer, err
	}
	connections, err := o.deps.Connections.Connections(ctx, c.Scope)
	if err != nil {
		return answer, err
	}
	answer = o.connectionTo(string(b.Authority), connections)
	answer.Address = address
	return answer, nil
}

// beginConsent stores a consent, and returns the address where the person grants it. The state begins with the organization,
// to whose page the person comes back.
func (o *Operations) beginConsent(ctx context.Context, authority string, at deps.Consents) (*string, error) {
	c := call.Of(ctx)
	state, verifier := c.Scope.OrganizationID+"."+rand.Text(), secret.NewToken()
	sum := sha256.Sum256([]byte(state)) // it is random, and needs no key
	err := o.deps.Connections.BeginConsent(ctx, c.Scope, c.Actor(), models.AuthorityConsent{
		Authority: authority, State: sum[:], Session: o.SessionHashes(c.Token)[0], UserID: c.Person.ID, Verifier: verifier,
		ExpiresAt: o.now().Add(models.ConsentLasts),
	})
	return new(at.Address(state, verifier)), err
}

// finishConsent exchanges what came back from the authority for tokens. Errors: *models.InvalidError, models.ErrUnavailable.
func (o *Operations) finishConsent(ctx context.Context, b *contract.AuthorityConnectionChange, at deps.Consents) error {
	c, authority := call.Of(ctx), string(b.Authority)
	sum := sha256.Sum256([]byte(b.State))
	begun, err := o.deps.Connections.UseConsent(ctx, c.Scope, authority, sum[:])
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return err
	}
	// guard: consents: who comes back began in this session, and in time
	if err != nil || begun.UserID != c.Person.ID || !isHashOf(begun.Session, o.SessionHashes(c.Token)) || !o.now().Before(begun.ExpiresAt) {
		return problem.Invalid(models.FieldOutOfRange, "state",
			"What came back is of no grant that you began in this session within 30 minutes, or was used: begin again.")
	}
	refused := func(field, message string) error {
		if err := o.deps.Connections.RefuseConsent(ctx, c.Scope, c.Actor(), authority); err != nil {
			return err
		}
		return problem.Invalid(models.FieldOutOfRange, field, message)
	}
	if b.Code == "" {
		return refused("error", "You have not granted access, so nothing is connected.")
	}
	grant, ends, ok, err := at.Exchange(ctx, c.Scope.OrganizationID, b.Code, begun.Verifier)
	switch {
	case err != nil:
		return err
	case !ok:
		return refused("code", "The authority does not take the code, because it was used or has expired: begin again.")
	}
	return o.deps.Connections.Connect(ctx, c.Scope, c.Actor(), authority, grant, ends)
}
