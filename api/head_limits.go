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
	// serverHeadLimit is the limit of net/http. It is larger than the limits of the contract,
	// so almost all requests get a problem as their answer.
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

// unescapePath decodes each value of the path once. Gin's own decoding reads a plus as a space.
func unescapePath(c *gin.Context) {
	for i := range c.Params {
		if strings.IndexByte(c.Params[i].Value, '%') < 0 {
			continue
		}
		value, err := url.PathUnescape(c.Params[i].Value)
		if err != nil { // net/http has already refused such a path
			writeProblem(c, problem.New(problem.CodeResourceNotFound, ""))
			return
		}
		c.Params[i].Value = value
	}
}

// writeLimits writes the remaining quota of the caller into headers.
func writeLimits(header http.Header, limits service.Limits) {
	rate, v := limits.Rate, limits.Decision
	if rate.PerMinute == 0 { // no quota applies
		return
	}
	perMinute := strconv.Itoa(rate.PerMinute)
	header.Set("RateLimit-Policy", perMinute+";w=60;burst="+strconv.Itoa(rate.Burst))
	header.Set("RateLimit-Limit", perMinute)
	header.Set("RateLimit-Remaining", strconv.Itoa(v.Remaining))
	header.Set("RateLimit-Reset", strconv.Itoa(seconds(v.Reset)))
}

// seconds rounds up, so a client that waits that long does not come too early.
func seconds(d time.Duration) int { return int(math.Ceil(d.Seconds())) }
