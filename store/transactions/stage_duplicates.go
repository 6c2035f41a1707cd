package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// selectDuplicates looks for other sales with the second identifier of a sale, which another connection brought. Where more than
// twenty sales share the identifier, it does not name an order: then no more of them are read.
var selectDuplicates = pg.Prepare(`
	SELECT key.organization_id, key.id, other.external_id
	  FROM {key}
	 CROSS JOIN LATERAL (
	   SELECT x.secondary_external_id, x.connection_id FROM transactions x
	    WHERE x.organization_id = key.organization_id AND x.id = key.id OFFSET 0) t
	 CROSS JOIN LATERAL (
	   SELECT min(o.external_id) AS external_id
	     FROM (SELECT x.id, x.external_id, x.type, x.status, x.connection_id FROM transactions x
	            WHERE x.organization_id = key.organization_id AND x.secondary_external_id = t.secondary_external_id
	            LIMIT 21) o
	    WHERE o.id <> key.id AND o.type = 'SALE' AND o.status NOT IN ('CANCELLED', 'INVALID', 'ARCHIVED', 'FULLY_REFUNDED')
	      /* guard: duplicates: one connection may use a second identifier again */ AND o.connection_id IS DISTINCT FROM t.connection_id
	   ) other
	 WHERE other.external_id IS NOT NULL`, nil, keyRows)

// loadDuplicates reads the external id of another sale that may be the same order.
func loadDuplicates(b *stageBatch, batch *pgx.Batch) {
	selectDuplicates.Queue(batch, nil, b.keys).Query(func(rows pgx.Rows) error {
		var organizationID, id, other string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &id, &other}, func() error {
			b.of(organizationID, id).DuplicateOf = other
			return nil
		})
		return err
	})
}

// isNamedTwice reports whether a sale has a second identifier, by which another connection may have brought it, too.
func isNamedTwice(t *models.Transaction) bool {
	return t.Type == models.TypeSale && t.SecondaryExternalID != nil
}
