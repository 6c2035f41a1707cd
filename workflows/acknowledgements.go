package workflows

import (
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
)

// FetchAcknowledgementsInput says where to go on. The schedule starts with an empty one.
type FetchAcknowledgementsInput struct {
	Result FetchAcknowledgementsResult `json:"result"`
}

// FetchAcknowledgementsResult says what came of all queues.
type FetchAcknowledgementsResult struct {
	Queues      int      `json:"queues"`
	Messages    int      `json:"messages"`
	Unreachable []string `json:"unreachable,omitempty"` // authorities that were not reached; the next run asks them again
	Failing     []string `json:"failing,omitempty"`     // authorities with queues that failed; the next run reads them again
}

var acknowledgements *activities.Acknowledgements

// FetchAcknowledgements reads the queues in which states acknowledge returns, of each transmitter that has sent one in the last 90
// days. FileReturn reads the queue of a return that waits, too. This run also reads those that no return waits for.
func FetchAcknowledgements(ctx workflow.Context, in FetchAcknowledgementsInput) (FetchAcknowledgementsResult, error) {
	for range stepsPerRun {
		var step activities.FetchAcknowledgementsResult
		err := execute(ctx, summarized(acknowledgementOptions, "Read the next queues"), acknowledgements.FetchAcknowledgements,
			activities.FetchAcknowledgementsInput{After: in.Result.Queues}, &step)
		if err != nil {
			return in.Result, err
		}
		in.Result.add(step)
		workflow.SetCurrentDetails(ctx, in.Result.inWords())
		if step.Done {
			return in.Result, nil
		}
	}
	return in.Result, workflow.NewContinueAsNewError(ctx, FetchAcknowledgementsName, in)
}

func (r *FetchAcknowledgementsResult) add(step activities.FetchAcknowledgementsResult) {
	r.Queues, r.Messages = r.Queues+step.Queues, r.Messages+step.Messages
	r.Unreachable = withOthers(r.Unreachable, step.Unreachable)
	r.Failing = withOthers(r.Failing, step.Failing)
}

// withOthers returns names with those of others that are not among them.
func withOthers(names, others []string) []string {
	for _, name := range others {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func (r *FetchAcknowledgementsResult) inWords() string {
	text := fmt.Sprintf("%s of %s", count(r.Messages, "acknowledgement"), count(r.Queues, "queue"))
	if len(r.Unreachable) > 0 {
		text += "; **out of reach: " + strings.Join(r.Unreachable, ", ") + "**"
	}
	if len(r.Failing) > 0 {
		text += "; **queues that fail: " + strings.Join(r.Failing, ", ") + "**"
	}
	return text
}
