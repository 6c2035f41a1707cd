package hmrc

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"levy/models"
)

// consentMonths is how long the authority renews tokens after a person has granted access.
const consentMonths = 18

// scopes are what Levy asks for: to read obligations and returns, and to submit returns.
const scopes = "read:vat write:vat"

// Consents have people grant access to their organization, by the authorization code of OAuth 2.0 (RFC 6749, section 4.1) with
// PKCE (RFC 7636), which the authority supports: developer.service.hmrc.gov.uk/api-documentation/docs/authorisation.
type Consents struct {
	client         *Client
	page, redirect string
	now            func() time.Time
	owner          func(code string) string // of a sandbox: the organization of a code
}

// NewSandboxConsents returns the consents of a sandbox, whose page is at one address, and which sends people back to another one.
func NewSandboxConsents(client *Client, page, redirect string, now func() time.Time) *Consents {
	return &Consents{client: client, page: page, redirect: redirect, now: now, owner: ownerOf}
}

// Address returns the address at the authority where a person grants access. verifier is that of PKCE.
func (c *Consents) Address(state, verifier string) string {
	return c.page + "?" + url.Values{
		"response_type": {"code"}, "client_id": {c.client.app.ID}, "scope": {scopes}, "state": {state}, "redirect_uri": {c.redirect},
		"code_challenge": {oauth2.S256ChallengeFromVerifier(verifier)}, "code_challenge_method": {"S256"},
	}.Encode()
}

// Exchange exchanges the code with which a person came back for tokens of an organization, until ends. ok is false if the
// authority does not take the code: it was used, or has expired. Errors: models.ErrUnavailable.
func (c *Consents) Exchange(
	ctx context.Context, organizationID, code, verifier string,
) (grant models.AuthorityGrant, ends time.Time, ok bool, err error) {
	// guard: consents: the sandbox grants nothing to another organization than that whose page was answered
	if c.owner != nil && c.owner(code) != organizationID {
		return grant, ends, false, nil
	}
	now := c.now()
	grant, err = c.client.sign(ctx, now, url.Values{
		"grant_type": {"authorization_code"}, "code": {code}, "redirect_uri": {c.redirect}, "code_verifier": {verifier},
	})
	if errors.Is(err, errNotConnected) {
		return grant, ends, false, nil
	}
	return grant, now.AddDate(0, consentMonths, 0), err == nil, err
}

// ownerOf returns the organization of a code of the sandbox; "" for none.
func ownerOf(code string) string {
	parts := strings.Split(code, ".")
	if len(parts) < 2 {
		return ""
	}
	return parts[1]
}
