package api

import (
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

// notFound answers requests without a route. A program gets a problem, a browser the page if there is one.
// Paths below /v1 are for programs only.
func notFound(page http.Handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		if page == nil || !wantsPage(c.Request) {
			writeProblem(c, problem.New(problem.CodeRouteNotFound, routeFault(c.Request.URL.Path)))
			return
		}
		page.ServeHTTP(c.Writer, c.Request)
	}
}

// routeFault returns the sentence for a path without a route that explains a trailing slash; empty for other paths.
func routeFault(path string) string {
	if len(path) > 1 && strings.HasSuffix(path, "/") {
		return "There is no such path with a slash at its end: leave the slash out."
	}
	return ""
}

// wantsPage reports whether a browser requests a page. It accepts HTML by name, unlike programs that accept anything.
func wantsPage(r *http.Request) bool {
	if r.Method != http.MethodGet && r.Method != http.MethodHead || strings.HasPrefix(r.URL.Path+"/", "/v1/") {
		return false
	}
	return accepts(r.Header, "text/html")
}

// accepts reports whether a client names a media type as one that it takes.
func accepts(header http.Header, mediaType string) bool {
	for _, value := range header.Values("Accept") {
		for accepted := range strings.SplitSeq(value, ",") {
			kind, parameters, err := mime.ParseMediaType(accepted)
			if err != nil || kind != mediaType {
				continue
			}
			// guard: clients: a media type of weight 0 is refused
			if weight, weighted := parameters["q"]; !weighted || strings.Trim(weight, "0.") != "" {
				return true
			}
		}
	}
	return false
}
