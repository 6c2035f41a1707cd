package store_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// The database and package models list the same moves.
func TestTheDatabaseKnowsTheSameMovesAsTheModels(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	for _, machine := range models.Machines() {
		if machine.Name == models.ImportStatusMachine.Name {
			continue // has a function of its own
		}
		for _, from := range machine.States {
			for _, to := range machine.States {
				var may bool
				require.NoError(t, b.sql.QueryRow(t.Context(), "SELECT may_move($1, $2, $3)", machine.Name, from, to).Scan(&may))
				require.Equal(t, machine.MayMove(from, to), may, "%s: %s to %s", machine.Name, from, to)
			}
		}
	}
}

// Whoever writes a status past the rules of the code is stopped by the database.
func TestTheDatabaseRefusesMovesThatDoNotExist(t *testing.T) {
	t.Parallel()
	b := setupIntake(t, 1, 1)
	ref := b.accepted(t, 1)[0]
	try := func(column, machine string, m models.Machine) {
		for _, from := range m.States {
			for _, to := range m.States {
				tx, err := b.sql.Begin(context.Background())
				require.NoError(t, err)
				if machine == models.CreditNoteStatusMachine.Name {
					_, err = tx.Exec(t.Context(), "UPDATE transactions SET type = 'PARTIAL_CREDIT_NOTE' WHERE id = $1", ref.ID)
					require.NoError(t, err)
				}
				_, err = tx.Exec(t.Context(), "SET LOCAL session_replication_role = replica") // no triggers: whatever it takes to begin there
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
	try("processing_status", models.ProcessingMachine.Name, models.ProcessingMachine)
	try("status", models.TransactionStatusMachine.Name, models.TransactionStatusMachine)
	try("status", models.CreditNoteStatusMachine.Name, models.CreditNoteStatusMachine)
}
