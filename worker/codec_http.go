package worker

import (
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
	// Authorize judges the bearer token of the request, empty if there is none.
	Authorize func(token string) bool
}

// NewCodecHandler serves POST …/decode for the Temporal UI: it turns sealed payloads
// into clear text. There is no /encode. It refuses requests of other web origins
// (403), of other namespaces (403) and without a token that Authorize accepts (401).
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
		token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
		if !options.Authorize(token) {
			http.Error(w, "an operator key is needed", http.StatusUnauthorized)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxCodecBody)
		decode.ServeHTTP(w, r)
	})
}
