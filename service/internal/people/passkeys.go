package people

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/go-webauthn/webauthn/protocol"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// GetPasskeyChallenge returns a challenge by whose answer a person signs in.
func (o *Operations) GetPasskeyChallenge(
	context.Context, contract.GetPasskeyChallengeRequest,
) (contract.PasskeyChallenge, error) {
	return o.challengeAnswer(toSignIn, "", o.passkeys.beginAssertion)
}

// ListPasskeys returns the passkeys of the person, with challenges for this session.
func (o *Operations) ListPasskeys(ctx context.Context, _ contract.ListPasskeysRequest) (answer contract.PasskeyList, err error) {
	c := call.Of(ctx)
	if c.Person == nil {
		return answer, noPasskeys()
	}
	keys, err := o.deps.People.Passkeys(ctx, c.Person.ID)
	if err != nil {
		return answer, err
	}
	answer.Items = make([]contract.Passkey, len(keys))
	for i, key := range keys {
		answer.Items[i] = contract.Passkey{
			ID: base64.RawURLEncoding.EncodeToString(key.CredentialID), Name: key.Name,
			CreatedAt: convert.Instant(key.CreatedAt),
		}
		if key.LastUsedAt != nil {
			used := convert.Instant(*key.LastUsedAt)
			answer.Items[i].LastUsedAt = &used
		}
	}
	if answer.Proof, err = o.challengeAnswer(toProve, c.Token, o.passkeys.beginAssertion); err != nil {
		return answer, err
	}
	answer.Registration, err = o.challengeAnswer(toRegister, c.Token, func() (any, string, error) {
		return o.passkeys.beginRegistration(passkeyOwner{person: c.Person, keys: keys})
	})
	return answer, err
}

func noPasskeys() error {
	return problem.New(problem.CodeForbiddenForKey, "Only a person with a session has passkeys.")
}

// SetPasskey adds or removes a passkey of the person.
func (o *Operations) SetPasskey(ctx context.Context, r contract.SetPasskeyRequest) (contract.PasskeyList, error) {
	c, b := call.Of(ctx), &r.Body
	if c.Person == nil {
		return contract.PasskeyList{}, noPasskeys()
	}
	var err error
	if b.Remove != "" {
		err = o.removePasskey(ctx, c, b.Remove)
	} else {
		err = o.addPasskey(ctx, c, b)
	}
	if err != nil {
		return contract.PasskeyList{}, err
	}
	return o.ListPasskeys(ctx, contract.ListPasskeysRequest{})
}

func (o *Operations) removePasskey(ctx context.Context, c *call.Call, id string) error {
	credentialID, err := base64.RawURLEncoding.DecodeString(id)
	if err != nil {
		return nil //nolint:nilerr // there is none with this id
	}
	return o.deps.People.RemovePasskey(ctx, c.Actor(), o.SessionHashes(c.Token), credentialID)
}

func (o *Operations) addPasskey(ctx context.Context, c *call.Call, b *contract.PasskeyUpdate) error {
	if o.passkeys.unavailable != "" {
		return problem.New(problem.CodeForbiddenForKey, o.passkeys.unavailable)
	}
	challenge, err := o.useChallenge(ctx, toRegister, b.Passkey.Token)
	if errors.Is(err, models.ErrNotFound) {
		return problem.Invalid(models.FieldOutOfRange, "passkey.token", "That took too long. Try again.")
	}
	if err != nil {
		return err
	}
	key, err := o.passkeys.register(c.Person, challenge, b.Passkey.Credential)
	if err != nil {
		o.log.InfoContext(ctx, "passkey refused", "error", err.Error())
		return problem.Invalid(models.FieldOutOfRange, "passkey.credential",
			"This is not a passkey for this installation whose device has checked its user.")
	}
	key.Name = b.Name
	err = o.deps.People.AddPasskey(ctx, c.Actor(), o.SessionHashes(c.Token), key)
	var full *models.LimitError
	var duplicate *models.DuplicateError
	switch {
	case errors.As(err, &full):
		return problem.Invalid(models.FieldOutOfRange, "passkey",
			fmt.Sprintf("You have %d passkeys, which is the most. Remove one first.", full.Limit))
	case errors.As(err, &duplicate):
		return problem.Invalid(models.FieldOutOfRange, "passkey", "This passkey was added before.")
	}
	return err
}

// These are refusals of passkeys. They do not say whether there is such a passkey.
const (
	passkeyTooLate = "That took too long. Try again."
	passkeyWrong   = "The passkey was not accepted. Use another one, or ask an admin for a new sign-in link."
)

// answerPasskey returns the person who signs in with a passkey: alone, or after the password. challenge is that of the
// password; empty for none.
func (g *attempt) answerPasskey(ctx context.Context, challenge string, sent contract.PasskeyAnswer) (models.User, error) {
	var after models.User
	if challenge != "" {
		var err error
		if after, err = g.personOfChallenge(ctx, challenge); errors.Is(err, models.ErrNotFound) {
			return after, refusedSignIn("That took too long. Sign in again.")
		} else if err != nil {
			return after, err
		}
		g.proved(models.ProofPassword) // before the challenge
	}
	person, err := g.tryPasskey(ctx, toSignIn, sent)
	// guard: passkeys: the second step is that of the person whose password was right
	if err == nil && challenge != "" && person.ID != after.ID {
		err = models.ErrUnauthenticated
	}
	switch {
	case errors.Is(err, models.ErrNotFound):
		return person, refusedSignIn(passkeyTooLate)
	case errors.Is(err, models.ErrUnauthenticated):
		return person, refusedSignIn(passkeyWrong)
	}
	return person, err
}

// tryPasskey returns the person whose passkey has answered a challenge. Attempts with a passkey have a count of their own:
// other callers do not know its id, so they cannot use them up. Errors: models.ErrNotFound for a challenge that
// cannot be answered any more, models.ErrUnauthenticated, *problem.Problem.
func (g *attempt) tryPasskey(
	ctx context.Context, purpose passkeyPurpose, sent contract.PasskeyAnswer,
) (person models.User, err error) {
	if g.passkeys.unavailable != "" {
		return person, problem.New(problem.CodeForbiddenForKey, g.passkeys.unavailable)
	}
	// guard: passkeys: an answer is bounded before it is checked
	if len(sent.Credential) > largestCredential {
		return person, models.ErrUnauthenticated
	}
	answer, err := protocol.ParseCredentialRequestResponseBytes(sent.Credential)
	if err != nil {
		return person, models.ErrUnauthenticated
	}
	owner := string(answer.Response.UserHandle)
	if !models.IsID(models.PrefixUser, owner) {
		return person, models.ErrUnauthenticated
	}
	sum := sha256.Sum256(answer.RawID)
	attempts := "passkey " + base64.RawURLEncoding.EncodeToString(sum[:])
	if err := g.ofOne(ctx, attempts, owner); err != nil {
		return person, err
	}
	challenge, err := g.useChallenge(ctx, purpose, sent.Token)
	if err != nil {
		return person, err
	}
	key, person, err := g.keyOf(ctx, answer.RawID)
	if err != nil {
		return person, err
	}
	counter, err := g.passkeys.confirm(&person, &key, challenge, answer)
	if err != nil {
		g.log.InfoContext(ctx, "passkey refused", "error", err.Error())
		return person, models.ErrUnauthenticated
	}
	if err := g.deps.People.UsePasskey(ctx, call.ActorOf(ctx, &person), key.CredentialID, counter); err != nil {
		return person, err
	}
	g.accounts.Succeed(attempts)
	g.proved(models.ProofPasskey)
	g.proof.Passkey, g.proof.CredentialID = key.Name, key.CredentialID
	return person, nil
}

// keyOf returns the passkey of a credential id, and its person. Errors: models.ErrUnauthenticated for none, or that of
// a person who may not sign in.
func (o *Operations) keyOf(ctx context.Context, credentialID []byte) (key models.Passkey, person models.User, err error) {
	if key, err = o.deps.People.Passkey(ctx, credentialID); err == nil {
		person, err = o.deps.People.Account(ctx, key.UserID)
	}
	// guard: passkeys: only an active person signs in
	if errors.Is(err, models.ErrNotFound) || err == nil && person.Status != models.UserActive {
		err = models.ErrUnauthenticated
	}
	return key, person, err
}
