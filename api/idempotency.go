package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"net/http"

	"github.com/gin-gonic/gin"

	"levy/contract"
	"levy/models"
)

const maxIdempotencyKey = 255

// Idempotency stores the answers to requests with an idempotency key.
type Idempotency interface {
	// Once lets effect happen unless it has happened before, and then returns the
	// answer of that time. What the records do with the context of effect is committed
	// together with the answer. A nil answer rolls everything back.
	// Errors: models.ErrKeyInUse, models.ErrKeyReused, models.ErrUnavailable, models.ErrOutcomeUnknown.
	Once(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
	// OnceNonTransactional is Once for an effect that is committed elsewhere and may be repeated
	// without harm: the answer is stored after it. The errors are the same.
	OnceNonTransactional(ctx context.Context, claim models.Claim,
		effect func(context.Context) *models.Answer) (replay *models.Answer, err error)
}

// withholder is an answer with a secret in it: what may be stored is another one.
type withholder interface{ WithoutSecret() any }

// unstorable is how every answer that carries a secret says so.
var unstorable = []byte(`"secret_available":true`)

// idempotent carries out a request with an Idempotency-Key once. Its answer is sent only
// after it has been committed together with the effect; a refusal stores nothing and
// leaves the key free. Requests without the header pass at no cost.
func (s *Server) idempotent(op *operation) gin.HandlerFunc {
	return func(c *gin.Context) {
		keys := c.Request.Header["Idempotency-Key"]
		if keys == nil || op.once == onceIgnored {
			return
		}
		call := callOf(c.Request.Context())
		if fault := keyFault(keys, call.scope); fault != "" {
			writeProblem(c, invalidHeader("Idempotency-Key", fault))
			return
		}
		once := s.deps.Idempotency.Once
		if op.once == onceNonTransactional {
			once = s.deps.Idempotency.OnceNonTransactional
		}
		writer, request := c.Writer, c.Request
		held := &heldAnswer{ResponseWriter: writer, status: http.StatusOK, header: writer.Header().Clone()}
		defer func() { c.Writer, c.Request = writer, request }() // also when a handler panics
		claim := claimOf(request, call, keys[0], rawBody(c))
		call.claim = &claim
		replay, err := once(request.Context(), claim,
			func(ctx context.Context) *models.Answer {
				c.Writer, c.Request = held, request.WithContext(ctx)
				return s.holdAnswer(c, held)
			})
		c.Writer, c.Request = writer, request
		c.Abort() // the rest of the chain has run
		switch {
		case err != nil:
			s.fail(c, err)
		case replay != nil:
			writer.Header().Set("Idempotency-Replayed", "true")
			writeReplay(writer, replay)
		default:
			for _, next := range held.commit.afterwards {
				next()
			}
			held.send(writer)
		}
	}
}

// holdAnswer carries a request out and holds its answer back.
func (s *Server) holdAnswer(c *gin.Context, held *heldAnswer) *models.Answer {
	call := callOf(c.Request.Context())
	call.commit = &held.commit
	c.Next()
	call.commit = nil
	if held.leaks() {
		held.body.Reset()
		s.fail(c, errors.New("an answer with a secret was not meant to be stored"))
	}
	return held.storable()
}

// keyFault says why a request cannot have these keys; empty for nothing.
func keyFault(keys []string, scope models.Scope) string {
	switch {
	case len(keys) != 1 || !acceptableKey(keys[0]):
		return "The header Idempotency-Key must be sent once, with 1 to 255 visible ASCII characters."
	case scope.OrganizationID == "":
		return "The header Idempotency-Key counts within an organization: without x-organization-id it cannot be sent."
	}
	return ""
}

func acceptableKey(key string) bool {
	if len(key) < 1 || len(key) > maxIdempotencyKey {
		return false
	}
	for i := range len(key) {
		if key[i] <= ' ' || key[i] > '~' {
			return false
		}
	}
	return true
}

// claimOf is what makes a request this one and no other.
func claimOf(r *http.Request, c *call, key string, body []byte) models.Claim {
	sum := sha256.Sum256(body)
	head := r.Method + "\x00" + r.URL.EscapedPath() + "\x00" + r.URL.RawQuery + "\x00"
	return models.NewClaim(
		c.scope.OrganizationID, c.payer(), key, sha256.Sum256(append([]byte(head), sum[:]...)),
	)
}

func writeReplay(w gin.ResponseWriter, answer *models.Answer) {
	if len(answer.Body) == 0 {
		w.WriteHeader(answer.Status)
		w.WriteHeaderNow()
		return
	}
	w.Header().Set("Content-Type", contentTypeJSON)
	w.WriteHeader(answer.Status)
	_, _ = w.Write(answer.Body)
}

// heldAnswer is an answer that waits for the commit of its effect.
type heldAnswer struct {
	gin.ResponseWriter
	header   http.Header
	status   int
	body     bytes.Buffer
	withheld []byte // what is stored instead of a body with a secret
	commit   commit
}

func (h *heldAnswer) Header() http.Header               { return h.header }
func (h *heldAnswer) WriteHeader(status int)            { h.status = status }
func (h *heldAnswer) WriteHeaderNow()                   {}
func (h *heldAnswer) Write(b []byte) (int, error)       { return h.body.Write(b) }
func (h *heldAnswer) WriteString(s string) (int, error) { return h.body.WriteString(s) }
func (h *heldAnswer) Status() int                       { return h.status }
func (h *heldAnswer) Size() int                         { return h.body.Len() }
func (h *heldAnswer) Written() bool                     { return h.body.Len() > 0 }
func (h *heldAnswer) Flush()                            {}

// withhold notes what may be stored of an answer with a secret.
func (h *heldAnswer) withhold(answer any) (err error) {
	if a, ok := answer.(withholder); ok {
		h.withheld, err = contract.Encode(a.WithoutSecret())
	}
	return err
}

func (h *heldAnswer) toStore() []byte {
	if h.withheld != nil {
		return h.withheld
	}
	return h.body.Bytes()
}

// leaks reports whether the answer to be stored still holds a secret.
func (h *heldAnswer) leaks() bool { return bytes.Contains(h.toStore(), unstorable) }

// storable is the answer as it may be repeated; nil for a refusal.
func (h *heldAnswer) storable() *models.Answer {
	if h.status < 200 || h.status > 299 {
		return nil
	}
	return &models.Answer{Status: h.status, Body: h.toStore()}
}

// send writes the answer after all.
func (h *heldAnswer) send(w gin.ResponseWriter) {
	maps.Copy(w.Header(), h.header)
	w.WriteHeader(h.status)
	w.WriteHeaderNow()
	_, _ = w.Write(h.body.Bytes()) // the client has disconnected
}

// committedOffers makes offers of work only when there is a record of it.
type committedOffers struct{ Dispatcher }

func (o committedOffers) Offer(ctx context.Context, ref models.Ref) {
	afterCommit(ctx, func() { o.Dispatcher.Offer(ctx, ref) })
}
