package calendar

import (
	"slices"
	"time"
)

// LastWorkingDay returns the day itself, or the last working day before it, by the bank holidays of England and Wales. ok is
// false for other countries. Returns are due on the day itself: payments through banks have to arrive before.
//
// Sources: Banking and Financial Dealings Act 1971, schedule 1, and the proclamations of 2020, 2022 and 2023. New Year's Day
// and the first Monday of May are holidays by proclamation each year.
func LastWorkingDay(country string, day Date) (last Date, ok bool) {
	if country != "GB" {
		return day, false
	}
	for day.weekend() || isBankHoliday(day) {
		day = day.AddDays(-1)
	}
	return day, true
}

func (d Date) weekend() bool { return d.weekday() == time.Saturday || d.weekday() == time.Sunday }

var (
	// bankMondays are the first Monday of May, and the last ones of May and August.
	bankMondays = []holidayRule{
		{month: time.May, weekday: time.Monday, nth: 1},
		{month: time.May, weekday: time.Monday},
		{month: time.August, weekday: time.Monday},
	}
	// movedBankHolidays are holidays of May, with the days that took their place in a year.
	movedBankHolidays = map[Date]Date{20200504: 20200508, 20220530: 20220602}
	// extraBankHolidays are holidays of one year alone.
	extraBankHolidays = []Date{20220603, 20220919, 20230508}
)

// isBankHoliday reports whether banks are closed in England and Wales on a day that is no Saturday and no Sunday.
func isBankHoliday(day Date) bool {
	if slices.Contains(extraBankHolidays, day) {
		return true
	}
	easter := easterSunday(day.Year())
	holidays := []Date{easter.AddDays(-2), easter.AddDays(1)}
	for i := range bankMondays {
		monday := bankMondays[i].in(day.Year())
		if moved, ok := movedBankHolidays[monday]; ok {
			monday = moved
		}
		holidays = append(holidays, monday)
	}
	// A holiday on a weekend is the next day that is neither a weekend nor a holiday.
	for _, fixed := range []Date{
		DateOn(day.Year(), time.January, 1), DateOn(day.Year(), time.December, 25), DateOn(day.Year(), time.December, 26),
	} {
		for fixed.weekend() || slices.Contains(holidays, fixed) {
			fixed = fixed.AddDays(1)
		}
		holidays = append(holidays, fixed)
	}
	return slices.Contains(holidays, day)
}

// easterSunday returns the day of Easter in the Gregorian calendar: the first Sunday after the ecclesiastical full moon on
// 21 March or after it.
func easterSunday(year int) Date {
	golden, century := year%19+1, year/100+1
	solar, lunar := 3*century/4-12, (8*century+5)/25-5
	epact := (11*golden + 20 + lunar - solar) % 30 // the age of the moon at the turn of the year
	if epact == 24 || epact == 25 && golden > 11 {
		epact++
	}
	moon := DateOn(year, time.March, 44-epact)
	if epact > 23 {
		moon = moon.AddDays(30)
	}
	return moon.AddDays(7 - int(moon.weekday()))
}
