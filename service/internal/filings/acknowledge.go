package filings

import (
	"context"
	"errors"
	"strings"

	"levy/contract"
	"levy/models"
	"levy/returns/ser"
	"levy/returns/ser/soap"
	"levy/rules"
	"levy/service/internal/call"
)

// AcknowledgeFiling reads the acknowledgement of a state, which a person has from its web site, and files the return or makes it an
// ISSUE. A message that is none of the present attempt changes nothing.
func (o *Operations) AcknowledgeFiling(ctx context.Context, r contract.AcknowledgeFilingRequest) (contract.Filing, error) {
	scope := call.Of(ctx).Scope
	f, err := o.deps.Filings.Filing(ctx, scope, r.FilingID)
	if err != nil {
		return contract.Filing{}, err
	}
	if f.Status != models.FilingFiling {
		return contract.Filing{}, models.FilingTransitions.Refuse(string(f.Status), string(models.FilingFiled))
	}
	d, err := o.deps.Reports.DocumentOfAttempt(ctx, scope, models.Attempt{RecordID: f.ID, Number: f.Attempt})
	edition, simplified := models.SimplifiedEdition(d.Layout)
	switch {
	case errors.Is(err, models.ErrNotFound) || err == nil && !simplified:
		return contract.Filing{}, &models.FilingDocumentError{
			Said: "The return has no document that a state acknowledges: enter the confirmation that the authority gave.",
		}
	case err != nil:
		return contract.Filing{}, err
	}
	before, err := o.deps.Reports.AcknowledgementsTo(ctx, scope, d)
	if err != nil {
		return contract.Filing{}, err
	}
	message := soap.Unwrapped([]byte(strings.TrimPrefix(r.Body.Content, byteOrderMark)))
	answer, err := readAcknowledgement(message, before, edition, &d)
	if err != nil {
		return contract.Filing{}, err
	}
	organization, err := o.deps.Organizations.Organization(ctx, scope)
	if err != nil {
		return contract.Filing{}, err
	}
	answer.Authority = models.StreamlinedAuthority(f.StateCode, organization.IsTest)
	// A stored message files the return later. So Levy does not store the acknowledgement before the person may decide.
	if answer.Outcome == models.AuthorityAccepted {
		if _, err := o.deps.Filings.SecondPerson(ctx, scope, call.Of(ctx).Actor(), f.ID); err != nil {
			return contract.Filing{}, err
		}
	}
	if err := o.deps.Reports.AddAcknowledgement(ctx, scope, answer.Authority, d, message); err != nil {
		return contract.Filing{}, err
	}
	return o.updateFiling(ctx, f.ID, func(f *models.Filing) error {
		err := rules.ApplyAuthorityAnswer(f, d.Attempt, answer, o.now().UTC())
		if errors.Is(err, rules.ErrFilingStays) {
			return models.FilingTransitions.Refuse(string(f.Status), string(models.FilingFiled))
		}
		return err
	})
}

// byteOrderMark is what some programs write before the text of a file. No document of XML has it as text.
const byteOrderMark = "\ufeff"

// readAcknowledgement returns what a message says of a document, next to the stored ones. Errors: *models.InvalidError, in words
// that have no value of the message.
func readAcknowledgement(
	message []byte, before []models.Acknowledgement, edition string, d *models.FilingDocument,
) (models.AuthorityAnswer, error) {
	decision, err := decide(message, before, edition, d)
	if err != nil {
		return models.AuthorityAnswer{}, &models.InvalidError{Faults: []models.Fault{{
			Code: models.FieldInvalidFormat, Path: "content", Message: refusalOf(err),
		}}}
	}
	return decision.AuthorityAnswer, nil
}

// decide is readAcknowledgement. Errors: those of ser, and errUndecided.
func decide(message []byte, before []models.Acknowledgement, edition string, d *models.FilingDocument) (ser.Decision, error) {
	transmission, err := ser.TransmissionOf(message)
	// guard: acknowledgements: a person brings no acknowledgement of another return
	if err == nil && transmission != d.TransmissionID {
		err = ser.ErrForeign
	}
	if err != nil {
		return ser.Decision{}, err
	}
	decision, err := ser.DecideMessages([][]byte{message}, edition, ser.IDsOf(d))
	if err != nil {
		return decision, err
	}
	if decision.Outcome == models.AuthorityPending {
		return decision, errUndecided
	}
	all := [][]byte{message}
	for i := range before {
		all = append(all, before[i].Message)
	}
	// A stored message that cannot be read says nothing against this one.
	_, err = ser.DecideMessages(all, edition, ser.IDsOf(d))
	return decision, err
}

var errUndecided = errors.New("the acknowledgement decides nothing")

// refusalOf returns the words for an acknowledgement that is not taken.
func refusalOf(err error) string {
	switch {
	case errors.Is(err, errUndecided):
		return "It says only that the state had the return before: upload the acknowledgement that accepts or refuses it."
	case errors.Is(err, ser.ErrDoubled):
		return "It contradicts another acknowledgement of this return, or itself: ask the state which one counts."
	case errors.Is(err, ser.ErrForeign):
		return "It is no acknowledgement of this return: choose the file that the site of the state gave for the file of this attempt."
	case errors.Is(err, ser.ErrIncomplete):
		return "It is not whole: it says nothing about the return, or has fewer parts than it says. Download it again."
	}
	return "It is no XML that can be read: download it from the site of the state again, and upload it unchanged."
}
