package activities

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// keyFake keeps the data keys of organizations in memory.
type keyFake struct {
	secret.DataKeys
	keys map[string]secret.WrappedKey
}

func (f keyFake) DataKey(_ context.Context, organizationID string) (secret.WrappedKey, bool, error) {
	key, ok := f.keys[organizationID]
	return key, ok, nil
}

func (f keyFake) AddDataKey(
	_ context.Context, organizationID string, key secret.WrappedKey,
) (secret.WrappedKey, error) {
	f.keys[organizationID] = key
	return key, nil
}

// placesFake finds every address in its own state.
type placesFake struct{ *recorder }

func (f placesFake) Locate(_ context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error) {
	found := map[tax.DatedAddress]tax.Place{}
	for _, a := range addresses {
		found[a] = fakePlace(a.Address)
	}
	return found, f.record("Locate", addresses)
}

// steps are the activities of the steps on fakes, with the key to which content is sealed.
type steps struct {
	*recorder
	work  *Onboarding
	key   *secret.DataKey
	store *onboardingFake
	keys  keyFake
}

func newSteps(t *testing.T) steps {
	t.Helper()
	ring, err := secret.ParseRing("m1:" + "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=")
	require.NoError(t, err)
	keys := keyFake{keys: map[string]secret.WrappedKey{}}
	vault := secret.NewVault(ring, keys)
	key, err := vault.KeyOrNew(t.Context(), "org_1")
	require.NoError(t, err)
	made := &recorder{}
	s := steps{
		recorder: made, key: key, store: &onboardingFake{recorder: made, status: models.OnboardingInProgress},
		keys: keys,
	}
	bank := func(_ context.Context, account BankAccount) error { return made.record("bank", account) }
	s.work = NewOnboarding(s.store, nil, vault, placesFake{made}, bank, models.DefaultOnboardingRules(), quiet)
	return s
}

// submission is one of a step, with its content sealed.
func (s steps) submission(t *testing.T, step int, content models.StepContent) models.StepSubmission {
	t.Helper()
	plain, err := json.Marshal(content)
	require.NoError(t, err)
	return models.StepSubmission{
		OrganizationID: "org_1", Step: step, ID: "subm_1", Recorded: step - 1, Day: calendar.MustDate("2026-07-01"),
		Content: s.key.Seal(models.StepContentField(step), plain),
	}
}

// stepNames are the activities of the steps, by number.
var stepNames = map[int]string{
	models.StepOrganization: "CreateOrganization", models.StepAPIKey: "CreateAPIKey",
	models.StepBusinessDetails: "SaveBusinessDetails",
	models.StepBusinessAddress: "SaveBusinessAddress", models.StepBusinessInformation: "SaveBusinessInformation",
	models.StepBusinessContact: "SaveBusinessContact", models.StepBusinessOwners: "SaveBusinessOwners",
	models.StepBankDetails: "SaveBankDetails",
}

// contentOf is what a step says.
func contentOf(s steps, step int) models.StepContent {
	switch step {
	case models.StepBusinessDetails:
		return models.StepContent{
			Documents: map[string]json.RawMessage{models.DocumentDetails: json.RawMessage(`{"entity_type":"LLC"}`)},
		}
	case models.StepBusinessAddress:
		address := json.RawMessage(`{"company_state":"TX","company_country_code":"US"}`)
		return models.StepContent{Documents: map[string]json.RawMessage{models.DocumentAddress: address}}
	case models.StepBankDetails:
		return models.StepContent{Personal: map[string][]byte{
			"routing_number": s.key.Seal(
				"routing_number", []byte("021000021"),
			), "account_number": s.key.Seal("account_number", []byte("12345")),
		}}
	}
	return models.StepContent{Documents: map[string]json.RawMessage{models.DocumentContact: json.RawMessage(`{}`)}}
}

// Each step passes its decrypted content to the record, with the results of its checks. A second attempt passes the
// same submission, which the record recognizes by its id.
func TestAStepIsCompletedWithItsContent(t *testing.T) {
	t.Parallel()
	for step, name := range stepNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSteps(t)
			content := contentOf(s, step)
			sub := s.submission(t, step, content)
			if step <= models.StepAPIKey {
				sub.Content, content = nil, models.StepContent{}
			}
			for range 2 {
				execute[StepResult](t, s.work, name, sub)
			}
			done := s.of("CompleteStep")
			require.Len(t, done, 2)
			require.Equal(t, done[0], done[1])
			require.Equal(t, sub, done[0].Args[0])
			work := done[0].Args[1].(models.StepWork)
			require.Equal(t, content, work.Content)
			require.Equal(t, step == models.StepBusinessDetails, work.Details != nil)
			require.Equal(t, step == models.StepBusinessAddress, work.Place != nil)
			require.Equal(t, step == models.StepBankDetails, len(s.of("bank")) == 2)
			require.Empty(t, s.of("NoteStepError"))
		})
	}
}

func TestAStepIsCompletedWithWhatWasCheckedForIt(t *testing.T) {
	t.Parallel()
	t.Run("the details are read", func(t *testing.T) {
		t.Parallel()
		s := newSteps(t)
		execute[StepResult](
			t, s.work, "SaveBusinessDetails",
			s.submission(t, models.StepBusinessDetails, contentOf(s, models.StepBusinessDetails)),
		)
		require.Equal(t, "LLC", s.of("CompleteStep")[0].Args[1].(models.StepWork).Details.EntityType)
	})
	t.Run("the address is located on the day of the submission", func(t *testing.T) {
		t.Parallel()
		s := newSteps(t)
		execute[StepResult](
			t, s.work, "SaveBusinessAddress",
			s.submission(t, models.StepBusinessAddress, contentOf(s, models.StepBusinessAddress)),
		)
		address := tax.Address{State: "TX", Country: "US"}
		require.Equal(t, []any{
			[]tax.DatedAddress{{Address: address, Day: calendar.MustDate("2026-07-01")}},
		}, s.of("Locate")[0].Args)
		require.Equal(t, fakePlace(address), *s.of("CompleteStep")[0].Args[1].(models.StepWork).Place)
	})
	t.Run("the account is checked with the numbers that came", func(t *testing.T) {
		t.Parallel()
		s := newSteps(t)
		execute[StepResult](
			t, s.work, "SaveBankDetails",
			s.submission(t, models.StepBankDetails, contentOf(s, models.StepBankDetails)),
		)
		require.Equal(t, []any{BankAccount{RoutingNumber: "021000021", AccountNumber: "12345"}}, s.of("bank")[0].Args)
	})
	t.Run("without numbers there is nothing to check", func(t *testing.T) {
		t.Parallel()
		s := newSteps(t)
		execute[StepResult](t, s.work, "SaveBankDetails", s.submission(t, models.StepBankDetails, models.StepContent{}))
		require.Empty(t, s.of("bank"))
		require.Len(t, s.of("CompleteStep"), 1)
	})
}

// A refusal of the record is returned to the client. It is no failure of the work and is not recorded as one.
func TestARefusedStepIsNotRecordedAsAFailure(t *testing.T) {
	t.Parallel()
	for domain, want := range domainErrors {
		if want.onboarding == "" || want.onboarding == ErrTypeInfrastructure || want.onboarding == ErrTypeStepFailed {
			continue
		}
		s := newSteps(t)
		s.fail("CompleteStep", want.err)
		left := attempt{}.failing(
			t, s.work, "SaveBusinessOwners", s.submission(t, models.StepBusinessOwners, models.StepContent{}),
		)
		require.Equal(t, want.onboarding, left.Type(), domain)
		require.True(t, left.NonRetryable(), domain)
		require.Equal(t, want.err, Refused(left), domain)
		require.Empty(t, s.of("NoteStepError"), domain)
	}
}

// The reason of a failure is noted on the record by its code. A defect is given up after some attempts, an outage is
// not.
func TestTheReasonOfAFailedStepIsRecorded(t *testing.T) {
	t.Parallel()
	for class, want := range storeErrors {
		for _, used := range []int{0, MaxDefects - 1} {
			s := newSteps(t)
			s.fail("CompleteStep", want.err)
			sub := s.submission(t, models.StepBusinessOwners, models.StepContent{})
			left := attempt{used: used}.failing(t, s.work, "SaveBusinessOwners", sub)
			require.Equal(t, want.errType, left.Type(), class)
			require.Equal(t, want.errType == ErrTypeUnexpected && used > 0, left.NonRetryable(), class)
			require.Equal(t, []call{
				{"NoteStepError", []any{ourScope, models.StepBusinessOwners, want.code}},
			}, s.of("NoteStepError"), class)
		}
	}
}

// timedOnboardings keeps until when its calls may take.
type timedOnboardings struct {
	onboardingFake
	until map[string]time.Time
}

func (f timedOnboardings) CompleteStep(ctx context.Context, _ models.StepSubmission, _ models.StepWork) error {
	f.until["CompleteStep"], _ = ctx.Deadline()
	return context.DeadlineExceeded
}

func (f timedOnboardings) NoteStepError(ctx context.Context, _ models.Scope, _ int, _ string) error {
	f.until["NoteStepError"], _ = ctx.Deadline()
	return nil
}

// When a step has used up its time, there is some left to note that on the record.
func TestAStepThatTakesTooLongIsNoted(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	store := timedOnboardings{*s.store, map[string]time.Time{}}
	s.work.store = store
	left := attempt{late: true}.failing(t, s.work, "CreateOrganization", s.submission(t, 1, models.StepContent{}))
	require.Equal(t, codeTimeout, codeOf(t, left))
	require.Equal(t, time.Second, store.until["NoteStepError"].Sub(store.until["CompleteStep"]))
}

// A bank that does not know the account refuses the step for good, and only the reason is written. A failure to write
// it changes nothing.
func TestAnAccountThatTheBankRefusesEndsTheStep(t *testing.T) {
	t.Parallel()
	for _, noting := range []error{nil, models.ErrUnavailable} {
		s := newSteps(t)
		refusal := &models.StepFailedError{Step: models.StepBankDetails, Reason: "no such account"}
		s.fail("bank", refusal)
		s.fail("NoteStepError", noting)
		sub := s.submission(t, models.StepBankDetails, contentOf(s, models.StepBankDetails))
		left := attempt{}.failing(t, s.work, "SaveBankDetails", sub)
		require.Equal(t, ErrTypeStepFailed, left.Type())
		require.Equal(t, error(refusal), Refused(left))
		require.Equal(t, []string{"bank", "NoteStepError"}, s.methods())
		require.Equal(t, []any{ourScope, models.StepBankDetails, "no such account"}, s.calls[1].Args)
	}
}

func TestABankThatDoesNotAnswerIsAskedAgain(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	s.fail("bank", models.ErrUnavailable)
	sub := s.submission(t, models.StepBankDetails, contentOf(s, models.StepBankDetails))
	left := attempt{used: MaxDefects}.failing(t, s.work, "SaveBankDetails", sub)
	require.Equal(t, ErrTypeInfrastructure, left.Type())
	require.False(t, left.NonRetryable())
	execute[StepResult](t, s.work, "SaveBankDetails", sub)
	require.Len(t, s.of("CompleteStep"), 1)
}

// The data key is destroyed when an onboarding is undone: its content cannot be read, and the step says that the
// onboarding is over. A missing key where nothing was undone is a defect.
func TestAStepWithoutADataKeyIsOverOrADefect(t *testing.T) {
	t.Parallel()
	for status, want := range map[models.OnboardingStatus]string{
		models.OnboardingCancelled: ErrTypeOnboardingNotActive, models.OnboardingExpired: ErrTypeOnboardingNotActive,
		models.OnboardingFailed: ErrTypeOnboardingNotActive, models.OnboardingInProgress: ErrTypeUnexpected,
	} {
		s := newSteps(t)
		sub := s.submission(t, models.StepBusinessOwners, models.StepContent{})
		delete(s.keys.keys, "org_1")
		s.store.status = status
		left := attempt{}.failing(
			t, NewOnboarding(*s.store, nil, s.work.vault, nil, nil, s.work.rules, quiet), "SaveBusinessOwners", sub,
		)
		require.Equal(t, want, left.Type(), status)
		require.Empty(t, s.of("CompleteStep"), status)
		if want == ErrTypeOnboardingNotActive {
			require.Equal(t, error(&models.OnboardingInactiveError{Status: status}), Refused(left))
		}
	}
}

// Content that was sealed for another step, or changed since, is not taken for this one.
func TestContentThatCannotBeReadIsADefect(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	other := s.submission(t, models.StepBusinessContact, models.StepContent{})
	other.Step = models.StepBusinessOwners
	spoiled := s.submission(t, models.StepBusinessOwners, models.StepContent{})
	spoiled.Content = s.key.Seal(models.StepContentField(models.StepBusinessOwners), []byte("{"))
	document := models.StepContent{Documents: map[string]json.RawMessage{models.DocumentAddress: json.RawMessage(`[]`)}}
	for name, sub := range map[string]models.StepSubmission{
		"SaveBusinessOwners": other, "SaveBusinessContact": spoiled, "SaveBusinessAddress": s.submission(
			t, models.StepBusinessAddress, document,
		),
	} {
		require.Equal(t, ErrTypeUnexpected, attempt{}.failing(t, s.work, name, sub).Type(), name)
	}
	require.Empty(t, s.of("CompleteStep"))
}

// A partner's own steps are done without a workflow, by the same code: errors are returned unchanged.
func TestStepsWithoutAWorkflowReturnErrorsUnchanged(t *testing.T) {
	t.Parallel()
	s := newSteps(t)
	sub := s.submission(t, models.StepBusinessOwners, models.StepContent{})
	require.NoError(t, NewEdits(s.work).Complete(t.Context(), sub))
	refusal := &models.StepOrderError{Next: 3}
	s.fail("CompleteStep", refusal)
	require.Equal(t, error(refusal), NewEdits(s.work).Complete(t.Context(), sub))
	s.fail("CompleteStep", models.ErrUnavailable)
	require.ErrorIs(t, NewEdits(s.work).Complete(t.Context(), sub), models.ErrUnavailable)
	require.Len(t, s.of("CompleteStep"), 3)
}

// The record names who ended an onboarding in Temporal; an invalid proof ends nothing.
func TestTheRecordNamesWhoEndedAnOnboardingInTemporal(t *testing.T) {
	t.Parallel()
	in := EndInput{OrganizationID: "org_1", Status: models.OnboardingCancelled, Reason: "They left.", Proof: theProof}
	made := &recorder{}
	result := execute[EndResult](t, newOnboardingOn(made), "EndOnboarding", in)
	require.Equal(t, "The run was cancelled by staff. They left.", result.Reason)
	require.Equal(t, []call{{"EndOnboarding", []any{ourScope, models.OnboardingEnd{
		Status: in.Status, Reason: result.Reason, Actor: models.Actor{Staff: "staff"},
	}}}}, made.calls)
	for name, c := range map[string]struct {
		operators Operators
		proof     string
	}{"something else": {filingFake{}, "staff"}, "a key of nobody": {nobody{}, theProof}} {
		made, in := &recorder{}, in
		in.Proof = c.proof
		work := NewOnboarding(onboardingFake{recorder: made}, c.operators, nil, nil, nil,
			models.DefaultOnboardingRules(), quiet)
		left := attempt{}.failing(t, work, "EndOnboarding", in)
		require.Equal(t, ErrTypeInvalidInput, left.Type(), name)
		require.True(t, left.NonRetryable(), name)
		require.Empty(t, made.calls, name)
	}
}

func TestActivitiesReturnTheProgressOfAnOnboarding(t *testing.T) {
	t.Parallel()
	work := newOnboardingOn(&recorder{})
	ended := execute[EndResult](t, work, "EndOnboarding", EndInput{
		OrganizationID: "org_1", Status: models.OnboardingCancelled,
	})
	require.Equal(t, EndResult{Status: models.OnboardingCancelled, Completed: 3}, ended)
	check := execute[models.ProgressCheck](t, work, "CheckProgress", ourUndo)
	require.Equal(t, models.ProgressCheck{Status: models.OnboardingInProgress, Completed: 3, Reminders: 1}, check)
	require.NoError(t, AcceptAnyBank(t.Context(), BankAccount{}))
}
