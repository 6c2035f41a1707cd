package tax

import "time"

// Trigger says when a seller has to begin to collect, counted from the day on which
// the threshold was met. The set is open.
type Trigger string

// The triggers of the content.
const (
	TriggerImmediate                Trigger = "IMMEDIATE"        // that day
	TriggerNextTransaction          Trigger = "NEXT_TRANSACTION" // the next day: the sale that crosses is not taxed
	TriggerDays30                   Trigger = "DAYS_30"
	TriggerDays50                   Trigger = "DAYS_50"
	TriggerDays60                   Trigger = "DAYS_60"
	TriggerFirstOfNextMonth         Trigger = "FIRST_OF_NEXT_MONTH"
	TriggerFirstOfSecondMonth       Trigger = "FIRST_OF_SECOND_MONTH" // met in May: 1 July
	TriggerFirstOfThirdMonth        Trigger = "FIRST_OF_THIRD_MONTH"
	TriggerFirstOfFourthMonth       Trigger = "FIRST_OF_FOURTH_MONTH"
	TriggerFirstAfter30Days         Trigger = "FIRST_OF_MONTH_AFTER_30_DAYS" // the first month that begins 30 days later or more
	TriggerFirstAfter60Days         Trigger = "FIRST_OF_MONTH_AFTER_60_DAYS"
	TriggerFirstAfter90Days         Trigger = "FIRST_OF_MONTH_AFTER_90_DAYS"
	TriggerFirstAfter2Months        Trigger = "FIRST_OF_MONTH_AFTER_2_MONTHS"
	TriggerFirstWithin60Days        Trigger = "FIRST_OF_MONTH_WITHIN_60_DAYS" // the last month that begins no more than 60 days later
	TriggerNextCalendarYear         Trigger = "NEXT_CALENDAR_YEAR"
	TriggerNextCalendarYearOrDays60 Trigger = "NEXT_CALENDAR_YEAR_OR_DAYS_60" // whichever is earlier
	TriggerNextApril                Trigger = "NEXT_APRIL"                    // 1 April after
)

// Start is the first day on which tax has to be collected when the threshold was met
// on the given day. ok is false for a trigger that is not known.
func (t Trigger) Start(met Date) (start Date, ok bool) {
	month := dateOf(met.Year(), met.Month(), 1)
	newYear := dateOf(met.Year()+1, time.January, 1)
	switch t {
	case TriggerImmediate:
		return met, true
	case TriggerNextTransaction:
		return met.AddDays(1), true
	case TriggerDays30:
		return met.AddDays(30), true
	case TriggerDays50:
		return met.AddDays(50), true
	case TriggerDays60:
		return met.AddDays(60), true
	case TriggerFirstOfNextMonth:
		return month.addMonths(1), true
	case TriggerFirstOfSecondMonth:
		return month.addMonths(2), true
	case TriggerFirstOfThirdMonth:
		return month.addMonths(3), true
	case TriggerFirstOfFourthMonth:
		return month.addMonths(4), true
	case TriggerFirstAfter30Days:
		return firstFrom(met.AddDays(30)), true
	case TriggerFirstAfter60Days:
		return firstFrom(met.AddDays(60)), true
	case TriggerFirstAfter90Days:
		return firstFrom(met.AddDays(90)), true
	case TriggerFirstAfter2Months:
		return firstFrom(met.addMonths(2)), true
	case TriggerFirstWithin60Days:
		last := met.AddDays(60)
		return dateOf(last.Year(), last.Month(), 1), true
	case TriggerNextCalendarYear:
		return newYear, true
	case TriggerNextCalendarYearOrDays60:
		return min(newYear, met.AddDays(60)), true
	case TriggerNextApril:
		april := dateOf(met.Year(), time.April, 1)
		if april <= met {
			april = april.addMonths(monthsPerYear)
		}
		return april, true
	}
	return 0, false
}

// firstFrom is the first day of a month, on the day or after it.
func firstFrom(day Date) Date {
	if day.Day() == 1 {
		return day
	}
	return dateOf(day.Year(), day.Month()+1, 1)
}
