package workflows

import (
	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
	"levy/rules"
)

// RegistrationInput names the registration. Its other fields are for people who search for the run.
type RegistrationInput struct {
	OrganizationID string                    `json:"organization_id"`
	RegistrationID string                    `json:"registration_id"`
	Jurisdiction   string                    `json:"jurisdiction"` // US-NV
	Status         models.RegistrationStatus `json:"status"`
	Run            rules.RegistrationRun     `json:"run,omitzero"` // the memory of a run that is continued
}

// RegistrationResult says where the run left the registration.
type RegistrationResult struct {
	Status models.RegistrationStatus `json:"status"`
}

var registering *activities.Registration

// Registration carries a registration to the authority and, when it ends, its end. It gives the organization its
// default products, submits the registration, records the answer and has the filings planned. The record decides: the
// run reads it, does the next action, and reads it again when the time has come or the record has changed. A run ends
// when the registration is REGISTERED or over. Its deregistration is another run.
func Registration(ctx workflow.Context, in RegistrationInput) (RegistrationResult, error) {
	r := newRegistration(in)
	if err := r.listen(ctx); err != nil {
		return RegistrationResult{}, err
	}
	for {
		if err := r.refresh(ctx); err != nil {
			return RegistrationResult{}, err
		}
		var err error
		switch r.now.Action {
		case rules.RegistrationEnds:
			return RegistrationResult{Status: r.now.Status}, nil
		case rules.RegistrationWaits:
			err = r.wait(ctx, nothing)
		case rules.RegistrationPrepares:
			err = onRecord(ctx, "Create the default products", registering.CreateDefaultProducts, r.at(ctx), nil)
		case rules.RegistrationProceeds:
			summary := "The onboarding is complete: go on"
			err = onRecord(ctx, summary, registering.ProceedWithRegistration, r.at(ctx), nil)
		case rules.RegistrationSubmits:
			err = r.submit(ctx)
		case rules.RegistrationSettles:
			err = r.settle(ctx)
		case rules.RegistrationCloses:
			err = onRecord(ctx, "The last filing is over: deregistered", registering.CloseRegistration, r.at(ctx), nil)
		}
		if err != nil {
			return RegistrationResult{}, err
		}
		if workflow.GetInfo(ctx).GetContinueAsNewSuggested() && r.seen == r.changes {
			in.Status, in.Run = r.now.Status, r.run
			return RegistrationResult{}, workflow.NewContinueAsNewError(ctx, RegistrationName, in)
		}
	}
}

// registration is the state of a run.
type registration struct {
	in      RegistrationInput
	now     rules.RegistrationSnapshot // the result of the last refresh
	run     rules.RegistrationRun      // the memory of the run
	changes int                        // how often it was signalled that the record has changed
	seen    int                        // the changes that the last refresh has seen
	shown   [2]string                  // the values of the search attributes
	refusal string                     // why the authority rejected it, also in its own words
}

func newRegistration(in RegistrationInput) *registration {
	return &registration{in: in, run: in.Run, shown: [2]string{string(in.Status), ""}} // as the start says it
}

// listen registers the messages. It must come before anything that waits.
func (r *registration) listen(ctx workflow.Context) error {
	if err := answerProgress(ctx, r.progress); err != nil {
		return err
	}
	changed := signals(ctx, RecordChangedSignal, "The record has changed: the run reads it again")
	workflow.Go(ctx, func(ctx workflow.Context) {
		for changed.Receive(ctx, nil) {
			r.changes++
		}
	})
	return nil
}

// refresh reads the record, and shows staff what it found.
func (r *registration) refresh(ctx workflow.Context) error {
	r.seen = r.changes                  // the next refresh reads later changes
	r.now.Run = rules.RegistrationRun{} // an answer omits its empty fields
	mark(ctx, refreshActivities)
	in := activities.RefreshInput{RegistrationInput: r.at(ctx), Run: r.run}
	err := onRecord(ctx, "Read the record", registering.RefreshRegistration, in, &r.now)
	if err == nil {
		r.run = r.now.Run
		r.show(ctx)
	}
	return err
}

// settle does what follows from the status: filings are planned where they begin, and
// cancelled where they end.
func (r *registration) settle(ctx workflow.Context) error {
	err := onRecord(ctx, "Cancel what is not to be filed any more", registering.CancelLaterFilings, r.at(ctx), nil)
	if r.now.Status == models.RegistrationDeregistered {
		mark(ctx, planLastReturn)
	}
	if err == nil && r.now.Status != models.RegistrationCancelled {
		err = r.plan(ctx)
	}
	r.run.Settled = err == nil
	return err
}

// plan has the filings of the periods that have ended made at once; the daily plan
// makes the later ones.
func (r *registration) plan(ctx workflow.Context) error {
	options := summarized(recordOptions, "Plan the filings of the periods that have ended")
	options.TaskQueue = FilingsQueue
	in := activities.PlanRegistrationInput{
		Now: workflow.Now(ctx).UTC(), OrganizationID: r.in.OrganizationID, RegistrationID: r.in.RegistrationID,
	}
	return execute(ctx, options, planning.PlanRegistration, in, nil)
}

// wait returns when the record has changed, when the next refresh is due or when
// something has happened.
func (r *registration) wait(ctx workflow.Context, happened func() bool) error {
	woken := func() bool { return r.changes != r.seen || happened() }
	if r.now.Next <= 0 {
		return workflow.Await(ctx, woken)
	}
	options := workflow.AwaitOptions{
		Timeout: r.now.Next, TimerOptions: workflow.TimerOptions{Summary: timerOf[r.now.Waits]},
	}
	early, err := workflow.AwaitWithOptions(ctx, options, woken)
	if !early && r.now.Waits == rules.RegistrationWaitsForLastDay {
		r.run.Settled = false // its last filing can be planned now
	}
	return err
}

// at names the registration, at this moment.
func (r *registration) at(ctx workflow.Context) activities.RegistrationInput {
	return activities.RegistrationInput{
		OrganizationID: r.in.OrganizationID, RegistrationID: r.in.RegistrationID, Attempt: r.now.Attempt,
		Now: workflow.Now(ctx).UTC(),
	}
}
