package web

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"levy/contract"
	"levy/models"
)

// addressEntry is an address of a transaction with the fields that correct it.
type addressEntry struct {
	contract.TransactionAddress
	Fields []field
	Sent   bool // its form was refused
}

// Line returns the address in one line.
func (a addressEntry) Line() string {
	parts := []string{a.Street1, a.Street2, a.City, a.State, a.PostalCode, a.Country}
	line := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
	return cmp.Or(line, a.FullAddress, "nothing is known of it")
}

// addressesOf returns the addresses of a transaction. A sale without any gets an empty one to be filled in.
func (v *pageRequest) addressesOf(t transaction) []addressEntry {
	addresses := t.Addresses
	if len(addresses) == 0 && !t.IsCredit() {
		addresses = []contract.TransactionAddress{{Type: contract.AddressType(models.ShipTo)}}
	}
	entries := make([]addressEntry, len(addresses))
	for i, a := range addresses {
		form := addressForm().filled(addressFields(a.Street1, a.City, a.State, a.PostalCode, a.Country), nil)
		fields := form.Groups[0].Fields
		for j := range fields {
			fields[j] = as(fields[j].ID()+"-"+strconv.Itoa(i), fields[j])
			fields[j].Native = true
		}
		entries[i] = addressEntry{
			TransactionAddress: a, Fields: fields, Sent: v.fault != nil && v.PostFormValue("type") == string(a.Type),
		}
		if entries[i].Sent {
			entries[i].Fields = v.inputs(v.PostFormValue("action"), fields...)
		}
	}
	return entries
}

// focusMissing puts the cursor into the first empty field of the addresses, so that people from the queue type at once. A
// street may be missing. It does nothing if no other field is empty.
func focusMissing(entries []addressEntry) {
	for _, e := range entries {
		for i := range e.Fields {
			if f := &e.Fields[i]; f.Value == "" && f.Name != "street_1" {
				f.Focus = true
				return
			}
		}
	}
}

// addressForm returns the form of the fields of an address that people correct.
func addressForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Fields: []field{
		text("street_1", "Street", 255, "off"), text("city", "City", 100, "off"), region("state", "State", 50, "off"),
		text("postal_code", "Postal code", 20, "off"), text("country", "Country", 2, "off"),
	}}}}.changing()
}

// addressFields returns the values of the form of an address.
func addressFields(street, city, state, postalCode, country string) map[string]any {
	return map[string]any{
		"street_1": street, "city": city, "state": state, "postal_code": postalCode, "country": country,
	}
}

// correctAddress changes an address in a new version of the transaction, which is processed again. A form that is sent
// twice makes one version.
func (c *Console) correctAddress(v *pageRequest) error {
	read, err := v.session.GetTransaction(v.Context(), contract.GetTransactionRequest{TransactionID: v.PathValue("id")})
	if err != nil {
		return err
	}
	addresses, err := sentAddresses(read.Addresses)
	if err != nil {
		return err
	}
	kind := contract.AddressType(v.PostFormValue("type"))
	i := slices.IndexFunc(addresses, func(a contract.TransactionAddressCreate) bool { return a.Type == kind })
	if i < 0 {
		i, addresses = len(addresses), append(addresses, contract.TransactionAddressCreate{Type: kind})
	}
	a, form := &addresses[i], addressForm()
	stored := addressFields(a.Street1, a.City, a.State, a.PostalCode, a.Country)
	if err := form.outdated(stored, v.PostForm); err != nil {
		return err
	}
	changed := form.body(stored, v.PostForm)
	maps.DeleteFunc(changed, func(name string, value any) bool { return textOf(value) == textOf(stored[name]) })
	if len(changed) == 0 && strconv.Itoa(read.Revision) != v.PostFormValue("revision") {
		v.replayed = true
		return v.goToOwn("transactions", v.PathValue("id"))
	}
	correct(a, changed)
	err = v.sendVersion(&read, addresses)
	if refused, ok := correctable(err); ok {
		parts := form.each(func(f *field) { f.Path = fmt.Sprintf("addresses[%d].%s", i, f.Name) })
		return refused.fromForm(originsOf(parts.fields()))
	}
	if err != nil {
		return err
	}
	return v.goToOwn("transactions", v.PathValue("id"))
}

// sentAddresses returns addresses as a change sends them: without what processing has found out.
func sentAddresses(read []contract.TransactionAddress) (addresses []contract.TransactionAddressCreate, err error) {
	raw, err := contract.Encode(read)
	if err != nil {
		return nil, err
	}
	return addresses, contract.Decode(raw, &addresses)
}

// correct changes an address. Unless only the street changes, parts that the form does not have are removed: they
// belong to the old location.
func correct(a *contract.TransactionAddressCreate, changed map[string]any) {
	for name, part := range map[string]*string{
		"street_1": &a.Street1, "city": &a.City, "state": &a.State, "postal_code": &a.PostalCode, "country": &a.Country,
	} {
		if value, ok := changed[name]; ok {
			*part = textOf(value)
		}
	}
	delete(changed, "street_1")
	if len(changed) > 0 {
		a.County, a.FullAddress, a.IsUnincorporated = "", "", false
	}
}

// sendVersion changes the addresses of a transaction. It sends the required fields as they were read. Other fields are
// left out, because processing has changed them; they keep the submitted values. Errors: those of the operation.
func (v *pageRequest) sendVersion(read *contract.Transaction, addresses []contract.TransactionAddressCreate) error {
	session, err := v.sending(map[string]any{
		"external_id": read.ExternalID, "date": read.Date, "customer": read.Customer,
		"transaction_items": read.TransactionItems, "addresses": addresses, "revision": read.Revision,
	})
	if err != nil {
		return err
	}
	_, err = session.UpdateTransaction(v.Context(), contract.UpdateTransactionRequest{TransactionID: v.PathValue("id")})
	return err
}
