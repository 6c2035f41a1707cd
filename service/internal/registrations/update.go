package registrations

import (
	"context"
	"encoding/json"
	"time"

	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/call"
	"levy/service/internal/convert"
	"levy/tax/calendar"
)

// UpdateRegistration changes the submitted fields of a registration.
func (o *Operations) UpdateRegistration(
	ctx context.Context, r contract.UpdateRegistrationRequest,
) (contract.Registration, error) {
	c := call.Of(ctx)
	b := &r.Body
	reg, err := o.deps.Registrations.UpdateRegistration(ctx, c.Scope, c.Actor(), r.RegistrationID,
		func(reg *models.Registration) error {
			if err := ChangeRegistration(reg, b, o.now().UTC()); err != nil {
				return err
			}
			if b.PasswordPlainText.IsNull() {
				reg.Password = nil
			}
			if b.PasswordMetadataPlainText.IsNull() {
				reg.PasswordMetadata = nil
			}
			return o.sealPasswords(ctx, reg, sentText(b.PasswordPlainText), sentText(b.PasswordMetadataPlainText))
		})
	if err != nil {
		return contract.Registration{}, err
	}
	o.coversChanged(ctx)
	return o.Answer(reg), nil
}

// sentText returns the submitted text, or an empty text.
func sentText(sent nullable.Nullable[string]) string {
	if sent.IsNull() {
		return ""
	}
	return sent[true]
}

// ChangeRegistration applies the submitted fields. A start date that is not in the future makes a registration
// REGISTERED if its status allows that. Faults of the request come before those of the status.
func ChangeRegistration(reg *models.Registration, sent *contract.RegistrationUpdate, now time.Time) error {
	today := calendar.DateOf(now)
	registered, filedFrom := reg.RegistrationDate, reg.CreateFilingsFrom
	changeRegistrationFields(reg, sent, now)
	start := sent.RegistrationDate
	if sent.StartDate.IsSpecified() {
		start = sent.StartDate
	}
	convert.ChangeDay(&reg.RegistrationDate, start)
	if !convert.SameTime(filedFrom, reg.CreateFilingsFrom) {
		if faults := filedFromFaults(reg.CreateFilingsFrom, today); faults != nil {
			return &models.InvalidError{Faults: faults}
		}
	}
	if err := reg.Transition(nextStatus(*reg, sent, !convert.SameTime(registered, reg.RegistrationDate), today), now); err != nil {
		return err
	}
	if reg.Status.Began() {
		reg.KeepDate(now)
	}
	if sent.FilingFrequency != "" {
		rules.ChangeFrequency(reg, frequencyOf(sent.FilingFrequency), today)
	}
	return nil
}

// nextStatus returns the submitted status. Without another status, a start date that is not in the future
// makes a registration REGISTERED if its status allows that.
func nextStatus(
	reg models.Registration, sent *contract.RegistrationUpdate, dated bool, today calendar.Date,
) models.RegistrationStatus {
	begun := dated && reg.RegistrationDate != nil && calendar.DateOf(*reg.RegistrationDate) <= today
	canRegister := models.RegistrationTransitions.CanTransition(string(reg.Status), string(models.RegistrationRegistered))
	switch {
	case sent.Status != "" && string(sent.Status) != string(reg.Status):
		return models.RegistrationStatus(sent.Status)
	case begun && canRegister:
		return models.RegistrationRegistered
	}
	return reg.Status
}

func changeRegistrationFields(reg *models.Registration, sent *contract.RegistrationUpdate, now time.Time) {
	convert.ChangeOptional(&reg.RegistrationEmail, sent.RegistrationEmail)
	convert.ChangeOptional(&reg.RegistrationRequested, sent.RegistrationRequested)
	convert.ChangeOptional(&reg.RegistrationCompleted, sent.RegistrationCompleted)
	convert.ChangeOptional(&reg.DeregistrationRequested, sent.DeregistrationRequested)
	convert.ChangeOptional(&reg.DeregistrationCompleted, sent.DeregistrationCompleted)
	convert.Change(&reg.DoNotFile, sent.DoNotFile, false)
	convert.Change(
		(*contract.RegistrationRegime)(&reg.RegistrationsRegime), sent.RegistrationsRegime,
		contract.RegistrationRegimeSTANDARD,
	)
	regimeStatus := enumOf[contract.ChangeRegimeStatus](reg.ChangeRegimeStatus)
	convert.ChangeOptional(&regimeStatus, sent.ChangeRegimeStatus)
	reg.ChangeRegimeStatus = (*string)(regimeStatus)
	convert.ChangeDay(&reg.CreateFilingsFrom, sent.CreateFilingsFrom)
	convert.Change(&reg.InitialSync, sent.InitialSync, false)
	convert.Change(&reg.VDA, sent.Vda, false)
	convert.Change(&reg.AmountFees, sent.AmountFees, noFees)
	convert.ChangeOptional(&reg.Username, sent.Username)
	convert.ChangeOptional(&reg.SalesTaxID, sent.SalesTaxID)
	convert.ChangeOptional(&reg.TaxID, sent.TaxID)
	convert.ChangeOptional(&reg.Comment, sent.Comment)
	fields := contract.Object(reg.JurisdictionSpecificFields)
	convert.Change(&fields, sent.JurisdictionSpecificFields, nil)
	reg.JurisdictionSpecificFields = json.RawMessage(fields)
	convert.Change(&reg.ThirdPartyEnabled, sent.ThirdPartyEnabled, false)
	convert.Change(&reg.TwoFactorEnabled, sent.TwoFactorEnabled, false)
	collecting := reg.MarkedCollecting
	convert.Change(&collecting, sent.MarkedCollecting, false)
	reg.Mark(collecting, now)
}
