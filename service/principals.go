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
	// principalTTL bounds how long any process accepts a revoked key, also if notifications are lost.
	principalTTL = 5 * time.Second
	// disconnectedTTL is the same bound while this process receives no notifications.
	disconnectedTTL = 200 * time.Millisecond
	maxPrincipals   = 10_000
)

// FollowPrincipals drops principals from the cache as soon as any process changes them, until ctx ends.
func (s *Service) FollowPrincipals(ctx context.Context, changes deps.PrincipalChanges) {
	p := s.principals
	p.disconnected.Store(true)
	changes.WatchPrincipals(ctx, p.connected, p.ForgetOrganization, func(err error) {
		if !p.disconnected.Swap(true) {
			s.log.WarnContext(ctx, "changes of keys and registrations are not heard, and looked up more often instead",
				"error", err.Error())
		}
	})
}

// principalCache caches the principals of keys for a few seconds. It does not cache refused keys,
// because they would evict valid ones.
type principalCache struct {
	source       deps.Principals
	lifetime     time.Duration
	now          func() time.Time
	disconnected atomic.Bool // no notifications of other processes arrive
	mu           sync.RWMutex
	byHash       map[string]cachedPrincipal
	changes      int // number of calls of forgetAll
}

type cachedPrincipal struct {
	models.Principal
	at time.Time
}

func newPrincipalCache(source deps.Principals, lifetime time.Duration, now func() time.Time) *principalCache {
	return &principalCache{source: source, lifetime: lifetime, now: now, byHash: map[string]cachedPrincipal{}}
}

// find returns the principal of a key with that hash. Errors: models.ErrUnauthenticated, and those of the source.
func (p *principalCache) find(
	ctx context.Context, hasher *secret.KeyHasher, key string, hash []byte,
) (models.Principal, error) {
	now := p.now() // before the query, so that the result is at least as recent
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
		p.store(string(hash), found, now, changes)
	}
	if found.ExpiresAt != nil && !found.ExpiresAt.After(now) {
		return models.Principal{}, models.ErrUnauthenticated
	}
	return found.Principal, nil
}

// fresh reports whether a cached principal may still be used.
func (p *principalCache) fresh(found cachedPrincipal, now time.Time) bool {
	lifetime := p.lifetime
	if p.disconnected.Load() {
		lifetime = min(lifetime, disconnectedTTL)
	}
	return now.Before(found.at.Add(lifetime))
}

// store caches a principal unless forgetAll was called since the query began: the query may have read an older state.
func (p *principalCache) store(hash string, found cachedPrincipal, now time.Time, changes int) {
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

// evict drops expired entries, and if too few are expired, others. It drops an eighth of the cache at once, because it
// reads all entries.
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

// connected empties the cache and begins to rely on notifications. Earlier ones may have been lost.
func (p *principalCache) connected() {
	p.forgetAll(func(models.Principal) bool { return true })
	p.disconnected.Store(false)
}

// Forget drops a key that this process revoked, so that this process refuses it at once.
func (p *principalCache) Forget(apiKeyID string) {
	p.forgetAll(func(c models.Principal) bool { return c.APIKeyID == apiKeyID })
}

// ForgetOrganization drops the keys of an organization and of its clients, because it was archived or its principal
// changed.
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
