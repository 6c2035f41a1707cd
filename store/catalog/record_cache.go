package catalog

import (
	"math"
	"sync"
	"unsafe"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"levy/models"
)

// versionOf is the version of the records that estimates read of the organization o. Any change of such a record
// changes it (see the migration of catalog_versions). It must be read in the snapshot of the records cached with it.
const versionOf = `coalesce((SELECT w.token FROM catalog_versions w WHERE w.organization_id = o.organization_id), 0)
	     # coalesce((SELECT bit_xor(w.token) FROM catalog_version_changes w
	                  WHERE w.organization_id = o.organization_id), 0)`

// The most bytes of cached records of one organization, and of all. A product takes about 450.
const (
	cacheOfOne = 2 << 20
	cacheOfAll = 16 << 20
)

// recordCache caches the records that estimates have read last, of each organization those of one version.
// A caller may use them only after it has read that the version is current. It does not cache that a record is missing.
type recordCache struct {
	ofOne, ofAll int

	mu            sync.Mutex
	bytes         int
	organizations *simplelru.LRU[string, *organizationCache]
}

// organizationCache are the cached records of an organization.
type organizationCache struct {
	version int64
	bytes   int
	records *simplelru.LRU[recordKey, cachedRecord]
}

// recordKey is the name of a record in a sale.
type recordKey struct {
	kind recordKind
	name string
}

type recordKind byte

const (
	productByExternalID recordKind = iota
	customerByID
	customerByExternalID
)

type cachedRecord struct {
	product  models.Product
	customer *saleCustomer
	bytes    int
}

// newLRU returns a list without a limit of its length, because recordCache counts bytes.
func newLRU[K comparable, V any]() *simplelru.LRU[K, V] {
	list, err := simplelru.NewLRU[K, V](math.MaxInt, nil)
	if err != nil {
		panic(err) // only for a limit that is not positive
	}
	return list
}

func newRecordCache(ofOne, ofAll int) *recordCache {
	return &recordCache{ofOne: ofOne, ofAll: ofAll, organizations: newLRU[string, *organizationCache]()}
}

// products returns the cached products of an organization with these names, and their version.
func (k *recordCache) products(
	organizationID string, externalIDs []string,
) (found map[string]models.Product, version int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.organizations.Get(organizationID)
	if !ok {
		return nil, 0
	}
	found = make(map[string]models.Product, len(externalIDs))
	for _, id := range externalIDs {
		if r, ok := o.records.Get(recordKey{productByExternalID, id}); ok {
			found[id] = r.product
		}
	}
	return found, o.version
}

// customer returns a cached customer of an organization, and the version; nil if there is none.
func (k *recordCache) customer(organizationID string, key recordKey) (*saleCustomer, int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.organizations.Get(organizationID)
	if !ok {
		return nil, 0
	}
	r, _ := o.records.Get(key)
	return r.customer, o.version
}

func (k *recordCache) addProduct(organizationID string, version int64, p models.Product) {
	r := cachedRecord{product: p, bytes: len(p.TaxClass) + len(p.Classification)}
	if sub := p.ProductSubcategory; sub != nil {
		r.bytes += len(*sub)
	}
	k.add(organizationID, version, recordKey{productByExternalID, p.ExternalID}, r)
}

func (k *recordCache) addCustomer(organizationID string, version int64, key recordKey, c *saleCustomer) {
	k.add(organizationID, version, key, cachedRecord{customer: c, bytes: c.size()})
}

// add caches a record that was read with the version. It drops records of another version. Then it drops the least
// recently used records of an organization with too many bytes, and the least recently used organizations.
func (k *recordCache) add(organizationID string, version int64, key recordKey, r cachedRecord) {
	r.bytes += 2*len(key.name) + int(unsafe.Sizeof(r)+unsafe.Sizeof(key)) + overhead
	k.mu.Lock()
	defer k.mu.Unlock()
	o, ok := k.organizations.Get(organizationID)
	if !ok {
		o = &organizationCache{version: version, records: newLRU[recordKey, cachedRecord]()}
		k.organizations.Add(organizationID, o)
		k.count(o, overhead)
	}
	if o.version != version {
		k.count(o, overhead-o.bytes)
		o.version = version
		o.records.Purge()
	}
	before, _ := o.records.Peek(key)
	o.records.Add(key, r)
	k.count(o, r.bytes-before.bytes)
	for o.bytes > k.ofOne && o.records.Len() > 0 {
		_, oldest, _ := o.records.RemoveOldest()
		k.count(o, -oldest.bytes)
	}
	for k.bytes > k.ofAll && k.organizations.Len() > 0 {
		_, oldest, _ := k.organizations.RemoveOldest()
		k.bytes -= oldest.bytes
	}
}

// overhead is the size of an entry of a map and of a list in addition to its key and value.
const overhead = 96

// count adds to the bytes of an organization, and of all.
func (k *recordCache) count(o *organizationCache, bytes int) {
	o.bytes += bytes
	k.bytes += bytes
}
