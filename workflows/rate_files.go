package workflows

import (
	"fmt"
	"slices"
	"strings"

	"go.temporal.io/sdk/workflow"

	"levy/activities"
	"levy/models"
)

// FetchRateFilesInput is empty. The schedule starts each run.
type FetchRateFilesInput struct{}

// FetchRateFilesResult says what became of the files of each state.
type FetchRateFilesResult struct {
	Current     []string `json:"current"`     // in force
	Waiting     []string `json:"waiting"`     // for a person
	Refused     []string `json:"refused"`     // not in order; what was in force stays
	Unreachable []string `json:"unreachable"` // no server gave them today
}

var rateFiles *activities.RateFiles

// FetchRateFiles fetches the rate and boundary files of every state that has addresses, one state after the other. A state
// whose server does not answer is asked again an hour later, three times in all. An error of one state leaves the others
// theirs. The status of the installation and an alarm name the states whose files wait for a person, are refused or stay
// out of reach.
func FetchRateFiles(ctx workflow.Context, _ FetchRateFilesInput) (FetchRateFilesResult, error) {
	var result FetchRateFilesResult
	var sources activities.ListSourcesResult
	err := execute(ctx, summarized(expiryOptions, "States whose files are fetched"), rateFiles.ListSources,
		activities.ListSourcesInput{}, &sources)
	if err != nil {
		return result, err
	}
	asked := sources.States
	var failed []string // not asked again in this run: their step has used its time
	for attempt := 1; ; attempt++ {
		result.Unreachable = slices.Clone(failed)
		var again []string
		for _, state := range asked {
			fetched, err := fetchRates(ctx, state)
			switch {
			case ctx.Err() != nil:
				return result, ctx.Err()
			case err != nil:
				fetched.Unreachable = true
				failed = append(failed, state)
			case fetched.Unreachable:
				again = append(again, state)
			}
			result.note(state, fetched)
			workflow.SetCurrentDetails(ctx, result.inWords(len(sources.States)))
		}
		if asked = again; len(asked) == 0 || attempt == fetchAttempts {
			break
		}
		if err := workflow.Sleep(ctx, fetchPause); err != nil {
			return result, err
		}
	}
	return result, nil
}

func fetchRates(ctx workflow.Context, state string) (models.FetchedRates, error) {
	var fetched models.FetchedRates
	err := execute(ctx, summarized(fetchOptions, "Rate and boundary files of "+state), rateFiles.FetchRates,
		activities.FetchRatesInput{State: state}, &fetched)
	return fetched, err
}

func (r *FetchRateFilesResult) note(state string, fetched models.FetchedRates) {
	switch {
	case fetched.Unreachable:
		r.Unreachable = append(r.Unreachable, state)
	case fetched.Status.Waits():
		r.Waiting = append(r.Waiting, state)
	case fetched.Status == models.SourceRefused:
		r.Refused = append(r.Refused, state)
	default:
		r.Current = append(r.Current, state)
	}
}

func (r *FetchRateFilesResult) inWords(states int) string {
	text := fmt.Sprintf("%d of %s current", len(r.Current), count(states, "state"))
	for _, part := range []struct {
		what   string
		states []string
	}{{"wait for a person", r.Waiting}, {"refused", r.Refused}, {"out of reach", r.Unreachable}} {
		if len(part.states) > 0 {
			text += fmt.Sprintf("; **%s: %s**", part.what, strings.Join(part.states, ", "))
		}
	}
	return text
}
