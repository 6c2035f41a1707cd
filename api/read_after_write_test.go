package api_test

import (
	"context"
	"fmt"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/api"
	"levy/models"
	"levy/service"
)

// blinded is a server whose database cannot be read after the commit of a step.
type blinded struct {
	service.Organizations
	service.Onboardings
	service.APIKeys
	service.Steps
	sees, blind bool
}

var errAway = fmt.Errorf("%w: database does not answer", models.ErrUnavailable)

func (b *blinded) Submit(ctx context.Context, record models.Onboarding, step models.StepSubmission) error {
	err := b.Steps.Submit(ctx, record, step)
	b.blind = err == nil && !b.sees
	return err
}

func (b *blinded) Cancel(ctx context.Context, record models.Onboarding, actor models.Actor, reason string) error {
	err := b.Steps.Cancel(ctx, record, actor, reason)
	b.blind = err == nil && !b.sees
	return err
}

func (b *blinded) Reachable(ctx context.Context, root models.Scope, id string) (models.Organization, error) {
	if b.blind {
		return models.Organization{}, errAway
	}
	return b.Organizations.Reachable(ctx, root, id)
}

func (b *blinded) APIKey(ctx context.Context, scope models.Scope, id string) (models.APIKey, error) {
	if b.blind {
		return models.APIKey{}, errAway
	}
	return b.APIKeys.APIKey(ctx, scope, id)
}

func (b *blinded) Onboarding(ctx context.Context, scope models.Scope) (models.Onboarding, error) {
	if b.blind {
		return models.Onboarding{}, errAway
	}
	return b.Onboardings.Onboarding(ctx, scope)
}

// If the answer to a committed write cannot be read, the client gets an unknown outcome. An error that means
// that nothing was written would be false.
func TestAStepThatWasWrittenButCannotBeReadIsAnsweredAsUnknown(t *testing.T) {
	t.Parallel()
	b := &blinded{}
	in := install(t, func(d *service.Deps, _ *api.Options) {
		b.Organizations, b.Onboardings, b.APIKeys, b.Steps = d.Organizations, d.Onboardings, d.APIKeys, d.Steps
		d.Organizations, d.Onboardings, d.APIKeys, d.Steps = b, b, b, b
	})
	unknown := func(a answer) {
		t.Helper()
		require.Equal(t, http.StatusServiceUnavailable, a.Code, a.Body.String())
		require.Equal(t, "outcome_unknown", a.text("code"))
		require.True(t, b.blind, "the step is done")
		b.blind = false
	}
	unknown(in.do(in.root, http.MethodPost, "/v1/organizations", `{"name": "Acme"}`))
	again := in.do(in.root, http.MethodPost, "/v1/organizations", `{"name": "Acme"}`)
	require.Equal(t, http.StatusConflict, again.Code)
	client := credentials{again.text("existing_id"), in.root.key}
	unknown(in.do(client, http.MethodPost, "/v1/organizations/api_keys", ""))
	b.sees = true
	client.key = in.do(client, http.MethodPost, "/v1/organizations/api_keys", "").text("api_key")
	b.sees = false
	unknown(in.do(client, http.MethodPut, "/v1/organization_details/business_details",
		`{"entity_type": "LLC", "incorporation_country": "US", "company_country_code": "US", "ein": "123456780"}`))
	unknown(in.do(
		in.root, http.MethodPost, "/v1/onboarding/"+client.organizationID+"/cancel", `{"reason": "Elsewhere"}`,
	))
}

// A request with an unknown outcome is repeated with the same key. The answer has the organization
// that the first one created, as long as the key is stored. After that a repeat creates another one.
func TestARepeatIsAnsweredWithTheOrganizationOfAnUnknownOutcome(t *testing.T) {
	t.Parallel()
	b := &blinded{}
	in := install(t, func(d *service.Deps, _ *api.Options) {
		b.Organizations, b.Steps = d.Organizations, d.Steps
		d.Organizations, d.Steps = b, b
	})
	create := func(body, key string) answer {
		return in.do(in.root, http.MethodPost, "/v1/organizations", body, once(key))
	}
	create(`{"name": "Acme"}`, "one").expect(503, "outcome_unknown")
	b.blind, b.sees = false, true
	made := create(`{"name": "Acme"}`, "one").expect(200)
	require.Equal(t, "Acme", made.text("name"))
	require.Equal(t, made.text("id"), create(`{"name": "acme"}`, "two").expect(409, "duplicate_name").text("existing_id"),
		"another request is another organization")

	in.execute("UPDATE idempotency_keys SET expires_at = now()")
	in.execute("UPDATE organizations SET created_at = created_at - interval '25 hours' WHERE id = $1", made.text("id"))
	require.Equal(t, made.text("id"), create(`{"name": "Acme"}`, "one").expect(409, "duplicate_name").text("existing_id"))
	in.execute("UPDATE organizations SET status = 'ARCHIVED' WHERE id = $1", made.text("id"))
	require.NotEqual(t, made.text("id"), create(`{"name": "Acme"}`, "one").expect(200).text("id"))
}
