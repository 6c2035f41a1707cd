package contract_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/crypto/argon2"

	"levy/internal/browser"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
)

// caller is a key, a person or a link, with the organization that its calls are about. A door authenticates it.
type caller struct {
	group, name   string
	key           string   // an API key
	session       string   // or the token of the session of a person
	link          string   // or the token of the link of an onboarding
	organizations []string // the values of the header x-organization-id
	elsewhere     bool     // a browser sends the call from a page of another site

	owner   credentials // the organization whose records a path and a body name
	payer   string      // whose idempotency keys and quota count
	climb   climb
	limited bool               // its quota is one call a minute
	renew   func(op operation) // restores what a call of its own has ended; nil for nothing
}

// cast is all callers of one installation.
type cast struct {
	*installation
	partner, client credentials
	callers         []*caller
	kept            []string // ids of the API keys that callers use
}

// newCast creates callers in every relation to the organizations that they call about.
func newCast(t tester, in *installation) *cast {
	t.Helper()
	c := &cast{installation: in, partner: in.root, client: in.client()}
	in.onboard(c.partner)
	in.onboard(c.client)
	archived := in.client()
	in.onboard(archived) // else it is archived later, when its onboarding is undone
	in.call(in.root, "DELETE", "/v1/organizations/"+archived.organization, "", 204)
	stranger := in.stranger()
	unknown := models.NewID(models.PrefixOrganization)
	c.addUnauthenticated(unknown, archived.key)
	c.addKeys(stranger.organization, archived.organization, unknown)
	c.addPeople(stranger.organization, archived.organization, unknown)
	c.addLink()
	in.query(&c.kept, "SELECT array_agg(id::text) FROM api_keys WHERE revoked_at IS NULL")
	for _, who := range c.callers {
		c.useKey(who)
	}
	return c
}

// add adds a caller. about is the organization of its header, or empty for no header. Its paths and bodies name records
// of the client, unless it has another owner.
func (c *cast) add(group, name, about string, who caller) *caller {
	who.group, who.name = group, name
	if about != "" {
		who.organizations = []string{about}
	}
	if who.owner.organization == "" {
		who.owner = c.client
	}
	c.callers = append(c.callers, &who)
	return &who
}

// addUnauthenticated adds callers that are refused first: the organization of their header does not exist either.
func (c *cast) addUnauthenticated(unknown, archivedKey string) {
	const group = "unauthenticated"
	revokedID, revoked := c.key(c.parentOf(c.client))
	c.call(c.parentOf(c.client), "DELETE", "/v1/api-keys/"+revokedID, "", 204)
	c.add(group, "no key", unknown, caller{})
	c.add(group, "wrong key", unknown, caller{key: secret.NewAPIKey(secret.KindTest)})
	c.add(group, "revoked key", unknown, caller{key: revoked})
	c.add(group, "key of an archived organization", unknown, caller{key: archivedKey})
	c.add(group, "ended session", unknown, caller{session: "ended"})
	c.add(group, "ended session on another site", unknown, caller{session: "ended", elsewhere: true})
	c.add(group, "ended link", unknown, caller{link: "ended"})
}

// addKeys adds callers with an API key.
func (c *cast) addKeys(stranger, archived, unknown string) {
	scopes := []string{"all", "read", "write", "people"}
	clients, partners := map[string]string{}, map[string]string{}
	for _, scope := range scopes {
		clients[scope] = c.keyOf(c.parentOf(c.client), scope)
		partners[scope] = c.keyOf(c.partner, scope)
	}
	client, partner := c.client.organization, c.partner.organization
	limited := c.installation.client()
	require.NoError(c.t, c.store.Organizations.SetRateLimit(c.t.Context(), models.Scope{OrganizationID: limited.organization},
		models.Actor{}, &models.RateLimit{PerMinute: 1, Burst: 1}))
	c.add("quota used up", "client key", unknown, caller{key: c.keyOf(c.parentOf(limited), "all"), limited: true})

	const none, many, away = "no organization", "two organizations", "organization out of reach"
	c.add(none, "client key", "", caller{key: clients["all"], climb: atBothEnds})
	c.add(none, "partner key", "", caller{key: partners["all"], owner: c.partner, climb: atBothEnds})
	c.add(many, "client key", "", caller{key: clients["all"], organizations: []string{client, client}})
	c.add(away, "client key on partner", partner, caller{key: clients["all"]})
	c.add(away, "client key on stranger", stranger, caller{key: clients["all"]})
	c.add(away, "client key on unknown", unknown, caller{key: clients["all"]})
	c.add(away, "client key on malformed", "org_x", caller{key: clients["all"]})
	c.add(away, "partner key on stranger", stranger, caller{key: partners["all"]})
	c.add(away, "partner key on archived", archived, caller{key: partners["all"]})
	c.add(away, "partner key on unknown", unknown, caller{key: partners["all"]})

	for _, scope := range scopes {
		own := c.add("client key", scope, client, caller{key: clients[scope], payer: client, climb: byRight})
		itself := c.add("partner key on itself", scope, partner,
			caller{key: partners[scope], payer: partner, owner: c.partner, climb: byRight})
		onClient := c.add("partner key on client", scope, client,
			caller{key: partners[scope], payer: partner, climb: byRight})
		switch scope {
		case "all":
			own.climb, itself.climb, onClient.climb = wholly, byOrder, wholly
		case "read":
			own.climb, itself.climb = wholly, byOrder
		}
	}
}

// keyOf creates a key with one scope, or with all.
func (c *cast) keyOf(as credentials, scope string) string {
	c.t.Helper()
	body := `{"scopes":["` + scope + `"]}`
	if scope == "all" {
		body = ""
	}
	return c.call(as, "POST", "/v1/api-keys", body, 200).text(c.t, "api_key")
}

// addPeople adds callers with the session of a person.
func (c *cast) addPeople(stranger, archived, unknown string) {
	client, partner := c.client.organization, c.partner.organization
	for _, role := range []models.Role{models.RoleViewer, models.RolePreparer, models.RoleApprover, models.RoleAdmin} {
		own := c.member(role, nil, client)
		who := c.add("person of the client", string(role), client, own)
		who.climb = byRight
		of := c.member(role, nil, partner)
		onClient := c.add("person of the partner on client", string(role), client, of)
		of.owner = c.partner
		onClient.climb = byRight
		c.add("person of the partner on itself", string(role), partner, of).climb = byRight
		if role == models.RoleViewer {
			who.climb, onClient.climb = wholly, byOrder
			c.add("no organization", "person of the client", "", own).climb = atBothEnds
		}
		if role == models.RoleAdmin {
			who.climb = byOrder
		}
	}
	const away = "organization out of reach"
	admin := c.member(models.RoleAdmin, nil, client)
	c.add(away, "person of the client on partner", partner, admin)
	c.add(away, "person of the client on unknown", unknown, admin)
	c.add(away, "person of the client on malformed", "org_x", admin)
	c.add(away, "person of a stranger", client, c.member(models.RoleAdmin, nil, stranger))
	c.add(away, "person of an archived organization", archived, c.member(models.RoleAdmin, nil, archived))
	c.add(away, "person of nothing", client, c.member("", nil))
	c.add("no organization", "person of nothing", "", c.member("", nil)).climb = atBothEnds
	c.add("no organization", "person of two", "", c.member(models.RoleAdmin, nil, client, stranger)).climb = atBothEnds
	abroad := c.member(models.RoleAdmin, nil, client)
	abroad.elsewhere = true
	c.add("person on another site", "admin", unknown, abroad)

	for _, role := range []models.StaffRole{models.StaffAuditor, models.StaffOperator} {
		of := c.member("", &role)
		c.add("staff on client", string(role), client, of).climb = byOrder
		c.add(away, string(role)+" on archived", archived, of)
		c.add(away, string(role)+" on unknown", unknown, of)
		of.owner = credentials{organization: staffOnly}
		c.add("staff, no organization", string(role), "", of).climb = wholly
	}
}

// staffOnly stands for the operator, who is no organization.
const staffOnly = "operator"

// member is a person with a session and with roles.
func (c *cast) member(role models.Role, staff *models.StaffRole, organizations ...string) caller {
	c.t.Helper()
	u := models.User{Email: c.next("caller") + "@example.com", Name: "Ada", StaffRole: staff}
	var first *models.Membership
	if len(organizations) > 0 {
		first = &models.Membership{OrganizationID: organizations[0], Role: role}
	}
	ctx := c.t.Context()
	require.NoError(c.t, c.store.People.CreateUser(ctx, models.Actor{}, &u, first, nil))
	for _, other := range organizations[min(1, len(organizations)):] {
		c.execute("INSERT INTO memberships (organization_id, user_id, role, created_at) VALUES ($1, $2, $3, now())",
			other, u.ID, role)
	}
	c.execute("UPDATE users SET status = 'ACTIVE', password_hash = $2 WHERE id = $1", u.ID, hashOfOwnPassword())
	token := c.next("session")
	begin := func(op operation) {
		if op.Operation == nil || op.OperationID == "signOut" {
			require.NoError(c.t, c.store.People.BeginSession(ctx, &u, service.SessionHashes(c.hasher, token)[0],
				models.SignInProof{Age: new(-24 * time.Hour)}, "req_begin")) // it stays proven
		}
	}
	begin(operation{})
	return caller{session: token, payer: u.ID, renew: begin}
}

// hashOfOwnPassword is the stored form of ownPassword, with parameters that cost little.
var hashOfOwnPassword = sync.OnceValue(func() string {
	salt := []byte("the salt of all ")
	key := argon2.IDKey([]byte(ownPassword), salt, 1, 8, 1, 32)
	encode := base64.RawStdEncoding.EncodeToString
	return "$argon2id$v=19$m=8,t=1,p=1$" + encode(salt) + "$" + encode(key)
})

// addLink adds callers with the link of an onboarding. Its last step is missing, and ends the link.
func (c *cast) addLink() {
	who := c.add("onboarding link", "own", "", caller{climb: wholly})
	none := c.add("onboarding link", "no organization", "", caller{climb: atBothEnds})
	away := c.add("organization out of reach", "onboarding link", c.partner.organization, caller{})
	begin := func(op operation) {
		if op.Operation != nil && !strings.HasPrefix(op.OperationID, "putBankDetails") {
			return
		}
		client := c.installation.client()
		for _, step := range stepPaths[:len(stepPaths)-1] {
			c.call(client, "PUT", step.path, stepBodies[step.operation], 200)
		}
		made := c.call(c.parentOf(client), "POST", "/v1/onboarding/"+client.organization+"/link", "", 200)
		token := strings.TrimPrefix(made.text(c.t, "path"), service.OnboardingLinkPath)
		for _, one := range []*caller{who, none, away} {
			one.link, one.owner, one.payer = token, client, client.organization
		}
		who.organizations = []string{client.organization}
		c.useKey(who)
		var id string
		c.query(&id, "SELECT id FROM api_keys WHERE organization_id = $1 AND revoked_at IS NULL", client.organization)
		c.kept = append(c.kept, id)
	}
	begin(operation{})
	who.renew, none.renew = begin, begin
}

// usedKey is an idempotency key that each caller has sent with another request.
const usedKey = "used-before"

// useKey stores that key for a caller.
func (c *cast) useKey(who *caller) {
	if who.climb < byRight || len(who.organizations) != 1 {
		return
	}
	claim := models.NewClaim(who.organizations[0], who.payer, usedKey, [32]byte{})
	c.execute(`INSERT INTO idempotency_keys (organization_id, key_hash, fingerprint, status, expires_at)
		VALUES ($1, $2, $3, 204, now() + interval '1 day') ON CONFLICT DO NOTHING`,
		claim.OrganizationID, claim.KeyHash, claim.Fingerprint)
}

// endOtherKeys revokes the API keys that no caller uses: an organization has few.
func (c *cast) endOtherKeys() {
	c.execute("UPDATE api_keys SET revoked_at = now() WHERE revoked_at IS NULL AND id <> ALL ($1)", c.kept)
}

// headers are those by which a caller is known in HTTP.
func (who *caller) headers(h http.Header) {
	switch {
	case who.key != "":
		h.Set("X-API-KEY", who.key)
	case who.session != "":
		h.Set("Cookie", browser.HostSessionCookie+"="+who.session)
	case who.link != "":
		h.Set("Cookie", "levy_onboarding="+who.link)
	}
	if who.key == "" {
		h.Set("Sec-Fetch-Site", map[bool]string{true: "cross-site", false: "same-origin"}[who.elsewhere])
	}
	for _, id := range who.organizations {
		h.Add("x-organization-id", id)
	}
}
