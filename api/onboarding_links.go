package api

import (
	"context"

	"github.com/gin-gonic/gin"

	"levy/api/openapi"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
)

// linkCookie carries the token of a link of an onboarding.
const linkCookie = "levy_onboarding"

// OnboardingLinkPath is the path of the page that a link of an onboarding opens; its token comes after it.
const OnboardingLinkPath = "/join/"

// Tokens of these links are hashed apart from keys and sessions: none can stand for another.
func (s *Server) linkHashes(token string) [][]byte { return s.keys.Hashes("onboarding link " + token) }

// isLink reports whether a link of an onboarding takes the place of a key.
func (c *call) isLink() bool { return c.link != "" }

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

// GetOnboardingLink reads about the link of a client's onboarding.
func (s *Server) GetOnboardingLink(
	ctx context.Context, r openapi.GetOnboardingLinkRequest,
) (openapi.OnboardingLink, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return openapi.OnboardingLink{}, err
	}
	link, err := s.deps.Links.OnboardingLink(ctx, scope)
	return linkAnswer(link), err
}

// MakeOnboardingLink makes the link with which a client does the steps itself.
func (s *Server) MakeOnboardingLink(
	ctx context.Context, r openapi.MakeOnboardingLinkRequest,
) (openapi.MadeOnboardingLink, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return openapi.MadeOnboardingLink{}, err
	}
	token := secret.NewToken()
	link, err := s.deps.Links.MakeOnboardingLink(ctx, scope, callOf(ctx).actor(), s.linkHashes(token)[0])
	shown, path := linkAnswer(link), OnboardingLinkPath+token
	return openapi.MadeOnboardingLink{
		MadeBy: shown.MadeBy, CreatedAt: shown.CreatedAt, ExpiresAt: shown.ExpiresAt, Path: &path, SecretAvailable: true,
	}, err
}

// EndOnboardingLink ends the link at once.
func (s *Server) EndOnboardingLink(ctx context.Context, r openapi.EndOnboardingLinkRequest) error {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return err
	}
	return s.deps.Links.EndOnboardingLink(ctx, scope, callOf(ctx).actor())
}

func linkAnswer(link models.OnboardingLink) openapi.OnboardingLink {
	return openapi.OnboardingLink{
		MadeBy: link.MadeBy, CreatedAt: instant(link.CreatedAt), ExpiresAt: instant(link.ExpiresAt),
		OpenedAt: optionalInstant(link.OpenedAt),
	}
}
