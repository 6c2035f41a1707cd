// Package web has the pages that people open in a browser. The console renders its pages from answers of the service to
// the person's session. Its scripts reload pages when records change, and restore what was typed after signing in again.
// The live list of onboardings is rendered without data: its script reads the HTTP API.
package web

import (
	"embed"
	"net/http"
)

//go:generate go run ./internal/texts

//go:embed templates/*.html
var templates embed.FS

// contentPolicy lets a page load its own files and call its own origin. Trusted types keep scripts from parsing text as
// HTML.
const contentPolicy = "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; " +
	"img-src 'self'; base-uri 'none'; form-action 'self'; " +
	"frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// guardedBy sets the security headers of each answer.
func guardedBy(policy string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("Content-Security-Policy", policy)
		header.Set("Cache-Control", "no-store")
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Referrer-Policy", "no-referrer")
		header.Set("Cross-Origin-Opener-Policy", "same-origin")
		header.Set("Cross-Origin-Resource-Policy", "same-origin")
		next.ServeHTTP(w, r)
	})
}
