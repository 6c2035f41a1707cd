package models

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
)

// TaxIDs is a record with tax ids. They are encrypted in the store.
type TaxIDs interface {
	// EachTaxID replaces every tax id of the record by the result of change. Errors: those of change,
	// and of a document that cannot be decoded.
	EachTaxID(change func(string) (string, error)) error
}

// EachTaxID changes the numbers of an exemption.
func (e *Exemption) EachTaxID(change func(string) (string, error)) error {
	return changeTexts(change, &e.FEIN, &e.SalesTaxID)
}

// EachTaxID changes the numbers of a customer.
func (c *Customer) EachTaxID(change func(string) (string, error)) error {
	registrations := slices.Clone(c.TaxRegistrations) // the slice may be shared
	for i := range registrations {
		changed, err := change(registrations[i].TaxID)
		if err != nil {
			return err
		}
		registrations[i].TaxID = changed
	}
	c.TaxRegistrations = registrations
	return changeTexts(change, &c.RegistrationNumber)
}

// EachTaxID changes the numbers of a transaction, of its customer and of its exemptions.
func (t *Transaction) EachTaxID(change func(string) (string, error)) error {
	if err := changeTexts(change, &t.TaxID); err != nil {
		return err
	}
	if err := t.Customer.EachTaxID(change); err != nil {
		return err
	}
	for i := range t.Exemptions {
		if err := t.Exemptions[i].EachTaxID(change); err != nil {
			return err
		}
	}
	if err := changeMembers(change, &t.RequiresExemption, "FEIN", "sales_tax_id"); err != nil {
		return err
	}
	return changeMembers(change, &t.Sent.Exemptions, "FEIN", "sales_tax_id")
}

// EachTaxID changes the numbers of a registration.
func (r *Registration) EachTaxID(change func(string) (string, error)) error {
	return changeTexts(change, &r.SalesTaxID, &r.TaxID)
}

// EachTaxID changes the number of the registration of a nexus record.
func (r *NexusRecord) EachTaxID(change func(string) (string, error)) error {
	if r.Registration == nil {
		return nil
	}
	return changeTexts(change, &r.Registration.SalesTaxID)
}

// EachTaxID changes the numbers of an organization.
func (d *OrganizationDetails) EachTaxID(change func(string) (string, error)) error {
	return changeMembers(change, &d.BusinessDetails, "ein", "tax_id")
}

// AnyTaxIDs is a document whose every text may be a tax id.
type AnyTaxIDs struct{ Document *json.RawMessage }

// EachTaxID calls change with every text of the document.
func (a AnyTaxIDs) EachTaxID(change func(string) (string, error)) error {
	return changeDocument(change, a.Document, func(string) bool { return true })
}

// NamedTaxIDs is a document with tax ids under the names that they have in any record.
type NamedTaxIDs struct{ Document *json.RawMessage }

// taxIDNames are the names of tax ids in any record.
var taxIDNames = []string{"fein", "FEIN", "sales_tax_id", "tax_id", "ein", "registration_number"}

// EachTaxID changes the numbers of a document.
func (n NamedTaxIDs) EachTaxID(change func(string) (string, error)) error {
	return changeMembers(change, n.Document, taxIDNames...)
}

// HasTaxID reports whether a document has a non-empty tax id under one of taxIDNames. It does not parse the document,
// but reads it once, from colon to colon.
func HasTaxID(document []byte) bool {
	for at := 0; ; at++ {
		next := bytes.IndexByte(document[at:], ':')
		if next < 0 {
			return false
		}
		at += next
		if namesTaxID(document[:at]) {
			value := bytes.TrimLeft(document[at+1:], jsonSpace)
			if !bytes.HasPrefix(value, []byte(`""`)) && !bytes.HasPrefix(value, []byte("null")) {
				return true
			}
		}
	}
}

const jsonSpace = " \t\r\n"

// namesTaxID reports whether a text ends with one of the names, in quotation marks.
func namesTaxID(text []byte) bool {
	for len(text) > 0 && text[len(text)-1] <= ' ' {
		text = text[:len(text)-1]
	}
	text, quoted := bytes.CutSuffix(text, []byte(`"`))
	return quoted && slices.ContainsFunc(taxIDNames, func(name string) bool {
		before := len(text) - len(name) - 1
		return before >= 0 && text[before] == '"' && string(text[before+1:]) == name
	})
}

// changeTexts changes optional texts. It replaces the pointers, because others may point to the same text.
func changeTexts(change func(string) (string, error), texts ...**string) error {
	for _, text := range texts {
		if *text == nil {
			continue
		}
		changed, err := change(**text)
		if err != nil {
			return err
		}
		*text = &changed
	}
	return nil
}

// changeMembers changes texts that are members of a document with one of the names, at any depth.
func changeMembers(change func(string) (string, error), document *json.RawMessage, names ...string) error {
	found := func(name string) bool { return bytes.Contains(*document, []byte(`"`+name+`"`)) }
	if !slices.ContainsFunc(names, found) {
		return nil
	}
	return changeDocument(change, document, func(name string) bool { return slices.Contains(names, name) })
}

// changeDocument changes texts that are members of a document with a wanted name, at any depth.
func changeDocument(
	change func(string) (string, error), document *json.RawMessage, wanted func(name string) bool,
) error {
	var read any
	decoder := json.NewDecoder(bytes.NewReader(*document))
	decoder.UseNumber() // digit by digit
	if err := decoder.Decode(&read); err != nil {
		return fmt.Errorf("document with tax ids: %w", err)
	}
	if err := changeIn(change, read, wanted); err != nil {
		return err
	}
	written, err := json.Marshal(read)
	*document = written
	return err
}

func changeIn(change func(string) (string, error), in any, wanted func(name string) bool) (err error) {
	switch in := in.(type) {
	case []any:
		for _, element := range in {
			if err := changeIn(change, element, wanted); err != nil {
				return err
			}
		}
	case map[string]any:
		for name, member := range in {
			if text, ok := member.(string); ok && wanted(name) {
				if in[name], err = change(text); err != nil {
					return err
				}
			} else if err := changeIn(change, member, wanted); err != nil {
				return err
			}
		}
	}
	return nil
}
