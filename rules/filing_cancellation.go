package rules

import (
	"levy/models"
	"levy/tax/calendar"
)

// OpenFiling is a filing of a registration that is not over.
type OpenFiling struct {
	Status        models.FilingStatus
	Start, End    calendar.Date
	Frequency     calendar.FilingFrequency // of its period; empty for none
	FrequencyThen calendar.FilingFrequency // of the registration on the first day of the period; empty for none
	OfPlan        bool                     // a filing of the plan has its category and days
}

// CancelReason decides whether a registration, as it is now, does not need a filing any more. It returns the reason, which
// is empty if the filing is to be filed. A filing of the plan that contains the last or first day of the registration is not to be
// filed either. The plan has another one that ends or begins with that day. A filing with an issue stays with the
// people who see to it.
func CancelReason(r models.Registration, f OpenFiling, today calendar.Date) string {
	ofPlan := f.OfPlan && f.Status != models.FilingIssue && !r.DoNotFile
	begins := r.FilesFrom()
	before := ofPlan && begins != 0 && f.Start < begins
	last := calendar.OptionalDateOf(r.DeregistrationDate)
	after := last != 0 && (f.Start > last || ofPlan && f.End > last)
	switch r.Status {
	case models.RegistrationCancelled:
		return models.EndedWithRegistration
	case models.RegistrationDeregistering, models.RegistrationDeregistered:
		switch {
		case before:
			return models.RegisteredLater
		case after:
			return models.EndedWithRegistration
		}
	case models.RegistrationRegistered:
		// guard: filing: a period that has begun keeps its frequency
		changed := f.Start > today && f.Frequency != "" && f.FrequencyThen != "" && f.Frequency != f.FrequencyThen
		switch {
		case before:
			return models.RegisteredLater
		case changed:
			return models.EndedWithFrequency
		}
	case models.RegistrationUnregistered, models.RegistrationProcessing, models.RegistrationValidating,
		models.RegistrationClarification:
	}
	return ""
}
