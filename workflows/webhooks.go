package workflows

import (
	"fmt"
	"strings"
	"time"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// DeliverInput names the endpoint. The record of the endpoint says what is left to send, so a new run continues the
// work of a lost one.
type DeliverInput struct {
	models.WebhookRef
	Turns     int `json:"turns,omitempty"`     // of earlier runs
	Delivered int `json:"delivered,omitempty"` // by them
}

var webhooks *activities.Webhooks

// DeliverWebhooks sends the events of an endpoint while there is something to send, and waits between the attempts of
// those that failed. WakeSignal tells it that there is more. It ends when nothing is left.
func DeliverWebhooks(ctx workflow.Context, in DeliverInput) (activities.DeliverStep, error) {
	d := &deliveryRun{in: in}
	progress := func() (activities.DeliverStep, error) { return d.step, nil }
	if err := answerProgress(ctx, progress); err != nil {
		return d.step, err
	}
	wake := signals(ctx, WakeSignal, "There is more to send")
	for range stepsPerRun {
		drain(wake)
		if err := d.deliver(ctx); err != nil {
			return d.step, err
		}
		if d.step.More {
			continue
		}
		if d.step.WaitMillis == 0 && wake.Len() == 0 {
			return d.step, nil
		}
		if err := d.wait(ctx, wake); err != nil {
			return d.step, err
		}
	}
	in.Turns, in.Delivered = in.Turns+stepsPerRun, d.in.Delivered
	drain(wake) // the next run begins with a delivery
	return d.step, workflow.NewContinueAsNewError(ctx, DeliverWebhooksName, in)
}

// drain takes all signals: the delivery after that sends what they were about.
func drain(signals workflow.ReceiveChannel) {
	for signals.ReceiveAsync(nil) {
	}
}

// deliveryRun is the state of a run.
type deliveryRun struct {
	in   DeliverInput
	step activities.DeliverStep
}

// deliver sends what is due.
func (d *deliveryRun) deliver(ctx workflow.Context) error {
	summary := "Send what is due"
	if d.step.Pending > 0 {
		summary = "Repeat what failed: the endpoint " + d.step.LastProblem
	}
	d.step = activities.DeliverStep{}
	if err := execute(ctx, summarized(deliverOptions, summary), webhooks.Deliver, d.in.WebhookRef, &d.step); err != nil {
		return err
	}
	d.in.Delivered += d.step.Delivered
	return d.show(ctx)
}

// wait waits until something is to be repeated, or a signal says that there is more.
func (d *deliveryRun) wait(ctx workflow.Context, wake workflow.ReceiveChannel) error {
	if wake.Len() > 0 {
		return nil
	}
	ctx, cancel := workflow.WithCancel(ctx)
	defer cancel()
	pause := time.Duration(d.step.WaitMillis) * time.Millisecond
	timer := workflow.NewTimerWithOptions(ctx, pause, workflow.TimerOptions{Summary: "Next attempt"})
	var err error
	workflow.NewSelector(ctx).
		AddReceive(wake, func(c workflow.ReceiveChannel, _ bool) { c.ReceiveAsync(nil) }).
		AddFuture(timer, func(f workflow.Future) { err = f.Get(ctx, nil) }).
		Select(ctx)
	return err
}

// show shows staff what is sent, what is repeated, and why.
func (d *deliveryRun) show(ctx workflow.Context) error {
	lines := []string{fmt.Sprintf("%s delivered by this run", count(d.in.Delivered, "event"))}
	waits := "nothing"
	switch {
	case d.step.Status == "" && !d.step.More:
		lines = append(lines, "- the endpoint is deleted")
	case d.step.Status == models.WebhookDisabled:
		lines = append(lines, "- the endpoint is **disabled** ("+d.step.Reason+")")
	case d.step.Pending > 0:
		waits = "endpoint"
		next := workflow.Now(ctx).Add(time.Duration(d.step.WaitMillis) * time.Millisecond).UTC()
		lines = append(lines, fmt.Sprintf("- **%s** until the next attempt at %s UTC: the endpoint %s",
			waiting(d.step.Pending), next.Format(time.DateTime), d.step.LastProblem))
	case d.step.LastProblem != "":
		lines = append(lines, "- the endpoint "+d.step.LastProblem)
	}
	workflow.SetCurrentDetails(ctx, strings.Join(lines, "\n"))
	return workflow.UpsertTypedSearchAttributes(ctx, failedCount.ValueSet(int64(d.step.Pending)), waitsFor.ValueSet(waits))
}

func waiting(n int) string {
	if n == 1 {
		return "1 event waits"
	}
	return fmt.Sprintf("%d events wait", n)
}
