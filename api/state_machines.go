package api

import (
	"context"

	"levy/api/openapi"
	"levy/models"
)

// ListStateMachines publishes the tables of the transitions of every status.
func (s *Server) ListStateMachines(
	context.Context, openapi.ListStateMachinesRequest,
) (openapi.StateMachineList, error) {
	items := convertAll(models.StateMachines(), stateMachineAnswer)
	return openapi.StateMachineList{Items: items, Total: int64(len(items)), Page: 1, Size: len(items), Pages: 1}, nil
}

func stateMachineAnswer(m models.StateMachine) openapi.StateMachine {
	return openapi.StateMachine{
		Name: m.Name, Object: m.Object, Field: m.Field,
		States: convertAll(m.States, func(state string) openapi.State {
			after := m.After(state)
			return openapi.State{Name: state, Final: len(after) == 0, Next: after}
		}),
		Moves: convertAll(m.Transitions, func(t models.Transition) openapi.StateMove {
			return openapi.StateMove{From: optional(t.From), To: t.To, By: t.By, Guard: optional(t.Guard)}
		}),
	}
}
