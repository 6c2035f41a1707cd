package models

import (
	"slices"
	"strings"
)

// StateMachine are the transitions of one field, with their actors and conditions. Transitions that are not listed do
// not exist.
type StateMachine struct {
	Name        string   // such as transaction_status
	Object      string   // the object with the field, in plain words
	Field       string   // its name in answers
	States      []string // in the order of a life
	Transitions []Transition
}

// Transition is one way from one state to another. Several may connect the same two states.
type Transition struct {
	From  string // "": the object is created
	To    string
	By    string // the actor of the transition: HTTP is a call, workflow a stage or step, timer a durable timer
	Guard string // the condition in plain words; "" for none
}

// The actors of transitions.
const (
	byHTTP             = "HTTP"
	byWorkflow         = "workflow"
	byTimer            = "timer"
	byHTTPOrWorkflow   = "HTTP or workflow"
	byHTTPOrTimer      = "HTTP or timer"
	byWorkflowFromHTTP = "workflow, asked by HTTP"
	byOperator         = "operator"
)

// CanTransition reports whether there is a transition between the two states. Staying in a state is no transition.
func (m StateMachine) CanTransition(from, to string) bool {
	return slices.ContainsFunc(m.Transitions, func(t Transition) bool { return t.From == from && t.To == to })
}

// After returns the states that can follow a state, in the order of States; none for a final state.
func (m StateMachine) After(from string) []string {
	after := []string{}
	for _, state := range m.States {
		if m.CanTransition(from, state) {
			after = append(after, state)
		}
	}
	return after
}

// Check returns nil if the field may go from one state to the other or stays the same. Errors: *TransitionError.
func (m StateMachine) Check(from, to string) error {
	if from == to || m.CanTransition(from, to) {
		return nil
	}
	return &TransitionError{From: from, To: to, Allowed: m.After(from)}
}

// Refuse returns the error of a call that may not lead from one state to another, even if another call may.
func (m StateMachine) Refuse(from, to string) *TransitionError {
	allowed := slices.DeleteFunc(m.After(from), func(state string) bool { return state == to })
	return &TransitionError{From: from, To: to, Allowed: allowed}
}

// table expands rows whose sides name one or several states, separated by spaces: one transition from each to each of
// the others.
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
