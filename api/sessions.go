package api

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
)

// SessionCookie carries the session of a person.
const SessionCookie = "levy_session"

// People are the records of persons and their sessions. They belong to the installation: only
// methods that name an organization are about one, and an empty one means staff.
type People interface {
	// FindSession finds the person of a session. Errors: models.ErrNotFound.
	FindSession(ctx context.Context, hashes [][]byte) (models.User, error)
	// BeginSession begins a session of a person.
	BeginSession(ctx context.Context, u *models.User, hash []byte, requestID string) error
	// EndSession ends a session at once.
	EndSession(ctx context.Context, hashes [][]byte) error
	// UserByEmail reads a person. Errors: models.ErrNotFound.
	UserByEmail(ctx context.Context, email string) (models.User, error)
	// UseLink sets the password of whose link it is, once. Errors: models.ErrUnauthenticated.
	UseLink(ctx context.Context, hashes [][]byte, passwordHash, requestID string) (models.User, error)
	// SecondFactor reads that of a person. Errors: models.ErrNotFound.
	SecondFactor(ctx context.Context, userID string) (models.SecondFactor, error)
	// BeginSecondFactor writes one that waits for its first code. Errors: models.ErrForbidden for a person
	// that has one.
	BeginSecondFactor(ctx context.Context, f models.SecondFactor) error
	// UseCode notes the step of a code that was used, and replaces the recovery codes where there are hashes of new
	// ones. Errors: models.ErrUnauthenticated for a used one.
	UseCode(ctx context.Context, actor models.Actor, f models.SecondFactor, step int64, recovery [][]byte) error
	// UseRecoveryCode uses up a recovery code of the actor. Errors: models.ErrUnauthenticated.
	UseRecoveryCode(ctx context.Context, actor models.Actor, hashes [][]byte) error
	// SavedViews lists those of a person, by list and name.
	SavedViews(ctx context.Context, userID string) ([]models.SavedView, error)
	// SaveView saves one of the actor. Errors: *models.LimitError.
	SaveView(ctx context.Context, actor models.Actor, v models.SavedView) error
	// RenameView gives one of the actor another name. Errors: models.ErrNotFound, *models.DuplicateError (name).
	RenameView(ctx context.Context, actor models.Actor, list, name, to string) error
	// RemoveView removes one of the actor; one that is gone stays so.
	RemoveView(ctx context.Context, actor models.Actor, list, name string) error
	// CreateUser writes a person, the membership unless it is nil, and the link. Errors:
	// *models.DuplicateError (email).
	CreateUser(ctx context.Context, actor models.Actor, u *models.User, m *models.Membership, linkHash []byte) error
	// UserOfIdentity finds whose an account at the OpenID provider is. Errors: models.SignInRefusal.
	UserOfIdentity(ctx context.Context, who models.Identity, requestID string) (models.User, error)
	// ListUsers lists the people of an organization, by name.
	ListUsers(ctx context.Context, organizationID string, page models.Page) (models.List[models.User], error)
	// User reads a person of an organization. Errors: models.ErrNotFound.
	User(ctx context.Context, organizationID, id string) (models.User, error)
	// UpdateUser reads a person, lets the change alter it and writes it. Errors: models.ErrNotFound,
	// models.ErrLastAdmin, those of the change.
	UpdateUser(ctx context.Context, actor models.Actor, organizationID, id string,
		change models.UserChange) (models.User, error)
	// RemoveUser takes away the role in an organization. Errors: models.ErrNotFound, models.ErrLastAdmin.
	RemoveUser(ctx context.Context, actor models.Actor, organizationID, id string) error
}

// Secrets of sessions and links are hashed apart from keys: none can stand for another.
func (s *Server) sessionHashes(token string) [][]byte { return SessionHashes(s.keys, token) }

// SessionHashes are the hashes of the token of a session under every master key.
func SessionHashes(keys *secret.KeyHasher, token string) [][]byte {
	return keys.Hashes("session " + token)
}

// LinkHash is the hash of the token of a sign-in link.
func LinkHash(keys *secret.KeyHasher, token string) []byte { return keys.Hash("sign-in link " + token) }

// authenticatePerson finds the person of a session. What writes has to come from a page of ours.
func (s *Server) authenticatePerson(c *gin.Context, token string) {
	hashes := s.sessionHashes(token)
	var person models.User
	err := s.lookUp(s.peer(c), hashes[0], func() (err error) {
		person, err = s.deps.People.FindSession(c.Request.Context(), hashes)
		return err
	})
	if err != nil {
		s.refuseCaller(c, err)
		return
	}
	if !safeMethod(c.Request.Method) && !sameOrigin(c.Request) {
		writeProblem(c, problem.New(problem.CodeForbiddenForKey,
			"With a session, only a page of this service may change something: the request says that it comes from elsewhere, "+
				"or not where from."))
		return
	}
	call := callOf(c.Request.Context())
	call.person, call.token, call.caller = &person, token, s.callerOf(c)
	reaching := models.WithReach(c.Request.Context(), "")
	c.Request = c.Request.WithContext(models.WithPartner(reaching, person.ID))
}

// isStillIn reports whether the key or the session of a request that goes on for long still reaches
// the organization.
func (s *Server) isStillIn(ctx context.Context, scope models.Scope) bool {
	call := callOf(ctx)
	if call.person == nil {
		_, err := s.principals.find(ctx, s.keys, call.key, s.keys.Hash(call.key))
		return err == nil
	}
	person, err := s.deps.People.FindSession(ctx, s.sessionHashes(call.token))
	if err != nil || scope.OrganizationID == "" { // about all that the person sees
		return err == nil && sameRoles(&person, call.person)
	}
	return person.RoleIn(scope.OrganizationID, call.principal.OrganizationID) != ""
}

func safeMethod(method string) bool { return method == http.MethodGet || method == http.MethodHead }

// sameOrigin reports whether a request says that it comes from a page of this service: by the
// metadata that browsers send, or where they send none, by its origin.
func sameOrigin(r *http.Request) bool {
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" {
		return site == "same-origin"
	}
	origin, err := url.Parse(r.Header.Get("Origin"))
	return err == nil && origin.Host != "" && origin.Host == r.Host
}

// meet is for who signs in: no other site may do that in a visitor's name.
func (s *Server) meet(c *gin.Context) {
	fromPage := c.Request.Header.Get("Sec-Fetch-Site") != "" || c.Request.Header.Get("Origin") != ""
	if fromPage && !sameOrigin(c.Request) {
		writeProblem(c, problem.New(problem.CodeForbiddenForKey, "Only a page of this service may sign in."))
		return
	}
	s.noteCaller(c)
}

// noteCaller keeps where a request comes from, for who authenticates its caller.
func (s *Server) noteCaller(c *gin.Context) { callOf(c.Request.Context()).caller = s.callerOf(c) }

// callerOf: a cookie needs TLS everywhere but on the machine itself.
func (s *Server) callerOf(c *gin.Context) caller {
	host, _, err := net.SplitHostPort(c.Request.Host)
	if err != nil {
		host = c.Request.Host
	}
	address, err := netip.ParseAddr(host)
	loopback := host == "localhost" || err == nil && address.IsLoopback()
	return caller{address: s.peer(c), secure: !loopback}
}

// cookieOf is the cookie of a session; an empty token deletes it.
func cookieOf(from caller, token string) *http.Cookie {
	cookie := &http.Cookie{
		Name: SessionCookie, Value: token, Path: "/", HttpOnly: true, Secure: from.secure, SameSite: http.SameSiteLaxMode,
		MaxAge: int(models.SessionLongest / time.Second),
	}
	if token == "" {
		cookie.MaxAge = -1
	}
	return cookie
}

// aloneAs is a person who names no organization: the one that there is, else none. Staff who belong
// to none act for the operator.
func (s *Server) aloneAs(c *gin.Context, call *call) {
	if call.person.IsStaff() || len(call.person.Memberships) != 1 {
		return
	}
	if err := s.actIn(c.Request.Context(), call, call.person.Memberships[0].OrganizationID); err != nil {
		s.fail(c, err)
	}
}

// actIn lets a person act for an organization: as one of its own, as one of its partner, or as
// staff. Errors: models.ErrNotFound.
func (s *Server) actIn(ctx context.Context, call *call, id string) error {
	if !models.IsID(models.PrefixOrganization, id) {
		return models.ErrNotFound
	}
	principal, err := s.deps.Organizations.PrincipalOf(ctx, id)
	if err != nil {
		return err
	}
	parent := valueOf(principal.ParentOrganizationID)
	call.role = call.person.RoleIn(id, parent)
	if call.role == "" {
		return models.ErrNotFound
	}
	if parent != "" && call.person.RoleIn(id, "") == "" { // by the partner alone
		principal = models.Principal{OrganizationID: parent}
	}
	call.principal, call.scope = principal, models.Scope{OrganizationID: id}
	models.ReachOf(ctx).Add(principal.OrganizationID)
	models.ReachOf(ctx).Add(id)
	return nil
}
