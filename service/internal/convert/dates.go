package convert

import (
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/tax/calendar"
)

// DayOf returns a day in the form of the contract.
func DayOf(t time.Time) openapi_types.Date { return openapi_types.Date{Time: t} }

// OptionalDate returns an optional day in the form of the contract.
func OptionalDate(day *time.Time) *openapi_types.Date {
	if day == nil {
		return nil
	}
	return &openapi_types.Date{Time: *day}
}

// DateOrNone returns a day of the tax content; nil for none.
func DateOrNone(d calendar.Date) *openapi_types.Date {
	if d == 0 {
		return nil
	}
	return &openapi_types.Date{Time: d.Time()}
}

// OptionalDay returns an optional day of the contract; nil if it is absent.
func OptionalDay(d openapi_types.Date) *time.Time {
	if d.IsZero() {
		return nil
	}
	return &d.Time
}

// DateOf returns the UTC day of a time.
func DateOf(t time.Time) calendar.Date { return calendar.DateOf(t.UTC()) }

// OptionalDayText returns a day as files have it; "" for none.
func OptionalDayText(day *openapi_types.Date) string {
	if day == nil {
		return ""
	}
	return day.String()
}
