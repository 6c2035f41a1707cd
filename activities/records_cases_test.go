package activities

import (
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// recordCase is an activity that does something with one record.
type recordCase struct {
	in      any
	calls   []call // that it makes
	of      workflowKind
	givesUp bool  // a defect, after MaxDefects
	without []any // inputs that it refuses
}

var (
	ourFiling     = FilingInput{OrganizationID: "org_1", FilingID: "fili_1", Now: ourMoment}
	ourSubmission = SubmitInput{FilingInput: ourFiling, Attempt: 2}
	ourAnswer     = models.AuthorityAnswer{
		Authority: "sandbox", Outcome: models.AuthorityAccepted, Confirmation: "C-1",
	}
	ourRegistration = RegistrationInput{OrganizationID: "org_1", RegistrationID: "regs_1", Attempt: 2, Now: ourMoment}
	ourPolicy       = rules.DefaultFilingPolicy()
	ourUndo         = UndoInput{OrganizationID: "org_1"}
)

// withoutPart returns the inputs of a filing's activity that lack a part.
func withoutPart(of func(FilingInput) any) []any {
	return []any{
		of(FilingInput{FilingID: "fili_1", Now: ourMoment}),
		of(FilingInput{OrganizationID: "org_1", Now: ourMoment}),
	}
}

// onFilings are the activities of FileReturn, by registered name.
func onFilings() map[string]recordCase {
	plain := withoutPart(func(in FilingInput) any { return in })
	paused := models.FilingTransition{To: models.FilingPaused, By: "staff", Until: calendar.MustDate("2026-09-30")}
	moved := paused
	moved.Actor = models.Actor{Staff: "staff"}
	key := models.AuthorityKey{OrganizationID: "org_1", Kind: models.AuthorityReturn, RecordID: "fili_1", Attempt: 2}
	submission := models.AuthoritySubmission{Key: key, Country: "US", State: "TX"}
	noAttempt := append(
		withoutPart(func(in FilingInput) any { return SubmitInput{FilingInput: in, Attempt: 1} }),
		SubmitInput{FilingInput: ourFiling},
	)
	return map[string]recordCase{
		"RefreshFiling": {
			in: ourFiling, of: ofFiling, without: plain, calls: []call{
				{"RefreshFiling", []any{ourScope, "fili_1", ourMoment, ourPolicy}},
			},
		},
		"BuildDocument": {
			in: ourSubmission, of: ofFiling, without: noAttempt, calls: []call{{"ReturnFacts", []any{ourScope, "fili_1"}}},
		},
		"ResumeFiling": {
			in: ourFiling, of: ofFiling, without: plain, calls: []call{
				{"ResumeFiling", []any{ourScope, "fili_1", ourMoment}},
			},
		},
		"LockFiling": {
			in: ourFiling, of: ofFiling, without: plain, calls: []call{{"LockFiling", []any{ourScope, "fili_1"}}},
		},
		"MoveFiling": {
			in: TransitionInput{FilingInput: ourFiling, Transition: paused, Proof: theProof}, of: ofFiling,
			without: withoutPart(func(in FilingInput) any { return TransitionInput{FilingInput: in} }),
			calls:   []call{{"TransitionFiling", []any{ourScope, "fili_1", moved}}},
		},
		"SettleFiling": {
			in: SettleInput{SubmitInput: ourSubmission, Answer: ourAnswer}, of: ofFiling,
			without: withoutPart(func(in FilingInput) any {
				return SettleInput{
					SubmitInput: SubmitInput{FilingInput: in},
				}
			}),
			calls: []call{{"SettleFiling", []any{ourScope, "fili_1", 2, ourAnswer, ourMoment}}},
		},
		"SubmitReturn": {
			in: ourSubmission, of: ofFiling, givesUp: true, without: noAttempt,
			calls: []call{
				{"SubmissionOfFiling", []any{ourScope, "fili_1", 2}}, {"Submit", []any{submission}},
				{"NoteFilingContact", []any{ourScope, "fili_1", 2, true}},
				{"NoteSubmission", []any{ourScope, "fili_1", 2, ourAnswer.Authority}},
			},
		},
		"AskAuthority": {
			in: AskInput{SubmitInput: ourSubmission, Authority: "sandbox"}, of: ofFiling, givesUp: true,
			without: []any{AskInput{SubmitInput: SubmitInput{FilingInput: ourFiling}, Authority: "sandbox"}},
			calls: []call{
				{"Check", []any{"sandbox", key}}, {"NoteFilingContact", []any{ourScope, "fili_1", 2, true}},
			},
		},
	}
}

// onRegistrations are the activities of Registration, by registered name.
func onRegistrations() map[string]recordCase {
	plain := []any{
		RegistrationInput{
			RegistrationID: "regs_1", Now: ourMoment,
		}, RegistrationInput{OrganizationID: "org_1", Now: ourMoment},
		RegistrationInput{OrganizationID: "org_1", RegistrationID: "regs_1"},
	}
	key := models.AuthorityKey{
		OrganizationID: "org_1", Kind: models.AuthorityRegistration, RecordID: "regs_1", Attempt: 2,
	}
	submission := models.AuthoritySubmission{Key: key, Country: "US", State: "TX"}
	run := rules.RegistrationRun{Settled: true}
	refreshed := recordCase{
		in: RefreshInput{
			RegistrationInput: ourRegistration, Run: run,
		}, of: ofRegistration, without: []any{RefreshInput{Run: run}},
		calls: []call{{"RefreshRegistration", []any{ourScope, "regs_1", run, ourMoment}}},
	}
	return map[string]recordCase{
		"RefreshRegistration": refreshed,
		"CreateDefaultProducts": {
			in: ourRegistration, of: ofRegistration, without: plain, calls: []call{
				{"CreateDefaultProducts", []any{ourScope}},
			},
		},
		"ProceedWithRegistration": {
			in: ourRegistration, of: ofRegistration, without: plain, calls: []call{
				{"ProceedWithRegistration", []any{ourScope, "regs_1", ourMoment}},
			},
		},
		"CancelLaterFilings": {
			in: ourRegistration, of: ofRegistration, without: plain, calls: []call{
				{"CancelLaterFilings", []any{ourScope, "regs_1", ourMoment}},
			},
		},
		"CloseRegistration": {
			in: ourRegistration, of: ofRegistration, without: plain, calls: []call{
				{"CloseRegistration", []any{ourScope, "regs_1", 2, ourMoment}},
			},
		},
		"SettleRegistration": {
			in: DecisionInput{
				RegistrationInput: ourRegistration, Answer: ourAnswer,
			}, of: ofRegistration, without: []any{DecisionInput{Answer: ourAnswer}},
			calls: []call{{"SettleRegistration", []any{ourScope, "regs_1", 2, ourAnswer, ourMoment}}},
		},
		"SubmitRegistration": {
			in: ourRegistration, of: ofRegistration, givesUp: true, without: plain,
			calls: []call{
				{"SubmissionOfRegistration", []any{ourScope, "regs_1", 2}}, {"Submit", []any{submission}},
				{"NoteRegistrationContact", []any{ourScope, "regs_1", 2, true}},
				{"HandOverRegistration", []any{ourScope, "regs_1", 2, "sandbox", ourMoment}},
			},
		},
		"AskAboutRegistration": {
			in: QuestionInput{
				RegistrationInput: ourRegistration, Kind: models.AuthorityRegistration, Authority: "sandbox",
			}, of: ofRegistration,
			givesUp: true, without: []any{QuestionInput{Kind: models.AuthorityRegistration, Authority: "sandbox"}},
			calls: []call{
				{"Check", []any{"sandbox", key}}, {"NoteRegistrationContact", []any{ourScope, "regs_1", 2, true}},
			},
		},
	}
}

// onOnboardings are the activities that end and undo an onboarding, by registered name.
func onOnboardings() map[string]recordCase {
	all := map[string]recordCase{}
	for name, step := range map[string]int{
		"ArchiveOrganization": models.StepOrganization, "RevokeAPIKeys": models.StepAPIKey,
		"EraseBusinessDetails": models.StepBusinessDetails,
		"EraseBusinessAddress": models.StepBusinessAddress, "EraseBusinessInformation": models.StepBusinessInformation,
		"EraseBusinessContact": models.StepBusinessContact, "EraseBusinessOwners": models.StepBusinessOwners,
		"EraseBankDetails": models.StepBankDetails,
	} {
		all[name] = recordCase{in: ourUndo, of: ofOnboarding, calls: []call{{"UndoStep", []any{ourScope, step}}}}
	}
	for _, name := range []string{"CancelRegistrations", "DestroyDataKey", "FinishCompensation"} {
		all[name] = recordCase{in: ourUndo, of: ofOnboarding, calls: []call{{name, []any{ourScope}}}}
	}
	all["CheckProgress"] = recordCase{
		in: ourUndo, of: ofOnboarding, calls: []call{
			{"CheckProgress", []any{ourScope, models.DefaultOnboardingRules()}},
		},
	}
	all["EndOnboarding"] = recordCase{
		in: EndInput{
			OrganizationID: "org_1", Status: models.OnboardingFailed, Reason: "no such bank", Step: 8, APIKeyID: "key_1",
			RequestID: "req_1",
		},
		of: ofOnboarding,
		calls: []call{{"EndOnboarding", []any{ourScope, models.OnboardingEnd{
			Status: models.OnboardingFailed, Reason: "no such bank", Step: 8, Actor: models.Actor{
				APIKeyID: "key_1", RequestID: "req_1",
			},
		}}}},
	}
	return all
}
