package onboarding

import (
	"context"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// LinkPath is the path of the page of an onboarding link. The token follows it.
const LinkPath = "/join/"

// LinkHashes returns the hashes of a token under every master key. The prefix keeps a token from being a valid key
// or session.
func (o *Operations) LinkHashes(token string) [][]byte {
	return o.keys.Hashes("onboarding link " + token)
}

// GetOnboardingLink reads the link of a client's onboarding.
func (o *Operations) GetOnboardingLink(
	ctx context.Context, r contract.GetOnboardingLinkRequest,
) (contract.OnboardingLink, error) {
	scope, err := o.within(ctx, r.OrganizationID)
	if err != nil {
		return contract.OnboardingLink{}, err
	}
	link, err := o.deps.Links.OnboardingLink(ctx, scope)
	return linkAnswer(link), err
}

// MakeOnboardingLink creates the link with which a client submits the steps itself.
func (o *Operations) MakeOnboardingLink(
	ctx context.Context, r contract.MakeOnboardingLinkRequest,
) (contract.MadeOnboardingLink, error) {
	scope, err := o.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return contract.MadeOnboardingLink{}, err
	}
	token := secret.NewToken()
	by := call.Of(ctx).Actor()
	by.Granted = scope.OrganizationID != call.Of(ctx).Principal.OrganizationID // also with the partner in the header
	link, err := o.deps.Links.MakeOnboardingLink(ctx, scope, by, o.LinkHashes(token)[0])
	shown, path := linkAnswer(link), LinkPath+token
	return contract.MadeOnboardingLink{
		MadeBy: shown.MadeBy, CreatedAt: shown.CreatedAt, ExpiresAt: shown.ExpiresAt, Path: &path,
		SecretAvailable: true,
	}, err
}

// EndOnboardingLink revokes the link at once.
func (o *Operations) EndOnboardingLink(ctx context.Context, r contract.EndOnboardingLinkRequest) error {
	scope, err := o.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return err
	}
	return o.deps.Links.EndOnboardingLink(ctx, scope, call.Of(ctx).Actor())
}

func linkAnswer(link models.OnboardingLink) contract.OnboardingLink {
	return contract.OnboardingLink{
		MadeBy: link.MadeBy, CreatedAt: convert.Instant(link.CreatedAt), ExpiresAt: convert.Instant(link.ExpiresAt),
		OpenedAt: convert.OptionalInstant(link.OpenedAt),
	}
}
