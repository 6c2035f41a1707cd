package worker

import (
	"errors"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/sdk/temporal"

	"levy/activities"
	"levy/models"
)

// A sender of an Update without a key can read its refusal. All other texts stay sealed.
func TestARefusedSenderReadsWhy(t *testing.T) {
	t.Parallel()
	data := dataConverter(codecWith(t, map[string][]byte{"k1": key(1)}, "k1"))
	of := newFailures(data)
	refusal := func(text string, cause error) error {
		return temporal.NewNonRetryableApplicationError(text, activities.ErrTypeInvalidInput, cause)
	}
	noProof := models.ErrNoProof.Error()
	for name, c := range map[string]struct {
		err      error
		readable bool
	}{
		"in clear text":            {fmt.Errorf("payload 0: %w", ErrNotSealed), true},
		"without a proof":          {refusal(noProof, nil), true},
		"something of a record":    {refusal("Acme owes 12.00", nil), false},
		"that says more":           {refusal(noProof, errors.New("Acme owes 12.00")), false},
		"in what may say more":     {fmt.Errorf("Acme: %w", refusal(noProof, nil)), false},
		"what only begins like it": {refusal(noProof+" Acme", nil), false},
	} {
		failure := of.ErrorToFailure(c.err)
		require.Equal(t, c.readable, failure.GetEncodedAttributes() == nil, name)
		require.NotContains(t, failure.String(), "Acme", name)
		if c.readable {
			require.Contains(t, c.err.Error(), failure.GetMessage(), name)
		}
		if !c.readable {
			require.ErrorContains(t, of.FailureToError(failure), c.err.Error(), name)
		}
	}
}
