package activities

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"

	"levy/models"
	"levy/rules"
)

// An automatic approval of a filing that is not ready, or that was changed meanwhile, is no failure.
func TestAnAutomaticApprovalThatIsNotPossibleIsNoFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		want ApprovalResult
	}{
		"the transactions are claimed": {nil, ApprovalResult{Approved: true}},
		"some transactions are being processed": {
			&models.FilingNotReadyError{Pending: 7}, ApprovalResult{Pending: 7},
		},
		"some transactions cannot be processed": {
			&models.FilingUnresolvedError{UnresolvedTransactions: models.UnresolvedTransactions{Transactions: 2}},
			ApprovalResult{Unresolved: 2, Amount: "0.00"},
		},
		"somebody has paused it": {
			&models.TransitionError{From: "PAUSED", To: "FILING"}, ApprovalResult{},
		},
		"somebody has blocked it":                  {models.ErrFilingBlocked, ApprovalResult{}},
		"its period is open again":                 {&models.FilingPeriodOpenError{}, ApprovalResult{}},
		"it is gone, which the next refresh finds": {models.ErrNotFound, ApprovalResult{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := &recorder{}
			for range 2 {
				made.fail("AutoApproveFiling", c.err)
				require.Equal(t, c.want, execute[ApprovalResult](t, newFilingOn(made), "ApproveFiling", ourFiling))
			}
			want := call{"AutoApproveFiling", []any{ourScope, "fili_1", ourMoment, ourPolicy}}
			require.Equal(t, []call{want, want}, made.calls)
		})
	}
	t.Run("an outage and a defect are tried again", func(t *testing.T) {
		t.Parallel()
		for class, want := range storeErrors {
			made := &recorder{}
			made.fail("AutoApproveFiling", want.err)
			left := attempt{used: MaxDefects}.failing(t, newFilingOn(made), "ApproveFiling", ourFiling)
			require.Equal(t, want.errType, left.Type(), class)
			require.False(t, left.NonRetryable(), class)
		}
	})
	t.Run("no filing", func(t *testing.T) {
		t.Parallel()
		made := &recorder{}
		require.Equal(
			t, ErrTypeInvalidInput,
			attempt{}.failing(t, newFilingOn(made), "ApproveFiling", FilingInput{}).Type(),
		)
		require.Empty(t, made.calls)
	})
}

// The activities return what the store found of the record.
func TestActivitiesReturnWhatTheStoreFound(t *testing.T) {
	t.Parallel()
	work := newFilingOn(&recorder{})
	require.Equal(t, models.FilingUnfiled, execute[rules.FilingSnapshot](t, work, "RefreshFiling", ourFiling).Status)
	to := TransitionInput{
		FilingInput: ourFiling,
		Transition:  models.FilingTransition{To: models.FilingSkipped, Reason: "nothing is owed"}, Proof: theProof,
	}
	require.Equal(
		t, TransitionResult{Status: models.FilingSkipped}, execute[TransitionResult](t, work, "MoveFiling", to),
	)
	require.Equal(t, ourAnswer, execute[models.AuthorityAnswer](t, work, "SubmitReturn", ourSubmission))
	registering := newRegistrationOn(&recorder{})
	refreshed := execute[rules.RegistrationSnapshot](t, registering, "RefreshRegistration", RefreshInput{
		RegistrationInput: ourRegistration,
	})
	require.Equal(t, models.RegistrationProcessing, refreshed.Status)
	require.Equal(t, ourAnswer, execute[models.AuthorityAnswer](t, registering, "SubmitRegistration", ourRegistration))
}

// The caller gets the status by which staff were refused.
func TestARefusedTransitionSaysWhatIsAllowed(t *testing.T) {
	t.Parallel()
	made := &recorder{}
	made.fail("TransitionFiling", &models.TransitionError{From: "FILED", To: "PAUSED", Allowed: []string{}})
	to := TransitionInput{FilingInput: ourFiling, Transition: models.FilingTransition{To: models.FilingPaused},
		Proof: theProof}
	left := attempt{}.failing(t, newFilingOn(made), "MoveFiling", to)
	require.True(t, IsFilingRefusal(left))
	var from, wanted string
	var allowed []string
	require.NoError(t, left.Details(&from, &wanted, &allowed))
	require.Equal(t, []string{"FILED", "PAUSED"}, []string{from, wanted})
	require.Empty(t, allowed)
}

// Only an existing operator changes the status of a filing, under their own name.
func TestOnlyOperatorsChangeTheStatusOfFilings(t *testing.T) {
	t.Parallel()
	move := models.FilingTransition{To: models.FilingCancelled, Reason: "END"}
	for name, c := range map[string]struct {
		operators Operators
		by, proof string
	}{
		"no proof":                     {filingFake{}, "", ""},
		"no proof but a name":          {filingFake{}, "staff", ""},
		"something else":               {filingFake{}, "", "staff"},
		"an unknown key":               {nobody{}, "", theProof},
		"the name of another operator": {filingFake{}, "Bob", theProof},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := &recorder{}
			work := NewFiling(filingFake{made}, c.operators, authorityFake{recorder: made}, ourPolicy, quiet)
			move := move
			move.By = c.by
			left := attempt{}.failing(t, work, "MoveFiling",
				TransitionInput{FilingInput: ourFiling, Transition: move, Proof: c.proof})
			require.Equal(t, ErrTypeInvalidInput, left.Type())
			require.True(t, left.NonRetryable())
			require.Empty(t, made.calls)
		})
	}
}

// asking are the activities that ask an authority for its decision, with what each asks.
func asking(answer models.AuthorityAnswer) map[string]struct {
	work func(*recorder) any
	in   any
} {
	return map[string]struct {
		work func(*recorder) any
		in   any
	}{
		"AskAuthority": {
			func(r *recorder) any {
				return NewFiling(filingFake{r}, filingFake{r}, authorityFake{r, answer}, ourPolicy, quiet)
			},
			AskInput{SubmitInput: ourSubmission, Authority: "sandbox"},
		},
		"AskAboutRegistration": {
			func(r *recorder) any { return NewRegistration(registrationFake{r}, authorityFake{r, answer}, quiet) },
			QuestionInput{RegistrationInput: ourRegistration, Kind: models.AuthorityRegistration, Authority: "sandbox"},
		},
	}
}

// An authority that has not decided is asked again at the time that it names, without a limit: that is no defect.
func TestAnAuthorityWithoutADecisionIsAskedAgainWithoutALimit(t *testing.T) {
	t.Parallel()
	for name, c := range asking(models.AuthorityAnswer{Outcome: models.AuthorityPending, Again: 6 * time.Hour}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			made := &recorder{}
			for used := range MaxDefects + 2 {
				waiting := attempt{used: used, beat: func(converter.EncodedValues) { t.Error("a defect was counted") }}
				left := waiting.failing(t, c.work(made), name, c.in)
				require.Equal(t, ErrTypePending, left.Type())
				require.False(t, left.NonRetryable())
				require.Equal(t, 6*time.Hour, left.NextRetryDelay())
			}
			require.Len(t, made.of("Check"), MaxDefects+2)
		})
	}
}

// Every other answer is the result, a rejection too: the workflow writes it down.
func TestEveryDecisionOfAnAuthorityIsAResult(t *testing.T) {
	t.Parallel()
	for _, outcome := range []models.AuthorityOutcome{
		models.AuthorityAccepted, models.AuthorityRejected, models.AuthorityManual,
	} {
		answer := models.AuthorityAnswer{Authority: "sandbox", Outcome: outcome, Reason: "WRONG_FIGURES"}
		for name, c := range asking(answer) {
			require.Equal(t, answer, execute[models.AuthorityAnswer](t, c.work(&recorder{}), name, c.in))
		}
	}
}

// An authority that does not know a submission that it had taken is no outage: the run
// makes it an issue.
func TestASubmissionThatTheAuthorityDoesNotKnowIsNoOutage(t *testing.T) {
	t.Parallel()
	for name, c := range asking(models.AuthorityAnswer{}) {
		made := &recorder{}
		made.fail("Check", models.ErrNotFound)
		left := attempt{}.failing(t, c.work(made), name, c.in)
		require.Equal(t, ErrTypeNotFound, left.Type())
		require.True(t, left.NonRetryable())
	}
}

// Since when an authority does not answer is noted on the record, where people see it, and that it does. A defect of
// its adapter and an outage of our own say neither.
func TestWhetherAnAuthorityAnswersIsNotedOnItsRecord(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"AskAuthority": models.ErrUnavailable, "AskAboutRegistration": models.ErrOutcomeUnknown,
	} {
		c, made := asking(models.AuthorityAnswer{Outcome: models.AuthorityPending})[name], &recorder{}
		note := map[string]string{
			"AskAuthority": "NoteFilingContact", "AskAboutRegistration": "NoteRegistrationContact",
		}[name]
		lost := &models.UnansweredError{Err: err}
		made.fail("Check", lost, &models.AuthorityDownError{}, errors.New("a defect"), models.ErrUnavailable)
		for i := range 5 {
			left := attempt{}.failing(t, c.work(made), name, c.in)
			if i == 0 {
				require.Contains(t, left.Error(), "the tax authority does not answer (authority_unanswered)")
			}
		}
		var answered []any
		for _, c := range made.of(note) {
			answered = append(answered, c.Args[len(c.Args)-1])
		}
		require.Equal(t, []any{false, false, true}, answered, name)

		made = &recorder{}
		made.fail(note, models.ErrUnavailable)
		left := attempt{}.failing(t, c.work(made), name, c.in)
		require.Equal(t, ErrTypeInfrastructure, left.Type(), "that it answers is noted within a minute, not at the next question")
	}
}

// The attempt was over before the submission was sent: the authority is not called.
func TestAnAttemptThatIsOverIsNotSubmitted(t *testing.T) {
	t.Parallel()
	filed, registered := &recorder{}, &recorder{}
	filed.fail("SubmissionOfFiling", models.ErrChangedMeanwhile)
	registered.fail("SubmissionOfRegistration", models.ErrChangedMeanwhile)
	require.Equal(
		t, ErrTypeChangedMeanwhile,
		attempt{}.failing(t, newFilingOn(filed), "SubmitReturn", ourSubmission).Type(),
	)
	require.Equal(
		t, ErrTypeChangedMeanwhile,
		attempt{}.failing(t, newRegistrationOn(registered), "SubmitRegistration", ourRegistration).Type(),
	)
	require.Empty(t, filed.of("Submit"))
	require.Empty(t, registered.of("Submit"))
}

// receipts is an authority that receives each submission once, by its key.
type receipts struct {
	*recorder
	received map[models.AuthorityKey]int
}

func (r receipts) Submit(_ context.Context, s models.AuthoritySubmission) (models.AuthorityAnswer, error) {
	if r.received[s.Key] == 0 {
		r.received[s.Key] = len(r.received) + 1
	}
	return ourAnswer, r.record("Submit", s)
}

func (r receipts) Check(context.Context, string, models.AuthorityKey) (models.AuthorityAnswer, error) {
	return models.AuthorityAnswer{}, errors.New("not asked for")
}

// Whether the authority received the submission is unknown: it is submitted again with the same key, until the record
// names the adapter that accepted it.
func TestASubmissionThatIsRepeatedIsReceivedOnce(t *testing.T) {
	t.Parallel()
	made := &recorder{}
	authority := receipts{recorder: made, received: map[models.AuthorityKey]int{}}
	filing := NewFiling(filingFake{made}, filingFake{made}, authority, ourPolicy, quiet)
	registering := NewRegistration(registrationFake{made}, authority, quiet)
	made.fail("Submit", models.ErrOutcomeUnknown, models.ErrUnavailable)
	for range 2 {
		require.Equal(t, ErrTypeInfrastructure, attempt{}.failing(t, filing, "SubmitReturn", ourSubmission).Type())
	}
	execute[models.AuthorityAnswer](t, filing, "SubmitReturn", ourSubmission)
	require.Len(t, authority.received, 1)

	made.fail("HandOverRegistration", models.ErrOutcomeUnknown)
	require.Equal(
		t, ErrTypeInfrastructure,
		attempt{}.failing(t, registering, "SubmitRegistration", ourRegistration).Type(),
	)
	execute[models.AuthorityAnswer](t, registering, "SubmitRegistration", ourRegistration)
	require.Len(t, authority.received, 2)
	require.Len(t, made.of("Submit"), 5)
	require.Len(t, made.of("HandOverRegistration"), 2)
}

// The next attempt at a filing has another key: an authority that rejected the first receives it as a new submission.
func TestTheNextAttemptIsSubmittedWithANewKey(t *testing.T) {
	t.Parallel()
	made := &recorder{}
	authority := receipts{recorder: made, received: map[models.AuthorityKey]int{}}
	filing := NewFiling(filingFake{made}, filingFake{made}, authority, ourPolicy, quiet)
	for n := 1; n <= 3; n++ {
		execute[models.AuthorityAnswer](t, filing, "SubmitReturn", SubmitInput{FilingInput: ourFiling, Attempt: n})
	}
	require.Len(t, authority.received, 3)
}

// An authority that was not called because it is down is asked again in a later attempt; that is an outage, which
// is no defect.
func TestAnAuthorityThatIsDownIsAskedAgainLater(t *testing.T) {
	t.Parallel()
	for again, least := range map[time.Duration]time.Duration{
		40 * time.Second: 40 * time.Second,
		time.Minute:      55 * time.Second,
		2 * time.Minute:  55 * time.Second, // of the record that was tried last
	} {
		err := stepFailure(&models.AuthorityDownError{Authority: "nevada", Again: again}, ofFiling, 0)
		failure, ok := errors.AsType[*temporal.ApplicationError](err)
		require.True(t, ok)
		require.Equal(t, ErrTypeInfrastructure, failure.Type())
		require.False(t, failure.NonRetryable())
		require.GreaterOrEqual(t, failure.NextRetryDelay(), least)
		require.Less(t, failure.NextRetryDelay(), least+5*time.Second)
	}
}
