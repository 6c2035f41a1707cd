package catalog

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// CreateCustomer writes a customer. Errors: *models.DuplicateError (external_id).
func (s *Store) CreateCustomer(ctx context.Context, scope models.Scope, actor models.Actor, c *models.Customer) error {
	c.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		sealed := *c
		if err := s.db.SealTaxIDs(ctx, scope.OrganizationID, &sealed); err != nil {
			return err
		}
		created := tx.Clauses(skipIfExternalIDTaken).Create(&sealed)
		if created.Error != nil {
			return created.Error
		}
		if created.RowsAffected == 0 {
			return duplicateOf(tx, &models.Customer{}, c.OrganizationID, c.ExternalID)
		}
		if err := refusePadded(tx, &models.Customer{}, c.OrganizationID, c.ExternalID); err != nil {
			return err
		}
		c.CreatedAt, c.UpdatedAt = sealed.CreatedAt, sealed.UpdatedAt
		return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "customer", c.ID))
	})
}

// Customer returns a customer. Errors: models.ErrNotFound.
func (s *Store) Customer(ctx context.Context, scope models.Scope, id string) (models.Customer, error) {
	var c models.Customer
	err := pg.Record(s.db.OpenTables().GORM(ctx), scope, id).Take(&c).Error
	if err == nil {
		err = s.db.OpenTaxIDs(ctx, scope.OrganizationID, &c)
	}
	return c, pg.Translate(err)
}

// CustomerByExternalID returns the customer with the client's identifier, which may be stored with white space around
// it. Errors: models.ErrNotFound.
func (s *Store) CustomerByExternalID(
	ctx context.Context, scope models.Scope, externalID string,
) (models.Customer, error) {
	var c models.Customer
	err := whereExternalID(s.db.OpenTables().GORM(ctx), "customers", scope, externalID).Take(&c).Error
	if err == nil {
		err = s.db.OpenTaxIDs(ctx, scope.OrganizationID, &c)
	}
	return c, pg.Translate(err)
}

// customerOrder are the columns of a customer. The first three have an index.
var customerOrder = pg.Sortable{
	"name": true, "external_id": false, "created_at": false, "updated_at": false, "status": false, "email": true,
	"phone": true, "street_1": true, "street_2": true, "city": true, "county": true, "state": true,
	"postal_code": true, "country": true, "full_address": true, "address_status": false, "source": false,
	"connection_id": true, "registration_number": true, "external_friendly_id": true,
}

// ListCustomers returns a page of the customers that pass the filter. order may contain the columns of customerOrder.
// Errors: *models.InvalidError for more customers than are sorted without an index.
func (s *Store) ListCustomers(
	ctx context.Context, scope models.Scope, f models.CustomerFilter, order []models.Order, page models.Page,
) (models.List[models.Customer], error) {
	q := s.db.OpenTables().GORM(ctx).Where("organization_id = ?", scope.OrganizationID)
	if f.Text != "" {
		part := pg.Containing(f.Text)
		q = q.Where(`(name ILIKE ? OR external_id COLLATE "default" ILIKE ? OR email ILIKE ?)`, part, part, part)
	}
	q = pg.OneOf(q, "country IN ?", f.Countries)
	q = pg.OneOf(q, "upper(state) IN ?", f.States)
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	q = pg.OneOf(q, "source IN ?", f.Sources)
	q = pg.OneOf(q, "connection_id IN ?", f.ConnectionIDs)
	var count func(*int64) error
	if f.Text == "" && len(f.Countries)+len(f.States)+len(f.Sources)+len(f.ConnectionIDs) == 0 {
		count = countRecords(ctx, s, scope, "customers", f.Statuses)
	}
	count = sortedCount[models.Customer](q, count, order, "name", "external_id", "created_at")
	list, err := pg.ReadCountedPage[models.Customer](q, count, customerOrder, order, page)
	for i := range list.Items {
		if err == nil {
			err = s.db.OpenTaxIDs(ctx, scope.OrganizationID, &list.Items[i])
		}
	}
	return list, err
}

// UpdateCustomer reads a customer, calls change and writes the result, in one database transaction.
// The second of two concurrent changes sees the first. Errors: models.ErrNotFound, *models.DuplicateError
// (external_id), and those of change.
func (s *Store) UpdateCustomer(
	ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Customer) error,
) (models.Customer, error) {
	var before string
	c, err := pg.Update(ctx, s.db, scope, id, pg.Change[models.Customer]{
		Columns: []string{"external_id", "name", "status", "email", "phone", "street_1", "street_2", "city", "county",
			"state", "postal_code", "country", "full_address", "address_status", "source", "connection_id",
			"registration_number", "external_friendly_id", "tax_registrations"},
		Alter: func(c *models.Customer) error {
			before = c.ExternalID
			return change(c)
		},
		AfterWrite: func(tx *gorm.DB, c *models.Customer, fields map[string]any) error {
			if c.ExternalID != before {
				if err := refusePadded(tx, &models.Customer{}, c.OrganizationID, c.ExternalID); err != nil {
					return err
				}
			}
			return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "customer", id).With(fields))
		},
	})
	if pg.Violates(err, "customers_external_id") {
		err = duplicateOf(s.db.OpenTables().GORM(ctx), &models.Customer{}, c.OrganizationID, c.ExternalID)
	}
	return c, pg.Translate(err)
}
