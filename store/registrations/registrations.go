package registrations

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// skipIfRegistered makes an insert do nothing if the jurisdiction has an open registration.
var skipIfRegistered = clause.OnConflict{
	Columns: []clause.Column{{Name: "organization_id"}, {Name: "country_code"}, {Name: "state_code"}},
	TargetWhere: clause.Where{
		Exprs: []clause.Expression{clause.Expr{SQL: "status NOT IN ('DEREGISTERED', 'CANCELLED')"}},
	},
	DoNothing: true,
}

// CreateRegistration writes a registration with its first frequency. Its workflow starts at once. Errors:
// *models.DuplicateError (registration).
func (s *Store) CreateRegistration(
	ctx context.Context, scope models.Scope, actor models.Actor, r *models.Registration,
) error {
	r.OrganizationID = scope.OrganizationID
	return s.db.InTx(ctx, func(ctx context.Context) error {
		tx := s.db.GORM(ctx)
		return createRegistration(tx, scope, actor, r)
	})
}

func createRegistration(tx *gorm.DB, scope models.Scope, actor models.Actor, r *models.Registration) error {
	now := tx.NowFunc()
	r.NextCheckAt, r.Changed = &now, true
	sealed := *r
	ctx, db := pg.DBOf(tx)
	if err := db.SealTaxIDs(ctx, scope.OrganizationID, &sealed); err != nil {
		return err
	}
	created := tx.Clauses(skipIfRegistered).Create(&sealed)
	if created.Error != nil {
		return created.Error
	}
	if created.RowsAffected == 0 {
		return duplicateRegistration(tx, r)
	}
	r.CreatedAt, r.UpdatedAt = sealed.CreatedAt, sealed.UpdatedAt
	r.Frequencies = []models.RegistrationFrequency{r.FirstFrequency()}
	if err := tx.Create(&r.Frequencies).Error; err != nil {
		return err
	}
	if err := applyStatus(tx, *r); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(scope, models.AuditCreate, "registration", r.ID))
}

// duplicateRegistration returns an error with the open registration of the jurisdiction of r.
func duplicateRegistration(tx *gorm.DB, r *models.Registration) error {
	duplicate := &models.DuplicateError{Field: "registration"}
	err := tx.Model(&models.Registration{}).Select("id").
		Where("organization_id = ? AND country_code = ? AND state_code = ? AND status NOT IN ('DEREGISTERED', 'CANCELLED')",
			r.OrganizationID, r.CountryCode, r.StateCode).
		Limit(1).Find(&duplicate.ExistingID).Error
	if err != nil {
		return err
	}
	return duplicate
}

// Registration returns a registration. Errors: models.ErrNotFound.
func (s *Store) Registration(ctx context.Context, scope models.Scope, id string) (models.Registration, error) {
	var r models.Registration
	db := s.db.GORM(pg.ByKey(ctx))
	err := pg.Record(db, scope, id).Take(&r).Error
	if err == nil {
		err = completeRegistrations(db, scope, []*models.Registration{&r})
	}
	return r, pg.Translate(err)
}

// NexusPlace returns the jurisdiction of a nexus record, and the country of the BusinessAddress. Errors:
// models.ErrNotFound.
func (s *Store) NexusPlace(ctx context.Context, scope models.Scope, nexusID string) (models.NexusPlace, error) {
	var place models.NexusPlace
	err := s.db.GORM(ctx).Raw(`
		SELECT n.country_code, n.state_code, n.state_name, coalesce(d.place ->> 'country', '') AS home
		  FROM nexus_records n LEFT JOIN organization_details d ON d.organization_id = n.organization_id
		 WHERE n.organization_id = ? AND n.id = ?`, scope.OrganizationID, nexusID).Take(&place).Error
	return place, pg.Translate(err)
}

// completeRegistrations adds frequencies, the data of the returns, the end of the fiscal year and the ids of the nexus
// records, and decrypts tax ids.
func completeRegistrations(db *gorm.DB, scope models.Scope, registrations []*models.Registration) error {
	if len(registrations) == 0 {
		return nil
	}
	ctx, opener := pg.DBOf(db)
	byID := make(map[string]*models.Registration, len(registrations))
	ids := make([]string, len(registrations))
	for i, r := range registrations {
		if err := opener.OpenTaxIDs(ctx, scope.OrganizationID, r); err != nil {
			return err
		}
		byID[r.ID], ids[i] = r, r.ID
		r.Frequencies = nil
	}
	var frequencies []models.RegistrationFrequency
	err := db.Where("organization_id = ? AND registration_id IN ?", scope.OrganizationID,
		ids).Order("registration_id, from_date").Find(&frequencies).Error
	for _, f := range frequencies {
		byID[f.RegistrationID].Frequencies = append(byID[f.RegistrationID].Frequencies, f)
	}
	if err == nil {
		err = completeFromReturns(db, scope, byID, ids)
	}
	if err != nil {
		return err
	}
	return completeFromOrganization(db, scope, registrations)
}

func completeFromOrganization(db *gorm.DB, scope models.Scope, registrations []*models.Registration) error {
	places := make([][]any, len(registrations))
	for i, r := range registrations {
		places[i] = []any{r.CountryCode, r.StateCode}
	}
	var rows []struct{ YearEnd, CountryCode, StateCode, ID *string }
	err := db.Raw(`
		SELECT d.business_information->>'business_fiscal_year_end' AS year_end, n.country_code, n.state_code, n.id
		  FROM organization_details d
		  LEFT JOIN nexus_records n ON n.organization_id = d.organization_id AND (n.country_code, n.state_code) IN ?
		 WHERE d.organization_id = ?`, places, scope.OrganizationID).Scan(&rows).Error
	if err != nil {
		return err
	}
	nexus := map[[2]string]*string{}
	var yearEnd calendar.Date
	for _, row := range rows {
		if row.YearEnd != nil {
			if yearEnd, err = calendar.ParseDate(*row.YearEnd); err != nil {
				return fmt.Errorf("fiscal year: %w", err)
			}
		}
		if row.ID != nil {
			nexus[[2]string{*row.CountryCode, *row.StateCode}] = row.ID
		}
	}
	for _, r := range registrations {
		r.FiscalYearEnd, r.NexusID = yearEnd, nexus[[2]string{r.CountryCode, r.StateCode}]
	}
	return nil
}

var registrationOrder = pg.Sortable{
	"state_code": false, "country_code": false, "registration_date": true, "status": false, "created_at": false,
	"updated_at": false, "state_name": false, "filing_frequency": false, "registration_import_type": false,
	"registration_email": true, "create_filings_from": true, "amount_fees": false, "username": true, "comment": true,
}

// ListRegistrations returns a page of the registrations that pass the filter. order may contain the
// columns of registrationOrder.
func (s *Store) ListRegistrations(
	ctx context.Context, scope models.Scope, f models.RegistrationFilter, order []models.Order, page models.Page,
) (models.List[models.Registration], error) {
	db := s.db.GORM(ctx)
	q := db.Where("organization_id = ?", scope.OrganizationID)
	q = pg.OneOf(q, "status IN ?", f.Statuses)
	q = pg.OneOf(q, "state_code IN ?", f.States)
	q = pg.OneOf(q, "country_code IN ?", f.Countries)
	q = pg.OneOf(q, "filing_frequency IN ?", f.Frequencies)
	list, err := pg.ReadPage[models.Registration](q, registrationOrder, order, page)
	if err != nil {
		return list, err
	}
	registrations := make([]*models.Registration, len(list.Items))
	for i := range list.Items {
		registrations[i] = &list.Items[i]
	}
	return list, pg.Translate(completeRegistrations(db, scope, registrations))
}

// UpdateRegistration reads a registration, calls change and writes the result, in one database transaction.
// The second of two concurrent changes sees the first. It notifies the workflow. Errors: models.ErrNotFound,
// *models.DuplicateError (registration), and those of change.
func (s *Store) UpdateRegistration(
	ctx context.Context, scope models.Scope, actor models.Actor, id string,
	change func(*models.Registration) error,
) (models.Registration, error) {
	var r models.Registration
	err := s.db.InTx(ctx, func(ctx context.Context) (err error) {
		tx := s.db.GORM(ctx)
		r, err = updateRegistration(tx, scope, actor, id, change)
		return err
	})
	return r, err
}

func updateRegistration(
	tx *gorm.DB, scope models.Scope, actor models.Actor, id string, change func(*models.Registration) error,
) (models.Registration, error) {
	r, err := lockRegistration(tx, scope, id)
	if err != nil {
		return r, err
	}
	before := r
	before.Frequencies = slices.Clone(r.Frequencies)
	if err := change(&r); err != nil {
		return r, err
	}
	r.Changed = true
	return r, saveRegistration(tx, scope, actor, before, &r)
}

// saveRegistration writes a locked registration and applies its effects on other records. It notifies its workflow.
func saveRegistration(
	tx *gorm.DB, scope models.Scope, actor models.Actor, before models.Registration, r *models.Registration,
) error {
	now := tx.NowFunc()
	r.UpdatedAt, r.NextCheckAt = now, &now
	sealed := *r
	ctx, db := pg.DBOf(tx)
	if err := db.SealTaxIDs(ctx, scope.OrganizationID, &sealed); err != nil {
		return err
	}
	saved := pg.Record(tx, scope, r.ID).Model(&models.Registration{}).
		Select("*").Omit("organization_id", "id", "country_code", "state_code", "state_name",
		"created_at").UpdateColumns(&sealed)
	if saved.Error != nil {
		return saved.Error
	}
	if !slices.Equal(r.Frequencies, before.Frequencies) {
		if err := saveFrequencies(tx, *r); err != nil {
			return err
		}
	}
	if err := applyChange(tx, before, *r); err != nil {
		return err
	}
	return pg.Audit(tx, actor.Entry(scope, models.AuditUpdate, "registration", r.ID).With(pg.Changed(&before, r)))
}

// saveFrequencies stores the frequencies of r, of which only the last one can be new.
func saveFrequencies(tx *gorm.DB, r models.Registration) error {
	last := r.Frequencies[len(r.Frequencies)-1]
	err := tx.Where("organization_id = ? AND registration_id = ? AND from_date >= ?",
		r.OrganizationID, r.ID, last.FromDate).
		Delete(&models.RegistrationFrequency{}).Error
	if err != nil {
		return err
	}
	return tx.Create(&last).Error
}

// CompleteRegistrations adds data of other tables to registrations. records may contain the same one at several
// moments.
func (s *Store) CompleteRegistrations(ctx context.Context, scope models.Scope, records []models.Registration) error {
	first, distinct, err := pg.OpenMoments(ctx, s.db, scope, records, func(r *models.Registration) string { return r.ID })
	if err != nil {
		return err
	}
	if err := completeRegistrations(s.db.GORM(ctx), scope, distinct); err != nil {
		return pg.Translate(err)
	}
	for i := range records {
		of := first[records[i].ID]
		records[i].Frequencies, records[i].FiscalYearEnd, records[i].NexusID = of.Frequencies, of.FiscalYearEnd, of.NexusID
		records[i].OpenDue, records[i].OverUntil = of.OpenDue, of.OverUntil
		records[i].CreditsTotalAvailable = of.CreditsTotalAvailable
	}
	return nil
}
