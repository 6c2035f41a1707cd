package organizations_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

func TestStepsAreDoneInTheirOrder(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	for done := 2; done < models.LastStep; done++ {
		for later := done + 2; later <= models.LastStep; later++ {
			before := n.Record()
			require.Equal(t, &models.StepOrderError{Next: done + 1}, n.Do(n.Submission(later)))
			require.Equal(t, before, n.Record(), "nothing was written")
		}
		require.NoError(t, n.Do(n.Submission(done+1)))
		require.Equal(t, done+1, n.Record().Completed)
		if done > 2 {
			require.NoError(t, n.Do(n.Submission(3)), "an edit")
			require.Equal(t, done+1, n.Record().Completed, "an edit moves nothing")
		}
	}
	require.Equal(t, models.OnboardingCompleted, n.Record().Status)
}

// The same submission twice, as after a lost answer, is done once.
func TestASubmissionIsDoneOnce(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	sub := n.Submission(4)
	require.NoError(t, n.Do(sub))
	after := n.Record()
	require.NoError(t, n.Do(sub))
	require.Equal(t, after, n.Record())
	require.NoError(t, n.Do(n.Submission(4)))
	require.Equal(t, 2, n.Record().Steps[3].Attempts)
}

// A write by a person or through a link postpones the expiry like a write by a key. A read does not.
func TestWhatPeopleWriteIsProgress(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 2)
	began := n.Record().ProgressAt
	person := models.Actor{UserID: models.NewID(models.PrefixUser), UserName: "Ada"}
	read := person.Entry(n.Scope, models.AuditRead, "organization_details", n.Scope.OrganizationID)
	require.NoError(t, n.Store.Audit.NoteRead(t.Context(), read))
	require.Equal(t, began, n.Record().ProgressAt)
	sub := n.Submission(3)
	sub.UserID, sub.UserName = person.UserID, person.UserName
	require.NoError(t, n.Do(sub))
	require.True(t, n.Record().ProgressAt.After(began))
}

func TestAStepOfAnOldRecordIsRefused(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	details, err := n.Store.Organizations.OrganizationDetails(t.Context(), n.Scope)
	require.NoError(t, err)
	require.NoError(t, n.Write(n.Submission(3), details.Revision))
	before := n.Record()
	require.ErrorIs(t, n.Write(n.Submission(3), details.Revision), models.ErrChangedMeanwhile)
	require.Equal(t, before, n.Record(), "nothing was written")
}

func TestAnEndedOnboardingTakesNoStepsAndIsUndone(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 5)
	inactive := &models.OnboardingInactiveError{Status: models.OnboardingInProgress}
	require.Equal(t, inactive, n.Store.Organizations.UndoStep(t.Context(), n.Scope, 5))
	require.Equal(t, inactive, n.Store.Organizations.DestroyDataKey(t.Context(), n.Scope))
	require.Equal(t, inactive, n.Store.Organizations.FinishCompensation(t.Context(), n.Scope))
	n.End()
	require.Equal(t, &models.OnboardingInactiveError{Status: models.OnboardingCancelled}, n.Do(n.Submission(6)))
	for range 2 { // each may be repeated
		for step := 5; step >= 1; step-- {
			require.NoError(t, n.Store.Organizations.UndoStep(t.Context(), n.Scope, step))
		}
		require.NoError(t, n.Store.Organizations.DestroyDataKey(t.Context(), n.Scope))
		require.NoError(t, n.Store.Organizations.FinishCompensation(t.Context(), n.Scope))
	}
	o := n.Record()
	require.NotNil(t, o.CompensationFinishedAt)
	require.Nil(t, o.NextCheckAt)
	_, err := n.Store.Organizations.AddDataKey(t.Context(), n.Scope.OrganizationID, secret.WrappedKey{
		MasterKeyID: "m", Wrapped: make([]byte, 60),
	})
	require.ErrorIs(t, err, models.ErrNotFound, "nothing is sealed for it any more")
	n.End()
	require.Equal(t, o, n.Record(), "it ended once")
}

// Onboardings that are in progress or to be undone are checked periodically, by one process at a time; those that
// have ended are not.
func TestOpenOnboardingsAreLeased(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	conn := storetest.SQL(t, n.URL)
	lease := func() []models.Onboarding {
		leased, err := n.Store.Organizations.LeaseOnboardings(t.Context(), 10)
		require.NoError(t, err)
		return leased
	}
	due := func() {
		_, err := conn.Exec(t.Context(),
			"UPDATE onboardings SET next_check_at = now() - interval '1 s' WHERE next_check_at IS NOT NULL")
		require.NoError(t, err)
	}
	require.Empty(t, lease(), "it has just begun")
	due()
	require.Len(t, lease(), 1)
	require.Empty(t, lease(), "another process has it")
	n.End()
	require.Less(t, time.Until(*n.Record().NextCheckAt), time.Minute, "an onboarding that is to be undone is checked soon")
	due()
	leased := lease()
	require.Len(t, leased, 1)
	require.Equal(t, []any{
		n.Scope.OrganizationID, models.OnboardingCancelled, 3,
	}, []any{leased[0].OrganizationID, leased[0].Status, leased[0].Completed})
	require.NoError(t, n.Store.Organizations.FinishCompensation(t.Context(), n.Scope))
	due()
	require.Empty(t, lease())
}

// The details that an organization sends during its onboarding lead to one evaluation of its nexus, a little later.
// An evaluation that is already due is not postponed.
func TestStepsOfAnOnboardingAreOneEvaluationOfNexus(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 3)
	conn := storetest.SQL(t, n.URL)
	register := true
	say := func() {
		details, err := n.Store.Organizations.OrganizationDetails(t.Context(), n.Scope)
		require.NoError(t, err)
		require.NoError(t, n.Store.Organizations.CompleteStep(t.Context(), n.Submission(3), models.StepWork{
			Content: models.StepContent{
				Documents: map[string]json.RawMessage{models.DocumentDetails: json.RawMessage(`{}`)},
				Revision:  details.Revision,
			},
			Details: &models.BusinessDetails{AutoRegister: &register, AutoFile: &register},
		}))
	}
	pending := func() (rows int) {
		require.NoError(t, conn.QueryRow(t.Context(),
			"SELECT count(*) FROM nexus_changes WHERE organization_id = $1 AND pending", n.Scope.OrganizationID).Scan(&rows))
		return rows
	}
	leased := func() []string {
		organizations, err := n.Store.Nexus.LeaseNexus(t.Context(), 10, time.Minute)
		require.NoError(t, err)
		return organizations
	}
	say()
	say()
	require.Equal(t, 1, pending())
	require.Empty(t, leased(), "more details may follow")
	_, err := conn.Exec(t.Context(), "UPDATE nexus_changes SET due_at = now() WHERE organization_id = $1",
		n.Scope.OrganizationID)
	require.NoError(t, err)
	say()
	require.Equal(t, []string{n.Scope.OrganizationID}, leased())
}

// A link makes one key, however many of its submissions were read before the first one was done.
func TestAnOnboardingLinkMakesOneKey(t *testing.T) {
	t.Parallel()
	n := storetest.Onboard(t, 1)
	sub := n.Submission(models.StepAPIKey)
	sub.UserID, sub.UserName = models.NewID(models.PrefixOnboardingLink), "Onboarding link"
	done := make(chan error, 4)
	for range cap(done) {
		copied := sub
		copied.ID = models.NewID(models.PrefixSubmission)
		go func() { done <- n.Do(copied) }()
	}
	var made int
	for range cap(done) {
		if err := <-done; err == nil {
			made++
		} else {
			require.ErrorIs(t, err, models.ErrLinkUsed)
		}
	}
	require.Equal(t, 1, made)
	require.NoError(t, n.Do(n.Submission(models.StepAPIKey)), "a key of the partner may repeat the step")
}

// A key that is revoked while it makes something makes nothing.
func TestAnEndedMakerMakesNothing(t *testing.T) {
	t.Parallel()
	s, _ := storetest.NewStore(t)
	root := storetest.NewRoot(t, s)
	hasher := storetest.NewHasher(t)
	_, maker := storetest.NewKey(hasher)
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), root, storetest.Actor, maker))
	by := models.Actor{APIKeyID: maker.ID, RequestID: "req"}
	_, before := storetest.NewKey(hasher)
	require.NoError(t, s.Organizations.CreateAPIKey(t.Context(), root, by, before))
	require.NoError(t, s.Organizations.RevokeAPIKey(t.Context(), root, storetest.Actor, maker.ID))
	_, late := storetest.NewKey(hasher)
	require.ErrorIs(t, s.Organizations.CreateAPIKey(t.Context(), root, by, late), models.ErrMakerEnded)

	u := models.User{Email: "boss@example.com", Name: "Boss"}
	require.NoError(t, s.People.CreateUser(t.Context(), models.Actor{}, &u,
		&models.Membership{OrganizationID: root.OrganizationID, Role: models.RoleAdmin}, []byte("link")))
	gone := models.Actor{UserID: u.ID, UserName: "Boss"}
	require.NoError(t, s.People.RemoveUser(t.Context(), models.Actor{}, root.OrganizationID, u.ID))
	require.ErrorIs(t, s.Organizations.CreateAPIKey(t.Context(), root, gone, late), models.ErrMakerEnded)
}
