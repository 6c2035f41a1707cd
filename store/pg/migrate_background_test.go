package pg

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A batch that took long or failed, as by the time limit of statements, is followed by a smaller one.
func TestABatchFollowsTheOneBefore(t *testing.T) {
	t.Parallel()
	failed := errors.New("canceling statement due to statement timeout")
	for _, c := range []struct {
		rows, next int
		took       time.Duration
		err        error
	}{
		{rows: 500, next: 1000}, {rows: batchMost, next: batchMost}, {rows: 500, next: 500, took: batchShort},
		{rows: 500, next: 250, took: 2 * batchLong}, {rows: batchLeast, next: batchLeast, took: 2 * batchLong},
		{rows: 500, next: 250, err: failed}, {rows: batchLeast, next: batchLeast, err: failed},
	} {
		require.Equal(t, c.next, nextBatch(c.rows, c.took, c.err), "%+v", c)
	}
}
