// Package web has the pages that people open in a browser. The page of onboardings is rendered once and has no data: its
// script reads the HTTP API. The console renders its pages from answers of the service to the person's session. Its
// scripts reload pages when records change, and restore what was typed after signing in again. They also remove tables
// without scrolling from the order of the keyboard.
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

// OnboardingPath is the path of the page of onboardings, below which its assets are.
const OnboardingPath = "/onboarding"

//go:embed templates/*.html
var templates embed.FS

//go:embed assets
var assets embed.FS

// contentTypes are the content types of assets, by file extension.
var contentTypes = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
}

// contentPolicy lets a page load its own files and call its own origin. Trusted types keep scripts from parsing text as
// HTML.
const contentPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"

// Handler serves the page of onboardings and the assets. Errors: a template that does not parse, an asset without a
// content type.
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

// render renders a page in the layout of the page of onboardings.
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
		_, _ = w.Write(body) // the client may be gone
	})
}

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
