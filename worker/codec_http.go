package worker

import (
	"errors"
	"net/http"
	"slices"
	"strings"

	"go.temporal.io/sdk/converter"
)

// maxCodecBody bounds one request for decryption: a page of the Temporal UI.
const maxCodecBody = 32 << 20

// CodecHandlerOptions configure NewCodecHandler.
type CodecHandlerOptions struct {
	// Namespaces whose payloads may be decrypted.
	Namespaces []string
	// Origins of the Temporal UI, e.g. http://127.0.0.1:8233.
	Origins []string
	// Authorize says whether who sent the request may read what is sealed, and notes that it was read.
	// Errors: ErrNotAuthorized; with any other nobody knows, and nothing is opened.
	Authorize func(*http.Request) error
}

// ErrNotAuthorized: who asks may not read what is sealed.
var ErrNotAuthorized = errors.New("an operator key is needed")

// NewCodecHandler serves POST …/decode for the Temporal UI: it turns sealed payloads
// into clear text. There is no /encode. It refuses requests of other web origins
// (403), of other namespaces (403), and whom Authorize does not accept (401), before it
// reads a body; and bodies that are too long (413, or 400 when they do not say so).
func NewCodecHandler(codec *Codec, options CodecHandlerOptions) http.Handler {
	decode := converter.NewPayloadCodecHTTPHandler(codec)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/decode") {
			http.NotFound(w, r)
			return
		}
		// Browsers send Origin with every request this handler allows; a request
		// without one comes from a tool of the operator.
		if origin := r.Header.Get("Origin"); origin != "" {
			if !slices.Contains(options.Origins, origin) {
				http.Error(w, "origin not allowed", http.StatusForbidden)
				return
			}
			header := w.Header()
			header.Set("Access-Control-Allow-Origin", origin)
			header.Set("Access-Control-Allow-Credentials", "true")
			header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Namespace, Authorization-Extras")
			header.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
			header.Add("Vary", "Origin")
		}
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !slices.Contains(options.Namespaces, r.Header.Get("X-Namespace")) {
			http.Error(w, "namespace not allowed", http.StatusForbidden)
			return
		}
		switch err := options.Authorize(r); {
		case errors.Is(err, ErrNotAuthorized):
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		case err != nil:
			http.Error(w, "it cannot be noted who reads this; try again", http.StatusServiceUnavailable)
			return
		}
		if r.ContentLength > maxCodecBody {
			http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxCodecBody)
		decode.ServeHTTP(w, r)
	})
}
