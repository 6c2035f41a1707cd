package models

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// A cause says which step the onboardings wait for: each step is a cause of its own.
func TestACauseNamesTheStepOfAnOnboarding(t *testing.T) {
	t.Parallel()
	for code, step := range map[string]string{
		"STEP_6": "business contact", "STEP_8": "bank details", "STEP_0": "STEP_0", "STEP_9": "STEP_9", "OTHER": "OTHER",
	} {
		g := ExceptionGroup{Type: ExceptionOnboarding, Code: code}
		require.Equal(t, "Onboardings without progress for a week: "+step, g.Title())
	}
}
