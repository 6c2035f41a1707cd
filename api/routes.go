package api

import "slices"

// Routes lists everything the server answers, as method, a space and the path in
// the router's notation, sorted: the inventory that is compared with the contract.
func (s *Server) Routes() []string {
	var routes []string
	for _, r := range s.engine.Routes() {
		routes = append(routes, r.Method+" "+r.Path)
	}
	slices.Sort(routes)
	return routes
}
