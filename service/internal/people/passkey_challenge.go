package people

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// passkeyPurpose is what a challenge is for. It answers for nothing else.
type passkeyPurpose string

const (
	toSignIn   passkeyPurpose = "sign_in"
	toProve    passkeyPurpose = "proof"
	toRegister passkeyPurpose = "registration"
)

// passkeyChallengePurpose is what the token of a challenge is for.
const passkeyChallengePurpose = "passkey challenge"

// passkeyChallenge is a challenge in its signed token, which the page keeps that asked for it. Nothing is stored until it is
// answered, so asking for challenges fills no table.
type passkeyChallenge struct {
	Challenge string         `json:"challenge"`
	Purpose   passkeyPurpose `json:"purpose"`
	Session   string         `json:"session,omitempty"` // hash of the session that it is bound to
	Ends      time.Time      `json:"ends"`
}

// challengeAnswer returns a challenge with its options for the browser. session is the token of the session that it is
// bound to; empty for none.
func (o *Operations) challengeAnswer(
	purpose passkeyPurpose, session string, begin func() (options any, challenge string, err error),
) (contract.PasskeyChallenge, error) {
	if o.passkeys.unavailable != "" {
		return contract.PasskeyChallenge{Unavailable: &o.passkeys.unavailable}, nil
	}
	options, challenge, err := begin()
	if err != nil {
		return contract.PasskeyChallenge{}, err
	}
	shown, err := json.Marshal(options)
	if err != nil {
		return contract.PasskeyChallenge{}, err
	}
	made := passkeyChallenge{Challenge: challenge, Purpose: purpose, Ends: o.now().Add(challengeFor)}
	if session != "" {
		made.Session = hex.EncodeToString(o.SessionHashes(session)[0])
	}
	token := o.seal(passkeyChallengePurpose, made)
	return contract.PasskeyChallenge{Token: &token, Options: new(contract.Object(shown))}, nil
}

// useChallenge returns the challenge of a token, once. Errors: models.ErrNotFound for a token that Levy did not write, or
// that has ended or was used. A challenge for another purpose or session is refused, too.
func (o *Operations) useChallenge(ctx context.Context, purpose passkeyPurpose, token string) (string, error) {
	var made passkeyChallenge
	if !o.unseal(passkeyChallengePurpose, token, &made) {
		return "", models.ErrNotFound
	}
	// guard: passkeys: a challenge ends
	if o.now().After(made.Ends) {
		return "", models.ErrNotFound
	}
	// guard: passkeys: a challenge answers for nothing else
	if made.Purpose != purpose {
		return "", models.ErrNotFound
	}
	// guard: passkeys: a challenge is answered in its session
	if made.Session != "" && !isOneOf(made.Session, o.SessionHashes(call.Of(ctx).Token)) {
		return "", models.ErrNotFound
	}
	hash := sha256.Sum256([]byte(passkeyChallengePurpose + " " + made.Challenge)) // it is random, and needs no key
	first, err := o.deps.People.UseSignIn(ctx, hash[:], made.Ends)
	// guard: passkeys: a challenge is answered once
	if err == nil && !first {
		err = models.ErrNotFound
	}
	return made.Challenge, err
}
