package rules

import (
	"time"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// FilingPlan returns a function that lists, for a registration, the filings of all periods that are over at a moment.
// They have no ids yet.
func FilingPlan(content *tax.Content, now time.Time) func(models.Registration) []models.Filing {
	days := taxDays{now: now, known: map[string]calendar.Date{}}
	return func(r models.Registration) []models.Filing {
		return filingsUntil(content, r, days.yesterday(r.CountryCode, r.StateCode))
	}
}

// plannedLate reports whether a period that ended on a day is planned in retrospect. The cause is then no missed plan:
// no return was wanted before, such as with do_not_file. It may have been filed elsewhere, so no timer approves it.
// Periods before a registration are planned when it comes into force.
func plannedLate(r models.Registration, end, last calendar.Date) bool {
	if r.Status.Over() {
		return end < last.AddDays(-lateWhenOver)
	}
	since := calendar.DateOf(r.CreatedAt)
	if r.RegistrationCompleted != nil {
		since = max(since, calendar.DateOf(*r.RegistrationCompleted))
	}
	return max(since, end) < last.AddDays(-lateAfter)
}

// Days after which a period that was not planned is planned in retrospect. They are more than processes may be down.
// The time is shorter once the registration is over.
const (
	lateAfter    = 31
	lateWhenOver = 7
)

// filingsUntil lists the filings of the periods that ended on or before last.
func filingsUntil(content *tax.Content, r models.Registration, last calendar.Date) []models.Filing {
	periods := EndedPeriods(r, last)
	filings := make([]models.Filing, len(periods))
	for i, p := range periods {
		frequency := string(p.Frequency)
		currency, _ := CurrencyOf(r.CountryCode, p.End)
		filings[i] = models.Filing{
			OrganizationID: r.OrganizationID, RegistrationID: r.ID,
			CountryCode: r.CountryCode, StateCode: r.StateCode, StateName: &r.StateName,
			StartDate: p.Start.Time(), EndDate: p.End.Time(), FilingCategory: p.Category, FilingFrequency: &frequency,
			Currency: currency, Planned: true, PrepaidShare: PrepaidShare(r.CountryCode, r.StateCode, p.Category),
		}
		if plannedLate(r, p.End, last) {
			filings[i].BlockForPeople("Planned long after its period: it may have been filed elsewhere.")
		}
		if due, ok := content.Calendar().DueIn(r.CountryCode, r.StateCode, p.Frequency, p.FilingPeriod); ok {
			day := due.Date.Time()
			filings[i].DueDate = &day
		}
	}
	return filings
}

// PrepaidShare returns the part of the tax of a filing that is to be paid with it; nil for all. Only a payment on account
// may be less, if the law of its authority names a share.
func PrepaidShare(country, state string, category calendar.FilingCategory) *decimal.Decimal {
	rule, ok := calendar.PrepaymentRuleOf(country, state)
	if !ok || category != calendar.FilingPrepayment {
		return nil
	}
	return &rule.Share
}

// taxDays knows which days are over at one moment.
type taxDays struct {
	now   time.Time
	known map[string]calendar.Date
}

// yesterday returns the last day that is over in the time zone of the authority and in UTC, which approvals use.
func (c taxDays) yesterday(country, state string) calendar.Date {
	zone := calendar.ZoneOf(country, state)
	day, ok := c.known[zone]
	if !ok {
		// guard: calendar: a period is planned when it is over at its authority
		// guard: calendar: a period is planned when it is over in UTC
		day = min(calendar.DateOf(c.now.UTC()), calendar.DateOf(c.now.In(authorityZone(country, state)))).AddDays(-1)
		c.known[zone] = day
	}
	return day
}
