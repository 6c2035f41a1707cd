// Package web holds the pages that people open in a browser. The page of the onboardings is
// rendered once, and holds no data: what it shows, its script reads from the HTTP API with the
// session of the person who looks at it. The others, the console, are rendered from answers of the
// API; their scripts load them again when something changed, keep what was typed while somebody signs in again, and let
// the keyboard skip tables that need no scrolling.
package web

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"path"
	"time"
)

// OnboardingPath is where the page of the onboardings is; its assets are below it.
const OnboardingPath = "/onboarding"

//go:embed templates/*.html
var templates embed.FS

//go:embed assets
var assets embed.FS

// contentTypes are those of the assets, by the end of their names.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// contentPolicy lets a page load its own files and call its own origin, and nothing else.
// Trusted types keep a script from ever reading a text as HTML.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Handler serves the pages and their assets. Errors: a template or an asset that is not
// fit to be served.
func Handler() (http.Handler, error) {
	mux := http.NewServeMux()
	page, err := render("onboarding.html", onboardingPage{Base: OnboardingPath, Steps: steps})
	if err != nil {
		return nil, err
	}
	mux.Handle("GET "+OnboardingPath, file("text/html; charset=utf-8", page))
	mux.Handle("GET "+OnboardingPath+"/{$}", file("text/html; charset=utf-8", page))
	entries, err := fs.ReadDir(assets, "assets")
	if err != nil {
		return nil, fmt.Errorf("assets: %w", err)
	}
	for _, entry := range entries {
		body, err := assets.ReadFile("assets/" + entry.Name())
		if err != nil {
			return nil, fmt.Errorf("assets: %w", err)
		}
		contentType, ok := contentTypes[path.Ext(entry.Name())]
		if !ok {
			return nil, fmt.Errorf("asset %s has no content type", entry.Name())
		}
		mux.Handle("GET "+OnboardingPath+"/"+entry.Name(), file(contentType, body))
	}
	return guardedBy(contentPolicy, mux), nil
}

// render fills a page into the frame that all pages share.
func render(name string, data any) ([]byte, error) {
	parsed, err := template.New(name).Funcs((&Console{now: time.Now}).templateFuncs()).ParseFS(templates,
		"templates/onboarding_layout.html", "templates/fields.html", "templates/"+name)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	var b bytes.Buffer
	if err := parsed.ExecuteTemplate(&b, "onboarding_layout.html", data); err != nil {
		return nil, fmt.Errorf("page %s: %w", name, err)
	}
	return b.Bytes(), nil
}

func file(contentType string, body []byte) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write(body) // whoever asked is gone
	})
}

// guardedBy gives every answer the headers that keep a page to itself.
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
