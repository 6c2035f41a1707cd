package service

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"levy/internal/secret"
	"levy/models"
	"levy/service/internal/deps"
)

const (
	// principalTTL bounds how long a revoked key may still be accepted, on any node, whatever
	// happens to the messages about it.
	principalTTL = 5 * time.Second
	// deafTTL is the same while no messages arrive.
	deafTTL       = 200 * time.Millisecond
	maxPrincipals = 10_000
)

// FollowPrincipals lets what keys stand for be read again as soon as it changes in any
// process, until ctx ends.
func (s *Service) FollowPrincipals(ctx context.Context, changes deps.PrincipalChanges) {
	p := s.principals
	p.deaf.Store(true)
	changes.WatchPrincipals(ctx, p.hears, p.ForgetOrganization, func(err error) {
		if !p.deaf.Swap(true) {
			s.log.WarnContext(ctx, "changes of keys and registrations are not heard, and looked up more often instead",
				"error", err.Error())
		}
	})
}

// principalCache keeps for a few seconds the principal of a key. Keys that were
// refused are not remembered: they would push out the others.
type principalCache struct {
	source   deps.Principals
	lifetime time.Duration
	now      func() time.Time
	deaf     atomic.Bool // changes by other processes are not heard
	mu       sync.RWMutex
	byHash   map[string]cachedPrincipal
	changes  int // counts what was forgotten
}

type cachedPrincipal struct {
	models.Principal
	at time.Time
}

func newPrincipalCache(source deps.Principals, lifetime time.Duration, now func() time.Time) *principalCache {
	return &principalCache{source: source, lifetime: lifetime, now: now, byHash: map[string]cachedPrincipal{}}
}

// find returns the principal of a key with that hash, or models.ErrUnauthenticated.
func (p *principalCache) find(
	ctx context.Context, hasher *secret.KeyHasher, key string, hash []byte,
) (models.Principal, error) {
	now := p.now() // before the query: what it finds is at least this fresh
	p.mu.RLock()
	found, ok := p.byHash[string(hash)]
	changes := p.changes
	p.mu.RUnlock()
	if !ok || !p.fresh(found, now) {
		principal, err := p.source.FindPrincipal(ctx, hasher.Hashes(key))
		if errors.Is(err, models.ErrNotFound) {
			return models.Principal{}, models.ErrUnauthenticated
		}
		if err != nil {
			return models.Principal{}, err
		}
		found = cachedPrincipal{principal, now}
		p.remember(string(hash), found, now, changes)
	}
	if found.ExpiresAt != nil && !found.ExpiresAt.After(now) {
		return models.Principal{}, models.ErrUnauthenticated
	}
	return found.Principal, nil
}

// fresh reports whether what was found need not be looked up again.
func (p *principalCache) fresh(found cachedPrincipal, now time.Time) bool {
	lifetime := p.lifetime
	if p.deaf.Load() {
		lifetime = min(lifetime, deafTTL)
	}
	return now.Before(found.at.Add(lifetime))
}

// remember keeps what was found, unless something was forgotten since the look-up began:
// it may have read what was true before.
func (p *principalCache) remember(hash string, found cachedPrincipal, now time.Time, changes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changes != changes {
		return
	}
	if len(p.byHash) >= maxPrincipals {
		p.evict(now)
	}
	p.byHash[hash] = found
}

// evict drops entries that are outdated, else any. It drops many at once, because it reads
// all of them.
func (p *principalCache) evict(now time.Time) {
	for hash, c := range p.byHash {
		if !p.fresh(c, now) {
			delete(p.byHash, hash)
		}
	}
	for hash := range p.byHash {
		if len(p.byHash) < maxPrincipals*7/8 {
			return
		}
		delete(p.byHash, hash)
	}
}

// hears starts to rely on notifications: what they said before may have been missed.
func (p *principalCache) hears() {
	p.forgetAll(func(models.Principal) bool { return true })
	p.deaf.Store(false)
}

// Forget drops a key that was revoked here, so that it ends at once at least here.
func (p *principalCache) Forget(apiKeyID string) {
	p.forgetAll(func(c models.Principal) bool { return c.APIKeyID == apiKeyID })
}

// ForgetOrganization drops the keys of an organization that was archived, or of which
// something changed that its keys say, and those of its clients.
func (p *principalCache) ForgetOrganization(id string) {
	p.forgetAll(func(c models.Principal) bool {
		return c.OrganizationID == id || c.ParentOrganizationID != nil && *c.ParentOrganizationID == id
	})
}

func (p *principalCache) forgetAll(ended func(models.Principal) bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changes++
	for hash, c := range p.byHash {
		if ended(c.Principal) {
			delete(p.byHash, hash)
		}
	}
}
