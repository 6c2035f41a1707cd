package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"
	"go.temporal.io/api/serviceerror"
)

func TestABusyTemporalDoesNotEndAMigration(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	for name, c := range map[string]struct {
		answers []error
		err     error
	}{
		"too late":        {answers: []error{fmt.Errorf("schedule: %w", context.DeadlineExceeded), nil}},
		"away":            {answers: []error{serviceerror.NewUnavailable("starting"), nil}},
		"its own timeout": {answers: []error{fmt.Errorf("schedule: %w", serviceerror.NewDeadlineExceeded("busy")), nil}},
		"refused":         {answers: []error{refused}, err: refused},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			err := repeated(t.Context(), slog.New(slog.DiscardHandler), func() error {
				calls++
				return c.answers[calls-1]
			})
			require.ErrorIs(t, err, c.err)
			require.Len(t, c.answers, calls)
		})
	}
}
