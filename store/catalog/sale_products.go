package catalog

import (
	"context"
	"fmt"
	"sync"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// saleProducts reads the products of sales that are not recorded. While others read,
// names gather and are asked for together: a rush of check-outs costs the database few
// statements, nobody waits when there is none, and every answer was read after it was
// asked for.
type saleProducts struct {
	db *pg.DB

	mu      sync.Mutex
	readers int           // that are idle
	next    *productGroup // gathers while all read; nil when nobody waits
}

// productReaders are groups that are read at the same time.
const productReaders = 2

// productGroup is what one statement reads.
type productGroup struct {
	organizationIDs, externalIDs []string

	done  chan struct{} // closed when the rest is there
	found map[productKey]models.Product
	err   error
}

type productKey struct{ organizationID, externalID string }

func newSaleProducts(db *pg.DB) *saleProducts {
	return &saleProducts{db: db, readers: productReaders}
}

// of waits for the group, and returns what it found of the names that an organization
// added. Errors: models.ErrUnavailable.
func (g *productGroup) of(
	ctx context.Context, scope models.Scope, externalIDs []string,
) (map[string]models.Product, error) {
	select {
	case <-g.done:
	case <-ctx.Done():
		return nil, fmt.Errorf("%w: products: %w", models.ErrUnavailable, ctx.Err())
	}
	found := make(map[string]models.Product, len(externalIDs))
	for _, id := range externalIDs {
		if p, ok := g.found[productKey{scope.OrganizationID, id}]; ok {
			found[id] = p
		}
	}
	return found, g.err
}

// add adds names to the group that gathers, and has it read if a reader is idle.
func (r *saleProducts) add(ctx context.Context, scope models.Scope, externalIDs []string) *productGroup {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.next == nil {
		r.next = &productGroup{done: make(chan struct{})}
	}
	group := r.next
	for _, id := range externalIDs {
		group.organizationIDs = append(group.organizationIDs, scope.OrganizationID)
		group.externalIDs = append(group.externalIDs, id)
	}
	if r.readers > 0 {
		r.readers, r.next = r.readers-1, nil
		go r.readAll(pg.WithoutTransaction(context.WithoutCancel(ctx)), group) // no client's end is that of the others
	}
	return group
}

// readAll reads a group, and what has gathered meanwhile, until nobody waits.
func (r *saleProducts) readAll(ctx context.Context, group *productGroup) {
	for group != nil {
		group.found, group.err = r.query(ctx, group)
		close(group.done)
		r.mu.Lock()
		group, r.next = r.next, nil
		if group == nil {
			r.readers++
		}
		r.mu.Unlock()
	}
}

const selectSaleProducts = `
	SELECT u.organization_id, u.external_id, p.tax_class, p.classification, p.tax_exempt
	  FROM (SELECT DISTINCT * FROM unnest($1::text[], $2::text[]) AS n(organization_id, external_id)) u
	 CROSS JOIN LATERAL (
	   SELECT * FROM products x WHERE x.organization_id = u.organization_id AND x.external_id = u.external_id OFFSET 0) p`

func (r *saleProducts) query(ctx context.Context, group *productGroup) (map[productKey]models.Product, error) {
	ctx, cancel := context.WithTimeout(ctx, pg.StatementTimeout)
	defer cancel()
	rows, err := r.db.Query(ctx, selectSaleProducts, group.organizationIDs, group.externalIDs)
	if err != nil {
		return nil, pg.Translate(err)
	}
	found := make(map[productKey]models.Product, len(group.externalIDs))
	var organizationID string
	var p models.Product
	_, err = pgx.ForEachRow(rows, []any{
		&organizationID, &p.ExternalID, &p.TaxClass, &p.Classification, &p.TaxExempt,
	}, func() error {
		found[productKey{organizationID, p.ExternalID}] = p
		return nil
	})
	return found, pg.Translate(err)
}
