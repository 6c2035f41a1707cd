package api

import (
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
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
