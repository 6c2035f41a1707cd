package api

import (
	"context"
	"errors"
	"time"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
)

// SignIn begins a session, by a password or by a link that sets one.
func (s *Server) SignIn(ctx context.Context, r contract.SignInRequest) (contract.Session, error) {
	call := callOf(ctx)
	if s.deps.Provider != nil {
		return contract.Session{}, problem.New(problem.CodeForbiddenForKey,
			"People sign in at the OpenID provider of this installation: there are no passwords here. "+
				"Open "+providerStartPath+" in a browser.")
	}
	if wait := s.failures.Wait(call.address); wait > 0 { // before anything is hashed
		return contract.Session{}, tooManySignIns(wait)
	}
	var person models.User
	var err error
	switch {
	case r.Body.Challenge != "":
		person, err = s.answerChallenge(ctx, r.Body.Challenge, r.Body.Password)
	case r.Body.Token != "":
		person, err = s.useLink(ctx, r.Body.Token, r.Body.Password)
	default:
		person, err = s.checkPassword(ctx, r.Body.Email, r.Body.Password)
	}
	if err != nil {
		return contract.Session{}, err
	}
	token := secret.NewToken()
	if err := s.deps.People.BeginSession(ctx, &person, s.sessionHashes(token)[0], call.requestID); err != nil {
		return contract.Session{}, err
	}
	if person, err = s.deps.People.FindSession(ctx, s.sessionHashes(token)); err != nil {
		return contract.Session{}, err
	}
	call.sessionBegun = token
	return sessionAnswer(&person), nil
}

func (s *Server) useLink(ctx context.Context, token, password string) (models.User, error) {
	if faults := passwordFaults(password); faults != nil {
		return models.User{}, &models.InvalidError{Faults: faults}
	}
	hash, err := s.passwords.hash(ctx, password)
	if err != nil {
		return models.User{}, err
	}
	person, err := s.deps.People.UseLink(ctx, s.keys.Hashes("sign-in link "+token), hash, callOf(ctx).requestID)
	if errors.Is(err, models.ErrUnauthenticated) {
		return person, s.refuseSignIn(ctx, "The link is unknown, was used already, or has ended.")
	}
	if err != nil {
		return person, err
	}
	return person, s.askForCode(ctx, &person)
}

// passwordFaults refuses a new password that is too short or too long.
func passwordFaults(password string) []models.Fault {
	if models.AcceptablePassword(password) {
		return nil
	}
	return []models.Fault{{
		Code: models.FieldOutOfRange, Path: "password", Message: "A password has 12 to 200 characters.",
	}}
}

// checkPassword finds the person of an address and a password. Whether the address is known makes
// no difference: neither to the answer nor to the time that it takes.
func (s *Server) checkPassword(ctx context.Context, email, password string) (models.User, error) {
	account := models.EmailKey(email)
	if wait := s.accounts.Wait(account); wait > 0 {
		return models.User{}, tooManySignIns(wait)
	}
	person, err := s.deps.People.UserByEmail(ctx, email)
	if err != nil && !errors.Is(err, models.ErrNotFound) {
		return person, err
	}
	right, err := s.passwords.matches(ctx, password, person.PasswordHash)
	if err != nil {
		return person, err
	}
	if !right || person.Status != models.UserActive {
		s.accounts.Fail(account)
		return models.User{}, s.refuseSignIn(ctx, "The e-mail address or the password is wrong.")
	}
	if err := s.askForCode(ctx, &person); err != nil {
		return person, err // failures are forgotten with the right code: else the password would buy more guesses at it
	}
	s.accounts.Succeed(account)
	return person, nil
}

// refuseSignIn is the answer to a failed attempt, or to too many of an address.
func (s *Server) refuseSignIn(ctx context.Context, detail string) error {
	if wait := s.failures.Add(callOf(ctx).address); wait > 0 {
		return tooManySignIns(wait)
	}
	return problem.New(problem.CodeUnauthenticated, detail)
}

func tooManySignIns(wait time.Duration) error {
	return problem.RateLimited("Too many failed attempts to sign in.", "authentication", wait)
}

// GetSession describes the caller.
func (s *Server) GetSession(ctx context.Context, _ contract.GetSessionRequest) (contract.Session, error) {
	call := callOf(ctx)
	if call.person != nil {
		return sessionAnswer(call.person), nil
	}
	o, err := s.deps.Organizations.Organization(ctx, models.Scope{OrganizationID: call.principal.OrganizationID})
	if err != nil {
		return contract.Session{}, err
	}
	return contract.Session{APIKeyID: &call.principal.APIKeyID, Organizations: []contract.SessionOrganization{{
		OrganizationID: o.ID, OrganizationName: o.Name,
		Role: contract.Role(models.RoleAdmin), Root: o.ParentOrganizationID == nil,
	}}}, nil
}

func sessionAnswer(u *models.User) contract.Session {
	answer := contract.Session{
		User: &contract.SessionUser{ID: u.ID, Email: u.Email, Name: u.Name, SecondFactor: u.SecondFactor,
			RecoveryCodesLeft: u.RecoveryCodesLeft},
		Organizations: make([]contract.SessionOrganization, len(u.Memberships)),
	}
	if u.StaffRole != nil {
		answer.StaffRole = optional(string(*u.StaffRole))
	}
	for i, m := range u.Memberships {
		answer.Organizations[i] = contract.SessionOrganization{
			OrganizationID: m.OrganizationID, OrganizationName: optional(m.OrganizationName),
			Role: contract.Role(m.Role), Root: m.Root,
		}
	}
	return answer
}

// SignOut ends the session.
func (s *Server) SignOut(ctx context.Context, _ contract.SignOutRequest) error {
	call := callOf(ctx)
	if call.person == nil {
		return nil
	}
	if err := s.deps.People.EndSession(ctx, s.sessionHashes(call.token)); err != nil {
		return err
	}
	call.sessionEnded = true
	return nil
}
