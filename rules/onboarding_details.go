package rules

import (
	"encoding/json"
	"fmt"

	"levy/models"
)

// DraftStep merges the valid body of a request into the documents of a step. It checks the merged result and seals
// personal values. contactIsOwner copies the contact of step 6 into the first owner, unless there is one. Errors:
// *models.InvalidError; those of documents and sealer.
func DraftStep(
	step int, body []byte, from models.StepRecords, contactIsOwner bool, key models.Sealer,
) (models.StepContent, error) {
	d := &stepDraft{
		from: from, key: key,
		content: models.StepContent{Documents: map[string]json.RawMessage{}, Revision: from.Details.Revision},
	}
	var err error
	switch step {
	case models.StepBusinessDetails:
		err = d.businessDetails(body)
	case models.StepBusinessAddress:
		err = d.businessAddress(body)
	case models.StepBusinessInformation:
		err = d.businessInformation(body)
	case models.StepBusinessContact:
		err = d.businessContact(body, contactIsOwner)
	case models.StepBusinessOwners:
		err = d.businessOwners(body)
	case models.StepBankDetails:
		err = d.bank(body)
	}
	if err == nil && len(d.faults) > 0 {
		err = &models.InvalidError{Faults: d.faults}
	}
	return d.content, err
}

// stepDraft collects the documents that a step will write.
type stepDraft struct {
	from    models.StepRecords
	key     models.Sealer
	content models.StepContent
	faults  []models.Fault
}

// merge reads a stored document into to, and then a request over it.
func merge[T any](stored json.RawMessage, body []byte, to *T) error {
	if err := models.Document(stored, to); err != nil {
		return err
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("merge %T: %w", *to, err)
	}
	return nil
}

func (d *stepDraft) write(name string, document any) error {
	raw, err := json.Marshal(document)
	d.content.Documents[name] = raw
	return err
}

func (d *stepDraft) businessDetails(body []byte) error {
	var details models.BusinessDetails
	if err := merge(d.from.Details.BusinessDetails, body, &details); err != nil {
		return err
	}
	for _, flag := range []**bool{&details.AutoRegister, &details.AutoFile} {
		if *flag == nil {
			*flag = new(bool)
		}
	}
	var address models.BusinessAddress
	if err := merge(d.from.Details.BusinessAddress, body, &address); err != nil {
		return err
	}
	if address.BusinessName == nil {
		address.BusinessName = d.from.Details.OrganizationName
	}
	if err := d.write(models.DocumentAddress, address); err != nil {
		return err
	}
	return d.write(models.DocumentDetails, details)
}

func (d *stepDraft) businessAddress(body []byte) error {
	var address models.BusinessAddress
	if err := merge(d.from.Details.BusinessAddress, body, &address); err != nil {
		return err
	}
	if address.BusinessName == nil {
		address.BusinessName = d.from.Details.OrganizationName
	}
	if address.Unincorporated == nil {
		address.Unincorporated = new(bool)
	}
	d.faults = append(d.faults, addressFaults(address)...)
	return d.write(models.DocumentAddress, address)
}

func (d *stepDraft) businessInformation(body []byte) error {
	var information models.BusinessInformation
	if err := merge(d.from.Details.BusinessInformation, body, &information); err != nil {
		return err
	}
	if err := d.keepDefaults(&information); err != nil {
		return err
	}
	if information.AccountingModel == nil {
		accrual := "ACCRUAL"
		information.AccountingModel = &accrual
	}
	return d.write(models.DocumentInformation, information)
}

// keepDefaults removes an address that only repeats its default, so that it continues to follow the default.
func (d *stepDraft) keepDefaults(next *models.BusinessInformation) error {
	var stored models.BusinessInformation
	var company models.BusinessAddress
	if err := models.Document(d.from.Details.BusinessInformation, &stored); err != nil {
		return err
	}
	if err := models.Document(d.from.Details.BusinessAddress, &company); err != nil {
		return err
	}
	shown := stored.WithDefaults(company)
	for _, parts := range []func(*models.BusinessInformation) []**string{businessParts, mailingParts} {
		was, shows, now := parts(&stored), parts(&shown), parts(next)
		repeated := true
		for i := range now {
			repeated = repeated && *was[i] == nil && text(*now[i]) == text(*shows[i])
		}
		for i := range now {
			if repeated {
				*now[i] = nil
			}
		}
	}
	return nil
}

func businessParts(i *models.BusinessInformation) []**string {
	return []**string{&i.Address1, &i.Address2, &i.City, &i.State, &i.PostalCode, &i.Country}
}

func mailingParts(i *models.BusinessInformation) []**string {
	return []**string{
		&i.MailingAddress1, &i.MailingAddress2, &i.MailingCity, &i.MailingState, &i.MailingPostalCode, &i.MailingCountry,
	}
}

func (d *stepDraft) businessContact(body []byte, isOwner bool) error {
	var contact models.BusinessContact
	if err := models.Document(d.from.Details.BusinessContact, &contact); err != nil {
		return err
	}
	before := valuesOf(personalOfContact(&contact))
	if err := merge(nil, body, &contact); err != nil {
		return err
	}
	d.faults = append(d.faults, contactFaults(contact)...)
	plain := valuesOf(personalOfContact(&contact))
	d.faults = append(d.faults, protect(&d.content, personalOfContact(&contact), before, d.key)...)
	if isOwner && len(d.faults) == 0 {
		if err := d.copyContact(contact, plain); err != nil {
			return err
		}
	}
	return d.write(models.DocumentContact, contact)
}

// copyContact makes the contact the first owner. Personal values are sealed again for their new field. Those that the
// request did not contain are opened first.
func (d *stepDraft) copyContact(contact models.BusinessContact, plain []*string) error {
	var owners models.BusinessOwners
	if err := models.Document(d.from.Details.BusinessOwners, &owners); err != nil {
		return err
	}
	if owners.Owners[0].Name != nil {
		return nil
	}
	owner := ownerOf(contact)
	for i, from := range personalOfContact(&contact) {
		if *from.value == nil {
			continue
		}
		value := *plain[i]
		if _, sent := d.content.Personal[from.name]; !sent {
			opened, err := d.key.Open(from.name, d.from.Sealed[from.name])
			if err != nil {
				return err
			}
			value = string(opened)
		}
		to := personalOfOwner(&owner, 1)[i]
		*to.value = *from.value
		seal(&d.content, to.name, value, d.key)
	}
	owners.Owners[0] = owner
	return d.write(models.DocumentOwners, owners)
}

func (d *stepDraft) businessOwners(body []byte) error {
	var owners models.BusinessOwners
	if err := models.Document(d.from.Details.BusinessOwners, &owners); err != nil {
		return err
	}
	before := valuesOf(personalOfOwners(&owners))
	if err := merge(nil, body, &owners); err != nil {
		return err
	}
	faults, err := ownerFaults(owners)
	if err != nil {
		return err
	}
	d.faults = append(d.faults, faults...)
	d.faults = append(d.faults, protect(&d.content, personalOfOwners(&owners), before, d.key)...)
	return d.write(models.DocumentOwners, owners)
}

func (d *stepDraft) bank(body []byte) error {
	var bank models.Bank
	d.content.Revision = 0
	if stored := d.from.Bank; stored != nil {
		d.content.Revision = stored.Revision
		if err := models.Document(stored.Details, &bank); err != nil {
			return err
		}
	}
	before := valuesOf(personalOfBank(&bank))
	if err := merge(nil, body, &bank); err != nil {
		return err
	}
	d.faults = append(d.faults, protect(&d.content, personalOfBank(&bank), before, d.key)...)
	return d.write(models.DocumentBank, bank)
}

// ownerOf returns a contact as an owner, without the personal values.
func ownerOf(c models.BusinessContact) models.BusinessOwner {
	return models.BusinessOwner{
		Name: &c.Name, Phone: &c.Phone, Email: &c.Email, Title: c.Title,
		Address1: &c.Address1, Address2: c.Address2, City: &c.City, State: c.State, PostalCode: c.PostalCode,
		Country: &c.Country,
	}
}
