package people

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/pquerna/otp/hotp"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// These are the parameters of codes by RFC 6238, which every app supports: HMAC-SHA-1 and 6 digits.
const (
	codeStep     = 30 // seconds
	codeDrift    = 1  // steps by which the clock of the app may be wrong, each way
	codeSecret   = 20 // bytes, RFC 4226 section 4
	challengeFor = 5 * time.Minute
	codeIssuer   = "Levy"
)

// matchingStep returns the step of a code if it is later than the last used one.
func matchingStep(plain, code string, at time.Time, last int64) (step int64, ok bool) {
	now := at.Unix() / codeStep
	for step = max(now-codeDrift, last+1); step <= now+codeDrift; step++ {
		right, err := hotp.GenerateCode(plain, uint64(step)) //nolint:gosec // not before 1970
		if err == nil && subtle.ConstantTimeCompare([]byte(right), []byte(code)) == 1 {
			return step, true
		}
	}
	return 0, false
}

// useCode uses a code of a person once. recovery are the hashes of new recovery codes, if any. Errors:
// models.ErrUnauthenticated for a wrong or used code, or a person without a second factor.
func (o *Operations) useCode(ctx context.Context, u *models.User, code string, recovery [][]byte) error {
	f, err := o.deps.People.SecondFactor(ctx, u.ID)
	// guard: passkeys: a second factor that was never confirmed takes no place of a passkey
	if errors.Is(err, models.ErrNotFound) || err == nil && f.ConfirmedAt == nil && recovery == nil {
		return models.ErrUnauthenticated
	}
	if err != nil {
		return err
	}
	key, err := o.deps.Vault.RecordKey(secret.RecordKey{
		OrganizationID: models.InstallationAudit, RecordID: u.ID,
		WrappedKey: secret.WrappedKey{MasterKeyID: f.MasterKeyID, Wrapped: f.Wrapped},
	})
	if err != nil {
		return err
	}
	plain, err := key.Open(models.SecondFactorField, f.Sealed)
	if err != nil {
		return err
	}
	step, ok := matchingStep(string(plain), strings.ReplaceAll(code, " ", ""), o.now(), f.LastStep)
	if !ok {
		return models.ErrUnauthenticated
	}
	return o.deps.People.UseCode(ctx, call.ActorOf(ctx, u), f, step, recovery)
}

// requireCode refuses a sign-in that also needs a code or a passkey. It returns nil for a person with neither.
func (o *Operations) requireCode(ctx context.Context, u *models.User) error {
	f, err := o.deps.People.SecondFactor(ctx, u.ID)
	if errors.Is(err, models.ErrNotFound) || err == nil && f.ConfirmedAt == nil {
		keys, err := o.deps.People.Passkeys(ctx, u.ID)
		// guard: passkeys: who has one does not sign in with the password alone
		if err != nil || len(keys) == 0 {
			return err
		}
	} else if err != nil {
		return err
	}
	challenge := o.seal(codePurpose, codeChallenge{
		UserID: u.ID, Password: hex.EncodeToString(o.keys.Hash(passwordText(u))), Ends: o.now().Add(challengeFor),
	})
	return problem.New(problem.CodeSecondFactorRequired, passkeysEnded(u.PasskeysEnded)).With("challenge", challenge)
}

// passkeysEnded returns the sentence about passkeys that ended with a link; empty for none.
func passkeysEnded(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "The link has ended your passkey. Enter a code of your app, then add the passkey again."
	}
	return fmt.Sprintf("The link has ended your %d passkeys. Enter a code of your app, then add them again.", n)
}

// codePurpose is what the challenge of a right password is for.
const codePurpose = "sign-in challenge"

// codeChallenge is the challenge of a person whose password was right.
type codeChallenge struct {
	UserID   string    `json:"user_id"`
	Password string    `json:"password"` // keyed hash of the stored one, so another password ends the challenge
	Ends     time.Time `json:"ends"`
}

// passwordText returns the text of which a challenge has the hash.
func passwordText(u *models.User) string {
	return "password of a challenge " + convert.ValueOf(u.PasswordHash)
}

// personOfChallenge returns the person of a challenge. Errors: models.ErrNotFound for an invalid or expired challenge.
func (o *Operations) personOfChallenge(ctx context.Context, challenge string) (models.User, error) {
	var made codeChallenge
	if !o.unseal(codePurpose, challenge, &made) || o.now().After(made.Ends) {
		return models.User{}, models.ErrNotFound
	}
	person, err := o.deps.People.Account(ctx, made.UserID)
	if err != nil {
		return models.User{}, err
	}
	// guard: sign-in: a challenge ends with the password
	if !isOneOf(made.Password, o.keys.Hashes(passwordText(&person))) {
		return models.User{}, models.ErrNotFound
	}
	if person.Status != models.UserActive {
		return models.User{}, models.ErrNotFound
	}
	return person, nil
}

// answerChallenge returns the person of a challenge if the code is right. Codes have a count of their own: a right
// password allows no more of them.
func (g *attempt) answerChallenge(ctx context.Context, challenge, code string) (models.User, error) {
	person, err := g.personOfChallenge(ctx, challenge)
	g.proved(models.ProofPassword) // before the challenge
	if errors.Is(err, models.ErrNotFound) {
		return models.User{}, refusedSignIn("That took too long. Sign in again.")
	}
	if err != nil {
		return models.User{}, err
	}
	err = g.tryCode(ctx, &person, code)
	if errors.Is(err, models.ErrUnauthenticated) {
		return models.User{}, refusedSignIn(
			"The code is wrong, or was used already. Wait for the next one, or use a recovery code.")
	}
	if err != nil {
		return models.User{}, err
	}
	g.accounts.Succeed(person.ID)
	return person, nil
}

// SetSecondFactor creates the secret of a second factor, or confirms it by its first code. Each confirmation returns
// new recovery codes.
func (o *Operations) SetSecondFactor(
	ctx context.Context, r contract.SetSecondFactorRequest,
) (contract.SecondFactor, error) {
	c := call.Of(ctx)
	if c.Person == nil || o.deps.Provider != nil {
		return contract.SecondFactor{},
			problem.New(problem.CodeForbiddenForKey, "Only a person who signs in with a password has a second step.")
	}
	if r.Body.Code != "" {
		return o.confirmSecondFactor(ctx, c.Person, r.Body.Code)
	}
	raw := make([]byte, codeSecret)
	rand.Read(raw) // never fails
	plain := base32.StdEncoding.EncodeToString(raw)
	key, wrapped := o.deps.Vault.NewRecordKey(models.InstallationAudit, c.Person.ID)
	err := o.deps.People.BeginSecondFactor(ctx, models.SecondFactor{
		UserID: c.Person.ID, MasterKeyID: wrapped.MasterKeyID, Wrapped: wrapped.Wrapped,
		Sealed: key.Seal(models.SecondFactorField, []byte(plain)),
	})
	if errors.Is(err, models.ErrForbidden) {
		return contract.SecondFactor{},
			problem.New(problem.CodeForbiddenForKey, "You have a second step. An administrator can reset it.")
	}
	if err != nil {
		return contract.SecondFactor{}, err
	}
	uri := fmt.Sprintf("otpauth://totp/%s:%s?secret=%s&issuer=%s",
		codeIssuer, url.PathEscape(c.Person.Email), plain, codeIssuer)
	return contract.SecondFactor{Secret: &plain, OtpauthURI: &uri}, nil
}

func (o *Operations) confirmSecondFactor(ctx context.Context, u *models.User, code string) (contract.SecondFactor, error) {
	giveBack, wait := o.accounts.Try(u.ID)
	if wait > 0 {
		return contract.SecondFactor{}, tooManySignIns(wait)
	}
	codes, hashes := o.newRecoveryCodes(u.ID)
	err := o.useCode(ctx, u, code, hashes)
	if !errors.Is(err, models.ErrUnauthenticated) {
		giveBack()
	} else {
		return contract.SecondFactor{}, problem.Invalid(models.FieldOutOfRange, "code",
			"The code is wrong, or was used already. Wait for the next one.")
	}
	return contract.SecondFactor{Confirmed: true, RecoveryCodes: &codes}, err
}
