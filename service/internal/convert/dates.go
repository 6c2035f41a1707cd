package convert

import (
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"
)

func DayOf(t time.Time) openapi_types.Date { return openapi_types.Date{Time: t} }

func OptionalDate(day *time.Time) *openapi_types.Date {
	if day == nil {
		return nil
	}
	return &openapi_types.Date{Time: *day}
}

func OptionalDay(d openapi_types.Date) *time.Time {
	if d.IsZero() {
		return nil
	}
	return &d.Time
}
