package catalog

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// CreateExemption writes an exemption and sets the customer's name in it. Errors: *models.ReferencesNotFoundError
// (customer_id, transaction_id).
func (s *Store) CreateExemption(
	ctx context.Context, scope models.Scope, actor models.Actor, e *models.ExemptionRecord,
) error {
	e.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		if err := checkExemption(tx, e); err != nil {
			return err
		}
		sealed := e.Exemption
		if err := s.db.SealTaxIDs(ctx, scope.OrganizationID, &sealed); err != nil {
			return err
		}
		if err := tx.Create(&sealed).Error; err != nil {
			return err
		}
		e.CreatedAt = sealed.CreatedAt
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "exemption", e.ID))
	})
}

// checkExemption reads the records that an exemption names. Errors: *models.ReferencesNotFoundError for those that do
// not exist.
func checkExemption(tx *gorm.DB, e *models.ExemptionRecord) error {
	var missing []models.Fault
	unknown := func(path string) {
		missing = append(missing, models.Fault{
			Code: models.FieldNotFound, Path: path, Message: "No such record exists.",
		})
	}
	if e.CustomerID != nil {
		var found []models.Customer
		err := tx.Select("name").Where("organization_id = ? AND id = ?", e.OrganizationID,
			*e.CustomerID).Limit(1).Find(&found).Error
		if err != nil {
			return err
		}
		if len(found) == 0 {
			unknown("customer_id")
		} else {
			e.CustomerName = found[0].Name
		}
	}
	if e.TransactionID != nil {
		var found int64
		err := tx.Model(&models.Transaction{}).Where("organization_id = ? AND id = ?", e.OrganizationID,
			*e.TransactionID).Count(&found).Error
		if err != nil {
			return err
		}
		if found == 0 {
			unknown("transaction_id")
		}
	}
	if missing != nil {
		return &models.ReferencesNotFoundError{Faults: missing}
	}
	return nil
}

// Exemption returns an exemption. Errors: models.ErrNotFound.
func (s *Store) Exemption(ctx context.Context, scope models.Scope, id string) (models.ExemptionRecord, error) {
	var e models.ExemptionRecord
	err := pg.Record(s.db.OpenTables().GORM(ctx), scope, id).Take(&e).Error
	if err == nil {
		err = s.completeExemptions(ctx, scope, []*models.ExemptionRecord{&e})
	}
	return e, pg.Translate(err)
}

// completeExemptions adds names of customers and documents, and decrypts tax ids.
func (s *Store) completeExemptions(ctx context.Context, scope models.Scope, records []*models.ExemptionRecord) error {
	byID, byCustomer := map[string]*models.ExemptionRecord{}, map[string][]*models.ExemptionRecord{}
	var ids, customerIDs []string
	for _, e := range records {
		if err := s.db.OpenTaxIDs(ctx, scope.OrganizationID, e); err != nil {
			return err
		}
		e.Attachments = []models.Attachment{}
		ids, byID[e.ID] = append(ids, e.ID), e
		if e.CustomerID != nil {
			customerIDs = append(customerIDs, *e.CustomerID)
			byCustomer[*e.CustomerID] = append(byCustomer[*e.CustomerID], e)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	var customers []models.Customer
	err := s.db.OpenTables().GORM(ctx).Select("id", "name").
		Where("organization_id = ? AND id IN ?", scope.OrganizationID, customerIDs).Find(&customers).Error
	if err != nil {
		return err
	}
	for _, c := range customers {
		for _, e := range byCustomer[c.ID] {
			e.CustomerName = c.Name
		}
	}
	var attachments []models.Attachment
	err = s.db.GORM(ctx).Where("organization_id = ? AND exemption_id IN ?", scope.OrganizationID,
		ids).Order("created_at, id").Find(&attachments).Error
	if err != nil {
		return err
	}
	for _, a := range attachments {
		byID[a.ExemptionID].Attachments = append(byID[a.ExemptionID].Attachments, a)
	}
	return nil
}

// exemptionOrder are the columns of an exemption. Tax numbers are sorted by their ranks.
var exemptionOrder = pg.Sortable{
	"end_date": true, "start_date": false, "fein_rank": true, "sales_tax_id_rank": true, "status": false,
	"created_at": false, "updated_at": true, "exemption_type": false, "country_code": false, "jurisdiction": true,
	"customer_id": true, "transaction_id": true,
}

// ListExemptions returns a page of the exemptions that pass the filter. order may contain the columns of
// exemptionOrder, "fein" and "sales_tax_id". Errors: *models.InvalidError if there are too many tax numbers or, without
// an index, exemptions to sort.
func (s *Store) ListExemptions(
	ctx context.Context, scope models.Scope, f models.ExemptionFilter, order []models.Order, page models.Page,
) (models.List[models.ExemptionRecord], error) {
	q, err := s.filterExemptions(ctx, scope, f)
	if err != nil {
		return models.List[models.ExemptionRecord]{}, err
	}
	var count func(*int64) error
	if f.Text+f.Jurisdiction+f.CustomerID+f.TransactionID == "" && len(f.Countries)+len(f.Categories) == 0 &&
		f.StartsFrom.IsZero() && f.EndsBy.IsZero() {
		count = countRecords(ctx, s, scope, "exemptions", f.Statuses)
	}
	q, order, err = s.rankTaxIDs(ctx, scope, q, order)
	if err != nil {
		return models.List[models.ExemptionRecord]{}, err
	}
	count = sortedCount[models.ExemptionRecord](q, count, order, "end_date", "start_date", "status", "created_at",
		"fein_rank", "sales_tax_id_rank") // the ranks have a limit of their own
	list, err := pg.ReadCountedPage[models.ExemptionRecord](q, count, exemptionOrder, order, page)
	if err != nil {
		return list, err
	}
	records := make([]*models.ExemptionRecord, len(list.Items))
	for i := range list.Items {
		records[i] = &list.Items[i]
	}
	return list, pg.Translate(s.completeExemptions(ctx, scope, records))
}

// categoryOfExemption is the category of an exemption, as models.Exemption.Category decides it, or NoExemptionCategory.
const categoryOfExemption = `coalesce(exemption_category, CASE WHEN reseller OR exemption_type = 'wholesale'
	THEN 'RESALE' ELSE 'NONE' END)`

// filterExemptions returns a query of the exemptions that pass the filter.
func (s *Store) filterExemptions(ctx context.Context, scope models.Scope, f models.ExemptionFilter) (*gorm.DB, error) {
	q := s.db.OpenTables().GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if f.Text != "" {
		numbers, err := s.taxIDsContaining(ctx, scope, f.Text)
		if err != nil {
			return nil, err
		}
		q = q.Where(`(fein IN (SELECT jsonb_array_elements_text(?)) OR sales_tax_id IN (SELECT jsonb_array_elements_text(?))
			OR customer_id IN (SELECT c.id FROM customers c WHERE c.organization_id = ? AND c.name ILIKE ?))`,
			*pg.JSON(numbers), *pg.JSON(numbers), scope.OrganizationID, pg.Containing(f.Text))
	}
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	q = pg.OneOf(q, "country_code IN ?", f.Countries)
	if f.Jurisdiction != "" {
		q = q.Where("upper(jurisdiction) = upper(?)", f.Jurisdiction)
	}
	if !f.StartsFrom.IsZero() {
		q = q.Where("start_date >= ?", f.StartsFrom)
	}
	if !f.EndsBy.IsZero() {
		q = q.Where("end_date <= ?", f.EndsBy)
	}
	if f.CustomerID != "" {
		q = q.Where("customer_id = ?", f.CustomerID)
	}
	if f.TransactionID != "" {
		q = q.Where("transaction_id = ?", f.TransactionID)
	}
	q = pg.OneOf(q, categoryOfExemption+" IN ?", f.Categories)
	return q, nil
}

// UpdateExemption reads an exemption, calls change and writes the result, in one database transaction. Errors:
// models.ErrNotFound, and those of change.
func (s *Store) UpdateExemption(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Exemption) error,
) (models.ExemptionRecord, error) {
	return pg.Update(ctx, s.db, scope, id, pg.Change[models.ExemptionRecord]{
		Columns: []string{"start_date", "end_date", "country_code", "jurisdiction", "reseller", "exemption_category", "fein",
			"sales_tax_id", "status"},
		Alter: func(e *models.ExemptionRecord) error { return change(&e.Exemption) },
		AfterWrite: func(tx *gorm.DB, e *models.ExemptionRecord, fields map[string]any) error {
			if err := pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "exemption", id).With(fields)); err != nil {
				return err
			}
			ctx, _ := pg.DBOf(tx)
			return s.completeExemptions(ctx, scope, []*models.ExemptionRecord{e})
		},
	})
}

// CompleteExemptions adds names of customers and documents to exemptions. records may contain the same one at several
// moments.
func (s *Store) CompleteExemptions(ctx context.Context, scope models.Scope, records []models.ExemptionRecord) error {
	first, distinct, err := pg.OpenMoments(ctx, s.db, scope, records, func(r *models.ExemptionRecord) string { return r.ID })
	if err != nil {
		return err
	}
	if err := s.completeExemptions(ctx, scope, distinct); err != nil {
		return pg.Translate(err)
	}
	for i := range records {
		of := first[records[i].ID]
		records[i].CustomerName, records[i].Attachments = of.CustomerName, of.Attachments
	}
	return nil
}
