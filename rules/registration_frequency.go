package rules

import (
	"slices"

	"levy/models"
	"levy/tax/calendar"
)

// FrequencyOn returns the frequency of a day and the last day of that frequency; zero if it has no end.
func FrequencyOn(r models.Registration, day calendar.Date) (frequency calendar.FilingFrequency, until calendar.Date) {
	frequency = r.FilingFrequency
	for _, f := range r.Frequencies {
		from := calendar.DateOf(f.FromDate)
		if from > day {
			return frequency, from.AddDays(-1)
		}
		frequency = f.FilingFrequency
	}
	return frequency, 0
}

// ChangeFrequency sets another frequency from the period after the present one. While nothing is filed under the
// registration, it applies at once. An earlier change that has not begun yet is dropped.
func ChangeFrequency(r *models.Registration, to calendar.FilingFrequency, today calendar.Date) {
	if to == r.FilingFrequency {
		return
	}
	r.FilingFrequency = to
	if r.Status.Pending() {
		r.Frequencies = []models.RegistrationFrequency{r.FirstFrequency()}
		return
	}
	r.Frequencies = slices.DeleteFunc(r.Frequencies, func(f models.RegistrationFrequency) bool {
		return calendar.DateOf(f.FromDate) > today
	})
	now := r.Frequencies[len(r.Frequencies)-1]
	if now.FilingFrequency == to {
		return
	}
	from := today
	if period, ok := now.FilingFrequency.PeriodOn(today, r.TaxYear()); ok {
		from = period.End.AddDays(1)
	}
	if from == calendar.DateOf(now.FromDate) { // UNKNOWN has no periods: the change counts at once
		r.Frequencies = r.Frequencies[:len(r.Frequencies)-1]
	}
	r.Frequencies = append(r.Frequencies, models.RegistrationFrequency{
		OrganizationID: r.OrganizationID, RegistrationID: r.ID, FromDate: from.Time(), FilingFrequency: to,
	})
}
