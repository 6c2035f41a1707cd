package api

import (
	"context"
	"encoding/json"
	"time"

	"github.com/oapi-codegen/nullable"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// UpdateRegistration changes the fields that were sent.
func (s *Server) UpdateRegistration(
	ctx context.Context, r contract.UpdateRegistrationRequest,
) (contract.Registration, error) {
	call := callOf(ctx)
	b := &r.Body
	reg, err := s.deps.Registrations.UpdateRegistration(ctx, call.scope, call.actor(), r.RegistrationID,
		func(reg *models.Registration) error {
			if err := changeRegistration(reg, b, s.now().UTC()); err != nil {
				return err
			}
			if b.PasswordPlainText.IsNull() {
				reg.Password = nil
			}
			if b.PasswordMetadataPlainText.IsNull() {
				reg.PasswordMetadata = nil
			}
			return s.sealPasswords(ctx, reg, sentText(b.PasswordPlainText), sentText(b.PasswordMetadataPlainText))
		})
	if err != nil {
		return contract.Registration{}, err
	}
	s.coversChanged(ctx)
	return s.registrationAnswer(reg), nil
}

// sentText is the text that was sent, empty for none.
func sentText(sent nullable.Nullable[string]) string {
	if sent.IsNull() {
		return ""
	}
	return sent[true]
}

// changeRegistration applies what was sent. A date that is not in the future makes a
// registration REGISTERED that can be. What is wrong in itself is reported before what the status forbids.
func changeRegistration(reg *models.Registration, sent *contract.RegistrationUpdate, now time.Time) error {
	today := calendar.DateOf(now)
	registered, filedFrom := reg.RegistrationDate, reg.CreateFilingsFrom
	changeRegistrationFields(reg, sent, now)
	start := sent.RegistrationDate
	if sent.StartDate.IsSpecified() {
		start = sent.StartDate
	}
	changeDay(&reg.RegistrationDate, start)
	if !sameTime(filedFrom, reg.CreateFilingsFrom) {
		if faults := filedFromFaults(reg.CreateFilingsFrom, today); faults != nil {
			return &models.InvalidError{Faults: faults}
		}
	}
	if err := reg.Transition(nextStatus(*reg, sent, !sameTime(registered, reg.RegistrationDate), today), now); err != nil {
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

// nextStatus is the status that was sent. Without another one, another date that has come
// makes a registration REGISTERED that can be.
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
	changeOptional(&reg.RegistrationEmail, sent.RegistrationEmail)
	changeOptional(&reg.RegistrationRequested, sent.RegistrationRequested)
	changeOptional(&reg.RegistrationCompleted, sent.RegistrationCompleted)
	changeOptional(&reg.DeregistrationRequested, sent.DeregistrationRequested)
	changeOptional(&reg.DeregistrationCompleted, sent.DeregistrationCompleted)
	change(&reg.DoNotFile, sent.DoNotFile, false)
	change(
		(*contract.RegistrationRegime)(&reg.RegistrationsRegime), sent.RegistrationsRegime,
		contract.RegistrationRegimeSTANDARD,
	)
	regimeStatus := wordOf[contract.ChangeRegimeStatus](reg.ChangeRegimeStatus)
	changeOptional(&regimeStatus, sent.ChangeRegimeStatus)
	reg.ChangeRegimeStatus = (*string)(regimeStatus)
	changeDay(&reg.CreateFilingsFrom, sent.CreateFilingsFrom)
	change(&reg.InitialSync, sent.InitialSync, false)
	change(&reg.VDA, sent.Vda, false)
	change(&reg.AmountFees, sent.AmountFees, noFees)
	changeOptional(&reg.Username, sent.Username)
	changeOptional(&reg.SalesTaxID, sent.SalesTaxID)
	changeOptional(&reg.TaxID, sent.TaxID)
	changeOptional(&reg.Comment, sent.Comment)
	fields := contract.Object(reg.JurisdictionSpecificFields)
	change(&fields, sent.JurisdictionSpecificFields, nil)
	reg.JurisdictionSpecificFields = json.RawMessage(fields)
	change(&reg.ThirdPartyEnabled, sent.ThirdPartyEnabled, false)
	change(&reg.TwoFactorEnabled, sent.TwoFactorEnabled, false)
	collecting := reg.MarkedCollecting
	change(&collecting, sent.MarkedCollecting, false)
	reg.Mark(collecting, now)
}

// changeDay is changeOptional for a day.
func changeDay(field **time.Time, sent nullable.Nullable[openapi_types.Date]) {
	switch {
	case sent.IsNull():
		*field = nil
	case sent.IsSpecified():
		day := sent[true].Time
		*field = &day
	}
}
