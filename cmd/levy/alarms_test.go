package main

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

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

// Every alarm is about metrics that exist and has an entry that says what to do; every entry has an
// alarm; the dashboard shows nothing that does not exist.
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
