package filings

import (
	"cmp"
	"time"

	"levy/contract"
	"levy/models"
	"levy/tax/calendar"
)

// longestPeriod is the largest number of days of a filing.
const longestPeriod = 366

// firstZone is by how much the first time zone is ahead of UTC.
const firstZone = 14 * time.Hour

// Faults returns the faults of a new filing that its schema cannot express. The day of the organization is not known yet: a day of
// filing that has not begun anywhere is one.
func Faults(b *contract.FilingCreate, now time.Time) []models.Fault {
	var faults []models.Fault
	if b.EndDate.Sub(b.StartDate.Time).Hours() >= 24*longestPeriod {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: "end_date", Message: "A period has at most 366 days.",
			Of: []string{"start_date"},
		})
	}
	if calendar.DateOf(b.DateFiled.Time) > calendar.DateOf(now.UTC().Add(firstZone)) {
		faults = append(faults, notInFuture("date_filed"))
	}
	return faults
}

// notInFuture returns the fault of a date in the future.
func notInFuture(field string) models.Fault {
	return models.Fault{
		Code: models.FieldOutOfRange, Path: field, Message: field + " must not be in the future.",
	}
}

// mismatches returns the faults of a filing that does not match its registration.
func mismatches(sameCountry bool) []models.Fault {
	state := models.Fault{
		Code: models.FieldMismatch, Path: "state_code",
		Message: "The registration is for another state.",
	}
	if sameCountry {
		return []models.Fault{state}
	}
	return []models.Fault{
		{
			Code: models.FieldMismatch, Path: "country_code",
			Message: "The registration is for another country.",
		},
		state,
	}
}

// newFiling returns the record of a new filing with the values of the request.
func newFiling(b *contract.FilingCreate) models.Filing {
	f := models.Filing{
		ID: models.NewID(models.PrefixFiling), RegistrationID: b.RegistrationID, CountryCode: b.CountryCode,
		StateCode: b.StateCode, StateName: b.StateName,
		StartDate: b.StartDate.Time, EndDate: b.EndDate.Time, Status: models.FilingStatus(b.Status),
		FilingCategory: calendar.FilingCategory(cmp.Or(b.FilingCategory, string(calendar.FilingRegular))),
	}
	if !b.DateFiled.Time.IsZero() {
		day := b.DateFiled.Time
		f.DateFiled = &day
	}
	return f
}
