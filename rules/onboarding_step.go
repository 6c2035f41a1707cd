package rules

import "levy/models"

// CheckOnboardingStep refuses a step that an onboarding has not come to; one that was done before may be done again.
// Errors: *models.OnboardingInactiveError; *models.StepOrderError.
func CheckOnboardingStep(o models.Onboarding, step int) error {
	// guard: onboarding: what ended takes no step
	if o.Status.Undone() {
		return &models.OnboardingInactiveError{Status: o.Status}
	}
	// guard: onboarding: a step comes after the one before it
	if step > o.Completed+1 {
		return &models.StepOrderError{Next: o.Completed + 1}
	}
	return nil
}

// OnboardingProgress is how far an onboarding has come.
type OnboardingProgress struct {
	Completed int // the last step that is done
	Status    models.OnboardingStatus
	Begins    int // the step that begins now; 0 for none
}

// OnboardingAfter returns how far an onboarding has come after a step of it. A step that was done before changes
// nothing.
func OnboardingAfter(o models.Onboarding, step int) OnboardingProgress {
	after := OnboardingProgress{Completed: o.Completed, Status: o.Status}
	// guard: onboarding: a step that was done before is a correction
	if step <= o.Completed {
		return after
	}
	after.Completed = step
	switch {
	case step == models.LastStep:
		after.Status = models.OnboardingCompleted
		return after
	case o.Status == models.OnboardingNotStarted:
		after.Status = models.OnboardingInProgress
	}
	after.Begins = step + 1
	return after
}
