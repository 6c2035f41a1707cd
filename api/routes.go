package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

// Routes lists everything the server answers, as method, a space and the path in
// the router's notation, sorted: the inventory that is compared with the contract.
func (s *Server) Routes() []string {
	var routes []string
	for _, r := range s.engine.Routes() {
		if route := r.Method + " " + r.Path; !slices.Contains(s.refused, route) {
			routes = append(routes, route)
		}
	}
	slices.Sort(routes)
	return routes
}

// otherMethods are those that HTTP knows.
var otherMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace,
}

// refuseOthers answers 405 for the methods that a path of the contract does not have,
// where the router would take it for another path of the contract: PUT
// /v1/organizations/api_keys changes no organization whose id is "api_keys".
func (s *Server) refuseOthers(engine *gin.Engine, routes []Route) {
	allowed := map[string][]string{}
	for _, r := range routes {
		allowed[r.Path] = append(allowed[r.Path], r.Method)
	}
	for path, own := range allowed {
		passed := func(r Route) bool { return r.Path != path && passesFor(path, r.Path) }
		if !slices.ContainsFunc(routes, passed) {
			continue // the router says so itself
		}
		slices.Sort(own)
		for _, method := range otherMethods {
			if slices.Contains(own, method) {
				continue
			}
			engine.Handle(method, path, limitHead, func(c *gin.Context) {
				c.Header("Allow", strings.Join(own, ", "))
				methodNotAllowed(c)
			})
			s.refused = append(s.refused, method+" "+path)
		}
	}
}

// withoutRefused takes the methods that refuseOthers refuses out of those that the router names for one that it does not
// know.
func (s *Server) withoutRefused(c *gin.Context) {
	path := c.Request.URL.EscapedPath()
	allowed := slices.DeleteFunc(strings.Split(c.Writer.Header().Get("Allow"), ", "), func(method string) bool {
		return slices.ContainsFunc(s.refused, func(route string) bool {
			refused, pattern, _ := strings.Cut(route, " ")
			return refused == method && passesFor(path, pattern)
		})
	})
	c.Header("Allow", strings.Join(allowed, ", "))
}

// plainPath refuses paths that lead elsewhere: the handlers of others would redirect them.
func plainPath(c *gin.Context) {
	for segment := range strings.SplitSeq(c.Request.URL.Path, "/") {
		if segment == "." || segment == ".." {
			writeProblem(c, problem.New(problem.CodeRouteNotFound, ""))
			return
		}
	}
}

// methodNotAllowed answers a known path with another method, and names those it has.
func methodNotAllowed(c *gin.Context) {
	writeProblem(
		c,
		problem.New(
			problem.CodeMethodNotAllowed,
			"The path exists, but not with this method. It takes "+c.Writer.Header().Get("Allow")+".",
		),
	)
}

// passesFor reports whether the router would take the first path for the other one,
// which has variables in places where the first has words.
func passesFor(path, other string) bool {
	words, patterns := strings.Split(path, "/"), strings.Split(other, "/")
	if len(words) != len(patterns) {
		return false
	}
	for i, word := range words {
		if word != patterns[i] && !strings.HasPrefix(patterns[i], ":") {
			return false
		}
	}
	return true
}
