package registrations

import (
	"cmp"
	"encoding/json"
	"time"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/nexus"
)

// registrationFaults returns the faults of a new registration that the contract cannot express.
func registrationFaults(b *contract.RegistrationCreate, country string, today calendar.Date) []models.Fault {
	var faults []models.Fault
	if oss := string(b.RegistrationImportType) == models.ImportOSS; oss != (country == nexus.EuropeanUnion) {
		faults = append(faults, models.Fault{Code: models.FieldMismatch, Path: "registration_import_type",
			Message: "A registration at the one-stop shop (OSS) is one of the country ZZ_EU, and no other is.",
			Of:      []string{"country_code"}})
	}
	if b.RegistrationImportType != contract.RegistrationImportTypeOSS {
		for _, field := range []struct {
			name string
			sent bool
		}{
			{"oss_type", b.OssType != ""},
			{memberStateField(b), b.OssMemberStateOfIdentificationCode != ""},
		} {
			if field.sent {
				faults = append(faults, models.Fault{
					Code: models.FieldNotAllowed, Path: field.name,
					Message: field.name + " belongs to registrations at the one-stop shop (OSS).",
					Of:      []string{"registration_import_type"},
				})
			}
		}
	} else if member := b.OssMemberStateOfIdentificationCode; member != "" && !nexus.UnionMember(member, today) {
		faults = append(faults, models.Fault{
			Code: models.FieldInvalidEnum, Path: memberStateField(b),
			Message: "This is no member state of the European Union.",
		})
	}
	return append(faults, filedFromFaults(optionalTime(b.CreateFilingsFrom.Time), today)...)
}

// CompleteByScheme sets the fields that a scheme determines. The one-stop shop is a scheme of the European Union
// with quarterly returns. Streamlined Sales Tax is a scheme of the United States, where the state sets the filing
// frequency.
func (o *Operations) CompleteByScheme(b *contract.RegistrationCreate) {
	b.OssMemberStateOfIdentificationCode = memberStateOf(b)
	switch b.RegistrationImportType {
	case contract.RegistrationImportTypeOSS:
		b.CountryCode = cmp.Or(b.CountryCode, nexus.EuropeanUnion)
		b.StateCode = cmp.Or(b.StateCode, b.CountryCode)
	case contract.RegistrationImportTypeSST:
		b.CountryCode = cmp.Or(b.CountryCode, "US")
	case contract.RegistrationImportTypeREGULAR:
		return
	}
	if b.FilingFrequency == "" {
		law := o.deps.Law.Current()
		at, _ := law.AuthorityNamed(b.CountryCode, b.StateCode)
		b.FilingFrequency = string(law.Calendar().UsualFrequency(at.Country, at.State))
	}
}

// memberStateField returns the name under which the member state was submitted.
func memberStateField(b *contract.RegistrationCreate) string {
	if b.MemberStateOfIdentificationCode != "" {
		return "member_state_of_identification_code"
	}
	return "oss_member_state_of_identification_code"
}

// memberStateOf returns the member state of a one-stop shop, which has two names in the contract.
func memberStateOf(b *contract.RegistrationCreate) string {
	return cmp.Or(b.OssMemberStateOfIdentificationCode, b.MemberStateOfIdentificationCode)
}

// filedFromYears is the largest number of past years with filings.
const filedFromYears = 10

// filedFromFaults checks the first day that filings cover.
func filedFromFaults(from *time.Time, today calendar.Date) []models.Fault {
	if from == nil || !from.Before(today.Time().AddDate(-filedFromYears, 0, 0)) {
		return nil
	}
	return []models.Fault{
		{
			Code: models.FieldOutOfRange, Path: "create_filings_from",
			Message: "Filings are made for at most 10 years back.",
		},
	}
}

// startOf returns the start date of a new registration, which has two names in the contract.
func startOf(b *contract.RegistrationCreate) time.Time {
	if !b.StartDate.IsZero() {
		return b.StartDate.Time
	}
	return b.RegistrationDate.Time
}

// newRegistration returns the record of a requested registration.
func newRegistration(b *contract.RegistrationCreate, authority tax.NamedAuthority, now time.Time) models.Registration {
	start := startOf(b)
	reg := models.Registration{
		ID: models.NewID(models.PrefixRegistration), CountryCode: authority.Country, StateCode: authority.State,
		StateName:       authority.Name,
		FilingFrequency: frequencyOf(b.FilingFrequency), RegistrationImportType: string(b.RegistrationImportType),
		RegistrationDate: optionalTime(start), RegistrationEmail: convert.Optional(b.RegistrationEmail),
		RegistrationRequested:   optionalTime(b.RegistrationRequested),
		RegistrationCompleted:   optionalTime(b.RegistrationCompleted),
		DeregistrationRequested: optionalTime(b.DeregistrationRequested),
		DeregistrationCompleted: optionalTime(b.DeregistrationCompleted),
		DoNotFile:               b.DoNotFile, RegistrationsRegime: string(contract.RegistrationRegimeSTANDARD),
		ChangeRegimeStatus: convert.Optional(string(b.ChangeRegimeStatus)),
		CreateFilingsFrom:  optionalTime(b.CreateFilingsFrom.Time), Imported: b.Imported, InitialSync: b.InitialSync,
		VDA: b.Vda, SSTImport: b.SstImport,
		AmountFees: noFees, Username: convert.Optional(b.Username), SalesTaxID: convert.Optional(b.SalesTaxID),
		TaxID:                      convert.Optional(b.TaxID),
		Comment:                    convert.Optional(b.Comment),
		JurisdictionSpecificFields: json.RawMessage(b.JurisdictionSpecificFields),
		OSSType:                    convert.Optional(string(b.OssType)),
		OSSMemberState:             convert.Optional(b.OssMemberStateOfIdentificationCode),
	}
	if b.RegistrationsRegime != "" {
		reg.RegistrationsRegime = string(b.RegistrationsRegime)
	}
	if b.AmountFees != "" {
		reg.AmountFees = b.AmountFees
	}
	reg.Mark(b.MarkedCollecting, now)
	status := models.RegistrationProcessing
	if b.Imported || !start.IsZero() && calendar.DateOf(start) <= calendar.DateOf(now) {
		status = models.RegistrationRegistered
	}
	reg.Enter(status, now)
	return reg
}

// noFees is the amount if the client submitted no fees.
const noFees = "0.00"

// frequencyOf converts a filing frequency, one of which has two names.
func frequencyOf(sent string) calendar.FilingFrequency {
	if sent == "ANNUAL" {
		return calendar.FilingAnnually
	}
	return calendar.FilingFrequency(sent)
}

// optionalTime returns a pointer to a submitted time; nil for none.
func optionalTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}
