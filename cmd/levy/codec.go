package main

import (
	"context"
	"crypto/subtle"
	"net/http"
	"net/netip"
	"strings"

	"levy/internal/secret"
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
		Authorize:  func(r *http.Request) bool { return p.ofOwnUI(r) || p.ofOperator(r, hasher) },
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

// ofOperator reports whether a request bears an operator key.
func (p *parts) ofOperator(r *http.Request, hasher *secret.KeyHasher) bool {
	key, bearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	kind, ok := secret.APIKeyKind(key)
	if !bearer || !ok || kind != secret.KindOperator {
		return false
	}
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	_, err := p.store.Organizations.FindOperatorKey(ctx, hasher.Hashes(key))
	return err == nil
}
