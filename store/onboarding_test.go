package store_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/models/secret"
	"levy/store"
	"levy/store/storetest"
)

// newcomer is a client organization in a database of its own.
type newcomer struct {
	t     *testing.T
	url   string
	store *store.Store
	scope models.Scope
}

// aboard makes a client whose first steps are done.
func aboard(t *testing.T, steps int) *newcomer {
	t.Helper()
	url := storetest.URL(t)
	n := &newcomer{t: t, url: url, store: storetest.Open(t, store.Options{URL: url})}
	root := storetest.Organization(t, url)
	n.scope = models.Scope{OrganizationID: models.NewID(models.PrefixOrganization)}
	first := n.submission(1)
	first.Organization = &models.OrganizationDraft{ParentID: root.OrganizationID, ExternalID: "acme", Name: "Acme", Source: "API"}
	require.NoError(t, n.store.CompleteStep(t.Context(), first, models.StepWork{}))
	for step := 2; step <= steps; step++ {
		require.NoError(t, n.do(n.submission(step)))
	}
	return n
}

func (n *newcomer) submission(step int) models.StepSubmission {
	return models.StepSubmission{OrganizationID: n.scope.OrganizationID, Step: step, ID: models.NewID(models.PrefixSubmission)}
}

// do completes a step from 2 on with content made from the record as it is.
func (n *newcomer) do(sub models.StepSubmission) error {
	n.t.Helper()
	if sub.Step == models.StepAPIKey {
		sub.APIKey = &models.APIKeyDraft{ID: models.NewID(models.PrefixAPIKey), Hash: []byte(models.NewID("key") + "padding")[:32], Prefix: "levy_live_", Last4: "abcd"}
		return n.store.CompleteStep(n.t.Context(), sub, models.StepWork{})
	}
	details, err := n.store.OrganizationDetails(n.t.Context(), n.scope)
	require.NoError(n.t, err)
	return n.write(sub, details.Revision)
}

// write completes a step with a document made from a revision.
func (n *newcomer) write(sub models.StepSubmission, revision int) error {
	document := map[int]string{
		3: models.DocumentDetails, 4: models.DocumentAddress, 5: models.DocumentInformation, 6: models.DocumentContact, 7: models.DocumentOwners, 8: models.DocumentBank,
	}[sub.Step]
	if sub.Step == models.StepBankDetails {
		revision = 0
	}
	return n.store.CompleteStep(n.t.Context(), sub, models.StepWork{Content: models.StepContent{
		Documents: map[string]json.RawMessage{document: json.RawMessage(`{"said":"` + sub.ID + `"}`)}, Revision: revision,
	}})
}

func (n *newcomer) record() models.Onboarding {
	n.t.Helper()
	o, err := n.store.Onboarding(n.t.Context(), n.scope)
	require.NoError(n.t, err)
	return o
}

func (n *newcomer) end() {
	n.t.Helper()
	_, err := n.store.EndOnboarding(n.t.Context(), n.scope, models.OnboardingEnd{Status: models.OnboardingCancelled})
	require.NoError(n.t, err)
}

func TestStepsAreDoneInTheirOrder(t *testing.T) {
	t.Parallel()
	n := aboard(t, 2)
	for done := 2; done < models.LastStep; done++ {
		for later := done + 2; later <= models.LastStep; later++ {
			before := n.record()
			require.Equal(t, &models.StepOrderError{Next: done + 1}, n.do(n.submission(later)))
			require.Equal(t, before, n.record(), "nothing was written")
		}
		require.NoError(t, n.do(n.submission(done+1)))
		require.Equal(t, done+1, n.record().Completed)
		if done > 2 {
			require.NoError(t, n.do(n.submission(3)), "an edit")
			require.Equal(t, done+1, n.record().Completed, "an edit moves nothing")
		}
	}
	require.Equal(t, models.OnboardingCompleted, n.record().Status)
}

// The same submission twice, as after a lost answer, is done once.
func TestASubmissionIsDoneOnce(t *testing.T) {
	t.Parallel()
	n := aboard(t, 3)
	sub := n.submission(4)
	require.NoError(t, n.do(sub))
	after := n.record()
	require.NoError(t, n.do(sub))
	require.Equal(t, after, n.record())
	require.NoError(t, n.do(n.submission(4)))
	require.Equal(t, 2, n.record().Steps[3].Attempts)
}

func TestAStepOfAnOldRecordIsRefused(t *testing.T) {
	t.Parallel()
	n := aboard(t, 3)
	details, err := n.store.OrganizationDetails(t.Context(), n.scope)
	require.NoError(t, err)
	require.NoError(t, n.write(n.submission(3), details.Revision))
	before := n.record()
	require.ErrorIs(t, n.write(n.submission(3), details.Revision), models.ErrChangedMeanwhile)
	require.Equal(t, before, n.record(), "nothing was written")
}

func TestWhatEndedTakesNoStepAndOnlyThatIsUndone(t *testing.T) {
	t.Parallel()
	n := aboard(t, 5)
	inactive := &models.OnboardingInactiveError{Status: models.OnboardingInProgress}
	require.Equal(t, inactive, n.store.UndoStep(t.Context(), n.scope, 5))
	require.Equal(t, inactive, n.store.DestroyDataKey(t.Context(), n.scope))
	require.Equal(t, inactive, n.store.FinishCompensation(t.Context(), n.scope))
	n.end()
	require.Equal(t, &models.OnboardingInactiveError{Status: models.OnboardingCancelled}, n.do(n.submission(6)))
	for range 2 { // each may be repeated
		for step := 5; step >= 1; step-- {
			require.NoError(t, n.store.UndoStep(t.Context(), n.scope, step))
		}
		require.NoError(t, n.store.DestroyDataKey(t.Context(), n.scope))
		require.NoError(t, n.store.FinishCompensation(t.Context(), n.scope))
	}
	o := n.record()
	require.NotNil(t, o.CompensationFinishedAt)
	require.Nil(t, o.NextCheckAt)
	_, err := n.store.AddDataKey(t.Context(), n.scope.OrganizationID, secret.WrappedKey{MasterKeyID: "m", Wrapped: make([]byte, 60)})
	require.ErrorIs(t, err, models.ErrNotFound, "nothing is sealed for it any more")
	n.end()
	require.Equal(t, o, n.record(), "it ended once")
}

// What is in progress, and what is to be undone, is looked at again and again, by one
// process at a time; what is over is not.
func TestPromisesAreLeased(t *testing.T) {
	t.Parallel()
	n := aboard(t, 3)
	conn, err := pgx.Connect(t.Context(), n.url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	lease := func() []models.Onboarding {
		leased, err := n.store.LeaseOnboardings(t.Context(), 10)
		require.NoError(t, err)
		return leased
	}
	due := func() {
		_, err := conn.Exec(t.Context(), "UPDATE onboardings SET next_check_at = now() - interval '1 s' WHERE next_check_at IS NOT NULL")
		require.NoError(t, err)
	}
	require.Empty(t, lease(), "it has just begun")
	due()
	require.Len(t, lease(), 1)
	require.Empty(t, lease(), "somebody has it")
	n.end()
	require.Less(t, time.Until(*n.record().NextCheckAt), time.Minute, "what is to be undone is looked at soon")
	due()
	leased := lease()
	require.Len(t, leased, 1)
	require.Equal(t, []any{n.scope.OrganizationID, models.OnboardingCancelled, 3}, []any{leased[0].OrganizationID, leased[0].Status, leased[0].Completed})
	require.NoError(t, n.store.FinishCompensation(t.Context(), n.scope))
	due()
	require.Empty(t, lease())
}

// What an organization says of itself while it comes aboard is one evaluation of its
// nexus, a little later; what is due already is not put off.
func TestStepsOfAnOnboardingAreOneEvaluationOfNexus(t *testing.T) {
	t.Parallel()
	n := aboard(t, 3)
	conn, err := pgx.Connect(t.Context(), n.url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	register := true
	say := func() {
		details, err := n.store.OrganizationDetails(t.Context(), n.scope)
		require.NoError(t, err)
		require.NoError(t, n.store.CompleteStep(t.Context(), n.submission(3), models.StepWork{
			Content: models.StepContent{Documents: map[string]json.RawMessage{models.DocumentDetails: json.RawMessage(`{}`)}, Revision: details.Revision},
			Details: &models.BusinessDetails{AutoRegister: &register, AutoFile: &register},
		}))
	}
	pending := func() (rows int) {
		require.NoError(t, conn.QueryRow(t.Context(), "SELECT count(*) FROM nexus_changes WHERE organization_id = $1 AND pending", n.scope.OrganizationID).Scan(&rows))
		return rows
	}
	leased := func() []string {
		organizations, err := n.store.LeaseNexus(t.Context(), 10, time.Minute)
		require.NoError(t, err)
		return organizations
	}
	say()
	say()
	require.Equal(t, 1, pending())
	require.Empty(t, leased(), "more may be said")
	_, err = conn.Exec(t.Context(), "UPDATE nexus_changes SET due_at = now() WHERE organization_id = $1", n.scope.OrganizationID)
	require.NoError(t, err)
	say()
	require.Equal(t, []string{n.scope.OrganizationID}, leased())
}
