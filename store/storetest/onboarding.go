package storetest

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
)

// OnboardingBundle is a client organization in a database of its own.
type OnboardingBundle struct {
	t     *testing.T
	URL   string
	Store *store.Store
	Scope models.Scope
}

// Onboard creates a client whose first steps are done.
func Onboard(t *testing.T, steps int) *OnboardingBundle {
	t.Helper()
	url := URL(t)
	n := &OnboardingBundle{t: t, URL: url, Store: Open(t, store.Options{URL: url})}
	root := Organization(t, url)
	n.Scope = models.Scope{OrganizationID: models.NewID(models.PrefixOrganization)}
	first := n.Submission(1)
	first.Organization = &models.OrganizationDraft{
		ParentID: root.OrganizationID, ExternalID: "acme", Name: "Acme", Source: "API",
	}
	require.NoError(t, n.Store.Organizations.CompleteStep(t.Context(), first, models.StepWork{}))
	for step := 2; step <= steps; step++ {
		require.NoError(t, n.Do(n.Submission(step)))
	}
	return n
}

func (n *OnboardingBundle) Submission(step int) models.StepSubmission {
	return models.StepSubmission{
		OrganizationID: n.Scope.OrganizationID, Step: step, ID: models.NewID(models.PrefixSubmission),
	}
}

// Do completes a step from 2 on with content for the current revision.
func (n *OnboardingBundle) Do(sub models.StepSubmission) error {
	n.t.Helper()
	if sub.Step == models.StepAPIKey {
		sub.APIKey = &models.APIKeyDraft{
			ID: models.NewID(models.PrefixAPIKey), Hash: []byte(models.NewID("key") + "padding")[:32],
			Prefix: "levy_live_", Last4: "abcd",
		}
		return n.Store.Organizations.CompleteStep(n.t.Context(), sub, models.StepWork{})
	}
	details, err := n.Store.Organizations.OrganizationDetails(n.t.Context(), n.Scope)
	require.NoError(n.t, err)
	return n.Write(sub, details.Revision)
}

// Write completes a step with a document for a revision.
func (n *OnboardingBundle) Write(sub models.StepSubmission, revision int) error {
	document := map[int]string{
		3: models.DocumentDetails, 4: models.DocumentAddress, 5: models.DocumentInformation,
		6: models.DocumentContact, 7: models.DocumentOwners, 8: models.DocumentBank,
	}[sub.Step]
	if sub.Step == models.StepBankDetails {
		revision = 0
	}
	return n.Store.Organizations.CompleteStep(n.t.Context(), sub, models.StepWork{Content: models.StepContent{
		Documents: map[string]json.RawMessage{
			document: json.RawMessage(`{"said":"` + sub.ID + `"}`),
		}, Revision: revision,
	}})
}

func (n *OnboardingBundle) Record() models.Onboarding {
	n.t.Helper()
	o, err := n.Store.Organizations.Onboarding(n.t.Context(), n.Scope)
	require.NoError(n.t, err)
	return o
}

func (n *OnboardingBundle) End() {
	n.t.Helper()
	_, err := n.Store.Organizations.EndOnboarding(n.t.Context(), n.Scope, models.OnboardingEnd{
		Status: models.OnboardingCancelled,
	})
	require.NoError(n.t, err)
}
