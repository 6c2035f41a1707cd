package api

import (
	"context"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
)

// OnboardingLinkPath is the path of the page that a link of an onboarding opens; its token comes after it.
const OnboardingLinkPath = "/join/"

// Tokens of these links are hashed apart from keys and sessions: none can stand for another.
func (s *Server) linkHashes(token string) [][]byte { return s.keys.Hashes("onboarding link " + token) }

// isLink reports whether a link of an onboarding takes the place of a key.
func (c *call) isLink() bool { return c.link != "" }

// GetOnboardingLink reads about the link of a client's onboarding.
func (s *Server) GetOnboardingLink(
	ctx context.Context, r contract.GetOnboardingLinkRequest,
) (contract.OnboardingLink, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.OnboardingLink{}, err
	}
	link, err := s.deps.Links.OnboardingLink(ctx, scope)
	return linkAnswer(link), err
}

// MakeOnboardingLink makes the link with which a client does the steps itself.
func (s *Server) MakeOnboardingLink(
	ctx context.Context, r contract.MakeOnboardingLinkRequest,
) (contract.MadeOnboardingLink, error) {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.MadeOnboardingLink{}, err
	}
	token := secret.NewToken()
	link, err := s.deps.Links.MakeOnboardingLink(ctx, scope, callOf(ctx).actor(), s.linkHashes(token)[0])
	shown, path := linkAnswer(link), OnboardingLinkPath+token
	return contract.MadeOnboardingLink{
		MadeBy: shown.MadeBy, CreatedAt: shown.CreatedAt, ExpiresAt: shown.ExpiresAt, Path: &path,
		SecretAvailable: true,
	}, err
}

// EndOnboardingLink ends the link at once.
func (s *Server) EndOnboardingLink(ctx context.Context, r contract.EndOnboardingLinkRequest) error {
	scope, err := s.within(ctx, r.OrganizationID)
	if err != nil {
		return err
	}
	return s.deps.Links.EndOnboardingLink(ctx, scope, callOf(ctx).actor())
}

func linkAnswer(link models.OnboardingLink) contract.OnboardingLink {
	return contract.OnboardingLink{
		MadeBy: link.MadeBy, CreatedAt: instant(link.CreatedAt), ExpiresAt: instant(link.ExpiresAt),
		OpenedAt: optionalInstant(link.OpenedAt),
	}
}
