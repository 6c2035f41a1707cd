package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
)

// providerClock is by how much the clock of the OpenID provider may be wrong.
const providerClock = time.Minute

// ProveSession records that the person of a session has proved again who uses it. A person with a second step sends a code
// or a passkey, and others the password. It begins no session. An attempt counts like one to sign in.
func (o *Operations) ProveSession(ctx context.Context, r contract.ProveSessionRequest) (contract.Session, error) {
	c := call.Of(ctx)
	if c.Person == nil || o.deps.Provider != nil {
		return contract.Session{}, problem.New(problem.CodeForbiddenForKey,
			"This is for people who sign in with a password. Where they sign in at an OpenID provider, open "+
				ProviderStartPath+"?again=1 in a browser. A key proves itself with each request.")
	}
	field, message := "password", "The password is wrong."
	missing := r.Body.Password == ""
	switch {
	case r.Body.Passkey.Token != "":
		field, message, missing = "passkey", "The passkey was not accepted. Use another one.", false
	case c.Person.SecondFactor:
		field, missing = "code", r.Body.Code == ""
		message = "The code is wrong, or was used already. Wait for the next one, or use a recovery code."
	case c.Person.Passkeys > 0:
		field, missing = "passkey", true
	}
	// guard: passkeys: a person who has one proves by it, and not by the password alone
	if missing {
		return contract.Session{}, problem.Invalid(models.FieldMissing, field, field+" is required: you sign in with it.")
	}
	by, err := o.tryProof(ctx, c.Person, &r.Body)
	if errors.Is(err, models.ErrUnauthenticated) {
		return contract.Session{}, problem.Invalid(models.FieldOutOfRange, field, message)
	} else if err != nil {
		return contract.Session{}, err
	}
	if err := o.deps.People.ProveSession(ctx, c.Actor(), o.SessionHashes(c.Token), by); err != nil {
		return contract.Session{}, err
	}
	c.Person.Proven = true // for later calls of the same page
	return sessionAnswer(c.Person), nil
}

// tryProof checks a passkey, a code, or the password of a person without a second step. Errors:
// models.ErrUnauthenticated, *problem.Problem for too many attempts.
func (o *Operations) tryProof(
	ctx context.Context, u *models.User, sent *contract.SessionProof,
) (by models.SignInProof, err error) {
	g, err := o.attempt(ctx)
	if err != nil {
		return by, err
	}
	switch {
	case sent.Passkey.Token != "":
		err = g.provePasskey(ctx, u, sent.Passkey)
	case u.SecondFactor:
		err = g.tryCode(ctx, u, sent.Code)
	default:
		err = g.tryPassword(ctx, u.ID, sent.Password)
	}
	if errors.Is(err, models.ErrUnauthenticated) {
		return by, err // the attempt stays counted
	}
	g.end(err)
	return g.proof, err
}

// provePasskey checks that a passkey of the person has answered the challenge of the session. Errors:
// models.ErrUnauthenticated, *problem.Problem.
func (g *attempt) provePasskey(ctx context.Context, u *models.User, sent contract.PasskeyAnswer) error {
	person, err := g.tryPasskey(ctx, toProve, sent)
	// guard: passkeys: a session is proved by a passkey of its own person
	if errors.Is(err, models.ErrNotFound) || err == nil && person.ID != u.ID {
		err = models.ErrUnauthenticated
	}
	return err
}

// ofOne counts the attempt at a single account. Errors: *problem.Problem.
func (g *attempt) ofOne(ctx context.Context, account, id string) error {
	known, err := g.of(ctx, account)
	if err == nil && known != nil && !slices.Contains(known, id) {
		err = tooManySignIns(g.wait)
	}
	return err
}

// tryCode uses up a code of a person, or a recovery code. Codes have a count of their own. Errors:
// models.ErrUnauthenticated, *problem.Problem.
func (g *attempt) tryCode(ctx context.Context, u *models.User, code string) error {
	if err := g.ofOne(ctx, u.ID, u.ID); err != nil {
		return err
	}
	if recovery, ok := readRecoveryCode(code); ok {
		g.proved(models.ProofRecoveryCode)
		return g.deps.People.UseRecoveryCode(ctx, call.ActorOf(ctx, u), g.keys.Hashes(recoveryText(u.ID, recovery)))
	}
	g.proved(models.ProofCode)
	return g.useCode(ctx, u, code, nil)
}

// tryPassword checks the password of an account. Attempts count for its address, like those to sign in. Errors:
// models.ErrUnauthenticated, *problem.Problem.
func (g *attempt) tryPassword(ctx context.Context, id, password string) error {
	person, err := g.deps.People.Account(ctx, id)
	if err != nil {
		return err
	}
	if err := g.ofOne(ctx, person.Address(), id); err != nil {
		return err
	}
	var hashes []string
	if person.PasswordHash != nil {
		hashes = []string{*person.PasswordHash}
	}
	right, err := g.passwords.matching(ctx, password, hashes)
	// guard: step-up: only the right password proves who uses a session
	if err == nil && len(right) == 0 {
		err = models.ErrUnauthenticated
	}
	g.proved(models.ProofPassword)
	return err
}

// proveByProvider records that the person of a session has signed in again at the OpenID provider. Errors:
// models.ErrNotFound for a session that has ended, models.SignInRefusal.
func (o *Operations) proveByProvider(
	ctx context.Context, u *models.User, who models.Identity, session string, begun ProviderSignIn,
) error {
	hashes := o.SessionHashes(session)
	person, err := o.deps.People.FindSession(ctx, hashes)
	if err != nil {
		return err
	}
	// guard: step-up: the same person signs in again
	if person.ID != u.ID {
		return models.SignInOtherPerson
	}
	// guard: step-up: the provider has asked the person again
	if who.SignedInAt.Before(begun.Ends.Add(-ProviderTime - providerClock)) {
		return models.SignInNotAgain
	}
	return o.deps.People.ProveSession(ctx, call.ActorOf(ctx, u), hashes,
		models.SignInProof{Kinds: []models.ProofKind{models.ProofProvider}})
}
