package api

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
	"levy/service"
)

const (
	maxURL  = 8 << 10
	maxHead = 16 << 10
	// serverHeadLimit is what net/http itself reads. It is larger than the limits of
	// the contract, so that all but absurd requests get an answer in our own form.
	serverHeadLimit = 1 << 20
)

// limitHead refuses URLs and header blocks that are too large.
func limitHead(c *gin.Context) {
	if len(c.Request.RequestURI) > maxURL {
		writeProblem(c, problem.New(problem.CodeURITooLong, ""))
		return
	}
	size := len(c.Request.Host)
	for name, values := range c.Request.Header {
		for _, value := range values {
			size += len(name) + len(value) + len(": \r\n")
		}
	}
	if size > maxHead {
		writeProblem(c, problem.New(problem.CodeHeadersTooLarge, ""))
	}
}

// unescapePath decodes the values of the path, each once. Gin does not: its own
// decoding reads a plus as a space.
func unescapePath(c *gin.Context) {
	for i := range c.Params {
		if strings.IndexByte(c.Params[i].Value, '%') < 0 {
			continue
		}
		value, err := url.PathUnescape(c.Params[i].Value)
		if err != nil { // net/http has refused such a path already
			writeProblem(c, problem.New(problem.CodeResourceNotFound, ""))
			return
		}
		c.Params[i].Value = value
	}
}

// writeLimits tells the caller what remains of its quota.
func writeLimits(header http.Header, limits service.Limits) {
	rate, v := limits.Rate, limits.Verdict
	if rate.PerMinute == 0 { // none counts
		return
	}
	perMinute := strconv.Itoa(rate.PerMinute)
	header.Set("RateLimit-Policy", perMinute+";w=60;burst="+strconv.Itoa(rate.Burst))
	header.Set("RateLimit-Limit", perMinute)
	header.Set("RateLimit-Remaining", strconv.Itoa(v.Remaining))
	header.Set("RateLimit-Reset", strconv.Itoa(seconds(v.Reset)))
}

// seconds rounds up: whoever waits that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
