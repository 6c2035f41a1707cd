package people

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
	"strings"
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
	text, err := json.Marshal(made)
	if err != nil {
		return contract.PasskeyChallenge{}, err
	}
	content := base64.RawURLEncoding.EncodeToString(text)
	token := content + "." + base64.RawURLEncoding.EncodeToString(o.keys.Hash("passkey challenge "+content))
	return contract.PasskeyChallenge{Token: &token, Options: new(contract.Object(shown))}, nil
}

// useChallenge returns the challenge of a token, once. Errors: models.ErrNotFound for a token that Levy did not write, or
// that has ended or was used. So is one for another purpose or session.
func (o *Operations) useChallenge(ctx context.Context, purpose passkeyPurpose, token string) (string, error) {
	content, seal, _ := strings.Cut(token, ".")
	sent, err := base64.RawURLEncoding.DecodeString(seal)
	signed := slices.ContainsFunc(o.keys.Hashes("passkey challenge "+content),
		func(hash []byte) bool { return hmac.Equal(hash, sent) })
	// guard: passkeys: Levy has made the challenge
	if err != nil || !signed {
		return "", models.ErrNotFound
	}
	var made passkeyChallenge
	text, err := base64.RawURLEncoding.DecodeString(content)
	if err != nil || json.Unmarshal(text, &made) != nil {
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
	if made.Session != "" && !o.isSession(made.Session, call.Of(ctx).Token) {
		return "", models.ErrNotFound
	}
	hash := sha256.Sum256([]byte("passkey challenge " + made.Challenge)) // it is random, and needs no key
	first, err := o.deps.People.UseSignIn(ctx, hash[:], made.Ends)
	// guard: passkeys: a challenge is answered once
	if err == nil && !first {
		err = models.ErrNotFound
	}
	return made.Challenge, err
}

// isSession reports whether a hash is that of the session of a token.
func (o *Operations) isSession(hash, token string) bool {
	sent, err := hex.DecodeString(hash)
	return err == nil && slices.ContainsFunc(o.SessionHashes(token),
		func(known []byte) bool { return hmac.Equal(known, sent) })
}
