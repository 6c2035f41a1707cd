package registrations

import (
	"context"
	"encoding/json"
	"fmt"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/nexus"
)

// RegisterNexus requests a registration in the jurisdiction of a nexus record.
func (o *Operations) RegisterNexus(ctx context.Context, r contract.RegisterNexusRequest) (contract.Registration, error) {
	place, err := o.deps.Registrations.NexusPlace(ctx, call.Of(ctx).Scope, r.NexusID)
	if err != nil {
		return contract.Registration{}, err
	}
	b, err := o.NexusRegistration(&place, r.Body)
	if err != nil {
		return contract.Registration{}, err
	}
	return o.register(ctx, &b, tax.NamedAuthority{
		Country: place.CountryCode, State: place.StateCode, Name: place.StateName,
	})
}

// NexusRegistration returns the registration for a place with the fields that follow from the place.
func (o *Operations) NexusRegistration(
	place *models.NexusPlace, body contract.NexusRegister,
) (b contract.RegistrationCreate, err error) {
	if b, err = registrationAt(body); err != nil {
		return b, err
	}
	if b.FilingFrequency == "" {
		b.FilingFrequency = string(o.deps.Law.Current().Calendar().UsualFrequency(place.CountryCode, place.StateCode))
	}
	var faults []models.Fault
	if place.CountryCode == nexus.EuropeanUnion {
		faults = o.useOneStopShop(&b, place.Home)
	}
	if faults = append(faults, registrationFaults(&b, place.CountryCode, convert.DateOf(o.now()))...); faults != nil {
		err = &models.InvalidError{Faults: faults}
	}
	return b, err
}

// registrationAt converts the body into that of a registration, whose fields have the same names.
func registrationAt(body contract.NexusRegister) (b contract.RegistrationCreate, err error) {
	raw, err := json.Marshal(body)
	if err == nil {
		err = contract.Decode(raw, &b)
	}
	if err != nil {
		return b, fmt.Errorf("registration of a nexus record: %w", err)
	}
	b.OssMemberStateOfIdentificationCode = memberStateOf(&b)
	if b.RegistrationImportType == "" { // an empty body has no defaults
		b.RegistrationImportType = contract.RegistrationImportTypeREGULAR
	}
	return b, nil
}

// useOneStopShop sets the fields that follow from the country of the business.
func (o *Operations) useOneStopShop(b *contract.RegistrationCreate, home string) (faults []models.Fault) {
	reg := models.Registration{
		OSSType: convert.Optional(string(b.OssType)), OSSMemberState: convert.Optional(b.OssMemberStateOfIdentificationCode),
	}
	reg.UseOneStopShop(home, o.now())
	if reg.OSSMemberState == nil {
		faults = append(faults, models.Fault{
			Code: models.FieldMissing, Path: "oss_member_state_of_identification_code",
			Message: "oss_member_state_of_identification_code is required: the business address is not in the European Union.",
		})
	}
	b.RegistrationImportType, b.OssType = contract.RegistrationImportTypeOSS, contract.OssType(*reg.OSSType)
	b.OssMemberStateOfIdentificationCode = convert.ValueOf(reg.OSSMemberState)
	return faults
}
