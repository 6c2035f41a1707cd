package activities

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// parts is a pacer by which a stage does one part after the other, and all the rest after some. A test can run
// something before each part.
type parts struct {
	small, begun int
	before       func(part int)
}

func (p *parts) Next(context.Context) (all bool) {
	p.begun++
	if p.before != nil {
		p.before(p.begun)
	}
	return p.begun > p.small
}

// A stage that has a pacer does the same in parts.
func TestAStageInPartsDoesTheSame(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, stage string) {
		transactions, refs := readyFor(stage, 5*partSize)
		const superseded = 3*partSize + 1
		transactions[superseded].Epoch++
		b := newBundle(fakeEngine{}, transactions...)
		pacer := &parts{small: 2, before: func(part int) {
			moved := 0
			for _, ref := range refs {
				moved += len(b.store.transitions[ref.ID])
			}
			require.Equal(t, (part-1)*partSize, moved, "what is done is saved before the next part")
		}}
		value, err := attempt{pacer: pacer}.run(t, b.processing, stage, StageInput{Refs: refs})
		require.NoError(t, err)
		var result StageResult
		require.NoError(t, value.Get(&result))
		require.Equal(t, []Exception{{Index: superseded, Decision: models.DecisionSuperseded}}, result.Exceptions)
		require.Equal(t, 3, pacer.begun)
		for i, ref := range refs {
			require.Equal(t, i != superseded, len(b.store.transitions[ref.ID]) == 1)
		}
	})
}

// The attempt after a failure finds the parts that were saved before it.
func TestAStageContinuesAfterTheLastSavedPart(t *testing.T) {
	t.Parallel()
	eachStage(t, func(t *testing.T, stage string) {
		transactions, refs := readyFor(stage, 2*partSize)
		b := newBundle(fakeEngine{}, transactions...)
		pacer := &parts{small: 4, before: func(part int) {
			if b.store.loadErr = nil; part == 2 {
				b.store.loadErr = models.ErrUnavailable
			}
		}}
		left := attempt{pacer: pacer}.failing(t, b.processing, stage, StageInput{Refs: refs})
		require.Equal(t, ErrTypeInfrastructure, left.Type())
		b.store.loadErr = nil
		require.Empty(t, execute[StageResult](t, b.processing, stage, StageInput{Refs: refs}).Exceptions)
		for _, ref := range refs {
			require.Len(t, b.store.transitions[ref.ID], 1)
		}
	})
}
