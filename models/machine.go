package models

import "slices"

// Machine is the state machine of one field: which moves there are, who makes
// them and under which condition. Moves not listed do not exist.
type Machine struct {
	Name   string   // such as transaction_status
	Object string   // what has the field, in plain words
	Field  string   // as answers name it
	States []string // in the order of a life
	Moves  []Move
}

// Move is one way of getting from one state to another. The same two states may
// be connected by several.
type Move struct {
	From  string // empty: the object comes into being
	To    string
	By    string // who makes the move: HTTP is a call, workflow a stage or step, timer a durable timer
	Guard string // what must hold, in plain words; empty if nothing
}

// Who makes moves.
const (
	byHTTP             = "HTTP"
	byWorkflow         = "workflow"
	byTimer            = "timer"
	byHTTPOrWorkflow   = "HTTP or workflow"
	byHTTPOrTimer      = "HTTP or timer"
	byWorkflowFromHTTP = "workflow, asked by HTTP"
	byOperator         = "operator"
)

// MayMove reports whether there is a move between the two states. Staying in a
// state is no move.
func (m Machine) MayMove(from, to string) bool {
	return slices.ContainsFunc(m.Moves, func(move Move) bool { return move.From == from && move.To == to })
}

// After lists the states that can follow a state, in the order of States. It is
// empty for a final state.
func (m Machine) After(from string) []string {
	after := []string{}
	for _, state := range m.States {
		if m.MayMove(from, state) {
			after = append(after, state)
		}
	}
	return after
}

// Check returns nil if the field may go from one state to the other or stays as it
// is. Errors: *TransitionError.
func (m Machine) Check(from, to string) error {
	if from == to || m.MayMove(from, to) {
		return nil
	}
	return &TransitionError{From: from, To: to, Allowed: m.After(from)}
}

// Refuse is the error of a call that does not lead from one state to another, whether
// or not something else does.
func (m Machine) Refuse(from, to string) *TransitionError {
	allowed := slices.DeleteFunc(m.After(from), func(state string) bool { return state == to })
	return &TransitionError{From: from, To: to, Allowed: allowed}
}

// moves makes one move from each of the states to each of the others.
func moves[F, T ~string](from []F, to []T, by, guard string) []Move {
	made := make([]Move, 0, len(from)*len(to))
	for _, f := range from {
		for _, t := range to {
			if string(f) != string(t) {
				made = append(made, Move{From: string(f), To: string(t), By: by, Guard: guard})
			}
		}
	}
	return made
}

// created are the states in which an object may come into being.
func created[T ~string](to []T, by, guard string) []Move { return moves([]string{""}, to, by, guard) }

func names[T ~string](states ...T) []string {
	texts := make([]string, len(states))
	for i, s := range states {
		texts[i] = string(s)
	}
	return texts
}
