package content

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
)

// OverridesOf returns an SQL expression: the rate overrides of the organization in the placeholder or column.
// They are a list of tax.Override, the latest first, or null.
func OverridesOf(organizationID string) string {
	return `(SELECT jsonb_agg(jsonb_build_object('id', v.id, 'jurisdiction_id', v.jurisdiction_id,
             'tax_class', v.tax_class, 'rate', v.rate::text, 'from', v.start_date, 'to', v.end_date,
             'set_on', (v.created_at AT TIME ZONE 'UTC')::date, 'reason', v.reason)
             ORDER BY v.created_at DESC, v.id DESC)
      FROM rate_overrides v WHERE v.organization_id = ` + organizationID + `)`
}

// CreateRateOverride sets a rate for later calculations. Errors: *models.LimitError if the organization has
// models.MaxRateOverrides, models.ErrNotFound if it is not active.
func (s *Store) CreateRateOverride(
	ctx context.Context, scope models.Scope, actor models.Actor, o *models.RateOverride,
) error {
	o.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		// Creations of one organization wait for each other. Otherwise two calls could both count 199 overrides.
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).Select("id").
			Where("id = ? AND status = ?", scope.OrganizationID, models.OrganizationActive).
			Take(&models.Organization{}).Error
		if err != nil {
			return err
		}
		var set int64
		err = tx.Model(&models.RateOverride{}).Where("organization_id = ?", scope.OrganizationID).Count(&set).Error
		if err != nil {
			return err
		}
		if set >= models.MaxRateOverrides {
			return &models.LimitError{What: models.LimitRateOverrides, Limit: models.MaxRateOverrides}
		}
		if err := tx.Create(o).Error; err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "rate_override", o.ID).With(auditedOverride(o)))
	})
}

// auditedOverride returns the audited fields of a rate: all but the reason, which may name people.
func auditedOverride(o *models.RateOverride) map[string]any {
	detail := map[string]any{
		"jurisdiction_id": o.JurisdictionID, "rate": o.Rate.String(), "start_date": o.StartDate.Format(time.DateOnly),
	}
	if o.TaxClass != "" {
		detail["tax_class"] = o.TaxClass
	}
	if o.EndDate != nil {
		detail["end_date"] = o.EndDate.Format(time.DateOnly)
	}
	return detail
}

// RateOverride returns a rate override. Errors: models.ErrNotFound.
func (s *Store) RateOverride(ctx context.Context, scope models.Scope, id string) (models.RateOverride, error) {
	var o models.RateOverride
	err := pg.Record(s.db.GORM(ctx), scope, id).Take(&o).Error
	return o, pg.Translate(err)
}

var rateOverrideOrder = pg.Sortable{
	"created_at": false, "start_date": false, "jurisdiction_name": false, "end_date": true, "country_code": false,
	"state_code": false, "jurisdiction_type": false, "tax_class": false, "rate": false, "reason": false,
}

// ListRateOverrides returns a page of the rate overrides that pass the filter. order may contain the columns of
// rateOverrideOrder.
func (s *Store) ListRateOverrides(
	ctx context.Context, scope models.Scope, f models.RateOverrideFilter, order []models.Order, page models.Page,
) (models.List[models.RateOverride], error) {
	q := s.db.GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if f.Country != "" {
		q = q.Where("country_code = ?", f.Country)
	}
	if f.State != "" {
		q = q.Where("state_code = ?", f.State)
	}
	return pg.ReadPage[models.RateOverride](q, rateOverrideOrder, order, page)
}

// DeleteRateOverride deletes a rate override and returns its last state, which the audit trail keeps. Errors:
// models.ErrNotFound.
func (s *Store) DeleteRateOverride(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
) (models.RateOverride, error) {
	var o models.RateOverride
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "UPDATE"}).
			Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&o).Error
		if err != nil {
			return err
		}
		err = pg.Record(tx, scope, id).Delete(&models.RateOverride{}).Error
		if err != nil {
			return err
		}
		return pg.Audit(tx, actor.Entry(scope, models.AuditDelete, "rate_override", o.ID).With(auditedOverride(&o)))
	})
	return o, err
}

// RateOverridesIn returns the rate overrides of all organizations for some jurisdictions. It is for operators.
func (s *Store) RateOverridesIn(ctx context.Context, jurisdictionIDs []string) ([]models.RateOverride, error) {
	var list []models.RateOverride
	err := s.db.InSnapshot(ctx, func(ctx context.Context, tx pg.Querier) error {
		rows, err := tx.Query(ctx, `
			SELECT organization_id, id, jurisdiction_id, jurisdiction_name, tax_class, rate, start_date, end_date,
			       reason FROM rate_overrides
			 WHERE jurisdiction_id = ANY ($1) ORDER BY jurisdiction_id, organization_id, created_at`, jurisdictionIDs)
		list, err = pg.Collect(rows, err, func(row pgx.CollectableRow) (o models.RateOverride, err error) {
			err = row.Scan(&o.OrganizationID, &o.ID, &o.JurisdictionID, &o.JurisdictionName, &o.TaxClass, &o.Rate,
				&o.StartDate, &o.EndDate, &o.Reason)
			return o, err
		})
		return err
	})
	return list, pg.Translate(err)
}
