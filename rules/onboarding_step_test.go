package rules_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
)

func TestTheNextStepOfAnOnboarding(t *testing.T) {
	t.Parallel()
	for completed := range models.LastStep {
		for step := 1; step <= models.LastStep; step++ {
			o := models.Onboarding{Status: models.OnboardingInProgress, Completed: completed}
			err := rules.CheckOnboardingStep(o, step)
			var order *models.StepOrderError
			if step > completed+1 {
				require.ErrorAs(t, err, &order)
				require.Equal(t, completed+1, order.Next)
			} else {
				require.NoError(t, err)
			}
		}
	}
	for _, status := range []models.OnboardingStatus{models.OnboardingCancelled, models.OnboardingExpired} {
		var inactive *models.OnboardingInactiveError
		require.ErrorAs(t, rules.CheckOnboardingStep(models.Onboarding{Status: status}, 1), &inactive)
		require.Equal(t, status, inactive.Status)
	}
	require.NoError(t, rules.CheckOnboardingStep(
		models.Onboarding{Status: models.OnboardingCompleted, Completed: models.LastStep}, 3), "a correction")
}

func TestHowFarAStepBringsAnOnboarding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rule   string
		status models.OnboardingStatus
		before int
		step   int
		want   rules.OnboardingProgress
	}{
		{"the first step begins it", models.OnboardingNotStarted, 0, 1,
			rules.OnboardingProgress{Completed: 1, Status: models.OnboardingInProgress, Begins: 2}},
		{"the next step begins", models.OnboardingInProgress, 3, 4,
			rules.OnboardingProgress{Completed: 4, Status: models.OnboardingInProgress, Begins: 5}},
		{"the last step ends it", models.OnboardingInProgress, models.LastStep - 1, models.LastStep,
			rules.OnboardingProgress{Completed: models.LastStep, Status: models.OnboardingCompleted}},
		{"a step that was done is a correction", models.OnboardingInProgress, 4, 3,
			rules.OnboardingProgress{Completed: 4, Status: models.OnboardingInProgress}},
		{"also after the end", models.OnboardingCompleted, models.LastStep, models.LastStep,
			rules.OnboardingProgress{Completed: models.LastStep, Status: models.OnboardingCompleted}},
	} {
		o := models.Onboarding{Status: c.status, Completed: c.before}
		require.Equal(t, c.want, rules.OnboardingAfter(o, c.step), c.rule)
	}
}
