package main

import (
	"cmp"
	"context"
	"crypto/subtle"
	"errors"
	"net/http"
	"net/netip"
	"strings"

	"levy/internal/secret"
	"levy/models"
	"levy/worker"
)

// codecPath is where the codec is served.
const codecPath = "/codec"

// codecEndpoint decrypts workflow payloads for the Temporal UI: for whoever holds an
// operator key (as a bearer token) or, on a developer's machine, for its own UI.
func (p *parts) codecEndpoint(hasher *secret.KeyHasher) http.Handler {
	return worker.NewCodecHandler(p.codec, worker.CodecHandlerOptions{
		Namespaces: []string{p.cfg.TemporalNamespace},
		Origins:    p.cfg.CodecOrigins,
		Authorize:  func(r *http.Request) error { return p.mayDecode(r, hasher) },
	})
}

// ofOwnUI reports whether a request comes from this machine and knows the token that is
// part of the address the UI was started with.
func (p *parts) ofOwnUI(r *http.Request) bool {
	token := p.cfg.CodecToken.Reveal()
	rest, found := strings.CutPrefix(r.URL.Path, codecPath+"/")
	sent, _, _ := strings.Cut(rest, "/")
	peer, err := netip.ParseAddrPort(r.RemoteAddr)
	return token != "" && found && err == nil && peer.Addr().Unmap().IsLoopback() && subtle.ConstantTimeCompare([]byte(sent), []byte(token)) == 1
}

// localReader is who opens histories on a developer's machine, where the UI needs no key.
const localReader = "the Temporal UI of this machine"

// mayDecode lets those open histories who may, and notes who did: what cannot be noted is not opened.
func (p *parts) mayDecode(r *http.Request, hasher *secret.KeyHasher) error {
	ctx, cancel := context.WithTimeout(models.AcrossOrganizations(r.Context()), readyTimeout)
	defer cancel()
	reader, id := localReader, localReader
	if !p.ofOwnUI(r) {
		operator, err := p.operatorOf(ctx, r, hasher)
		if errors.Is(err, models.ErrNotFound) {
			return worker.ErrNotAuthorized
		}
		if err != nil {
			return err
		}
		reader, id = cmp.Or(operator.Name, operator.ID), operator.ID
	}
	return p.store.Organizations.AuditOperator(ctx, models.Actor{Staff: reader}, "decode", "history", id)
}

// operatorOf is whose operator key a request bears. Errors: models.ErrNotFound.
func (p *parts) operatorOf(ctx context.Context, r *http.Request, hasher *secret.KeyHasher) (models.Operator, error) {
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	kind, ok := secret.APIKeyKind(key)
	if !bearer || !ok || kind != secret.KindOperator {
		return models.Operator{}, models.ErrNotFound
	}
	return p.store.Organizations.FindOperator(ctx, hasher.Hashes(key))
}
