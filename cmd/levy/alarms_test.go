package main

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	dto "github.com/prometheus/client_model/go"
	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// metricName is a metric of Levy in an expression, without what a histogram puts behind it.
var metricName = regexp.MustCompile(`\blevy_[a-z_]+?(?:_bucket|_count|_sum)?\b`)

// knowsMetrics checks that every metric of an expression exists.
func knowsMetrics(t *testing.T, known map[string]bool, expression string) {
	t.Helper()
	names := metricName.FindAllString(expression, -1)
	require.NotEmpty(t, names, expression)
	for _, name := range names {
		base := name
		for _, suffix := range []string{"_bucket", "_count", "_sum"} {
			base = strings.TrimSuffix(base, suffix)
		}
		require.True(t, known[name] || known[base], "%s in %s", name, expression)
	}
	require.Equal(t, strings.Count(expression, "("), strings.Count(expression, ")"), expression)
}

// series is a metric with its labels in an expression or a test.
var series = regexp.MustCompile(`\b(levy_[a-z_]+)\{([^}]*)\}`)

// labelsOf are the labels of each metric, from the table of the reference, which follows from the program.
func labelsOf(t *testing.T) map[string][]string {
	t.Helper()
	page, err := os.ReadFile(referencePage)
	require.NoError(t, err)
	found := map[string][]string{}
	for _, row := range regexp.MustCompile("(?m)^\\| `(levy_[a-z_]+)` \\| (\\w+) \\| (.*?) "+
		"\\|").FindAllStringSubmatch(string(page), -1) {
		found[row[1]] = regexp.MustCompile("[a-z_]+").FindAllString(row[3], -1)
		if row[2] == "histogram" {
			found[row[1]+"_count"] = found[row[1]]
			found[row[1]+"_bucket"] = append(slices.Clone(found[row[1]]), "le")
		}
	}
	return found
}

// knowsLabels checks that metrics have the labels by which an expression or a test chooses them. Prometheus adds two.
func knowsLabels(t *testing.T, labels map[string][]string, text string) {
	t.Helper()
	for _, match := range series.FindAllStringSubmatch(text, -1) {
		for _, label := range regexp.MustCompile(`([a-z_]+)\s*(?:=|!)`).FindAllStringSubmatch(match[2], -1) {
			require.Contains(t, append(labels[match[1]], "job", "instance"), label[1], text)
		}
	}
}

// Each alarm has a test in alarms_test.yml in which it is silent and then fires, with series that Levy exports. `make
// operations` runs them with Prometheus itself.
func TestEveryAlarmHasATest(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, name := range namedMetrics(t) {
		known[name] = true
	}
	labels := labelsOf(t)
	content, err := os.ReadFile("../../docs/operations/alarms_test.yml")
	require.NoError(t, err)
	var tests struct {
		Tests []struct {
			Name        string
			InputSeries []struct{ Series string } `yaml:"input_series"`
			Expected    []struct {
				Samples []struct{ Labels string } `yaml:"exp_samples"`
			} `yaml:"promql_expr_test"`
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &tests))
	fires := map[string]bool{}
	for _, test := range tests.Tests {
		for _, s := range test.InputSeries {
			knowsMetrics(t, known, s.Series)
			knowsLabels(t, labels, s.Series)
		}
		require.Empty(t, test.Expected[0].Samples, test.Name)
		for _, expected := range test.Expected[1:] {
			require.Len(t, expected.Samples, 1, test.Name)
			fires[strings.Trim(strings.TrimPrefix(expected.Samples[0].Labels, "{alertname="), `"}`)] = true
		}
	}
	content, err = os.ReadFile("../../docs/operations/alarms.yml")
	require.NoError(t, err)
	knowsLabels(t, labels, string(content))
	for _, match := range regexp.MustCompile(`alert: (\w+)`).FindAllStringSubmatch(string(content), -1) {
		require.True(t, fires[match[1]], "%s fires in no test", match[1])
		delete(fires, match[1])
	}
	require.Empty(t, fires)
}

// Every alarm uses metrics that exist and has an entry that says what to do. Every entry has an alarm. The dashboard
// shows nothing that does not exist.
func TestAlarmsAndDashboardFollowFromTheProgram(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	for _, name := range namedMetrics(t) {
		known[name] = true
	}
	content, err := os.ReadFile("../../docs/operations/alarms.yml")
	require.NoError(t, err)
	var rules struct {
		Groups []struct {
			Name  string
			Rules []struct {
				Alert, Expr, For    string
				Labels, Annotations map[string]string
			}
		}
	}
	require.NoError(t, yaml.Unmarshal(content, &rules))
	require.Len(t, rules.Groups, 1)
	page, err := os.ReadFile("../../docs/operations/README.md")
	require.NoError(t, err)
	entries := map[string]bool{}
	for _, match := range regexp.MustCompile(`(?m)^### (.*)$`).FindAllStringSubmatch(string(page), -1) {
		entries[strings.ReplaceAll(strings.ToLower(match[1]), " ", "-")] = true
	}
	names := map[string]bool{}
	for _, rule := range rules.Groups[0].Rules {
		require.Regexp(t, `^Levy[A-Za-z]+$`, rule.Alert)
		require.False(t, names[rule.Alert], rule.Alert)
		names[rule.Alert] = true
		require.Regexp(t, `^\d+[mhd]$`, rule.For, rule.Alert)
		require.Contains(t, []string{"page", "ticket"}, rule.Labels["severity"], rule.Alert)
		require.NotEmpty(t, rule.Annotations["summary"], rule.Alert)
		knowsMetrics(t, known, rule.Expr)
		anchor, found := strings.CutPrefix(rule.Annotations["runbook"], "docs/operations/README.md#")
		require.True(t, found && entries[anchor], "%s has no entry %q", rule.Alert, anchor)
		delete(entries, anchor)
	}
	require.Empty(t, entries, "entries without an alarm")

	content, err = os.ReadFile("../../docs/operations/dashboard.json")
	require.NoError(t, err)
	var dashboard struct {
		Panels []struct {
			Title   string
			Targets []struct{ Expr string }
		}
	}
	require.NoError(t, json.Unmarshal(content, &dashboard))
	require.NotEmpty(t, dashboard.Panels)
	for _, panel := range dashboard.Panels {
		require.NotEmpty(t, panel.Targets, panel.Title)
		for _, target := range panel.Targets {
			knowsMetrics(t, known, target.Expr)
		}
	}
}

// figures are what a process measures, by metric and label.
type figures map[string]map[string]float64

func (f figures) measured(t *testing.T) []*dto.MetricFamily {
	t.Helper()
	registry := prometheus.NewRegistry()
	for name, values := range f {
		label, _, _ := strings.Cut(slices.Sorted(maps.Keys(values))[0], "=")
		gauge := prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: name, Help: name}, strings.Fields(label))
		for of, value := range values {
			_, is, _ := strings.Cut(of, "=")
			gauge.WithLabelValues(strings.Fields(is)...).Set(value)
		}
		registry.MustRegister(gauge)
	}
	measured, err := registry.Gather()
	require.NoError(t, err)
	return measured
}

// The process decides by the rules which alarms would fire: it compares the largest or the smallest measured value,
// with its label, with the limit. Only Prometheus evaluates rules with rates; each rule is of one kind.
func TestAlarmsHoldOfFigures(t *testing.T) {
	t.Parallel()
	calm := figures{"levy_outbox_rows": {"waits_for=processing": 5}, "levy_backup_age_seconds": {"": 60}}
	rates := []string{"LevyActivityFailsAgain", "LevyErrors", "LevySlow", "LevyNexusRepaired", "LevyAuthorityCallsFail",
		"LevyWebhookDefects", "LevyMailsFail", "LevyPoolUsedUp"}
	for name, c := range map[string]struct {
		figures figures
		fire    []string
	}{
		"calm": {figures{}, nil},
		"no figures": {figures{"levy_outbox_rows": nil, "levy_backup_age_seconds": nil},
			[]string{"LevyNoFigures", "LevyNoBackup"}},
		"at the limits": {figures{
			"levy_outbox_oldest_seconds": {"waits_for=processing": 300, "waits_for=original": 86400},
			"levy_heartbeat_age_seconds": {"queue=a": 180},
			"levy_wal_behind_bytes":      {"": 10 << 30}, "levy_backup_age_seconds": {"": 93600},
			"levy_wal_archive_failing":              {"": 0},
			"levy_content_age_seconds":              {"version=1": 8640000},
			"levy_content_unconfirmed_seconds":      {"state=NY": 0},
			"levy_content_publication_late_seconds": {"": 0},
			"levy_content_sources_waiting":          {"": 0},
			"levy_nexus_recounts_failed":            {"": 0},
			"levy_nexus_recount_age_seconds":        {"": 172800},
			"levy_nexus_pass_age_seconds":           {"": 42 * 86400},
			"levy_record_violations":                {"": 0},
			"levy_keys_saved_age_seconds":           {"": 93600},
			"levy_database_disk_free_percent":       {"": 10},
			"levy_database_wraparound_percent":      {"": 40},
			"levy_standby_behind_bytes":             {"standby=a": 1 << 30},
			"levy_database_connections_percent":     {"": 90},
			"levy_operator_key_valid_seconds":       {"": 1209600},
			"levy_certificate_valid_seconds":        {"setting=LEVY_TLS_CERT": 1209600},
		}, nil},
		"above them": {figures{
			"levy_outbox_oldest_seconds": {"waits_for=processing": 301, "waits_for=original": 86401},
			"levy_heartbeat_age_seconds": {"queue=a": 1, "queue=b": 181},
			"levy_wal_behind_bytes":      {"": 10<<30 + 1}, "levy_backup_age_seconds": {"": 93601},
			"levy_wal_archive_failing":              {"": 1},
			"levy_content_age_seconds":              {"version=1": 8640001},
			"levy_content_unconfirmed_seconds":      {"state=NY": 1, "state=AL": 0},
			"levy_content_publication_late_seconds": {"": 86400},
			"levy_content_sources_waiting":          {"": 1},
			"levy_nexus_recounts_failed":            {"": 1},
			"levy_nexus_recount_age_seconds":        {"": 172801},
			"levy_nexus_pass_age_seconds":           {"": 42*86400 + 1},
			"levy_record_violations":                {"": 1},
			"levy_background_migrations_failing":    {"": 1},
			"levy_keys_saved_age_seconds":           {"": 93601},
			"levy_database_disk_free_percent":       {"": 9},
			"levy_database_wraparound_percent":      {"": 41},
			"levy_standby_behind_bytes":             {"standby=a": 0, "standby=b": 1<<30 + 1},
			"levy_database_connections_percent":     {"": 91},
			"levy_operator_key_valid_seconds":       {"": 1209599},
			"levy_fullest_storage_percent":          {"organization=org_1": 91},
			"levy_largest_backlog_percent":          {"organization=org_1": 91},
			"levy_certificate_valid_seconds":        {"setting=LEVY_TLS_CERT": 1209601, "setting=LEVY_TEMPORAL_CERT": 1209599},
		}, []string{"LevyWorkDoesNotEnd", "LevyRefundWaits", "LevyNoWorkHandedOut", "LevyNoBackup",
			"LevyWALKept", "LevyWALNotArchived", "LevyKeysNotSaved", "LevyDiskEnds", "LevyWraparound", "LevyStandbyBehind", "LevyConnectionsEnd",
			"LevyCertificateEnds", "LevyOperatorKeyEnds", "LevyStorageOfOneEnds", "LevyBacklogOfOne", "LevyContentOld",
			"LevyRatesNotConfirmed", "LevyRecountFailed", "LevyNightLate",
			"LevyPassLate", "LevyRecordsViolated", "LevyBackgroundMigrationFails", "LevyContentPublicationLate", "LevyContentSourceWaits"}},
		"another label": {figures{"levy_filings_waiting": {"why=to_approve": 9, "why=issue": 0, "why=overdue": 0}}, nil},
		"its label": {figures{"levy_filings_waiting": {"why=to_approve": 0, "why=issue": 0, "why=overdue": 1}},
			[]string{"LevyFilingsOverdue"}},
	} {
		all := maps.Clone(calm)
		maps.Copy(all, c.figures)
		maps.DeleteFunc(all, func(_ string, values map[string]float64) bool { return values == nil })
		alarms, elsewhere, err := alarmsOf(all.measured(t))
		require.NoError(t, err, name)
		require.Equal(t, rates, elsewhere, name)
		var fire []string
		for _, a := range alarms {
			fire = append(fire, a.Name)
			require.NotEmpty(t, a.Entry, a.Name)
			require.NotContains(t, a.Entry, "###", a.Name)
		}
		require.Equal(t, c.fire, fire, name)
	}
}
