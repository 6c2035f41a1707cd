package worker

import (
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	commonpb "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
)

const (
	// maxCodecBody bounds a request of the Temporal UI, in bytes. A page of the UI has at most 4 MiB of payloads.
	maxCodecBody = 8 << 20
	// maxCodecAnswer bounds the opened payloads of a request, in bytes. The request has them compressed.
	maxCodecAnswer = 8 << 20
)

// answerCodec opens at most as many bytes as an answer may have.
type answerCodec struct{ *Codec }

// Decode opens payloads. Errors: ErrUndecodable.
func (c answerCodec) Decode(payloads []*commonpb.Payload) ([]*commonpb.Payload, error) {
	return c.decode(payloads, maxCodecAnswer)
}

// CodecHandlerOptions configure NewCodecHandler.
type CodecHandlerOptions struct {
	// Namespaces whose payloads may be decrypted.
	Namespaces []string
	// Origins of the Temporal UI, e.g. http://127.0.0.1:8233.
	Origins []string
	// Authorize decides whether the caller may use the codec so, and records the use. keep is not nil where the sealed
	// data gets a proof of the caller. Errors: ErrNotAuthorized, ErrMayNotSeal, *TooManyFailuresError. After any other
	// error the decision is not known, and nothing is opened or sealed.
	Authorize func(r *http.Request, does CodecUse) (keep KeepProof, err error)
}

// CodecUse is the last word of the path of a request: it asks the codec to open or to seal payloads.
type CodecUse string

// Uses of the codec.
const (
	CodecDecodes CodecUse = "decode" // opens payloads
	CodecEncodes CodecUse = "encode" // seals the argument of an Update
)

// Refusals of the codec.
var (
	ErrNotAuthorized = errors.New("sign in to the console of this installation as staff, or send an operator key")
	ErrMayNotSeal    = errors.New("only a staff operator may send data to a workflow")
)

// TooManyFailuresError refuses an address that sent too many unknown keys and sessions.
type TooManyFailuresError struct{ Wait time.Duration }

func (e *TooManyFailuresError) Error() string {
	return "too many failed attempts from this address: try again in a minute"
}

// NewCodecHandler returns the codec server of the Temporal UI. POST …/decode opens payloads. POST …/encode seals
// payloads that people type in the UI, with a proof of the caller where an Update needs one.
//
// Before it reads a body it refuses other web origins (403), other namespaces (403), and callers that Authorize refuses
// (401, 403, 429). It also refuses bodies that are too long: with 413, or 400 without a Content-Length.
func NewCodecHandler(codec *Codec, options CodecHandlerOptions) http.Handler {
	handlers := map[CodecUse]http.Handler{
		CodecDecodes: converter.NewPayloadCodecHTTPHandler(answerCodec{codec}),
		CodecEncodes: converter.NewPayloadCodecHTTPHandler(uiCodec{codec}),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		does := CodecUse(r.URL.Path[strings.LastIndexByte(r.URL.Path, '/')+1:])
		if handlers[does] == nil {
			http.NotFound(w, r)
			return
		}
		if !options.fromKnownOrigin(w, r) {
			return
		}
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if !slices.Contains(options.Namespaces, r.Header.Get("X-Namespace")) {
			http.Error(w, "namespace not allowed", http.StatusForbidden)
			return
		}
		keep, err := options.Authorize(r, does)
		if err != nil {
			refuseCaller(w, err)
			return
		}
		if r.ContentLength > maxCodecBody {
			http.Error(w, "the body is too long", http.StatusRequestEntityTooLarge)
			return
		}
		w.Header().Set("Cache-Control", "no-store")
		r.Body = http.MaxBytesReader(w, r.Body, maxCodecBody)
		if keep != nil && does == CodecEncodes && r.Method == http.MethodPost {
			if codec.attachProof(r, keep) != nil {
				refuseUnrecorded(w)
				return
			}
		}
		handlers[does].ServeHTTP(w, r)
	})
}

// fromKnownOrigin lets pages of known origins read the answer, and refuses others. A request without an origin comes
// from a tool of the operator, because browsers send one with every request that the handler allows.
func (o CodecHandlerOptions) fromKnownOrigin(w http.ResponseWriter, r *http.Request) bool {
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	if !slices.Contains(o.Origins, origin) {
		http.Error(w, "origin not allowed", http.StatusForbidden)
		return false
	}
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", origin)
	header.Set("Access-Control-Allow-Credentials", "true")
	header.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, X-Namespace, Authorization-Extras")
	header.Set("Access-Control-Allow-Methods", "POST, OPTIONS")
	header.Add("Vary", "Origin")
	return true
}

// refuseCaller writes the answer to an error of Authorize.
func refuseCaller(w http.ResponseWriter, err error) {
	var tooMany *TooManyFailuresError
	switch {
	case errors.Is(err, ErrNotAuthorized):
		http.Error(w, err.Error(), http.StatusUnauthorized)
	case errors.Is(err, ErrMayNotSeal):
		http.Error(w, err.Error(), http.StatusForbidden)
	case errors.As(err, &tooMany):
		w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(tooMany.Wait.Seconds()))))
		http.Error(w, err.Error(), http.StatusTooManyRequests)
	default:
		refuseUnrecorded(w)
	}
}

// refuseUnrecorded writes the answer to a use that could not be recorded.
func refuseUnrecorded(w http.ResponseWriter) {
	http.Error(w, "it cannot be noted who does this; try again", http.StatusServiceUnavailable)
}
