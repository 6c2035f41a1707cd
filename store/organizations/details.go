package organizations

import (
	"context"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/nexus"
	"levy/store/pg"
)

// OrganizationDetails returns the details of an organization. Errors: models.ErrNotFound.
func (s *Store) OrganizationDetails(ctx context.Context, scope models.Scope) (models.OrganizationDetails, error) {
	var d models.OrganizationDetails
	err := s.db.GORM(pg.ByKey(ctx)).Select("organization_details.*, o.name AS organization_name").
		Joins("JOIN organizations o ON o.id = organization_details.organization_id").
		Where("organization_id = ?", scope.OrganizationID).Take(&d).Error
	if err == nil {
		err = s.db.OpenTaxIDs(ctx, scope.OrganizationID, &d)
	}
	return d, pg.Translate(err)
}

// BankDetails returns the bank account of an organization. Errors: models.ErrNotFound.
func (s *Store) BankDetails(ctx context.Context, scope models.Scope) (models.BankDetails, error) {
	var b models.BankDetails
	err := s.db.GORM(pg.ByKey(ctx)).Where("organization_id = ?", scope.OrganizationID).Take(&b).Error
	return b, pg.Translate(err)
}

// saveContent writes the documents and personal values of a step, if the documents have not changed since they were
// read. Errors: models.ErrChangedMeanwhile.
func saveContent(tx *gorm.DB, scope models.Scope, c models.StepContent, work models.StepWork) error {
	save := saveDetails
	if _, bank := c.Documents[models.DocumentBank]; bank {
		save = saveBank
	}
	if err := save(tx, scope, c, work); err != nil {
		return err
	}
	if len(c.Removed) > 0 {
		if err := tx.Exec("DELETE FROM personal_data WHERE organization_id = ? AND field IN ?", scope.OrganizationID,
			c.Removed).Error; err != nil {
			return err
		}
	}
	for field, value := range c.Personal {
		err := tx.Exec(`INSERT INTO personal_data (organization_id, field, value) VALUES (?, ?, ?)
			ON CONFLICT (organization_id, field) DO UPDATE SET value = excluded.value`, scope.OrganizationID, field, value).Error
		if err != nil {
			return err
		}
	}
	return nil
}

func saveDetails(tx *gorm.DB, scope models.Scope, c models.StepContent, work models.StepWork) error {
	change := map[string]any{"revision": gorm.Expr("revision + 1"), "updated_at": tx.NowFunc()}
	for name, document := range c.Documents {
		if name == models.DocumentDetails {
			details := models.OrganizationDetails{BusinessDetails: document}
			ctx, db := pg.DBOf(tx)
			if err := db.SealTaxIDs(ctx, scope.OrganizationID, &details); err != nil {
				return err
			}
			document = details.BusinessDetails
		}
		change[name] = []byte(document)
	}
	if work.Details != nil {
		change["auto_register"], change["auto_file"] = *work.Details.AutoRegister, *work.Details.AutoFile
	}
	if work.Place != nil {
		change["place"], change["address_status"] = *pg.JSON(work.Place), work.Place.Status
	}
	saved := tx.Model(&models.OrganizationDetails{}).
		Where("organization_id = ? AND revision = ?", scope.OrganizationID, c.Revision).Updates(change)
	if err := changedOnce(saved); err != nil || work.Place == nil &&
		(work.Details == nil || !*work.Details.AutoRegister) {
		return err
	}
	return nexus.MarkDetailsChanged(
		tx, scope.OrganizationID,
	) // thresholds may be others at home, and nexus may lead to registrations
}

func saveBank(tx *gorm.DB, scope models.Scope, c models.StepContent, _ models.StepWork) error {
	details := c.Documents[models.DocumentBank]
	if c.Revision == 0 {
		created := tx.Exec(`INSERT INTO bank_details (organization_id, id, details, created_at, updated_at)
			VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (organization_id) DO NOTHING`,
			scope.OrganizationID, models.NewID(models.PrefixBankDetails), []byte(details), tx.NowFunc(), tx.NowFunc())
		return changedOnce(created)
	}
	saved := tx.Model(&models.BankDetails{}).
		Where("organization_id = ? AND revision = ?", scope.OrganizationID, c.Revision).
		Updates(map[string]any{"details": []byte(details), "revision": gorm.Expr("revision + 1"), "updated_at": tx.NowFunc()})
	return changedOnce(saved)
}

func changedOnce(tx *gorm.DB) error {
	if tx.Error == nil && tx.RowsAffected == 0 {
		return models.ErrChangedMeanwhile
	}
	return tx.Error
}
