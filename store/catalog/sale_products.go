package catalog

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// saleProducts reads the products of estimates, and whether cached records are still current. While a statement runs,
// names of other callers gather and are read together. So a rush of check-outs costs the database few statements,
// a single caller does not wait, and every answer was read after its request.
//
// One statement runs at a time: most requested records are cached, and one round trip answers all callers that arrived
// meanwhile.
type saleProducts struct {
	db    *pg.DB
	cache *recordCache

	mu      sync.Mutex
	reading bool
	next    *productGroup // the gathering group; nil if no caller waits
}

// productGroup is the content of one statement.
type productGroup struct {
	names []productKey // without an external id: only the version of the organization

	done     chan struct{} // closed when the other fields are set
	found    map[productKey]models.Product
	versions map[string]int64 // the versions of the records, by organization
	err      error
}

type productKey struct{ organizationID, externalID string }

func newSaleProducts(db *pg.DB, cache *recordCache) *saleProducts {
	return &saleProducts{db: db, cache: cache}
}

// wait waits until the group is read. Errors: models.ErrUnavailable, and those of reading it.
func (g *productGroup) wait(ctx context.Context) error {
	select {
	case <-g.done:
		return g.err
	case <-ctx.Done():
		return fmt.Errorf("%w: products: %w", models.ErrUnavailable, ctx.Err())
	}
}

// of returns the found products of the names that an organization added.
func (g *productGroup) of(scope models.Scope, externalIDs []string) map[string]models.Product {
	found := make(map[string]models.Product, len(externalIDs))
	for _, id := range externalIDs {
		if p, ok := g.found[productKey{scope.OrganizationID, id}]; ok {
			found[id] = p
		}
	}
	return found
}

// add adds an organization and names of its products to the gathering group, and starts a reader if none runs.
func (r *saleProducts) add(ctx context.Context, scope models.Scope, externalIDs []string) *productGroup {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		r.next = &productGroup{done: make(chan struct{})}
	}
	group := r.next
	if len(externalIDs) == 0 {
		group.names = append(group.names, productKey{organizationID: scope.OrganizationID})
	}
	for _, id := range externalIDs {
		group.names = append(group.names, productKey{scope.OrganizationID, id})
	}
	if !r.reading {
		r.reading = true
		go r.readAll(pg.WithoutTransaction(context.WithoutCancel(ctx))) // the read does not end with the request of one client
	}
	return group
}

// readAll reads groups until no caller waits. Before each statement it yields to goroutines that are about to add
// names. The yield takes no time if there are no such goroutines.
func (r *saleProducts) readAll(ctx context.Context) {
	for {
		runtime.Gosched()
		r.mu.Lock()
		group := r.next
		r.next, r.reading = nil, group != nil
		r.mu.Unlock()
		if group == nil {
			return
		}
		group.err = r.read(ctx, group)
		close(group.done)
	}
}

// selectSaleVersions reads in one snapshot the versions of organizations.
var selectSaleVersions = pg.Prepare(`
	SELECT o.organization_id, `+versionOf+`, '', '', '', false, NULL::text FROM (SELECT * FROM {product}) o`, nil,
	productRows)

const saleProductColumns = `
	SELECT o.organization_id, ` + versionOf + `, CASE WHEN p.id IS NULL THEN '' ELSE o.external_id END,
	       coalesce(p.tax_class, ''), coalesce(p.classification, ''), coalesce(p.tax_exempt, false),
	       p.product_subcategory
	  FROM (SELECT * FROM {product}) o`

// selectSaleProducts reads in one snapshot products by their names, exact or padded, and the versions of their
// organizations.
var selectSaleProducts = pg.Prepare(saleProductColumns+`
	  LEFT JOIN LATERAL (
	    SELECT * FROM products x WHERE x.organization_id = o.organization_id
	       AND x.external_id = o.external_id OFFSET 0) p ON true
	 UNION ALL`+saleProductColumns+`
	 CROSS JOIN LATERAL (`+pg.PaddedRecord("products", "o.organization_id", "o.external_id")+`) p`, nil, productRows)

var productRows = pg.RowsOf("product",
	pg.Col("organization_id", "text", func(k *productKey) *string { return &k.organizationID }),
	pg.Col("external_id", "text", func(k *productKey) *string { return &k.externalID }),
)

// lookup are the names that a group requests of an organization.
type lookup struct {
	externalIDs []string
	cached      map[string]models.Product // the cached products of these names
	version     int64                     // the version of the cached products
}

// read reads a group: the version of each organization, and the products that are not cached. If the version differs
// from the cached one, it reads all names, so that the products of one organization are always those of one moment.
func (r *saleProducts) read(ctx context.Context, group *productGroup) error {
	ctx, cancel := context.WithTimeout(ctx, pg.StatementTimeout)
	defer cancel()
	group.found, group.versions = make(map[productKey]models.Product, len(group.names)), map[string]int64{}
	byOrganization := r.lookUp(group.names)
	var names []productKey
	for id, a := range byOrganization {
		before := len(names)
		for _, name := range a.externalIDs {
			if _, cached := a.cached[name]; !cached {
				names = append(names, productKey{id, name})
			}
		}
		if len(names) == before {
			names = append(names, productKey{organizationID: id}) // for the version alone
		}
	}
	if err := r.query(ctx, group, names); err != nil {
		return err
	}
	names = names[:0]
	for id, a := range byOrganization {
		// guard: estimates: a product in memory counts for the version with which it was read
		if len(a.cached) > 0 && group.versions[id] != a.version {
			for _, name := range a.externalIDs {
				names = append(names, productKey{id, name})
				delete(group.found, productKey{id, name}) // it may be deleted
			}
			continue
		}
		for name, p := range a.cached {
			group.found[productKey{id, name}] = p
		}
	}
	if len(names) == 0 {
		return nil
	}
	return r.query(ctx, group, names)
}

// lookUp returns the cached products of names, by organization.
func (r *saleProducts) lookUp(names []productKey) map[string]*lookup {
	byOrganization := map[string]*lookup{}
	seen := make(map[productKey]bool, len(names))
	for _, name := range names {
		if seen[name] {
			continue
		}
		seen[name] = true
		a := byOrganization[name.organizationID]
		if a == nil {
			a = &lookup{}
			byOrganization[name.organizationID] = a
		}
		if name.externalID != "" {
			a.externalIDs = append(a.externalIDs, name.externalID)
		}
	}
	for id, a := range byOrganization {
		a.cached, a.version = r.cache.products(id, a.externalIDs)
	}
	return byOrganization
}

// query reads names and adds the products and versions to the group.
func (r *saleProducts) query(ctx context.Context, group *productGroup, names []productKey) error {
	batch := &pgx.Batch{}
	batch.Queue("SELECT " + pg.PlanByKey)
	statement := selectSaleVersions
	if slices.ContainsFunc(names, func(k productKey) bool { return k.externalID != "" }) {
		statement = selectSaleProducts
	}
	var id string
	var version int64
	var p models.Product
	statement.Queue(batch, nil, productRows.Of(names)).Query(pg.Each(
		[]any{&id, &version, &p.ExternalID, &p.TaxClass, &p.Classification, &p.TaxExempt, &p.ProductSubcategory},
		func() error {
			group.versions[id] = version
			if name := (productKey{id, p.ExternalID}); name.externalID != "" {
				group.found[name] = p
				r.cache.addProduct(id, version, p)
			}
			return nil
		}))
	return pg.Translate(r.db.OpenTables().SendBatch(ctx, batch).Close())
}
