package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// saveNetSales replaces the contributions of transactions whose prices include tax, after their tax was calculated.
// Stage 3 could not know which law would apply.
var saveNetSales = pg.Prepare(`
	WITH updated AS (
	  SELECT t.organization_id, t.id FROM {ref}
	   CROSS JOIN LATERAL (
	     SELECT x.organization_id, x.id FROM transactions x
	      WHERE x.organization_id = ref.organization_id AND x.id = ref.id AND x.epoch = ref.epoch
	        AND x.processing_status = 'PROCESSED' OFFSET 0) t),`+contribute+`
	SELECT 1`, nil, refRows, contributionRows)

// queueNetSales adds the statement that counts net prices for nexus. Few batches have any.
func queueNetSales(batch *pgx.Batch, outcomes []models.TaxOutcome) {
	var refs []models.Ref
	var counted []models.NexusOutcome
	for i := range outcomes {
		if o := &outcomes[i]; o.Nexus != nil {
			refs = append(refs, o.Ref)
			counted = append(counted, models.NexusOutcome{Ref: o.Ref, Contributions: o.Nexus})
		}
	}
	if refs != nil {
		saveNetSales.Queue(batch, nil, refRows.Of(refs), contributionRows.Of(contributionsOf(counted)))
	}
}
