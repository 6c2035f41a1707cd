package main

import (
	"net/http"
	"net/url"

	"levy/service"
	"levy/web"
)

// pages returns the handler of the console by the paths below which its pages are, and the handler of all other paths.
// Errors: a console that cannot be made.
func pages(served *service.Service, c *Config) (mount map[string]http.Handler, missing http.Handler, err error) {
	console, err := web.NewConsole(served, c.OIDCIssuer, c.temporalRuns())
	if err != nil {
		return nil, nil, err
	}
	console.Mails = c.SMTPAddr != ""
	handler, err := console.Handler()
	if err != nil {
		return nil, nil, err
	}
	all := map[string]http.Handler{}
	for _, path := range console.Paths() {
		all[path] = handler
	}
	return all, console.NotFound(), nil
}

// temporalRuns is the address in Temporal's UI below which it shows runs; empty where no UI is known. The first that
// may call the codec is the one that people open.
func (c *Config) temporalRuns() string {
	if len(c.CodecOrigins) == 0 {
		return ""
	}
	return c.CodecOrigins[0] + "/namespaces/" + url.PathEscape(c.TemporalNamespace) + "/workflows/"
}
