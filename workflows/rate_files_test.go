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
