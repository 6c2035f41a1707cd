package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

// The database and package models list the same transitions.
func TestTheDatabaseAllowsTheSameTransitionsAsTheModels(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	for _, machine := range models.StateMachines() {
		if machine.Name == models.ImportTransitions.Name {
			continue // has a function of its own
		}
		statement := "SELECT may_move($1, $2, $3)"
		if machine.Name == models.NoticeTransitions.Name { // has a function of its own
			statement = "SELECT $1::text <> '' AND may_move_notice($2, $3)"
		}
		for _, from := range machine.States {
			for _, to := range machine.States {
				var may bool
				require.NoError(t, b.SQL.QueryRow(t.Context(), statement, machine.Name, from, to).Scan(&may))
				require.Equal(t, machine.CanTransition(from, to), may, "%s: %s to %s", machine.Name, from, to)
			}
		}
	}
}

// The database refuses a status that is written without the rules of the code.
func TestTheDatabaseRefusesUnknownTransitions(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 1)
	ref := b.Accepted(t, 1)[0]
	try := func(column, machine string, m models.StateMachine) {
		for _, from := range m.States {
			for _, to := range m.States {
				tx, err := b.SQL.Begin(context.Background())
				require.NoError(t, err)
				if machine == models.CreditNoteTransitions.Name {
					_, err = tx.Exec(t.Context(), "UPDATE transactions SET type = 'PARTIAL_CREDIT_NOTE' WHERE id = $1", ref.ID)
					require.NoError(t, err)
				}
				_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = "+
					"replica") // no triggers: the test sets the first status directly
				require.NoError(t, err)
				_, err = tx.Exec(t.Context(), "UPDATE transactions SET "+column+" = $1", from)
				require.NoError(t, err)
				_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = origin")
				require.NoError(t, err)
				_, err = tx.Exec(t.Context(), "UPDATE transactions SET "+column+" = $1", to)
				if m.Check(from, to) == nil {
					require.NoError(t, err, "%s: %s to %s", machine, from, to)
				} else {
					require.ErrorContains(t, err, "does not exist", "%s: %s to %s", machine, from, to)
				}
				require.NoError(t, tx.Rollback(context.Background()))
			}
		}
	}
	try("processing_status", models.ProcessingTransitions.Name, models.ProcessingTransitions)
	try("status", models.TransactionTransitions.Name, models.TransactionTransitions)
	try("status", models.CreditNoteTransitions.Name, models.CreditNoteTransitions)
}
