package rules

import (
	"time"

	"levy/models"
	"levy/tax/calendar"
)

// SaleTime is what a client submits about the time of a sale, a refund or an estimate.
type SaleTime struct {
	Date     time.Time // with the offset that it was written with
	ShopDate time.Time // zero: not submitted
	Zone     string    // name in the IANA database; "": not submitted
}

// TaxDate returns the day that selects the law and the filing period. It is the submitted day, else the day in the
// submitted zone. Without both it is the day as written with an offset other than Z, else the UTC day.
func (s SaleTime) TaxDate() time.Time {
	if !s.ShopDate.IsZero() {
		return s.ShopDate
	}
	at := s.Date
	// guard: tax date: the zone of the shop decides
	if zone, known := calendar.Location(s.Zone); known {
		at = at.In(zone)
	} else if !s.hasOffset() {
		at = at.UTC()
	}
	return calendar.DateOf(at).Time()
}

// hasOffset reports whether the date was written with an offset other than Z.
func (s SaleTime) hasOffset() bool {
	_, seconds := s.Date.Zone()
	return seconds != 0
}

// TaxDateAfter returns the tax date of a stored transaction after an update. It was decided once: it stays unless the
// instant, the day or the zone differs from the stored one.
func (s SaleTime) TaxDateAfter(stored *models.Transaction) time.Time {
	// guard: tax date: it is decided once
	if s.IsThatOf(stored) {
		return stored.TaxDate
	}
	return s.TaxDate()
}

// IsThatOf reports whether a stored transaction has this time, however its date was written.
func (s SaleTime) IsThatOf(stored *models.Transaction) bool {
	day := ""
	if !s.ShopDate.IsZero() {
		day = s.ShopDate.Format(time.DateOnly)
	}
	return s.Date.Equal(stored.Date) && day == text(stored.ShopDate) && s.Zone == text(stored.ShopDateTZ)
}

// IsWithoutDay reports whether a client submits nothing about the day but an instant. Then a refund has the zone of its
// original.
func (s SaleTime) IsWithoutDay() bool { return s.ShopDate.IsZero() && s.Zone == "" && !s.hasOffset() }

// takeZone gives the zone of the sale to a refund whose client submitted nothing about the day.
func takeZone(sale *models.Transaction, d *models.RefundDraft) {
	// guard: tax date: a refund takes the zone of its original
	if d.WithoutDay && sale.ShopDateTZ != nil {
		d.ShopDateTZ = sale.ShopDateTZ
		d.TaxDate = SaleTime{Date: d.Date, Zone: *sale.ShopDateTZ}.TaxDate()
	}
}
