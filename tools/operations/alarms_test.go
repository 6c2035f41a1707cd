package operations

import (
	"context"
	"os"
	"testing"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/promql/promqltest"
	"github.com/prometheus/prometheus/rules"
	"github.com/prometheus/prometheus/util/teststorage"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// unitTests are the tests of docs/operations/alarms_test.yml: the used part of the format of promtool test rules.
type unitTests struct {
	RuleFiles          []string `yaml:"rule_files"`
	EvaluationInterval string   `yaml:"evaluation_interval"`
	Tests              []struct {
		Name        string
		Interval    string
		InputSeries []struct{ Series, Values string } `yaml:"input_series"`
		Expected    []struct {
			Expr    string
			At      model.Duration `yaml:"eval_time"`
			Samples []struct {
				Labels string
				Value  float64
			} `yaml:"exp_samples"`
		} `yaml:"promql_expr_test"`
	}
}

// The rule engine of Prometheus runs each test: an alarm is silent at its limit and before its time, and then fires
// alone.
func TestTheAlarmsFire(t *testing.T) {
	content, err := os.ReadFile("../../docs/operations/alarms_test.yml")
	require.NoError(t, err)
	var all unitTests
	require.NoError(t, yaml.Unmarshal(content, &all))
	require.Equal(t, []string{"alarms.yml"}, all.RuleFiles)
	require.Equal(t, "1m", all.EvaluationInterval)
	for _, test := range all.Tests {
		t.Run(test.Name, func(t *testing.T) {
			require.Equal(t, "1m", test.Interval)
			storage := teststorage.New(t)
			appender := storage.Appender(t.Context())
			for _, input := range test.InputSeries {
				of, values, err := parser.NewParser(parser.Options{}).ParseSeriesDesc(input.Series + " " + input.Values)
				require.NoError(t, err)
				for minute, value := range values {
					if !value.Omitted {
						_, err := appender.Append(0, of, int64(minute)*time.Minute.Milliseconds(), value.Value)
						require.NoError(t, err)
					}
				}
			}
			require.NoError(t, appender.Commit())
			engine := promqltest.NewTestEngine(t, false, 0, promqltest.DefaultMaxSamplesPerQuery)
			manager := rules.NewManager(&rules.ManagerOptions{
				Context: t.Context(), Queryable: storage, AppendableV2: storage, QueryFunc: rules.EngineQueryFunc(engine, storage),
				NotifyFunc: func(context.Context, string, ...*rules.Alert) {},
			})
			groups, errs := manager.LoadGroups(time.Minute, labels.EmptyLabels(), "", nil, false,
				"../../docs/operations/alarms.yml")
			require.Empty(t, errs)
			for _, group := range groups {
				for _, rule := range group.AlertingRules() {
					rule.SetRestored(true) // there is no earlier state
				}
			}
			evaluated := time.Unix(0, 0)
			for _, expected := range test.Expected {
				at := time.Unix(0, 0).Add(time.Duration(expected.At))
				for ; !evaluated.After(at); evaluated = evaluated.Add(time.Minute) {
					for _, group := range groups {
						group.Eval(t.Context(), evaluated)
					}
				}
				query, err := engine.NewInstantQuery(t.Context(), storage, nil, expected.Expr, at)
				require.NoError(t, err)
				found, err := query.Exec(t.Context()).Vector()
				require.NoError(t, err)
				require.Len(t, found, len(expected.Samples), "at %s: %s", expected.At, found)
				for i, sample := range expected.Samples {
					require.Equal(t, sample.Labels, found[i].Metric.String(), expected.At)
					require.InDelta(t, sample.Value, found[i].F, 0)
				}
			}
		})
	}
}
