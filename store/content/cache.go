package content

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"levy/models"
	"levy/tax"
	"levy/tax/content"
)

// Cache provides the tax content: the version in force and any other, for repeating earlier calculations.
// It is safe for concurrent use.
type Cache struct {
	store   *Store
	current atomic.Pointer[tax.Content]
	loading sync.Mutex     // one content is parsed at a time, because that needs memory
	recent  []*tax.Content // the versions requested last, the newest first
}

// cachedContents is the most contents in a cache.
const cachedContents = 3

// OpenCache loads the version in force: the one that was activated last, or that of this program if none was.
func (s *Store) OpenCache(ctx context.Context) (*Cache, error) {
	cache := &Cache{store: s}
	if err := cache.Refresh(ctx); err != nil {
		return nil, err
	}
	s.opened.Store(cache)
	return cache, nil
}

// Current returns the content in force. A caller that needs several consistent answers calls it once.
func (s *Cache) Current() *tax.Content { return s.current.Load() }

// Refresh reads which version is in force and loads it if it changed. Contents that were returned before remain valid.
func (s *Cache) Refresh(ctx context.Context) error {
	version, err := s.store.ActiveContent(ctx)
	if err != nil {
		return err
	}
	if c := s.Current(); c != nil && (version == c.Version() || version == "") {
		return nil
	}
	var c *tax.Content
	if version == "" {
		c, err = tax.LoadContent()
	} else {
		c, err = s.Version(ctx, version)
	}
	if err != nil {
		return err
	}
	s.current.Store(c)
	return nil
}

// Watch follows activations by other processes until ctx ends. It calls report with errors. While the database does not
// answer, or a version cannot be loaded, the content in force remains.
func (s *Cache) Watch(ctx context.Context, every time.Duration, report func(error)) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if err := s.Refresh(ctx); err != nil && ctx.Err() == nil {
			report(err)
		}
	}
}

// Version returns the content with that name, loading it if it is not cached. Errors: models.ErrNotFound,
// models.ErrUnavailable.
func (s *Cache) Version(ctx context.Context, version string) (*tax.Content, error) {
	if c := s.Current(); c != nil && c.Version() == version {
		return c, nil
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	if i := slices.IndexFunc(s.recent, func(c *tax.Content) bool { return c.Version() == version }); i >= 0 {
		c := s.recent[i]
		s.recent = slices.Insert(slices.Delete(s.recent, i, i+1), 0, c)
		return c, nil
	}
	c, err := s.read(ctx, version)
	if err != nil {
		return nil, err
	}
	s.recent = slices.Insert(s.recent[:min(len(s.recent), cachedContents-1)], 0, c)
	return c, nil
}

func (s *Cache) read(ctx context.Context, version string) (*tax.Content, error) {
	pack, err := s.store.ContentPack(ctx, version)
	if err == nil {
		return tax.ParseContent(pack)
	}
	// The own content of a program can be used without being recorded.
	if own, ownErr := content.PackedVersion(content.Packed()); errors.Is(err, models.ErrNotFound) && ownErr == nil &&
		own == version {
		return tax.LoadContent()
	}
	return nil, err
}

// Calculator returns the calculation by the content with that name: the one that resolved the place of a sale.
// Without a name it is the content in force. Errors: those of Version.
func (s *Cache) Calculator(ctx context.Context, version string) (func(tax.Request) (tax.Result, error), error) {
	if version == "" {
		return s.Current().Calculate, nil
	}
	c, err := s.Version(ctx, version)
	if err != nil {
		return nil, err
	}
	return c.Calculate, nil
}

// Locate resolves addresses on their days by the content in force, as finely as it can. It resolves states with a
// boundary file by street and ZIP+4, with one statement for all addresses, or none if there are no such addresses.
func (s *Cache) Locate(ctx context.Context, addresses []tax.DatedAddress) (map[tax.DatedAddress]tax.Place, error) {
	c := s.Current()
	places := make(map[tax.DatedAddress]tax.Place, len(addresses))
	var keys []tax.BoundaryKey
	var of []tax.DatedAddress
	for _, a := range addresses {
		if key, ok := c.BoundaryKey(a); ok {
			keys, of = append(keys, key), append(of, a)
			continue
		}
		places[a] = c.Resolve(a.Address)
	}
	if len(keys) == 0 {
		return places, nil
	}
	matches, err := s.store.MatchBoundaries(ctx, keys)
	if err != nil {
		return nil, err
	}
	for i, a := range of {
		places[a] = c.ResolveAt(a.Address, matches[i])
	}
	return places, nil
}

// The other methods use the content in force.

// Resolve is tax.Content.Resolve.
func (s *Cache) Resolve(a tax.Address) tax.Place { return s.Current().Resolve(a) }

// Suggest is tax.Content.Suggest.
func (s *Cache) Suggest(a tax.Address) []tax.Suggestion { return s.Current().Suggest(a) }

// Jurisdiction is tax.Content.Jurisdiction.
func (s *Cache) Jurisdiction(id string) (tax.Jurisdiction, bool) { return s.Current().Jurisdiction(id) }

// Categories is tax.Content.Categories.
func (s *Cache) Categories() []tax.Category { return s.Current().Categories() }

// Classify is tax.Content.Classify.
func (s *Cache) Classify(category, subcategory string) (tax.TaxClass, tax.Classification, bool) {
	return s.Current().Classify(category, subcategory)
}
