package people

import (
	"gorm.io/gorm"

	"levy/models"
	"levy/store/pg"
)

// checkLastAdmin refuses a change after which no user could manage the people of an organization, or of the operator
// for "". If two users remove each other's role at once, the second waits for the first and is then the last one.
// Errors: models.ErrLastAdmin.
func checkLastAdmin(tx *gorm.DB, organizationID string, before, after *models.User) error {
	if !before.Manages(organizationID) || after.Manages(organizationID) {
		return nil
	}
	if err := tx.Exec("SELECT "+pg.LockAdmins.Wait("?"), organizationID).Error; err != nil {
		return err
	}
	others := usersOf(tx.Model(&models.User{}), organizationID).
		Where("users.id <> ? AND users.status = ?", before.ID, models.UserActive)
	if organizationID == "" {
		others = others.Where("users.staff_role = ?", models.StaffOperator)
	} else {
		others = others.Where("EXISTS (SELECT FROM memberships a WHERE a.user_id = users.id "+
			"AND a.organization_id = ? AND a.role = ?)",
			organizationID, models.RoleAdmin)
	}
	var left int64
	if err := others.Count(&left).Error; err != nil {
		return err
	}
	if left == 0 {
		return models.ErrLastAdmin
	}
	return nil
}
