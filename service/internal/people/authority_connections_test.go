package people

import (
	"bytes"
	"context"
	"crypto/sha256"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/deps"
)

// registry keeps the consents and connections of one organization, and is its authority too.
type registry struct {
	deps.Organizations
	live      bool
	begun     *models.AuthorityConsent
	connected *models.AuthorityConnection
	refused   int
	verifiers []string
	down      bool
}

func (r *registry) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{IsTest: !r.live}, nil
}

func (r *registry) BeginConsent(_ context.Context, _ models.Scope, _ models.Actor, c models.AuthorityConsent) error {
	r.begun = &c
	return nil
}

func (r *registry) UseConsent(_ context.Context, _ models.Scope, _ string, state []byte) (models.AuthorityConsent, error) {
	if r.begun == nil || !bytes.Equal(r.begun.State, state) {
		return models.AuthorityConsent{}, models.ErrNotFound
	}
	c := *r.begun
	r.begun = nil
	return c, nil
}

func (r *registry) RefuseConsent(context.Context, models.Scope, models.Actor, string) error {
	r.refused++
	return nil
}

func (r *registry) Connect(
	_ context.Context, _ models.Scope, actor models.Actor, authority string, _ models.AuthorityGrant, ends time.Time,
) error {
	r.connected = &models.AuthorityConnection{Authority: authority, GrantedAt: atNoon, GrantedBy: actor.UserName, EndsAt: ends}
	return nil
}

func (r *registry) Disconnect(context.Context, models.Scope, models.Actor, string) error {
	if r.connected == nil {
		return models.ErrNotFound
	}
	r.connected = nil
	return nil
}

func (r *registry) Connections(context.Context, models.Scope) ([]models.AuthorityConnection, error) {
	if r.connected == nil {
		return nil, nil
	}
	return []models.AuthorityConnection{*r.connected}, nil
}

func (r *registry) Address(state, verifier string) string {
	r.verifiers = append(r.verifiers, verifier)
	return "/authority?state=" + state
}

func (r *registry) Exchange(_ context.Context, _, code, verifier string) (models.AuthorityGrant, time.Time, bool, error) {
	if r.down {
		return models.AuthorityGrant{}, time.Time{}, false, models.ErrUnavailable
	}
	good := code == "good" && verifier == r.verifiers[len(r.verifiers)-1]
	return models.AuthorityGrant{Access: "token"}, atNoon.AddDate(0, 18, 0), good, nil
}

var atNoon = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)

// clerk is a person who grants access in a session.
type clerk struct {
	*Operations
	*registry
	t   *testing.T
	now time.Time
}

func newClerk(t *testing.T) *clerk {
	t.Helper()
	c := &clerk{registry: &registry{}, t: t, now: atNoon}
	ring, err := secret.ParseRing(secret.NewMasterKey("test"))
	require.NoError(t, err)
	c.Operations = New(&deps.Deps{
		Organizations: c.registry, Connections: c.registry, Consents: map[string]deps.Consents{"hmrc": c.registry},
	}, func() time.Time { return c.now }, nil, secret.NewKeyHasher(ring), slog.New(slog.DiscardHandler), nil, nil, nil, nil, nil, nil)
	return c
}

func (c *clerk) in(session string, change contract.AuthorityConnectionChange) (contract.AuthorityConnection, error) {
	change.Authority = "hmrc"
	who := &call.Call{Scope: models.Scope{OrganizationID: "org_1"}, Token: session}
	if session != "" {
		who.Person = &models.User{ID: "user_1", Name: "Ada"}
	}
	return c.ChangeAuthorityConnection(call.With(c.t.Context(), who), contract.ChangeAuthorityConnectionRequest{Body: change})
}

// begin returns the state of a new consent.
func (c *clerk) begin() string {
	c.t.Helper()
	answer, err := c.in("session", contract.AuthorityConnectionChange{Action: "BEGIN"})
	require.NoError(c.t, err)
	_, state, _ := strings.Cut(*answer.Address, "state=")
	require.True(c.t, strings.HasPrefix(state, "org_1."))
	sum := sha256.Sum256([]byte(state))
	require.Equal(c.t, sum[:], c.begun.State, "only a hash of it is stored")
	return state
}

// refusedFor returns the field for which a step was refused.
func refusedFor(t *testing.T, err error) string {
	t.Helper()
	var invalid *models.InvalidError
	require.ErrorAs(t, err, &invalid)
	require.Len(t, invalid.Faults, 1)
	return invalid.Faults[0].Path
}

func TestAPersonGrantsAccessAtAnAuthority(t *testing.T) {
	t.Parallel()
	c := newClerk(t)
	finish := func(session, state, code string) (contract.AuthorityConnection, error) {
		return c.in(session, contract.AuthorityConnectionChange{Action: "FINISH", State: state, Code: code})
	}
	_, err := c.in("", contract.AuthorityConnectionChange{Action: "BEGIN"})
	require.ErrorContains(t, err, "Only a person")
	_, err = finish("session", "org_1.MADEUP", "good")
	require.Equal(t, "state", refusedFor(t, err))
	_, err = finish("another", c.begin(), "good")
	require.Equal(t, "state", refusedFor(t, err), "it began in another session")
	late := c.begin()
	c.now = c.now.Add(models.ConsentLasts)
	_, err = finish("session", late, "good")
	require.Equal(t, "state", refusedFor(t, err), "it is over")
	c.now = atNoon
	_, err = finish("session", c.begin(), "used")
	require.Equal(t, "code", refusedFor(t, err))
	_, err = finish("session", c.begin(), "")
	require.Equal(t, "error", refusedFor(t, err), "the person has denied it")
	require.Equal(t, 2, c.refused, "both are in the trail")
	c.down = true
	_, err = finish("session", c.begin(), "good")
	require.ErrorIs(t, err, models.ErrUnavailable)
	c.down = false
	require.Nil(t, c.connected)

	state := c.begin()
	done, err := finish("session", state, "good")
	require.NoError(t, err)
	require.Equal(t, "CONNECTED Ada", string(done.Status)+" "+*done.GrantedBy)
	require.Nil(t, done.Address)
	_, err = finish("session", state, "good")
	require.Equal(t, "state", refusedFor(t, err), "a state comes back once")
	for range 2 {
		ended, err := c.in("session", contract.AuthorityConnectionChange{Action: "END"})
		require.NoError(t, err)
		require.Equal(t, "NOT_CONNECTED", string(ended.Status))
	}
}

// Returns of live organizations go to no authority, so they grant nothing.
func TestALiveOrganizationGrantsNothing(t *testing.T) {
	t.Parallel()
	c := newClerk(t)
	ctx := call.With(t.Context(), &call.Call{Scope: models.Scope{OrganizationID: "org_1"}})
	list, err := c.ListAuthorityConnections(ctx, contract.ListAuthorityConnectionsRequest{})
	require.NoError(t, err)
	require.Len(t, list.Items, 1)
	require.Equal(t, "NOT_CONNECTED", string(list.Items[0].Status))
	c.live = true
	list, err = c.ListAuthorityConnections(ctx, contract.ListAuthorityConnectionsRequest{})
	require.NoError(t, err)
	require.Empty(t, list.Items)
	_, err = c.in("session", contract.AuthorityConnectionChange{Action: "BEGIN"})
	require.Equal(t, "authority", refusedFor(t, err))
}
