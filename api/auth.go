package api

import (
	"context"
	"errors"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
)

// authenticate finds the principal of the key. All refusals are one answer.
func (s *Server) authenticate(c *gin.Context) {
	if _, sent := c.Request.Header["X-Api-Key"]; !sent {
		if cookie, err := c.Request.Cookie(SessionCookie); err == nil {
			s.authenticatePerson(c, cookie.Value)
			return
		}
		if cookie, err := c.Request.Cookie(linkCookie); err == nil {
			s.authenticateLink(c, cookie.Value)
			return
		}
	}
	principal, err := s.principalOf(c)
	if err == nil {
		call := callOf(c.Request.Context())
		call.principal, call.key = principal, keyOf(c)
		reaching := models.WithReach(c.Request.Context(), principal.OrganizationID)
		c.Request = c.Request.WithContext(models.WithPartner(reaching, principal.PartnerID()))
		return
	}
	s.refuseCaller(c, err)
}

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
	call.person, call.token, call.address = &person, token, s.peer(c)
	reaching := models.WithReach(c.Request.Context(), "")
	c.Request = c.Request.WithContext(models.WithPartner(reaching, person.ID))
}

// authenticateLink finds the onboarding of a link. What writes has to come from a page of ours.
func (s *Server) authenticateLink(c *gin.Context, token string) {
	ctx := c.Request.Context()
	hashes := s.linkHashes(token)
	var link models.OnboardingLink
	var principal models.Principal
	err := s.lookUp(s.peer(c), hashes[0], func() (err error) {
		if link, err = s.deps.Links.FindOnboardingLink(ctx, hashes); err == nil {
			principal, err = s.deps.Organizations.PrincipalOf(ctx, link.OrganizationID)
		}
		return err
	})
	if err != nil {
		s.refuseCaller(c, err)
		return
	}
	if !safeMethod(c.Request.Method) && !sameOrigin(c.Request) {
		writeProblem(c, problem.New(problem.CodeForbiddenForKey,
			"With the link of an onboarding, only a page of this service may change something."))
		return
	}
	call := callOf(ctx)
	call.principal, call.link = principal, link.ID
	reaching := models.WithReach(ctx, principal.OrganizationID)
	c.Request = c.Request.WithContext(models.WithPartner(reaching, principal.PartnerID()))
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
func (s *Server) noteCaller(c *gin.Context) { callOf(c.Request.Context()).address = s.peer(c) }

// refuseCaller answers who could not be authenticated, and counts it.
func (s *Server) refuseCaller(c *gin.Context, err error) {
	if errors.Is(err, models.ErrUnauthenticated) {
		if wait := s.failures.Add(s.peer(c)); wait > 0 {
			p := problem.New(problem.CodeRateLimited, "Too many failed authentications.").With(
				"limit_type", "authentication",
			)
			p.RetryAfter = max(1, seconds(wait))
			writeProblem(c, p)
			return
		}
	}
	s.fail(c, err)
}

// peer is the address of the caller: that of the connection, or what trusted proxies say.
func (s *Server) peer(c *gin.Context) string {
	if addr := c.ClientIP(); addr != "" {
		return net.JoinHostPort(addr, "0")
	}
	return c.Request.RemoteAddr
}

// lookUp finds what the key, session or link of that hash stands for. One that was good the last time is looked up
// always, another only as long as its address has not failed too often: guessing must not cost the database more
// than it can bear, nor lock out others at that address.
func (s *Server) lookUp(peer string, hash []byte, find func() error) error {
	if !s.good.Has(hash) && !s.failures.MayLookUp(peer) {
		return models.ErrUnauthenticated
	}
	err := find()
	switch {
	case err == nil:
		s.good.Add(hash)
	case errors.Is(err, models.ErrNotFound), errors.Is(err, models.ErrUnauthenticated):
		s.good.Drop(hash)
		return models.ErrUnauthenticated
	}
	return err
}

// LookUpFor bounds the look-ups of a handler that is mounted beside the contract as those of calls, and counts what it
// refuses with them. wait is more than 0 for an address that was refused too often: how long it has to wait. Errors:
// models.ErrUnauthenticated, and those of find.
func (s *Server) LookUpFor(r *http.Request, hash []byte, find func() error) (wait time.Duration, err error) {
	peer := callOf(r.Context()).address
	if err = s.lookUp(peer, hash, find); errors.Is(err, models.ErrUnauthenticated) {
		wait = s.failures.Add(peer)
	}
	return wait, err
}

// principalOf is the principal of the key.
func (s *Server) principalOf(c *gin.Context) (principal models.Principal, err error) {
	key := keyOf(c)
	if kind, ok := secret.APIKeyKind(key); !ok || kind == secret.KindOperator {
		return principal, models.ErrUnauthenticated // without a query
	}
	hash := s.keys.Hash(key)
	err = s.lookUp(s.peer(c), hash, func() (err error) {
		principal, err = s.principals.find(c.Request.Context(), s.keys, key, hash)
		return err
	})
	return principal, err
}

// keyOf is the key that was sent; empty for none and for several.
func keyOf(c *gin.Context) string {
	values := c.Request.Header.Values("X-API-KEY")
	if len(values) != 1 {
		return ""
	}
	return values[0]
}

// organization reads which organization a request is about, and refuses one
// that the key does not reach. Whether it exists makes no difference to the answer.
// Where the key alone is enough, its own organization counts.
func (s *Server) organization(rule accessRule) gin.HandlerFunc {
	return func(c *gin.Context) {
		values := c.Request.Header.Values("x-organization-id")
		call := callOf(c.Request.Context())
		if (rule.keyAlone || call.isLink()) && len(values) == 0 {
			if call.person != nil {
				s.aloneAs(c, call)
				return
			}
			call.scope = models.Scope{OrganizationID: call.principal.OrganizationID}
			return
		}
		s.readOrganization(c, values)
	}
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

// invalidHeader is the problem for a header that is repeated or malformed.
func invalidHeader(name, message string) *problem.Problem {
	return problem.New(problem.CodeInvalidHeader, message).At(models.Fault{
		Code: models.FieldInvalidFormat, In: models.InHeader, Path: name, Message: message,
	})
}

func (s *Server) readOrganization(c *gin.Context, values []string) {
	switch {
	case len(values) == 0, len(values) == 1 && strings.TrimSpace(values[0]) == "":
		writeProblem(c, problem.New(problem.CodeOrganizationHeaderMissing, "").
			At(models.Fault{
				Code: models.FieldMissing, In: models.InHeader, Path: "x-organization-id",
				Message: "x-organization-id is required.",
			}))
		return
	case len(values) > 1, strings.Contains(values[0], ","):
		writeProblem(c, invalidHeader("x-organization-id", "The header x-organization-id must have exactly one value."))
		return
	}
	call := callOf(c.Request.Context())
	id := values[0]
	err := s.reachOf(c.Request.Context(), call, id)
	switch {
	case err == nil:
		call.scope = models.Scope{OrganizationID: id}
	case errors.Is(err, models.ErrNotFound):
		writeProblem(c, problem.New(problem.CodeOrganizationNotFound, ""))
	default:
		s.fail(c, err)
	}
}

// reachOf finds whether a key or a person reaches an organization. Errors: models.ErrNotFound.
func (s *Server) reachOf(ctx context.Context, call *call, id string) error {
	if call.person != nil {
		return s.actIn(ctx, call, id)
	}
	return s.reach(ctx, call.principal, id)
}

// reach returns models.ErrNotFound for an organization that the key does not reach.
func (s *Server) reach(ctx context.Context, p models.Principal, id string) error {
	if id == p.OrganizationID {
		return nil
	}
	if !p.IsRoot() || !models.IsID(models.PrefixOrganization, id) {
		return models.ErrNotFound
	}
	o, err := s.deps.Organizations.Reachable(ctx, models.Scope{OrganizationID: p.OrganizationID}, id)
	if err != nil {
		return err
	}
	if o.Status != models.OrganizationActive {
		return models.ErrNotFound
	}
	return nil
}
