package models

import (
	"slices"
	"strings"
)

// StateMachine is the state machine of one field: which transitions there are, who makes
// them and under which condition. Transitions not listed do not exist.
type StateMachine struct {
	Name        string   // such as transaction_status
	Object      string   // what has the field, in plain words
	Field       string   // as answers name it
	States      []string // in the order of a life
	Transitions []Transition
}

// Transition is one way to get from one state to another. The same two states may
// be connected by several.
type Transition struct {
	From  string // empty: the object comes into being
	To    string
	By    string // who makes the transition: HTTP is a call, workflow a stage or step, timer a durable timer
	Guard string // what must hold, in plain words; empty if nothing
}

// Who makes transitions.
const (
	byHTTP             = "HTTP"
	byWorkflow         = "workflow"
	byTimer            = "timer"
	byHTTPOrWorkflow   = "HTTP or workflow"
	byHTTPOrTimer      = "HTTP or timer"
	byWorkflowFromHTTP = "workflow, asked by HTTP"
	byOperator         = "operator"
)

// CanTransition reports whether there is a transition between the two states. Staying in a
// state is none.
func (m StateMachine) CanTransition(from, to string) bool {
	return slices.ContainsFunc(m.Transitions, func(t Transition) bool { return t.From == from && t.To == to })
}

// After lists the states that can follow a state, in the order of States. It is
// empty for a final state.
func (m StateMachine) After(from string) []string {
	after := []string{}
	for _, state := range m.States {
		if m.CanTransition(from, state) {
			after = append(after, state)
		}
	}
	return after
}

// Check returns nil if the field may go from one state to the other or stays as it
// is. Errors: *TransitionError.
func (m StateMachine) Check(from, to string) error {
	if from == to || m.CanTransition(from, to) {
		return nil
	}
	return &TransitionError{From: from, To: to, Allowed: m.After(from)}
}

// Refuse is the error of a call that does not lead from one state to another, whether
// or not something else does.
func (m StateMachine) Refuse(from, to string) *TransitionError {
	allowed := slices.DeleteFunc(m.After(from), func(state string) bool { return state == to })
	return &TransitionError{From: from, To: to, Allowed: allowed}
}

// table are the transitions of rows that name, on either side, one state or several with spaces in between: one from each
// to each of the others.
func table(rows []Transition) []Transition {
	var made []Transition
	for _, row := range rows {
		for _, from := range states(row.From) {
			for _, to := range states(row.To) {
				if from != to {
					made = append(made, Transition{From: from, To: to, By: row.By, Guard: row.Guard})
				}
			}
		}
	}
	return made
}

func states(names string) []string { return strings.Split(names, " ") }
