// Package operations embeds the rules of the alarms and their runbook. So the service itself can say which alarms would
// fire and what to do.
package operations

import _ "embed"

// Alarms are the rules for Prometheus.
//
//go:embed alarms.yml
var Alarms []byte

// Runbook has an entry for each alarm, under a heading of its own.
//
//go:embed README.md
var Runbook string
