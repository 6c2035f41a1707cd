package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"levy/internal/browser"
	"levy/internal/local/temporal"
	"levy/internal/secret"
	"levy/models"
	"levy/service"
	"levy/worker"
)

// codecPath is where the codec is served.
const codecPath = "/codec"

// lookUp limits how often a caller may have a secret looked up by its hash, see service.LookUpFor.
type lookUp func(r *http.Request, hash []byte, find func() error) (wait time.Duration, err error)

// codecEndpoint decrypts and encrypts payloads of workflows for the Temporal UI. It serves staff who are signed in to
// the console in the same browser, and holders of an operator key (a bearer token). On a developer's machine it also
// decrypts for the UI without a session.
func (p *parts) codecEndpoint(hasher *secret.KeyHasher, bounded lookUp) http.Handler {
	return worker.NewCodecHandler(p.codec, worker.CodecHandlerOptions{
		Namespaces: []string{p.cfg.TemporalNamespace},
		Origins:    p.cfg.CodecOrigins,
		Authorize: func(r *http.Request, does worker.CodecUse) (worker.KeepProof, error) {
			return p.mayUseCodec(r, hasher, bounded, does)
		},
	})
}

// ofOwnUI reports whether a request comes from this machine and knows the token, which levy dev adds to what its
// UI asks.
func (p *parts) ofOwnUI(r *http.Request) bool {
	token, sent := p.cfg.CodecToken.Reveal(), r.Header.Get(temporal.CodecTokenHeader)
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return token != "" && err == nil && peer.Addr().Unmap().IsLoopback() &&
		subtle.ConstantTimeCompare([]byte(sent), []byte(token)) == 1
}

// localReader is who opens histories on a developer's machine, where the UI needs no key.
const localReader = "the Temporal UI of this machine"

// mayUseCodec checks that the caller may encrypt or decrypt, and records the use. If the record fails, it refuses. A
// payload that a person or the holder of an operator key encrypts gets a proof of its author.
func (p *parts) mayUseCodec(
	r *http.Request, hasher *secret.KeyHasher, bounded lookUp, does worker.CodecUse,
) (keep worker.KeepProof, err error) {
	ctx, cancel := context.WithTimeout(models.AcrossOrganizations(r.Context()), readyTimeout)
	defer cancel()
	actor, id, err := p.codecUser(ctx, r, hasher, bounded, does)
	if errors.Is(err, models.ErrNotFound) || errors.Is(err, models.ErrUnauthenticated) {
		return nil, worker.ErrNotAuthorized
	}
	if err != nil {
		return nil, err
	}
	if err := p.store.Organizations.AuditOperator(ctx, actor, string(does), "history", id); err != nil {
		return nil, err
	}
	return func(proof models.Proof) error {
		ctx, cancel := context.WithTimeout(models.AcrossOrganizations(r.Context()), readyTimeout)
		defer cancel()
		return p.store.Organizations.AttachProof(ctx, proof, actor, id)
	}, nil
}

// codecUser is the caller of the codec. The UI of this machine only reads: without a session its user is not known.
// Errors: models.ErrNotFound and models.ErrUnauthenticated for callers that it does not serve, worker.ErrMayNotSeal
// for staff who only read, *worker.TooManyFailuresError.
func (p *parts) codecUser(
	ctx context.Context, r *http.Request, hasher *secret.KeyHasher, bounded lookUp, does worker.CodecUse,
) (actor models.Actor, id string, err error) {
	actor, id, err = p.codecPerson(ctx, r, hasher, bounded, does)
	if err != nil && does == worker.CodecDecodes && p.ofOwnUI(r) {
		return models.Actor{Staff: localReader}, localReader, nil
	}
	return actor, id, err
}

// codecPerson is codecUser for callers with a session or an operator key.
func (p *parts) codecPerson(
	ctx context.Context, r *http.Request, hasher *secret.KeyHasher, bounded lookUp, does worker.CodecUse,
) (actor models.Actor, id string, err error) {
	// A browser sends the cookie with every request, and says by Origin which page has sent it: the
	// handler has compared that. Without it the state is unknown.
	if token, ok := browser.SessionOf(r); ok && r.Header.Get("Origin") != "" && r.Header.Get("Authorization") == "" {
		hashes := service.SessionHashes(hasher, token)
		var person models.User
		err := bounded.find(r, hashes, func() (err error) {
			person, err = p.store.People.FindSession(ctx, hashes)
			return err
		})
		switch {
		case err != nil:
			return models.Actor{}, "", err
		// guard: codec: only staff opens payloads
		case !person.IsStaff():
			return models.Actor{}, "", models.ErrNotFound
		// guard: codec: only operators send payloads
		case does == worker.CodecEncodes && *person.StaffRole != models.StaffOperator:
			return models.Actor{}, "", worker.ErrMayNotSeal
		}
		return models.Actor{UserID: person.ID, UserName: person.Name}, person.ID, nil
	}
	operator, err := p.operatorOf(ctx, r, hasher, bounded)
	return models.Actor{Staff: cmp.Or(operator.Name, operator.ID)}, operator.ID, err
}

// find looks up what has these hashes, the first of which is that under the newest master key.
func (bounded lookUp) find(r *http.Request, hashes [][]byte, find func() error) error {
	wait, err := bounded(r, hashes[0], find)
	if wait > 0 {
		return &worker.TooManyFailuresError{Wait: wait}
	}
	return err
}

// operatorOf is whose operator key a request bears. Errors: models.ErrNotFound for what is none, those of lookUp.find.
func (p *parts) operatorOf(
	ctx context.Context, r *http.Request, hasher *secret.KeyHasher, bounded lookUp,
) (operator models.Operator, err error) {
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	kind, ok := secret.APIKeyKind(key)
	if !bearer || !ok || kind != secret.KindOperator {
		return models.Operator{}, models.ErrNotFound
	}
	hashes := hasher.Hashes(key)
	err = bounded.find(r, hashes, func() (err error) {
		operator, err = p.store.Organizations.FindOperator(ctx, hashes)
		return err
	})
	return operator, err
}
