package store

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// loadObligations reads the nexus of the organizations of a batch, once for each.
func loadObligations(b *stageBatch, batch *pgx.Batch, organizationIDs, _ []string) {
	batch.Queue(`
		SELECT o.organization_id, r.id, r.country_code, r.state_code, r.status, r.obliged_from, r.obliged_until, r.obliged_gaps,
		       least(r.economic_nexus_met_date, r.physical_nexus_met_date, r.collected_tax_nexus_met_date), g.registration_date,
		       coalesce(d.place->>'country', '')
		  FROM (SELECT DISTINCT unnest($1::text[]) AS organization_id) o
		 CROSS JOIN LATERAL (SELECT x.* FROM nexus_records x WHERE x.organization_id = o.organization_id AND x.enabled OFFSET 0) r
		  LEFT JOIN organization_details d ON d.organization_id = o.organization_id
		  LEFT JOIN LATERAL (
		    SELECT x.registration_date FROM registrations x
		     WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code AND x.state_code = r.state_code
		       AND x.status IN ('REGISTERED', 'DEREGISTERING') AND r.status = 'REGISTERED' LIMIT 1) g ON true
		 ORDER BY o.organization_id, r.country_code, r.state_code`, organizationIDs).Query(func(rows pgx.Rows) error {
		found := map[string][]models.NexusObligation{}
		for rows.Next() {
			var organizationID string
			var o models.NexusObligation
			if err := rows.Scan(&organizationID, &o.ID, &o.CountryCode, &o.StateCode, &o.Status, &o.From, &o.Until, &o.Gaps, &o.MetDate, &o.Registered, &o.Home); err != nil {
				return err
			}
			found[organizationID] = append(found[organizationID], o)
		}
		for i := range b.transactions {
			b.transactions[i].Obligations = found[b.transactions[i].OrganizationID]
		}
		return rows.Err()
	})
}
