package api

import (
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"levy/contract/problem"
)

// Routes lists all routes of the server, sorted, as method, space and path in the notation of the router.
// A test compares them with the contract.
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

// otherMethods are the methods of HTTP.
var otherMethods = []string{
	http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
	http.MethodConnect, http.MethodOptions, http.MethodTrace,
}

// refuseOthers answers 405 to methods that a path of the contract lacks, if the router would match the path
// with another one. For example PUT /v1/organizations/api_keys must not change an organization with the id "api_keys".
func (s *Server) refuseOthers(engine *gin.Engine, routes []Route) {
	allowed := map[string][]string{}
	for _, r := range routes {
		allowed[r.Path] = append(allowed[r.Path], r.Method)
	}
	for path, own := range allowed {
		passed := func(r Route) bool { return r.Path != path && passesFor(path, r.Path) }
		if !slices.ContainsFunc(routes, passed) {
			continue // the router does so itself
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

// makeRoom adds a route that exists for its length. The router remembers the branches that it may return to in a stack, with
// room for as many as the longest route has sections. For a 405 it tries the tree of each method and never empties the stack.
// So a path such as /v1/organizations/api_keys/export needs room for its branches in all trees, else the router panics:
// gin-gonic/gin#4818. The route can go with the first release after v1.12.0, whose router empties the stack for each tree.
func (s *Server) makeRoom(engine *gin.Engine, missing gin.HandlerFunc) {
	sections := 0 // of the longest route, and so the most branches of a path in one tree
	for _, r := range engine.Routes() {
		sections = max(sections, strings.Count(r.Path, "/"))
	}
	path := strings.Repeat("/-", sections*len(otherMethods))
	engine.Handle(http.MethodGet, path, limitHead, missing)
	s.refused = append(s.refused, http.MethodGet+" "+path)
}

// withoutRefused removes the methods that refuseOthers refuses from those that the router lists in its own answer 405.
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

// plainPath refuses paths with parts such as "..", because mounted handlers would redirect them.
func plainPath(c *gin.Context) {
	for segment := range strings.SplitSeq(c.Request.URL.Path, "/") {
		if segment == "." || segment == ".." {
			writeProblem(c, problem.New(problem.CodeRouteNotFound, ""))
			return
		}
	}
}

// methodNotAllowed answers 405 to a known path and lists its methods.
func methodNotAllowed(c *gin.Context) {
	writeProblem(
		c,
		problem.New(
			problem.CodeMethodNotAllowed,
			"The path exists, but not with this method. It takes "+c.Writer.Header().Get("Allow")+".",
		),
	)
}

// passesFor reports whether the router would match the first path with the second one, which has variables
// where the first has words.
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
