package activities

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"levy/models"
)

// Staff read in the Temporal UI whether they have to wait, and for what, also without knowing our codes.
func TestFailuresSayInPlainWordsWhatHappened(t *testing.T) {
	t.Parallel()
	const waits = "Not done yet, and tried again: "
	for want, left := range map[string]error{
		waits + "what it needs does not answer (unavailable)":         failure(models.ErrUnavailable, 0),
		waits + "it took too long (timeout)":                          stepFailure(context.DeadlineExceeded, ofFiling, 0),
		waits + "the database answers with an error (database_23514)": stepFailure(databaseError{"23514"}, ofFiling, 0),
		waits + "Levy has a defect (panic)":                           failure(&panicError{}, 1),
		"Given up: Levy has a defect (unexpected)":                    stepFailure(os.ErrInvalid, ofFiling, MaxDefects),
		"Given up: a transaction did not reach its next status (not_moved)": stageFailure(errNotReached, 1,
			StageInput{Refs: make([]models.Ref, 1), Isolating: true}),
		"Split, and each half is tried by itself: Levy has a defect (panic)": stageFailure(&panicError{}, MaxDefects,
			StageInput{Refs: make([]models.Ref, 2)}),
	} {
		app, ok := errors.AsType[*temporal.ApplicationError](left)
		require.True(t, ok)
		require.Equal(t, want, app.Message())
	}
}
