package store

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"levy/models"
	"levy/tax"
)

// registrationTaken makes an insert stand back when the jurisdiction has a
// registration that is not over.
var registrationTaken = clause.OnConflict{
	Columns:     []clause.Column{{Name: "organization_id"}, {Name: "country_code"}, {Name: "state_code"}},
	TargetWhere: clause.Where{Exprs: []clause.Expression{clause.Expr{SQL: "status NOT IN ('DEREGISTERED', 'CANCELLED')"}}},
	DoNothing:   true,
}

// CreateRegistration writes a registration with its first frequency; its workflow
// starts at once. Errors: *models.DuplicateError (registration).
func (s *Store) CreateRegistration(ctx context.Context, scope models.Scope, actor models.Actor, r *models.Registration) error {
	r.OrganizationID = scope.OrganizationID
	return s.inTx(ctx, func(tx *gorm.DB) error {
		return createRegistration(tx, scope, actor, r)
	})
}

func createRegistration(tx *gorm.DB, scope models.Scope, actor models.Actor, r *models.Registration) error {
	now := tx.NowFunc()
	r.NextCheckAt = &now
	created := tx.Clauses(registrationTaken).Create(r)
	if created.Error != nil {
		return created.Error
	}
	if created.RowsAffected == 0 {
		return duplicateRegistration(tx, r)
	}
	r.Frequencies = []models.RegistrationFrequency{r.FirstFrequency()}
	if err := tx.Create(&r.Frequencies).Error; err != nil {
		return err
	}
	return audit(tx, scope, actor, models.AuditCreate, "registration", r.ID)
}

// duplicateRegistration says which registration holds the jurisdiction of r.
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

// Registration reads a registration. Errors: models.ErrNotFound.
func (s *Store) Registration(ctx context.Context, scope models.Scope, id string) (models.Registration, error) {
	var r models.Registration
	db := s.db.WithContext(ctx)
	err := db.Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&r).Error
	if err == nil {
		err = completeRegistrations(db, scope, []*models.Registration{&r})
	}
	return r, translate(err)
}

// completeRegistrations adds the frequencies and the end of the fiscal year.
func completeRegistrations(db *gorm.DB, scope models.Scope, registrations []*models.Registration) error {
	if len(registrations) == 0 {
		return nil
	}
	byID := make(map[string]*models.Registration, len(registrations))
	ids := make([]string, len(registrations))
	for i, r := range registrations {
		byID[r.ID], ids[i] = r, r.ID
		r.Frequencies = nil
	}
	var frequencies []models.RegistrationFrequency
	err := db.Where("organization_id = ? AND registration_id IN ?", scope.OrganizationID, ids).Order("registration_id, from_date").Find(&frequencies).Error
	for _, f := range frequencies {
		byID[f.RegistrationID].Frequencies = append(byID[f.RegistrationID].Frequencies, f)
	}
	if err != nil {
		return err
	}
	var yearEnds []string
	err = db.Raw(`SELECT business_information->>'business_fiscal_year_end' FROM organization_details
		WHERE organization_id = ? AND business_information->>'business_fiscal_year_end' IS NOT NULL`, scope.OrganizationID).Scan(&yearEnds).Error
	for _, yearEnd := range yearEnds {
		day, err := tax.ParseDate(yearEnd)
		if err != nil {
			return fmt.Errorf("fiscal year: %w", err)
		}
		for _, r := range registrations {
			r.FiscalYearEnd = day
		}
	}
	return err
}

var registrationOrder = sortable{"state_code": false, "country_code": false, "registration_date": true, "status": false, "created_at": false}

// ListRegistrations lists the registrations that pass the filter. order may name
// "state_code", "country_code", "registration_date", "status" and "created_at".
func (s *Store) ListRegistrations(ctx context.Context, scope models.Scope, f models.RegistrationFilter, order []models.Order, page models.Page) (models.List[models.Registration], error) {
	db := s.db.WithContext(ctx)
	q := db.Where("organization_id = ?", scope.OrganizationID)
	if len(f.Statuses) > 0 {
		q = q.Where("status IN ?", f.Statuses)
	}
	if f.StateCode != "" {
		q = q.Where("state_code = ?", f.StateCode)
	}
	if len(f.Countries) > 0 {
		q = q.Where("country_code IN ?", f.Countries)
	}
	if len(f.Frequencies) > 0 {
		q = q.Where("filing_frequency IN ?", f.Frequencies)
	}
	list, err := readPage[models.Registration](q, registrationOrder, order, page)
	if err != nil {
		return list, err
	}
	registrations := make([]*models.Registration, len(list.Items))
	for i := range list.Items {
		registrations[i] = &list.Items[i]
	}
	return list, translate(completeRegistrations(db, scope, registrations))
}

// UpdateRegistration reads a registration, lets change alter it and writes the
// outcome, in one database transaction: of two changes at once the second sees the
// first. The workflow looks at what has become of it. Errors: models.ErrNotFound,
// *models.DuplicateError (registration), and whatever change returns.
func (s *Store) UpdateRegistration(ctx context.Context, scope models.Scope, actor models.Actor, id string, change func(*models.Registration) error) (models.Registration, error) {
	var r models.Registration
	err := s.inTx(ctx, func(tx *gorm.DB) (err error) {
		r, err = updateRegistration(tx, scope, actor, id, change)
		return err
	})
	return r, err
}

func updateRegistration(tx *gorm.DB, scope models.Scope, actor models.Actor, id string, change func(*models.Registration) error) (models.Registration, error) {
	var r models.Registration
	// The weaker lock leaves filings alone that refer to the registration meanwhile.
	err := tx.Clauses(clause.Locking{Strength: "NO KEY UPDATE"}).
		Where("organization_id = ? AND id = ?", scope.OrganizationID, id).Take(&r).Error
	if err == nil {
		err = completeRegistrations(tx, scope, []*models.Registration{&r})
	}
	if err != nil {
		return r, err
	}
	before := slices.Clone(r.Frequencies)
	if err := change(&r); err != nil {
		return r, err
	}
	now := tx.NowFunc()
	r.UpdatedAt, r.NextCheckAt = now, &now
	saved := tx.Model(&models.Registration{}).Where("organization_id = ? AND id = ?", scope.OrganizationID, id).
		Select("*").Omit("organization_id", "id", "country_code", "state_code", "state_name", "created_at").UpdateColumns(&r)
	if saved.Error != nil {
		return r, saved.Error
	}
	if !slices.Equal(r.Frequencies, before) {
		if err := saveFrequencies(tx, r); err != nil {
			return r, err
		}
	}
	return r, audit(tx, scope, actor, models.AuditUpdate, "registration", id)
}

// saveFrequencies makes the stored frequencies those of r, of which only the last one
// can be new.
func saveFrequencies(tx *gorm.DB, r models.Registration) error {
	last := r.Frequencies[len(r.Frequencies)-1]
	err := tx.Where("organization_id = ? AND registration_id = ? AND from_date >= ?", r.OrganizationID, r.ID, last.FromDate).
		Delete(&models.RegistrationFrequency{}).Error
	if err != nil {
		return err
	}
	return tx.Create(&last).Error
}
