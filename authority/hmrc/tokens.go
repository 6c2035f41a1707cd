package hmrc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"

	"levy/models"
)

// Grants are what organizations have granted to Levy at the authority. They are stored encrypted.
type Grants interface {
	// Grant reads the grant of an organization. Errors: models.ErrNotFound.
	Grant(ctx context.Context, organizationID string) (models.AuthorityGrant, error)
	// RenewGrant replaces the grant of an organization by that which renew makes of the stored one, which is empty if there is
	// none. One caller renews at a time: the others get what it made. Errors: those of renew, after which the old one stays.
	RenewGrant(
		ctx context.Context, organizationID string, renew func(context.Context, models.AuthorityGrant) (models.AuthorityGrant, error),
	) (models.AuthorityGrant, error)
}

// errNotConnected means that the organization has granted nothing, or that its grant has ended.
var errNotConnected = errors.New("no grant at the authority")

// signTimeout is how long a sign-in may take. The store holds a lock meanwhile.
const signTimeout = 5 * time.Second

// before is how long before its end a token is renewed.
const before = time.Minute

// token returns a token of an organization that is in force. used is one that the authority has refused; "" for none. Errors:
// errNotConnected, models.ErrUnavailable.
func (a *Adapter) token(ctx context.Context, organizationID, used string) (string, error) {
	inForce := func(g models.AuthorityGrant) bool {
		return g.Access != "" && g.Access != used && a.now().Add(before).Before(g.Expires)
	}
	kept, err := a.grants.Grant(ctx, organizationID)
	switch {
	case err == nil && inForce(kept):
		return kept.Access, nil
	case err != nil && !errors.Is(err, models.ErrNotFound):
		return "", err
	}
	renew := func(ctx context.Context, stored models.AuthorityGrant) (models.AuthorityGrant, error) {
		// guard: hmrc: a grant that another call has renewed meanwhile is not renewed again
		if inForce(stored) {
			return stored, nil
		}
		// The authority takes a refresh token once: a second renewal would end the grant. When the first one was lost, a sandbox is
		// asked for its consent again, unless a person gave it.
		asks := a.consent != nil && !stored.Consented
		if stored.Refresh != "" {
			grant, err := a.client.sign(ctx, a.now(), url.Values{"grant_type": {"refresh_token"}, "refresh_token": {stored.Refresh}})
			if !asks || !errors.Is(err, errNotConnected) {
				grant.Consented = stored.Consented
				return grant, err
			}
		}
		// guard: hmrc: what a person has ended is not granted again without one
		if !asks {
			return stored, errNotConnected
		}
		return a.client.sign(ctx, a.now(), url.Values{"grant_type": {"authorization_code"}, "code": {a.consent(organizationID)}})
	}
	kept, err = a.grants.RenewGrant(ctx, organizationID, renew)
	return kept.Access, err
}

// sign exchanges a code or a refresh token for a grant. Errors: errNotConnected when the authority refuses it;
// models.ErrUnavailable. The form of the answer is that of OAuth 2.0 (RFC 6749, section 5), which the description names.
func (c *Client) sign(ctx context.Context, now time.Time, form url.Values) (g models.AuthorityGrant, err error) {
	ctx, cancel := context.WithTimeout(ctx, signTimeout)
	defer cancel()
	form.Set("client_id", c.app.ID)
	form.Set("client_secret", c.app.Secret)
	answer, err := c.do(ctx, call{
		method: http.MethodPost, path: "/oauth/token", body: []byte(form.Encode()),
		header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}},
	})
	if err != nil {
		return g, err
	}
	var said struct {
		Access  string `json:"access_token"`
		Refresh string `json:"refresh_token"`
		Seconds int64  `json:"expires_in"`
	}
	switch {
	case answer.status == http.StatusBadRequest || answer.status == http.StatusUnauthorized:
		return g, fmt.Errorf("%w: %s", errNotConnected, answer.code())
	case answer.status != http.StatusOK, json.Unmarshal(answer.body, &said) != nil, said.Access == "", said.Seconds <= 0:
		return g, fmt.Errorf("%w: the sign-in of the VAT API cannot be read", models.ErrUnavailable)
	}
	return models.AuthorityGrant{
		Access: said.Access, Refresh: said.Refresh, Expires: now.Add(time.Duration(said.Seconds) * time.Second),
	}, nil
}
