package transactions

import (
	"github.com/jackc/pgx/v5"

	"levy/models"
)

// loadObligations reads where the organizations of a batch are and their nexus, once for
// each.
func loadObligations(b *stageBatch, batch *pgx.Batch, organizationIDs, _ []string) {
	batch.Queue(`
		SELECT o.organization_id, coalesce(d.place->>'country', ''), coalesce(r.id, ''), coalesce(r.country_code, ''),
		       coalesce(r.state_code, ''),
		       coalesce(r.status, ''), r.obliged_from, r.obliged_until, r.obliged_gaps,
		       least(r.economic_nexus_met_date, r.physical_nexus_met_date, r.collected_tax_nexus_met_date),
		       g.registration_date
		  FROM (SELECT DISTINCT unnest($1::text[]) AS organization_id) o
		  LEFT JOIN LATERAL (SELECT x.* FROM nexus_records x WHERE x.organization_id = o.organization_id
		    AND x.enabled OFFSET 0) r ON true
		  LEFT JOIN organization_details d ON d.organization_id = o.organization_id
		  LEFT JOIN LATERAL (
		    SELECT x.registration_date FROM registrations x
		     WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code
		       AND x.state_code = r.state_code
		       AND x.status IN ('REGISTERED', 'DEREGISTERING') AND r.status = 'REGISTERED' LIMIT 1) g ON true
		 ORDER BY o.organization_id, r.country_code, r.state_code`, organizationIDs).Query(func(rows pgx.Rows) error {
		found, homes := map[string][]models.NexusObligation{}, map[string]string{}
		for rows.Next() {
			var organizationID, home string
			var o models.NexusObligation
			if err := rows.Scan(&organizationID, &home, &o.ID, &o.CountryCode, &o.StateCode, &o.Status, &o.From,
				&o.Until, &o.Gaps, &o.MetDate, &o.Registered); err != nil {
				return err
			}
			homes[organizationID] = home
			if o.ID != "" {
				found[organizationID] = append(found[organizationID], o)
			}
		}
		for i := range b.transactions {
			t := &b.transactions[i]
			t.Obligations, t.Home = found[t.OrganizationID], homes[t.OrganizationID]
		}
		return rows.Err()
	})
}
