package nexus

import (
	"context"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
	taxnexus "levy/tax/nexus"
)

var nexusOrder = pg.Sortable{
	"state_code": false, "country_code": false, "state_name": false, "status": false, "transactions_amount": false,
	"transaction_count": false, "tax_liability": false, "nexus_met_date": true, "updated_at": false,
	"created_at": false, "currency": false, "threshold_sales": true,
	"threshold_transactions": true, "start_date": false, "period_start_date": false, "period_end_date": false,
	"previous_transactions_amount": false, "previous_transaction_count": false, "total_transactions": false,
	"calculated_tax_liability": false, "imported_tax_liability": false, "economic_nexus_met_date": true,
	"physical_nexus_met_date": true, "collected_tax_nexus_met_date": true, "obligation_start_date": true,
	"earliest_transaction_date": true, "most_recent_transaction_date": true, "predicted_month_from_today": true,
	"confidence_level": true,
}

// ListNexus returns a page of the nexus records of enabled jurisdictions that pass the filter. order may contain the
// columns of nexusOrder. An organization has fewer than a hundred records: one statement reads all matches,
// and the page is cut out of them.
func (s *Store) ListNexus(
	ctx context.Context, scope models.Scope, f models.NexusFilter, order []models.Order, page models.Page,
) (models.List[models.NexusRecord], error) {
	list := models.List[models.NexusRecord]{Items: []models.NexusRecord{}}
	where, args := filterNexus(f)
	args["union"] = taxnexus.UnionMembers(calendar.DateOf(f.Today))
	found, err := findNexus(s.db.GORM(ctx), scope, where+" ORDER BY "+orderNexus(order), args)
	list.Total = int64(len(found))
	if page.Offset < len(found) {
		list.Items = found[page.Offset:min(len(found), page.Offset+page.Limit)]
	}
	return list, err
}

// filterNexus returns the condition on records that pass a filter.
func filterNexus(f models.NexusFilter) (condition string, args map[string]any) {
	where, args := []string{"r.enabled"}, map[string]any{"today": f.Today}
	and := func(condition, name string, value any) {
		where = append(where, condition)
		args[name] = value
	}
	const disregarded = "r.disregarded_at IS NOT NULL AND (r.disregarded_until IS NULL OR r.disregarded_until > @today)"
	switch f.View {
	case "exposed":
		where = append(where, "r.nexus_met AND NOT ("+disregarded+")")
	case "disregarded":
		where = append(where, disregarded)
	}
	if len(f.Statuses) > 0 {
		and("r.status IN @statuses", "statuses", f.Statuses)
	}
	if len(f.States) > 0 {
		and("r.state_code IN @states", "states", f.States)
	}
	if len(f.Countries) > 0 {
		and("r.country_code IN @countries", "countries", f.Countries)
	}
	if f.Collected != nil {
		and("r.collected_tax_nexus_met = @collected", "collected", *f.Collected)
	}
	return strings.Join(where, " AND "), args
}

// findNexus reads the records of an organization that pass a condition. args has the members of the union.
func findNexus(
	tx *gorm.DB, scope models.Scope, condition string, args map[string]any,
) (found []models.NexusRecord, err error) {
	args["organization"] = scope.OrganizationID
	err = tx.Raw("SELECT "+selectNexus+" FROM "+joinNexus+" WHERE r.organization_id = @organization AND "+condition,
		args).Scan(&found).Error
	ctx, db := pg.DBOf(tx)
	for i := range found {
		if err == nil {
			err = db.OpenTaxIDs(ctx, scope.OrganizationID, &found[i])
		}
	}
	return found, pg.Translate(err)
}

// orderNexus returns the ORDER BY of nexus records: rows without a value come last, and the id orders equal ones.
func orderNexus(order []models.Order) string {
	var by []string
	for _, o := range order {
		nullable, ok := nexusOrder[o.Column]
		if !ok {
			continue
		}
		column := "r." + o.Column
		switch {
		case strings.HasPrefix(o.Column, "threshold_"): // an answer shows an absent test as 0
			column = "coalesce(" + column + ", 0)"
		case nullable:
			by = append(by, column+" IS NULL")
		}
		if o.Desc {
			column += " DESC"
		}
		by = append(by, column)
	}
	return strings.Join(append(by, "r.id"), ", ")
}

// Nexus returns a nexus record. Errors: models.ErrNotFound.
func (s *Store) Nexus(ctx context.Context, scope models.Scope, id string) (models.NexusRecord, error) {
	return readNexus(s.db.GORM(ctx), scope, id)
}

func readNexus(tx *gorm.DB, scope models.Scope, id string) (models.NexusRecord, error) {
	found, err := findNexus(tx, scope, "r.id = @id AND r.enabled", map[string]any{
		"id": id, "union": taxnexus.UnionMembers(calendar.DateOf(tx.NowFunc())),
	})
	if err == nil && len(found) == 0 {
		err = models.ErrNotFound
	}
	if err != nil {
		return models.NexusRecord{}, err
	}
	return found[0], nil
}

// DisregardNexus calls change to alter which nexus of a record is disregarded, and updates the record's status at once.
// The obligation follows with the next evaluation. Errors: models.ErrNotFound, and those of change.
func (s *Store) DisregardNexus(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
	change func(*models.NexusRecord) error,
) (models.NexusRecord, error) {
	var r models.NexusRecord
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
			Where("organization_id = ? AND id = ? AND enabled", scope.OrganizationID, id).Take(&r).Error
		if err != nil {
			return err
		}
		before := r
		if err := change(&r); err != nil {
			return err
		}
		if before.Disregard.DisregardedAt != nil || r.Disregard.DisregardedAt != nil {
			if err := writeDisregard(tx, scope, actor, &before, &r); err != nil {
				return err
			}
		}
		r, err = readNexus(tx, scope, id)
		return err
	})
	return r, err
}

func writeDisregard(tx *gorm.DB, scope models.Scope, actor models.Actor, before, r *models.NexusRecord) error {
	now := tx.NowFunc()
	r.SetNexusMet(&r.Disregard, now.Truncate(24*time.Hour))
	r.UpdatedAt = now
	err := pg.Record(tx, scope, r.ID).Model(&models.NexusRecord{}).
		Select("disregarded_at", "disregarded_by", "disregard_reason", "disregarded_until", "disregarded_nexus_types",
			"nexus_met", "nexus_met_date", "updated_at").
		UpdateColumns(r).Error
	if err != nil {
		return err
	}
	if err := MarkChanged(tx, scope.OrganizationID, r.CountryCode, r.StateCode); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "nexus", r.ID).With(pg.Changed(before, r)))
}

// CompleteNexus adds the values that are computed on reading. records may contain the same record at several moments.
func (s *Store) CompleteNexus(ctx context.Context, scope models.Scope, records []models.NexusRecord) error {
	ids := make([]string, len(records))
	for i, r := range records {
		ids[i] = r.ID
	}
	found, err := findNexus(s.db.GORM(ctx), scope, "r.id IN @ids", map[string]any{
		"ids": ids, "union": taxnexus.UnionMembers(calendar.DateOf(time.Now())),
	})
	for _, now := range found {
		for i := range records {
			if records[i].ID == now.ID {
				records[i].ProcessingStatus, records[i].Registration = now.ProcessingStatus, now.Registration
			}
		}
	}
	return err
}
