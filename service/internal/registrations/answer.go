package registrations

import (
	"encoding/json"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// Answer returns a registration in the form of the contract.
func (o *Operations) Answer(r models.Registration) contract.Registration {
	days, next := o.returnsOf(r)
	return contract.Registration{
		ID: r.ID, OrganizationID: r.OrganizationID, CountryCode: r.CountryCode, StateCode: r.StateCode,
		StateName:       r.StateName,
		FilingFrequency: contract.FilingFrequency(r.FilingFrequency), Status: contract.RegistrationStatus(r.Status),
		RegistrationImportType: contract.RegistrationImportType(r.RegistrationImportType),
		RegistrationCategory:   registrationCategory(r), RegistrationType: registrationType(r),
		RegistrationDate: convert.OptionalDate(r.RegistrationDate), RegistrationEmail: r.RegistrationEmail,
		RegistrationRequested:   convert.OptionalInstant(r.RegistrationRequested),
		RegistrationCompleted:   convert.OptionalInstant(r.RegistrationCompleted),
		DeregistrationRequested: convert.OptionalInstant(r.DeregistrationRequested),
		DeregistrationCompleted: convert.OptionalInstant(r.DeregistrationCompleted),
		DeregistrationDate:      convert.OptionalDate(r.DeregistrationDate), DeregistrationReason: r.DeregistrationReason,
		Clarification:            r.Clarification,
		AuthorityUnansweredSince: convert.OptionalInstant(r.Unanswered()), AwaitsConfirmation: r.Manual(),
		AutoRegistered: r.AutoRegistered, DoNotFile: r.DoNotFile,
		RegistrationsRegime: contract.RegistrationRegime(r.RegistrationsRegime),
		ChangeRegimeStatus:  enumOf[contract.ChangeRegimeStatus](r.ChangeRegimeStatus),
		CreateFilingsFrom:   convert.OptionalDate(r.CreateFilingsFrom),
		Imported:            r.Imported, InitialSync: r.InitialSync,
		Vda: r.VDA, SstImport: r.SSTImport, AmountFees: r.AmountFees,
		Username: r.Username, SalesTaxID: r.SalesTaxID, TaxID: r.TaxID, Comment: r.Comment,
		JurisdictionSpecificFields:         objectOf(r.JurisdictionSpecificFields),
		FieldWarnings:                      o.fieldWarnings(&r),
		OssType:                            enumOf[contract.OssType](r.OSSType),
		OssMemberStateOfIdentificationCode: r.OSSMemberState,
		ThirdPartyEnabled:                  r.ThirdPartyEnabled, TwoFactorEnabled: r.TwoFactorEnabled,
		MarkedCollecting: r.MarkedCollecting, MarkedCollectingDate: convert.OptionalInstant(r.MarkedCollectingDate),
		NeedsMarkAsCollecting: r.Status == models.RegistrationRegistered && !r.MarkedCollecting,
		CreditsTotalAvailable: r.CreditsTotalAvailable, FilingDays: days, NexusID: r.NexusID, NextFilingDueDate: next,
		CreatedAt: convert.Instant(r.CreatedAt), UpdatedAt: convert.Instant(r.UpdatedAt),
	}
}

func registrationCategory(r models.Registration) contract.RegistrationRegistrationCategory {
	switch {
	case r.Status == models.RegistrationDeregistering || r.Status == models.RegistrationDeregistered:
		return contract.RegistrationRegistrationCategoryDEREGISTRATION
	case r.Imported:
		return contract.RegistrationRegistrationCategoryIMPORTED
	}
	return contract.RegistrationRegistrationCategoryREGULAR
}

func registrationType(r models.Registration) contract.RegistrationRegistrationType {
	if r.RegistrationImportType == models.ImportOSS {
		return contract.RegistrationRegistrationTypeEUOSS
	}
	return contract.RegistrationRegistrationTypeOTHER
}

// returnsOf returns the days from the end of a period to its due date, and the next due date. That is the date of the
// first open return, else of the running period. Both are absent if the tax content has no rule or nothing is filed.
func (o *Operations) returnsOf(r models.Registration) (days int, next *openapi_types.Date) {
	days, due := o.runningReturn(r)
	if r.OpenDue != 0 && (due == 0 || r.OpenDue < due) {
		due = r.OpenDue
	}
	if due == 0 {
		return days, nil
	}
	return days, &openapi_types.Date{Time: due.Time()}
}

// runningReturn returns the due date of the running period, or of the last period of a registration that ends.
// It is zero after that period.
func (o *Operations) runningReturn(r models.Registration) (days int, next calendar.Date) {
	today, last := convert.DateOf(o.now()), calendar.Date(0)
	day := max(today, r.FilesFrom())
	if r.DeregistrationDate != nil {
		last = calendar.DateOf(*r.DeregistrationDate)
		day = min(day, last)
	}
	frequency, _ := rules.FrequencyOn(r, day)
	period, ok := frequency.PeriodOn(day, r.TaxYear())
	if !ok {
		return 0, 0
	}
	due, ok := o.deps.Law.Current().Calendar().DueIn(r.CountryCode, r.StateCode, frequency, calendar.FilingPeriod{
		Period: period, Category: calendar.FilingRegular,
	})
	if !ok {
		return 0, 0
	}
	days = int(due.Nominal.Time().Sub(period.End.Time()) / (24 * time.Hour))
	if last != 0 && last < period.End { // the last period ends with the registration
		period.End = last
		due, _ = o.deps.Law.Current().Calendar().DueIn(r.CountryCode, r.StateCode, frequency, calendar.FilingPeriod{
			Period: period, Category: calendar.FilingRegular,
		})
	}
	if r.DoNotFile || !r.Status.Began() || last != 0 && (due.Date < today || last <= r.OverUntil) {
		return days, 0
	}
	return days, due.Date
}

// enumOf converts an optional word of a closed set.
func enumOf[T ~string](word *string) *T {
	if word == nil {
		return nil
	}
	value := T(*word)
	return &value
}

func objectOf(raw json.RawMessage) *contract.Object {
	if len(raw) == 0 {
		return nil
	}
	object := contract.Object(raw)
	return &object
}

// fieldWarnings returns the warnings about the fields of a registration; nil for none.
func (o *Operations) fieldWarnings(r *models.Registration) *[]contract.RegistrationFieldWarning {
	found := rules.CheckRegistrationFields(r, o.deps.Law.Current().RegistrationFields(r.CountryCode, r.StateCode))
	if found == nil {
		return nil
	}
	warnings := convert.ConvertAll(found, func(w rules.RegistrationFieldWarning) contract.RegistrationFieldWarning {
		if w.Unknown {
			return contract.RegistrationFieldWarning{
				Field: w.Field, Code: "UNKNOWN", Message: "The return of this jurisdiction does not ask for this field.",
				Confidence: string(tax.ConfidenceLow),
			}
		}
		return contract.RegistrationFieldWarning{
			Field: w.Field, Code: "MALFORMED", Message: "Expected is " + w.Expected.Expected + ".", Source: w.Expected.Source,
			Confidence: string(w.Expected.Confidence),
		}
	})
	return &warnings
}
