package nexus

import (
	"time"

	"levy/tax/calendar"
)

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
	TriggerFirstAfter30Days         Trigger = "FIRST_OF_MONTH_AFTER_30_DAYS" // the first of a month 30 days on or later
	TriggerFirstAfter60Days         Trigger = "FIRST_OF_MONTH_AFTER_60_DAYS"
	TriggerFirstAfter90Days         Trigger = "FIRST_OF_MONTH_AFTER_90_DAYS"
	TriggerFirstAfter2Months        Trigger = "FIRST_OF_MONTH_AFTER_2_MONTHS"
	TriggerFirstWithin60Days        Trigger = "FIRST_OF_MONTH_WITHIN_60_DAYS" // the last such day within 60 days
	TriggerNextCalendarYear         Trigger = "NEXT_CALENDAR_YEAR"
	TriggerNextCalendarYearOrDays60 Trigger = "NEXT_CALENDAR_YEAR_OR_DAYS_60" // the earlier of both
	TriggerNextApril                Trigger = "NEXT_APRIL"                    // 1 April after
)

// Start is the first day on which tax has to be collected when the threshold was met
// on the given day. ok is false for a trigger that is not known.
func (t Trigger) Start(met calendar.Date) (start calendar.Date, ok bool) {
	month := calendar.DateOn(met.Year(), met.Month(), 1)
	newYear := calendar.DateOn(met.Year()+1, time.January, 1)
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
		return month.AddMonths(1), true
	case TriggerFirstOfSecondMonth:
		return month.AddMonths(2), true
	case TriggerFirstOfThirdMonth:
		return month.AddMonths(3), true
	case TriggerFirstOfFourthMonth:
		return month.AddMonths(4), true
	case TriggerFirstAfter30Days:
		return calendar.FirstOfMonthFrom(met.AddDays(30)), true
	case TriggerFirstAfter60Days:
		return calendar.FirstOfMonthFrom(met.AddDays(60)), true
	case TriggerFirstAfter90Days:
		return calendar.FirstOfMonthFrom(met.AddDays(90)), true
	case TriggerFirstAfter2Months:
		return calendar.FirstOfMonthFrom(met.AddMonths(2)), true
	case TriggerFirstWithin60Days:
		last := met.AddDays(60)
		return calendar.DateOn(last.Year(), last.Month(), 1), true
	case TriggerNextCalendarYear:
		return newYear, true
	case TriggerNextCalendarYearOrDays60:
		return min(newYear, met.AddDays(60)), true
	case TriggerNextApril:
		april := calendar.DateOn(met.Year(), time.April, 1)
		if april <= met {
			april = april.AddMonths(monthsPerYear)
		}
		return april, true
	}
	return 0, false
}
