package people

import (
	"context"
	"errors"
	"slices"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// SignIn begins a session: by a password, by a passkey, or by a link that sets a password.
func (o *Operations) SignIn(ctx context.Context, r contract.SignInRequest) (contract.Session, error) {
	c := call.Of(ctx)
	if o.deps.Provider != nil {
		return contract.Session{}, problem.New(problem.CodeForbiddenForKey,
			"People sign in at the OpenID provider of this installation: there are no passwords here. "+
				"Open "+ProviderStartPath+" in a browser.")
	}
	g, err := o.attempt(ctx)
	if err != nil {
		return contract.Session{}, err
	}
	var person models.User
	switch {
	case r.Body.Passkey.Token != "":
		person, err = g.answerPasskey(ctx, r.Body.Challenge, r.Body.Passkey)
	case r.Body.Challenge != "":
		person, err = g.answerChallenge(ctx, r.Body.Challenge, r.Body.Password)
	case r.Body.Token != "":
		person, err = g.useLink(ctx, r.Body.Token, r.Body.Password)
	default:
		person, err = g.checkPassword(ctx, r.Body.Email, r.Body.Password)
	}
	g.end(err)
	if err != nil {
		return contract.Session{}, err
	}
	token := secret.NewSession()
	g.proof.Age = new(time.Duration)
	err = o.deps.People.BeginSession(ctx, &person, o.SessionHashes(token)[0], g.proof, c.RequestID)
	if errors.Is(err, models.ErrUnauthenticated) {
		return contract.Session{}, refusedSignIn("Your account was changed meanwhile. Sign in again.")
	}
	if err != nil {
		return contract.Session{}, err
	}
	if err := o.remember(ctx, &person, g.device); err != nil {
		return contract.Session{}, err
	}
	ended := person.PasskeysEnded
	if person, err = o.deps.People.FindSession(ctx, o.SessionHashes(token)); err != nil {
		return contract.Session{}, err
	}
	c.SessionBegun, person.PasskeysEnded = token, ended
	return sessionAnswer(&person), nil
}

// unknownLink is the message about a link that cannot be opened.
const unknownLink = "The link is unknown, was used already, or has ended."

// GetSignInLink reads whose a link is. An unknown one counts like a failed attempt to sign in.
func (o *Operations) GetSignInLink(ctx context.Context, r contract.GetSignInLinkRequest) (contract.SignInLink, error) {
	g, err := o.attempt(ctx)
	if err == nil && g.wait > 0 {
		err = tooManySignIns(g.wait)
	}
	if err != nil {
		return contract.SignInLink{}, err
	}
	person, err := o.deps.People.PersonOfLink(ctx, o.keys.Hashes(secret.SignInText(r.Body.Token)))
	if errors.Is(err, models.ErrUnauthenticated) {
		err = refusedSignIn(unknownLink)
	}
	g.end(err)
	return contract.SignInLink{Email: person.Email, Name: person.Name}, err
}

// ChangePassword sets another password of the person of the session. It has the salt of the one before, as those of all
// accounts of an address have.
func (o *Operations) ChangePassword(ctx context.Context, r contract.ChangePasswordRequest) (contract.Session, error) {
	c := call.Of(ctx)
	if c.Person == nil || o.deps.Provider != nil {
		return contract.Session{}, problem.New(problem.CodeForbiddenForKey, "Only a person who signs in with a password has one.")
	}
	if faults := PasswordFaults(r.Body.Password); faults != nil {
		return contract.Session{}, &models.InvalidError{Faults: faults}
	}
	person, err := o.deps.People.Account(ctx, c.Person.ID)
	if err != nil {
		return contract.Session{}, err
	}
	if person.PasswordHash == nil {
		return contract.Session{}, models.ErrUnavailable // it was erased a moment ago
	}
	after, err := o.passwords.hash(ctx, r.Body.Password, person.PasswordHash)
	if err == nil {
		err = o.deps.People.ChangePassword(ctx, c.Actor(), o.SessionHashes(c.Token), *person.PasswordHash, after)
	}
	if errors.Is(err, models.ErrChangedMeanwhile) {
		err = models.ErrUnavailable
	}
	return sessionAnswer(c.Person), err
}

func (g *attempt) useLink(ctx context.Context, token, password string) (models.User, error) {
	if g.wait > 0 {
		return models.User{}, tooManySignIns(g.wait)
	}
	if faults := PasswordFaults(password); faults != nil {
		return models.User{}, &models.InvalidError{Faults: faults}
	}
	person, err := g.setPassword(ctx, g.keys.Hashes(secret.SignInText(token)), password)
	if errors.Is(err, models.ErrUnauthenticated) {
		return person, refusedSignIn(unknownLink)
	}
	if err != nil {
		return person, err
	}
	g.proved(models.ProofLink)
	return person, g.requireCode(ctx, &person)
}

// setPasswordTries is how often the salt of an address may change meanwhile.
const setPasswordTries = 3

// setPassword sets the password of the account of a link. Errors: models.ErrUnauthenticated.
func (o *Operations) setPassword(ctx context.Context, link [][]byte, password string) (person models.User, err error) {
	for range setPasswordTries {
		like, err := o.deps.People.PasswordOfLink(ctx, link)
		if err != nil {
			return person, err
		}
		hash, err := o.passwords.hash(ctx, password, like)
		if err != nil {
			return person, err
		}
		person, err = o.deps.People.UseLink(ctx, link, hash, call.Of(ctx).RequestID)
		if !errors.Is(err, models.ErrChangedMeanwhile) {
			return person, err
		}
	}
	return person, models.ErrUnavailable
}

// PasswordFaults returns a fault for a new password that is too short, too long, or blank.
func PasswordFaults(password string) []models.Fault {
	if models.AcceptablePassword(password) {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldOutOfRange, Path: "password", Message: "A password has 12 to 200 characters.",
	}}
}

// checkPassword finds the person of an email address and a password. An address may have several accounts, of which the
// password says which one. An unknown address has the same answer after the same time.
func (g *attempt) checkPassword(ctx context.Context, email, password string) (models.User, error) {
	account := models.EmailKey(email)
	known, err := g.of(ctx, account)
	if err != nil {
		return models.User{}, err
	}
	accounts, err := g.deps.People.Accounts(ctx, email)
	if err != nil {
		return models.User{}, err
	}
	// guard: sign-in: a device tries its own accounts
	if known != nil {
		accounts = slices.DeleteFunc(accounts, func(u models.User) bool { return !slices.Contains(known, u.ID) })
	}
	hashes := make([]string, len(accounts))
	for i := range accounts {
		hashes[i] = *accounts[i].PasswordHash
	}
	right, err := g.passwords.matching(ctx, password, hashes)
	if err != nil {
		return models.User{}, err
	}
	if len(right) == 0 {
		return models.User{}, refusedSignIn("The e-mail address or the password is wrong.")
	}
	// guard: sign-in: who knows the password of one account of an address guesses those of the others no more often
	if len(accounts) > len(right) {
		g.keep()
	}
	person := accounts[right[0]]
	if err := g.requireCode(ctx, &person); err != nil {
		return person, err // only the right code resets failures: a password must not allow more guesses
	}
	if known == nil && len(accounts) == 1 {
		g.accounts.Succeed(account)
	}
	g.proved(models.ProofPassword)
	return person, nil
}

// refusedSignIn returns the problem of a failed attempt.
func refusedSignIn(detail string) error { return problem.New(problem.CodeUnauthenticated, detail) }

func tooManySignIns(wait time.Duration) error {
	return problem.RateLimited("Too many failed attempts to sign in.", "authentication", wait)
}

// GetSession returns the caller.
func (s *Operations) GetSession(ctx context.Context, _ contract.GetSessionRequest) (contract.Session, error) {
	c := call.Of(ctx)
	if c.Person != nil {
		return sessionAnswer(c.Person), nil
	}
	o, err := s.deps.Organizations.Organization(ctx, models.Scope{OrganizationID: c.Principal.OrganizationID})
	if err != nil {
		return contract.Session{}, err
	}
	return contract.Session{APIKeyID: &c.Principal.APIKeyID, Organizations: []contract.SessionOrganization{{
		OrganizationID: o.ID, OrganizationName: o.Name,
		Role: contract.Role(models.RoleAdmin), Root: o.ParentOrganizationID == nil, TimeZone: o.Settings.TimeZone,
	}}}, nil
}

func sessionAnswer(u *models.User) contract.Session {
	answer := contract.Session{
		User: &contract.SessionUser{ID: u.ID, Email: u.Email, Name: u.Name, SecondFactor: u.SecondFactor,
			RecoveryCodesLeft: u.RecoveryCodesLeft, Passkeys: u.Passkeys},
		Organizations: make([]contract.SessionOrganization, len(u.Memberships)), PasskeysEnded: u.PasskeysEnded,
	}
	if u.Preferences != nil {
		answer.Preferences = new(preferencesAnswer(u.Preferences))
	}
	if u.StaffRole != nil {
		answer.StaffRole = convert.Optional(string(*u.StaffRole))
	}
	for i, m := range u.Memberships {
		answer.Organizations[i] = contract.SessionOrganization{
			OrganizationID: m.OrganizationID, OrganizationName: convert.Optional(m.OrganizationName),
			Role: contract.Role(m.Role), Root: m.Root, TimeZone: m.TimeZone,
		}
	}
	return answer
}

// SignOut ends the session.
func (o *Operations) SignOut(ctx context.Context, _ contract.SignOutRequest) error {
	c := call.Of(ctx)
	if c.Person == nil {
		return nil
	}
	if err := o.deps.People.EndSession(ctx, o.SessionHashes(c.Token)); err != nil {
		return err
	}
	c.SessionEnded = true
	return nil
}
