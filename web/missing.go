package web

import "net/http"

// Missing answers who opens an address in a browser at which there is nothing, and that is none of the console.
func (c *Console) Missing() http.Handler {
	return guardedBy(consolePolicy, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		c.render(w, http.StatusNotFound, "missing", frame{Title: "Nothing at this address"})
	}))
}
