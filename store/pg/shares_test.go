package pg

import (
	"context"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"levy/internal/fair"
	"levy/models"
)

// A call without a place in the quota gets no connection, and an error that says whose quota is used up.
func TestAConnectionNeedsAPlaceInTheQuota(t *testing.T) {
	t.Parallel()
	s := newShares(8, nil)
	one := fair.Share{Busy: 1}
	s.slots = fair.New(fair.Sizes{Total: 2, Partner: one, Organization: one, Waits: time.Millisecond}, time.Now)
	take := func(partner string) context.Context {
		ctx := models.WithReachAndPartner(t.Context(), nil, &models.Partner{ID: partner})
		return s.TraceAcquireStart(ctx, nil, pgxpool.TraceAcquireStartData{})
	}
	first := take("a")
	require.NoError(t, first.Err())
	refused := take("a")
	<-refused.Done()
	require.ErrorIs(t, Translate(refused.Err()), models.ErrShareUsed)
	require.NoError(t, take("b").Err())
	full := take("c")
	require.ErrorIs(t, Translate(full.Err()), models.ErrUnavailable)
	require.NotErrorIs(t, Translate(full.Err()), models.ErrShareUsed)
	for _, ctx := range []context.Context{refused, full, first} { // none of them got a connection
		s.TraceAcquireEnd(ctx, nil, pgxpool.TraceAcquireEndData{Err: context.Canceled})
	}
	require.Zero(t, s.slots.Held("a"))
	require.Equal(t, 1, s.slots.Held("b"))
}
