package transactions

import (
	"context"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/content"
	"levy/store/pg"
	"levy/tax"
)

// The data of the organizations of a batch that stages read, once for each organization.

var selectBusinesses = pg.Prepare(`
	SELECT d.organization_id, d.business_address, coalesce(s.enable_business_address_fallback, false)
	  FROM (SELECT DISTINCT organization_id FROM {organization}) o
	 CROSS JOIN LATERAL (
	   SELECT x.* FROM organization_details x WHERE x.organization_id = o.organization_id
	     AND x.place IS NOT NULL OFFSET 0) d
	  JOIN organization_settings s ON s.organization_id = d.organization_id`, nil, organizationRows)

// loadBusinesses reads the business addresses of the organizations of a batch, if they have any.
func loadBusinesses(b *stageBatch, batch *pgx.Batch) {
	selectBusinesses.Queue(batch, nil, b.organizations).Query(func(rows pgx.Rows) error {
		businesses := map[string]*models.Business{}
		var organizationID string
		var document []byte
		var fallback bool
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &document, &fallback}, func() error {
			found, err := models.BusinessOf(document, fallback)
			businesses[organizationID] = found
			return err
		})
		for i := range b.transactions {
			b.transactions[i].Business = businesses[b.transactions[i].OrganizationID]
		}
		return err
	})
}

var selectObligations = pg.Prepare(`
	SELECT o.organization_id, coalesce(d.place->>'country', ''), coalesce(r.id, ''), coalesce(r.country_code, ''),
	       coalesce(r.state_code, ''),
	       coalesce(r.status, ''), r.obliged_from, r.obliged_until, r.obliged_gaps,
	       least(r.economic_nexus_met_date, r.physical_nexus_met_date, r.collected_tax_nexus_met_date),
	       g.registration_date, coalesce(g.registrations_regime = 'SIMPLIFIED', false)
	  FROM (SELECT DISTINCT organization_id FROM {organization}) o
	  LEFT JOIN LATERAL (SELECT x.* FROM nexus_records x WHERE x.organization_id = o.organization_id
	    AND x.enabled OFFSET 0) r ON true
	  LEFT JOIN organization_details d ON d.organization_id = o.organization_id
	  LEFT JOIN LATERAL (
	    SELECT x.registration_date, x.registrations_regime FROM registrations x
	     WHERE x.organization_id = r.organization_id AND x.country_code = r.country_code
	       AND x.state_code = r.state_code
	       AND x.status IN ('REGISTERED', 'DEREGISTERING') AND r.status = 'REGISTERED' LIMIT 1) g ON true
	 ORDER BY o.organization_id, r.country_code, r.state_code`, nil, organizationRows)

// loadObligations reads the home and the nexus of the organizations of a batch, once for each.
func loadObligations(b *stageBatch, batch *pgx.Batch) {
	selectObligations.Queue(batch, nil, b.organizations).Query(func(rows pgx.Rows) error {
		found, homes := map[string][]models.NexusObligation{}, map[string]string{}
		for rows.Next() {
			var organizationID, home string
			var o models.NexusObligation
			if err := rows.Scan(&organizationID, &home, &o.ID, &o.CountryCode, &o.StateCode, &o.Status, &o.From,
				&o.Until, &o.Gaps, &o.MetDate, &o.Registered, &o.Simplified); err != nil {
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

var selectOverrides = pg.Prepare(`
	SELECT o.organization_id, `+content.OverridesOf("o.organization_id")+`
	  FROM (SELECT DISTINCT organization_id FROM {organization}) o`, nil, organizationRows)

// loadOverrides reads the rate overrides of the organizations of a batch, once for each.
func loadOverrides(b *stageBatch, batch *pgx.Batch) {
	selectOverrides.Queue(batch, nil, b.organizations).Query(func(rows pgx.Rows) error {
		found := map[string][]tax.Override{}
		for rows.Next() {
			var organizationID string
			var overrides []tax.Override
			if err := rows.Scan(&organizationID, &overrides); err != nil {
				return err
			}
			found[organizationID] = overrides
		}
		for i := range b.transactions {
			t := &b.transactions[i]
			t.Overrides = found[t.OrganizationID]
		}
		return rows.Err()
	})
}

// Settings returns the settings of the organizations by id.
func (s *Store) Settings(
	ctx context.Context, organizationIDs []string,
) (map[string]models.OrganizationSettings, error) {
	var all []models.OrganizationSettings
	if err := s.db.GORM(ctx).Where("organization_id IN ?", organizationIDs).Find(&all).Error; err != nil {
		return nil, pg.Translate(err)
	}
	settings := make(map[string]models.OrganizationSettings, len(all))
	for _, one := range all {
		settings[one.OrganizationID] = one
	}
	return settings, nil
}
