package worker

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/workflows"
)

func refsOf(batch []offer) []models.Ref {
	var refs []models.Ref
	for _, o := range batch {
		refs = append(refs, o.ref)
	}
	return refs
}

func TestQueue(t *testing.T) {
	t.Parallel()
	now := time.Now()
	push := func(q *queue, organization string, count int) {
		for i := range count {
			q.push(offer{ref: refOf(organization, i), at: now})
		}
	}

	t.Run("organizations are served round-robin, each in the order of arrival", func(t *testing.T) {
		t.Parallel()
		q := newQueue()
		push(q, "busy", 4)
		push(q, "quiet", 1)
		push(q, "other", 2)
		batch, dropped := q.take(now.Add(-time.Second))
		require.Zero(t, dropped)
		require.Equal(t, []models.Ref{
			refOf("busy", 0), refOf("quiet", 0), refOf("other", 0),
			refOf("busy", 1), refOf("other", 1),
			refOf("busy", 2), refOf("busy", 3),
		}, refsOf(batch))
		require.Zero(t, q.size)
		require.Empty(t, q.lines)
	})

	t.Run("a busy organization delays nobody by more than one batch", func(t *testing.T) {
		t.Parallel()
		q := newQueue()
		push(q, "busy", 10*workflows.MaxBatch)
		batch, _ := q.take(now)
		require.Len(t, batch, workflows.MaxBatch)
		push(q, "late", 1)
		batch, _ = q.take(now)
		require.Len(t, batch, workflows.MaxBatch)
		require.Contains(t, refsOf(batch), refOf("late", 0))
		require.Equal(t, 8*workflows.MaxBatch+1, q.size)
	})

	t.Run("a full batch leaves the others for the next one", func(t *testing.T) {
		t.Parallel()
		q := newQueue()
		for i := range 40 {
			push(q, fmt.Sprintf("org_%02d", i), 10)
		}
		seen := make(map[models.Ref]bool)
		for q.size > 0 {
			batch, _ := q.take(now)
			require.LessOrEqual(t, len(batch), workflows.MaxBatch)
			for _, ref := range refsOf(batch) {
				require.False(t, seen[ref], "taken once")
				seen[ref] = true
			}
		}
		require.Len(t, seen, 400)
		require.Empty(t, q.order)
	})

	t.Run("a batch serves a bounded number of organizations; the next starts with the others", func(t *testing.T) {
		t.Parallel()
		q := newQueue()
		organizations := 2*workflows.MaxBatchOrganizations + 1
		for i := range organizations {
			push(q, fmt.Sprintf("org_%03d", i), 2)
		}
		batch, _ := q.take(now)
		require.Len(t, batch, 2*workflows.MaxBatchOrganizations)
		batch, _ = q.take(now)
		require.Equal(t, fmt.Sprintf("org_%03d", workflows.MaxBatchOrganizations), batch[0].ref.OrganizationID)
		batch, _ = q.take(now)
		require.Len(t, batch, 2)
		require.Zero(t, q.size)
	})

	t.Run("offers that waited too long are left to the relay", func(t *testing.T) {
		t.Parallel()
		q := newQueue()
		q.push(offer{ref: refOf("a", 0), at: now.Add(-time.Minute)})
		q.push(offer{ref: refOf("a", 1), at: now})
		q.push(offer{ref: refOf("b", 0), at: now.Add(-time.Minute)})
		batch, dropped := q.take(now.Add(-time.Second))
		require.Equal(t, 2, dropped)
		require.Equal(t, []models.Ref{refOf("a", 1)}, refsOf(batch))
		require.Zero(t, q.size)
		require.Empty(t, q.order)
	})
}
