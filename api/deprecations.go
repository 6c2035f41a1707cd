package api

import (
	"net/http"
	"strconv"
	"time"
)

// A deprecation is a field of requests that will be removed. since is the day of its announcement,
// until the first day on which the field may be gone, at least 12 months later.
type deprecation struct{ since, until time.Time }

// deprecations are the deprecated fields of the contract by name. A client that submits one learns it from the answer,
// see announce.
var deprecations = map[string]deprecation{
	"organization_id": {day(2026, 11, 21), day(2027, 12, 31)}, // x-organization-id decides
	"tax_id":          {day(2026, 11, 21), day(2027, 12, 31)}, // of transactions
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// announce announces the removal of submitted fields. Deprecation is the day of the announcement (RFC 9745),
// Sunset the day of the removal (RFC 8594), both of the field that goes first.
func announce(header http.Header, fields []string) {
	var first deprecation
	for _, field := range fields {
		if d := deprecations[field]; first.until.IsZero() || d.until.Before(first.until) {
			first = d
		}
	}
	if first.until.IsZero() {
		return
	}
	header.Set("Deprecation", "@"+strconv.FormatInt(first.since.Unix(), 10))
	header.Set("Sunset", first.until.Format(http.TimeFormat))
}
