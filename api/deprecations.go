package api

import (
	"net/http"
	"strconv"
	"time"
)

// A deprecation is a field of requests that will be removed: since when that has been said, and from
// when on the field may be gone, at least 12 months later.
type deprecation struct{ since, until time.Time }

// deprecations are the fields that the contract calls deprecated, by name. A client that sends one is told with
// the answer, see announce.
var deprecations = map[string]deprecation{
	"organization_id": {day(2026, 11, 21), day(2027, 12, 31)}, // x-organization-id decides
	"tax_id":          {day(2026, 11, 21), day(2027, 12, 31)}, // of transactions
}

func day(year int, month time.Month, day int) time.Time {
	return time.Date(year, month, day, 0, 0, 0, 0, time.UTC)
}

// announce says that fields of the request will be removed: Deprecation has since when that is
// known (RFC 9745), Sunset from when on they may be gone (RFC 8594), both of the field that goes first.
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
