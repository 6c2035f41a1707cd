package main

import (
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"go.yaml.in/yaml/v3"

	"levy/docs/operations"
	"levy/models"
	"levy/store"
)

// alarmRule is a rule of docs/operations/alarms.yml, with its entry of the runbook.
type alarmRule struct {
	Alert, Expr, For    string
	Labels, Annotations map[string]string
	Entry               string `yaml:"-"`
}

// alarmRules are all of them; they are embedded, and a test reads them.
var alarmRules = sync.OnceValues(func() ([]alarmRule, error) {
	var file struct{ Groups []struct{ Rules []alarmRule } }
	if err := yaml.Unmarshal(operations.Alarms, &file); err != nil {
		return nil, err
	}
	entries := map[string]string{}
	for _, section := range strings.Split(operations.Runbook, "\n### ")[1:] {
		title, text, _ := strings.Cut(section, "\n")
		entries[strings.ReplaceAll(strings.ToLower(title), " ", "-")] = strings.TrimSpace(text)
	}
	var rules []alarmRule
	for _, group := range file.Groups {
		rules = append(rules, group.Rules...)
	}
	for i := range rules {
		_, anchor, _ := strings.Cut(rules[i].Annotations["runbook"], "#")
		rules[i].Entry = entries[anchor]
	}
	return rules, nil
})

// presentValue matches expressions that a single measurement decides. They compare the largest or smallest value of a
// metric with a limit, or ask whether the metric is absent. Rates and changes over time need more than one measurement.
var presentValue = regexp.MustCompile(
	`^(?:(max|min)(?: by \(\w+\) )?\((\w+)(?:\{(\w+)="(\w+)"\})?\) ([<>]) ([0-9 *]+?))?(?:(?: or )?absent\((\w+)\))?$`)

// holds reports whether the condition of a rule is true of a measurement; decided is false where a measurement does
// not decide it.
func (r *alarmRule) holds(measured map[string]*dto.MetricFamily) (is, decided bool) {
	parts := presentValue.FindStringSubmatch(r.Expr)
	if parts == nil {
		return false, false
	}
	if parts[7] != "" && measured[parts[7]] == nil {
		return true, true
	}
	if parts[1] == "" || measured[parts[2]] == nil {
		return false, true
	}
	limit := 1.0
	for factor := range strings.SplitSeq(parts[6], "*") {
		n, err := strconv.ParseFloat(strings.TrimSpace(factor), 64)
		if err != nil {
			return false, false
		}
		limit *= n
	}
	found := false
	var value float64
	for _, m := range measured[parts[2]].GetMetric() {
		if parts[3] != "" && !labelled(m, parts[3], parts[4]) {
			continue
		}
		v := m.GetGauge().GetValue()
		if !found || parts[1] == "max" && v > value || parts[1] == "min" && v < value {
			found, value = true, v
		}
	}
	if parts[5] == "<" {
		return found && value < limit, true
	}
	return found && value > limit, true
}

func labelled(m *dto.Metric, name, value string) bool {
	for _, label := range m.GetLabel() {
		if label.GetName() == name {
			return label.GetValue() == value
		}
	}
	return false
}

// alarmsOf are the alarms whose condition is true of a measurement, and the names of those that it does not decide.
func alarmsOf(measured []*dto.MetricFamily) (alarms []models.Alarm, elsewhere []string, err error) {
	rules, err := alarmRules()
	if err != nil {
		return nil, nil, err
	}
	families := map[string]*dto.MetricFamily{}
	for _, family := range measured {
		families[family.GetName()] = family
	}
	for i := range rules {
		r := &rules[i]
		is, decided := r.holds(families)
		switch {
		case !decided:
			elsewhere = append(elsewhere, r.Alert)
		case is:
			alarms = append(alarms, models.Alarm{
				Name: r.Alert, Severity: r.Labels["severity"], Summary: r.Annotations["summary"], After: r.For,
				Runbook: r.Annotations["runbook"], Entry: r.Entry,
			})
		}
	}
	return alarms, elsewhere, nil
}

// presentAlarms measures what a Prometheus would scrape now.
func presentAlarms(s *store.Store, cfg Config, temporalAnswers bool) ([]models.Alarm, []string, error) {
	registry := prometheus.NewRegistry()
	breaker := prometheus.NewGauge(prometheus.GaugeOpts{Name: "levy_start_breaker_open",
		Help: "Temporal does not answer."})
	if !temporalAnswers {
		breaker.Set(1)
	}
	registry.MustRegister(newBacklogCollector(s), newBusinessCollector(s), newServerCollector(s, cfg), breaker)
	measured, err := registry.Gather()
	if err != nil {
		return nil, nil, err
	}
	return alarmsOf(measured)
}
