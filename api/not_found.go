package api

import (
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

// missing answers what no route takes: programs with a problem, and people who opened an address in a browser with the
// page, if there is one. What is below /v1 is for programs only.
func missing(page http.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if page == nil || !wantsPage(c.Request) {
			writeProblem(c, problem.New(problem.CodeRouteNotFound, ""))
			return
		}
		page.ServeHTTP(c.Writer, c.Request)
	}
}

// wantsPage reports whether a browser asks for a page: it names HTML, which programs that take anything do not.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path+"/", "/v1/") {
		return false
	}
	for _, accepted := range strings.Split(r.Header.Get("Accept"), ",") {
		kind, parameters, err := mime.ParseMediaType(accepted)
		if err != nil || kind != "text/html" {
			continue
		}
		if weight, weighted := parameters["q"]; !weighted || strings.Trim(weight, "0.") != "" {
			return true
		}
	}
	return false
}
