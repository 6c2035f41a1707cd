package api

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

func TestStateMachinesArePublishedAsTheyAreEnforced(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	answer := b.send(http.MethodGet, "/v1/meta/state-machines", "")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	requireContract(t, "StateMachineList", answer.Body.Bytes())
	var list contract.StateMachineList
	require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &list))
	require.Len(t, list.Items, len(models.StateMachines()))
	for i, m := range models.StateMachines() {
		require.Equal(t, m.Name, list.Items[i].Name)
		require.Len(t, list.Items[i].Moves, len(m.Transitions))
		for _, state := range list.Items[i].States {
			for _, next := range state.Next {
				require.True(t, m.CanTransition(state.Name, next))
			}
			require.Equal(t, len(state.Next) == 0, state.Final)
		}
	}
}
