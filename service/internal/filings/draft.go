package filings

import (
	"cmp"

	"levy/contract"
	"levy/models"
	"levy/tax/calendar"
)

// longestPeriod is how many days a filing may cover.
const longestPeriod = 366

// FilingFaults are those of a new filing that its schema cannot express.
func FilingFaults(b *contract.FilingCreate, today calendar.Date) []models.Fault {
	var faults []models.Fault
	if b.EndDate.Sub(b.StartDate.Time).Hours() >= 24*longestPeriod {
		faults = append(faults, models.Fault{
			Code: models.FieldOutOfRange, Path: "end_date", Message: "A period has at most 366 days.",
			Of: []string{"start_date"},
		})
	}
	if calendar.DateOf(b.DateFiled.Time) > today {
		faults = append(faults, notInFuture("date_filed"))
	}
	return faults
}

func notInFuture(field string) models.Fault {
	return models.Fault{
		Code: models.FieldOutOfRange, Path: field, Message: field + " must not be in the future.",
	}
}

// mismatches are those of a filing and its registration.
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

// newFiling is the record of a filing to be made, as far as the request states it.
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
