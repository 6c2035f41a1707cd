package workflows

import (
	"fmt"
	"slices"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// undo takes back what one step did. It may run when nothing was done.
type undo struct {
	step     int // 0 for what belongs to no step
	title    string
	activity any
}

// undoOf is what takes each step back.
var undoOf = map[int]undo{
	models.StepOrganization:        {models.StepOrganization, "Archive the organization", boarding.ArchiveOrganization},
	models.StepAPIKey:              {models.StepAPIKey, "Revoke the API keys", boarding.RevokeAPIKeys},
	models.StepBusinessDetails:     {models.StepBusinessDetails, "Erase the business details", boarding.EraseBusinessDetails},
	models.StepBusinessAddress:     {models.StepBusinessAddress, "Erase the business address", boarding.EraseBusinessAddress},
	models.StepBusinessInformation: {models.StepBusinessInformation, "Erase the business information", boarding.EraseBusinessInformation},
	models.StepBusinessContact:     {models.StepBusinessContact, "Erase the business contact", boarding.EraseBusinessContact},
	models.StepBusinessOwners:      {models.StepBusinessOwners, "Erase the business owners", boarding.EraseBusinessOwners},
	models.StepBankDetails:         {models.StepBankDetails, "Erase the bank details", boarding.EraseBankDetails},
}

// destroyKey erases what no statement reaches. It comes after the data and before
// the client loses its keys.
var destroyKey = undo{0, "Destroy the data key", boarding.DestroyDataKey}

// cancelRegistrations ends what was begun because of auto_register, which the details
// ask for. Like the key, it is undone whether or not anything was done.
var cancelRegistrations = undo{0, "Cancel the registrations", boarding.CancelRegistrations}

// registrationsVersion marks runs that cancel registrations too.
const registrationsVersion = "cancel-registrations"

// saga keeps what would have to be undone, and undoes it.
type saga struct {
	stack []undo
	at    int      // the step that is being undone
	done  []string // titles, in the order in which they were done
	errs  []error
	over  bool // nothing is left to be undone
}

// push notes an undo; one that is noted already keeps its place.
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
	slices.Reverse(order)
	data := slices.IndexFunc(order, func(u undo) bool { return u.step <= models.StepAPIKey })
	if data < 0 {
		data = len(order)
	}
	return slices.Insert(order, data, more...)
}

// compensate undoes what was done, newest first and one after the other. An undo
// that does not succeed goes on trying while the next ones begin: no failure keeps
// another from happening. It returns when all is undone.
func (o *onboarding) compensate(ctx workflow.Context) {
	ctx, _ = workflow.NewDisconnectedContext(ctx)
	var pending []workflow.Future
	more := []undo{destroyKey}
	if workflow.GetVersion(ctx, registrationsVersion, workflow.DefaultVersion, 1) > workflow.DefaultVersion {
		more = []undo{cancelRegistrations, destroyKey}
	}
	for _, u := range o.saga.order(more...) {
		o.saga.at = u.step
		o.show(ctx)
		finished := o.undo(ctx, u)
		pending = append(pending, finished)
		wait := workflow.AwaitOptions{Timeout: undoPatience, TimerOptions: workflow.TimerOptions{Summary: "Then the next undo begins anyway"}}
		_, _ = workflow.AwaitWithOptions(ctx, wait, finished.IsReady) // on time or not, the next one follows
	}
	for _, finished := range pending {
		_ = finished.Get(ctx, nil) // what went wrong is in the saga
	}
	o.saga.at = 0
	err := workflow.ExecuteActivity(ending(ctx, "Note that all is undone"), boarding.FinishCompensation,
		activities.UndoInput{OrganizationID: o.in.OrganizationID}).Get(ctx, nil)
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
		err := workflow.ExecuteActivity(ending(ctx, summary), u.activity, activities.UndoInput{OrganizationID: o.in.OrganizationID}).Get(ctx, nil)
		if err != nil {
			o.saga.errs = append(o.saga.errs, fmt.Errorf("%s: %w", u.title, err))
		} else {
			o.saga.done = append(o.saga.done, u.title)
		}
		settle.Set(nil, err)
	})
	return finished
}

// ending gives a context for the activities that end an onboarding.
func ending(ctx workflow.Context, summary string) workflow.Context {
	options := undoOptions
	options.Summary = summary
	return workflow.WithActivityOptions(ctx, options)
}
