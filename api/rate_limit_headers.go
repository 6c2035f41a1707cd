package api

import (
	"math"
	"net/http"
	"strconv"
	"time"

	"levy/service"
)

// writeLimits writes the remaining quota of the caller into headers. Package net/http copies a name in another spelling
// than its own for each answer.
func writeLimits(header http.Header, limits service.Limits) {
	rate, v := limits.Rate, limits.Decision
	if rate.PerMinute == 0 { // no quota applies
		return
	}
	perMinute := strconv.Itoa(rate.PerMinute)
	header.Set("Ratelimit-Policy", perMinute+";w=60;burst="+strconv.Itoa(rate.Burst))
	header.Set("Ratelimit-Limit", perMinute)
	header.Set("Ratelimit-Remaining", strconv.Itoa(v.Remaining))
	header.Set("Ratelimit-Reset", strconv.Itoa(seconds(v.Reset)))
}

// seconds rounds up, so a client that waits that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
