package registrations

import (
	"time"

	"gorm.io/gorm"

	"levy/models"
	"levy/store/nexus"
	"levy/tax/calendar"
)

// applyStatus applies the status of a registration to the nexus record of its jurisdiction and, for the one-stop shop,
// to the settings.
func applyStatus(tx *gorm.DB, r models.Registration) error {
	if err := applyStatusToNexus(tx, r); err != nil {
		return err
	}
	if r.RegistrationImportType != models.ImportOSS {
		return nil
	}
	scheme := r.OSSType
	if r.Status.Over() {
		scheme = nil
	}
	return tx.Model(&models.OrganizationSettings{}).Where("organization_id = ?", r.OrganizationID).
		Updates(map[string]any{"oss_scheme": scheme, "updated_at": tx.NowFunc()}).Error
}

// applyChange applies the effects of a changed registration. A change of days affects only the obligation.
func applyChange(tx *gorm.DB, before, r models.Registration) error {
	switch {
	case r.Status != before.Status:
		return applyStatus(tx, r)
	case !sameDay(
		r.RegistrationDate, before.RegistrationDate,
	), !sameDay(r.DeregistrationDate, before.DeregistrationDate):
		if err := startObligation(tx, r); err != nil {
			return err
		}
		return nexus.MarkChanged(tx, r.OrganizationID, r.CountryCode, r.StateCode)
	}
	return nil
}

// startObligation starts the obligation of the nexus record on the day of a registration that collects tax.
// So later sales do not wait for an evaluation, which finds the same. The change waits only for days whose obligation
// ends.
func startObligation(tx *gorm.DB, r models.Registration) error {
	if !r.Status.Collects() || r.RegistrationDate == nil {
		return nil
	}
	return nexus.StartObligation(tx, r.OrganizationID, r.CountryCode, r.StateCode, calendar.DateOf(*r.RegistrationDate))
}

func sameDay(a, b *time.Time) bool {
	return a == b || a != nil && b != nil && calendar.DateOf(*a) == calendar.DateOf(*b)
}

// applyStatusToNexus applies the status of a registration to the nexus record. After the registration the record has
// the status of one without a registration, until its evaluation. A new registration begins from there.
func applyStatusToNexus(tx *gorm.DB, r models.Registration) error {
	const without = "CASE WHEN nexus_met THEN 'EXPOSED' ELSE 'NOT_EXPOSED' END"
	transition := func(to, from string) error {
		return tx.Exec("UPDATE nexus_records SET status = "+to+
			", updated_at = ? WHERE organization_id = ? AND country_code = ? AND state_code = ? AND "+from,
			tx.NowFunc(), r.OrganizationID, r.CountryCode, r.StateCode).Error
	}
	var err error
	switch status, follows := r.Status.Nexus(); {
	case !follows:
		err = transition(without, "status IN ('PENDING_REGISTRATION', 'REGISTERED')")
	case status == models.NexusRegistered:
		err = transition("'REGISTERED'", "status <> 'REGISTERED'")
	default:
		if err = transition(without, "status = 'REGISTERED'"); err == nil {
			err = transition("'PENDING_REGISTRATION'", "status <> 'PENDING_REGISTRATION'")
		}
	}
	if err == nil {
		err = startObligation(tx, r)
	}
	if err != nil {
		return err
	}
	return nexus.MarkChanged(tx, r.OrganizationID, r.CountryCode, r.StateCode)
}
