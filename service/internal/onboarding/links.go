package onboarding

import (
	"context"

	"levy/contract"
	"levy/contract/problem"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
)

// LinkPath is the path of the page of an onboarding link. The token follows it.
const LinkPath = "/join/"

// linkHashed precedes the token of a link, so that it is no valid key or session.
const linkHashed = "onboarding link "

// LinkHashes returns the hashes of a token under every master key.
func (o *Operations) LinkHashes(token string) [][]byte {
	return o.keys.Hashes(linkHashed + token)
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

// LinkHash returns the hash of a token that is made now.
func LinkHash(keys *secret.KeyHasher, token string) []byte { return keys.Hash(linkHashed + token) }

// MakeOnboardingLink creates the link with which a client submits the steps itself, and sends it if the call says to whom.
// The person who gets the e-mail has a token of their own.
func (o *Operations) MakeOnboardingLink(
	ctx context.Context, r contract.MakeOnboardingLinkRequest,
) (contract.MadeOnboardingLink, error) {
	scope, err := o.withinGrant(ctx, r.OrganizationID)
	if err != nil {
		return contract.MadeOnboardingLink{}, err
	}
	mail, err := o.linkMail(ctx, scope, &r.Body)
	if err != nil {
		return contract.MadeOnboardingLink{}, err
	}
	token := secret.NewToken()
	by := call.Of(ctx).Actor()
	by.Granted = scope.OrganizationID != call.Of(ctx).Principal.OrganizationID // also with the partner in the header
	link, err := o.deps.Links.MakeOnboardingLink(ctx, scope, by, o.LinkHashes(token)[0], mail)
	shown, path := linkAnswer(link), LinkPath+token
	return contract.MadeOnboardingLink{
		MadeBy: shown.MadeBy, CreatedAt: shown.CreatedAt, ExpiresAt: shown.ExpiresAt, Mail: shown.Mail, Path: &path,
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

// linkMail returns to whom a link is sent; nil if it is not sent. Errors: *models.InvalidError where e-mail is off,
// or the client has named no contact.
func (o *Operations) linkMail(
	ctx context.Context, scope models.Scope, b *contract.OnboardingLinkCreate,
) (*models.LinkMailRequest, error) {
	if b.Email == "" && !b.ToContact {
		return nil, nil
	}
	field := "email"
	if b.ToContact {
		field = "to_contact"
	}
	if b.Email != "" && b.ToContact {
		return nil, problem.Invalid(models.FieldNotAllowed, field, "email and to_contact mean two addresses; send one of them.")
	}
	if o.Mails == 0 {
		return nil, problem.Invalid(models.FieldNotAllowed, field,
			"This installation sends no e-mail. Make the link without "+field+", and hand it over yourself.")
	}
	mail := &models.LinkMailRequest{Email: b.Email, PerDay: o.Mails}
	if b.ToContact {
		details, err := o.deps.Onboardings.OrganizationDetails(ctx, scope)
		if err != nil {
			return nil, err
		}
		var contact models.BusinessContact
		if err := models.Document(details.BusinessContact, &contact); err != nil {
			return nil, err
		}
		if mail.Email = contact.Email; mail.Email == "" {
			return nil, problem.Invalid(models.FieldMissing, field,
				"The client has named no contact yet (step 6). Send email with an address.")
		}
	}
	return mail, nil
}

// linkMailAnswer returns what became of the e-mail with a link; nil for none.
func linkMailAnswer(m *models.LinkMail) *contract.OnboardingLinkMail {
	if m == nil {
		return nil
	}
	return &contract.OnboardingLinkMail{
		Email: m.Email, Status: contract.OnboardingLinkMailStatus(m.Status), Advice: convert.Optional(m.Advice()),
		SentAt: convert.OptionalInstant(m.SentAt), RemindedAt: convert.OptionalInstant(m.RemindedAt),
	}
}

func linkAnswer(link models.OnboardingLink) contract.OnboardingLink {
	return contract.OnboardingLink{
		MadeBy: link.MadeBy, CreatedAt: convert.Instant(link.CreatedAt), ExpiresAt: convert.Instant(link.ExpiresAt),
		OpenedAt: convert.OptionalInstant(link.OpenedAt), Mail: linkMailAnswer(link.Mail),
	}
}
