package workflows

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/activities"
	"levy/models"
)

// published answers for each state with its next result.
type published struct {
	results map[string][]models.FetchedRates
	outages int
	broken  string // a state whose step always fails
	asked   []string
}

func (p *published) States(context.Context) ([]string, error) {
	return []string{"GA", "KS", "MN", "OH"}, nil
}

func (p *published) FetchRates(_ context.Context, state string) (models.FetchedRates, error) {
	if p.outages > 0 {
		p.outages--
		return models.FetchedRates{}, models.ErrUnavailable
	}
	if p.broken == state {
		return models.FetchedRates{}, models.ErrUnavailable
	}
	p.asked = append(p.asked, state)
	next := p.results[state][0]
	if len(p.results[state]) > 1 {
		p.results[state] = p.results[state][1:]
	}
	return next, nil
}

func TestFetchRateFiles(t *testing.T) {
	t.Parallel()
	current, gone := models.FetchedRates{Status: models.SourceCurrent}, models.FetchedRates{Unreachable: true}
	p := &published{outages: 2, results: map[string][]models.FetchedRates{
		"GA": {current}, "KS": {gone, current}, "MN": {{Status: models.SourceQuarantined}}, "OH": {gone},
	}}
	env := newEnvironment()
	Register(env, ImportsQueue, activities.NewRateFiles(p, quietLog))
	env.ExecuteWorkflow(FetchRateFiles, FetchRateFilesInput{})
	require.NoError(t, env.GetWorkflowError())
	var result FetchRateFilesResult
	require.NoError(t, env.GetWorkflowResult(&result))
	require.Equal(t, FetchRateFilesResult{
		Current: []string{"GA", "KS"}, Waiting: []string{"MN"}, Unreachable: []string{"OH"},
	}, result)
	require.Equal(t, []string{"GA", "KS", "MN", "OH", "KS", "OH", "OH"}, p.asked,
		"only what was out of reach is asked again, three times in all")
	require.Equal(t, "2 of 4 states current; **wait for a person: MN**; **out of reach: OH**", result.inWords(4))
}

func TestAnErrorOfOneStateLeavesTheOthersTheirFiles(t *testing.T) {
	t.Parallel()
	current, gone := models.FetchedRates{Status: models.SourceCurrent}, models.FetchedRates{Unreachable: true}
	p := &published{broken: "GA", results: map[string][]models.FetchedRates{
		"KS": {gone, current}, "MN": {current}, "OH": {{Status: models.SourceRefused}},
	}}
	env := newEnvironment()
	Register(env, ImportsQueue, activities.NewRateFiles(p, quietLog))
	env.ExecuteWorkflow(FetchRateFiles, FetchRateFilesInput{})
	require.NoError(t, env.GetWorkflowError())
	var result FetchRateFilesResult
	require.NoError(t, env.GetWorkflowResult(&result))
	require.Equal(t, FetchRateFilesResult{
		Current: []string{"MN", "KS"}, Refused: []string{"OH"}, Unreachable: []string{"GA"},
	}, result)
	require.Equal(t, []string{"KS", "MN", "OH", "KS"}, p.asked)
}

// rateFileRuns are the scenarios of a run. None waits for a state that is out of reach.
var rateFileRuns = histories[*published]{
	folder: "FetchRateFiles", workflows: map[string]any{FetchRateFilesName: FetchRateFiles},
	scenarios: func() map[string]*published {
		answers := func(statuses ...models.SourceStatus) map[string][]models.FetchedRates {
			results := map[string][]models.FetchedRates{}
			for i, state := range []string{"GA", "KS", "MN", "OH"} {
				results[state] = []models.FetchedRates{{Status: statuses[i]}}
			}
			return results
		}
		current := models.SourceCurrent
		return map[string]*published{
			"current": {results: answers(current, current, current, current)},
			"decided": {results: answers(models.SourceProposed, models.SourceQuarantined, models.SourceRefused, current)},
			"outage":  {outages: 1, results: answers(current, current, current, current)},
		}
	},
}

func TestReplayFetchRateFiles(t *testing.T) {
	t.Parallel()
	rateFileRuns.replayAll(t)
}
