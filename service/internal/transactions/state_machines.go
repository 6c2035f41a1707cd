package transactions

import (
	"context"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// ListStateMachines lists the transitions of every status.
func (o *Operations) ListStateMachines(
	context.Context, contract.ListStateMachinesRequest,
) (contract.StateMachineList, error) {
	items := convert.ConvertAll(models.StateMachines(), stateMachineAnswer)
	return contract.StateMachineList{Items: items, Total: int64(len(items)), Page: 1, Size: len(items), Pages: 1}, nil
}

func stateMachineAnswer(m models.StateMachine) contract.StateMachine {
	return contract.StateMachine{
		Name: m.Name, Object: m.Object, Field: m.Field,
		States: convert.ConvertAll(m.States, func(state string) contract.State {
			after := m.After(state)
			return contract.State{Name: state, Final: len(after) == 0, Next: after}
		}),
		Moves: convert.ConvertAll(m.Transitions, func(t models.Transition) contract.StateMove {
			return contract.StateMove{From: convert.Optional(t.From), To: t.To, By: t.By, Guard: convert.Optional(t.Guard)}
		}),
	}
}
