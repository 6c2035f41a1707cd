package models

import (
	"encoding/json"
	"fmt"
)

// StepRecords is what a step from 3 on starts from.
type StepRecords struct {
	Details OrganizationDetails
	Bank    *BankDetails      // nil before step 8
	Sealed  map[string][]byte // personal values of the contact, for a step that copies them
}

// Document reads one document into what it is of; a document that is not there
// leaves it as it was.
func Document[T any](raw json.RawMessage, to *T) error {
	if len(raw) == 0 {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("stored document of %T: %w", *to, err)
	}
	return nil
}

// DraftStep merges the body of a request, which is valid in itself, into the
// documents of a step, checks the rules on the merged result and seals what is
// personal. contactIsOwner copies the contact of step 6 into the first owner,
// unless there is one. Errors: *InvalidError, and those of documents and sealer.
func DraftStep(step int, body []byte, from StepRecords, contactIsOwner bool, key Sealer) (StepContent, error) {
	d := &draft{from: from, key: key, content: StepContent{Documents: map[string]json.RawMessage{}, Revision: from.Details.Revision}}
	var err error
	switch step {
	case StepBusinessDetails:
		err = d.businessDetails(body)
	case StepBusinessAddress:
		err = d.businessAddress(body)
	case StepBusinessInformation:
		err = d.businessInformation(body)
	case StepBusinessContact:
		err = d.businessContact(body, contactIsOwner)
	case StepBusinessOwners:
		err = d.businessOwners(body)
	case StepBankDetails:
		err = d.bank(body)
	}
	if err == nil && len(d.faults) > 0 {
		err = &InvalidError{Faults: d.faults}
	}
	return d.content, err
}

// draft collects what a step will write.
type draft struct {
	from    StepRecords
	key     Sealer
	content StepContent
	faults  []Fault
}

// merge puts a request over a stored document.
func merge[T any](stored json.RawMessage, body []byte, to *T) error {
	if err := Document(stored, to); err != nil {
		return err
	}
	if err := json.Unmarshal(body, to); err != nil {
		return fmt.Errorf("merge %T: %w", *to, err)
	}
	return nil
}

func (d *draft) write(name string, document any) error {
	raw, err := json.Marshal(document)
	d.content.Documents[name] = raw
	return err
}

func (d *draft) businessDetails(body []byte) error {
	var details BusinessDetails
	if err := merge(d.from.Details.BusinessDetails, body, &details); err != nil {
		return err
	}
	for _, flag := range []**bool{&details.AutoRegister, &details.AutoFile} {
		if *flag == nil {
			*flag = new(bool)
		}
	}
	var address BusinessAddress
	if err := merge(d.from.Details.BusinessAddress, body, &address); err != nil {
		return err
	}
	if address.BusinessName == nil {
		address.BusinessName = d.from.Details.OrganizationName
	}
	if err := d.write(DocumentAddress, address); err != nil {
		return err
	}
	return d.write(DocumentDetails, details)
}

func (d *draft) businessAddress(body []byte) error {
	var address BusinessAddress
	if err := merge(d.from.Details.BusinessAddress, body, &address); err != nil {
		return err
	}
	if address.BusinessName == nil {
		address.BusinessName = d.from.Details.OrganizationName
	}
	if address.Unincorporated == nil {
		address.Unincorporated = new(bool)
	}
	d.faults = append(d.faults, address.faults()...)
	return d.write(DocumentAddress, address)
}

func (d *draft) businessInformation(body []byte) error {
	var information BusinessInformation
	if err := merge(d.from.Details.BusinessInformation, body, &information); err != nil {
		return err
	}
	if information.AccountingModel == nil {
		accrual := "ACCRUAL"
		information.AccountingModel = &accrual
	}
	return d.write(DocumentInformation, information)
}

func (d *draft) businessContact(body []byte, isOwner bool) error {
	var contact BusinessContact
	if err := Document(d.from.Details.BusinessContact, &contact); err != nil {
		return err
	}
	before := valuesOf(contact.personal())
	if err := merge(nil, body, &contact); err != nil {
		return err
	}
	d.faults = append(d.faults, contact.faults()...)
	plain := valuesOf(contact.personal())
	d.faults = append(d.faults, d.content.protect(contact.personal(), before, d.key)...)
	if isOwner && len(d.faults) == 0 {
		if err := d.copyContact(contact, plain); err != nil {
			return err
		}
	}
	return d.write(DocumentContact, contact)
}

// copyContact makes the contact the first owner. Personal values that the request
// carried are sealed once more, for their new field; others are opened first.
func (d *draft) copyContact(contact BusinessContact, plain []*string) error {
	var owners BusinessOwners
	if err := Document(d.from.Details.BusinessOwners, &owners); err != nil {
		return err
	}
	if owners.Owners[0].Name != nil {
		return nil
	}
	owner := ownerOf(contact)
	for i, from := range contact.personal() {
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
		to := owner.personal(1)[i]
		*to.value = *from.value
		d.content.seal(to.name, value, d.key)
	}
	owners.Owners[0] = owner
	return d.write(DocumentOwners, owners)
}

func (d *draft) businessOwners(body []byte) error {
	var owners BusinessOwners
	if err := Document(d.from.Details.BusinessOwners, &owners); err != nil {
		return err
	}
	before := valuesOf(owners.personal())
	if err := merge(nil, body, &owners); err != nil {
		return err
	}
	faults, err := owners.faults()
	if err != nil {
		return err
	}
	d.faults = append(d.faults, faults...)
	d.faults = append(d.faults, d.content.protect(owners.personal(), before, d.key)...)
	return d.write(DocumentOwners, owners)
}

func (d *draft) bank(body []byte) error {
	var bank Bank
	d.content.Revision = 0
	if stored := d.from.Bank; stored != nil {
		d.content.Revision = stored.Revision
		if err := Document(stored.Details, &bank); err != nil {
			return err
		}
	}
	before := valuesOf(bank.personal())
	if err := merge(nil, body, &bank); err != nil {
		return err
	}
	d.faults = append(d.faults, d.content.protect(bank.personal(), before, d.key)...)
	return d.write(DocumentBank, bank)
}
