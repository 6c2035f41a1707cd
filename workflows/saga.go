package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// undo undoes what one step did. It may run when nothing was done.
type undo struct {
	step     int // 0 for what belongs to no step
	title    string
	activity any
}

// undoOf is what undoes each step.
var undoOf = byStep(
	undo{models.StepOrganization, "Archive the organization", onboardings.ArchiveOrganization},
	undo{models.StepAPIKey, "Revoke the API keys", onboardings.RevokeAPIKeys},
	undo{models.StepBusinessDetails, "Erase the business details", onboardings.EraseBusinessDetails},
	undo{models.StepBusinessAddress, "Erase the business address", onboardings.EraseBusinessAddress},
	undo{models.StepBusinessInformation, "Erase the business information", onboardings.EraseBusinessInformation},
	undo{models.StepBusinessContact, "Erase the business contact", onboardings.EraseBusinessContact},
	undo{models.StepBusinessOwners, "Erase the business owners", onboardings.EraseBusinessOwners},
	undo{models.StepBankDetails, "Erase the bank details", onboardings.EraseBankDetails},
)

func byStep(undos ...undo) map[int]undo {
	all := make(map[int]undo, len(undos))
	for _, u := range undos {
		all[u.step] = u
	}
	return all
}

// destroyKey erases what no statement reaches. It comes after the data and before
// the client loses its keys.
var destroyKey = undo{0, "Destroy the data key", onboardings.DestroyDataKey}

// cancelRegistrations ends what was begun because of auto_register, which the details
// ask for. Like the key, it is undone whether or not anything was done.
var cancelRegistrations = undo{0, "Cancel the registrations", onboardings.CancelRegistrations}

// saga keeps what would have to be undone, and undoes it.
type saga struct {
	stack []undo
	at    int      // the step that is being undone
	done  []string // titles, in the order in which they were done
	errs  []error
	over  bool // nothing is left to be undone
}

// push notes an undo; one that is noted already keeps its position.
func (s *saga) push(u undo) {
	if !slices.ContainsFunc(s.stack, func(noted undo) bool { return noted.step == u.step }) {
		s.stack = append(s.stack, u)
	}
}

// drop forgets an undo.
func (s *saga) drop(u undo) {
	s.stack = slices.DeleteFunc(s.stack, func(noted undo) bool { return noted.step == u.step })
}

// order is all that is to be undone, newest first. More comes after the data of the
// steps and before the client loses its keys.
func (s *saga) order(more ...undo) []undo {
	order := slices.Clone(s.stack)
	// guard: compensation: newest first
	slices.Reverse(order)
	data := slices.IndexFunc(order, func(u undo) bool { return u.step <= models.StepAPIKey })
	if data < 0 {
		data = len(order)
	}
	return slices.Insert(order, data, more...)
}

// compensate undoes what was done, newest first and one after the other. An undo
// that does not succeed goes on trying while the next ones begin: no failure keeps
// another from happening. It returns when all is undone, or is given up: then the record
// is left to be undone by another run.
func (o *onboarding) compensate(ctx workflow.Context) {
	// guard: compensation: goes on when the run is cancelled
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	var pending []workflow.Future
	for _, u := range o.saga.order(cancelRegistrations, destroyKey) {
		o.saga.at = u.step
		o.show(ctx)
		finished := o.undo(ctx, u)
		pending = append(pending, finished)
		timer := workflow.TimerOptions{Summary: "Then the next undo begins anyway"}
		// guard: compensation: an undo that fails keeps no other from happening
		wait := workflow.AwaitOptions{Timeout: undoTimeout, TimerOptions: timer}
		_, _ = workflow.AwaitWithOptions(ctx, wait, finished.IsReady) // on time or not, the next one follows
	}
	for _, finished := range pending {
		_ = finished.Get(ctx, nil) // the saga has its error
	}
	o.saga.at = 0
	if len(o.saga.errs) > 0 {
		return
	}
	err := execute(ctx, summarized(undoOptions, "Note that all is undone"), onboardings.FinishCompensation,
		activities.UndoInput{OrganizationID: o.in.OrganizationID}, nil)
	if err != nil {
		o.saga.errs = append(o.saga.errs, err)
	}
	o.saga.over = len(o.saga.errs) == 0
}

func (o *onboarding) undo(ctx workflow.Context, u undo) workflow.Future {
	finished, settle := workflow.NewFuture(ctx)
	summary := u.title
	if u.step > 0 {
		summary = fmt.Sprintf("Undo step %d: %s", u.step, u.title)
	}
	workflow.Go(ctx, func(ctx workflow.Context) {
		in := activities.UndoInput{OrganizationID: o.in.OrganizationID}
		err := execute(ctx, summarized(undoOptions, summary), u.activity, in, nil)
		if err != nil {
			o.saga.errs = append(o.saga.errs, fmt.Errorf("%s: %w", u.title, err))
		} else {
			o.saga.done = append(o.saga.done, u.title)
		}
		settle.Set(nil, err)
	})
	return finished
}
