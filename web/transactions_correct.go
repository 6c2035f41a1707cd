package web

import (
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

type address struct {
	Type       string `json:"type"`
	Status     string `json:"status"`
	Street1    string `json:"street_1"`
	City       string `json:"city"`
	State      string `json:"state"`
	PostalCode string `json:"postal_code"`
	Country    string `json:"country"`

	Street2 string `json:"street_2"`
	Full    string `json:"full_address"`
}

// String returns the address in one line.
func (a address) String() string {
	parts := []string{a.Street1, a.Street2, a.City, a.State, a.PostalCode, a.Country}
	line := strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " ")
	return cmp.Or(line, a.Full, "nothing is known of it")
}

// addressEntry is an address of a transaction with the fields that correct it.
type addressEntry struct {
	address
	Fields []field
	Sent   bool // its form was refused
}

// addressesOf returns the addresses of a transaction. A sale without any gets an empty one to be filled in.
func (v *pageRequest) addressesOf(t transaction) []addressEntry {
	addresses := t.Addresses
	if len(addresses) == 0 && !t.IsCredit() {
		addresses = []address{{Type: "SHIP_TO"}}
	}
	entries := make([]addressEntry, len(addresses))
	for i, a := range addresses {
		fields := addressForm().filled(a.stored(), nil).Groups[0].Fields
		for j := range fields {
			fields[j] = as(fields[j].ID()+"-"+strconv.Itoa(i), fields[j])
			fields[j].Native = true
		}
		entries[i] = addressEntry{address: a, Fields: fields, Sent: v.fault != nil && v.PostFormValue("type") == a.Type}
		if entries[i].Sent {
			entries[i].Fields = v.inputs(v.PostFormValue("action"), fields...)
		}
	}
	return entries
}

// addressForm returns the form of the fields of an address that people correct.
func addressForm() htmlForm {
	return htmlForm{Groups: []fieldGroup{{Fields: []field{
		text("street_1", "Street", 255, "off"), text("city", "City", 100, "off"), region("state", "State", 50, "off"),
		text("postal_code", "Postal code", 20, "off"), text("country", "Country", 2, "off"),
	}}}}.changing()
}

// stored returns the values of the address's form.
func (a address) stored() map[string]any {
	return map[string]any{
		"street_1": a.Street1, "city": a.City, "state": a.State, "postal_code": a.PostalCode, "country": a.Country,
	}
}

// correctAddress changes an address in a new version of the transaction, which is processed again. A form that is sent
// twice makes one version.
func (c *Console) correctAddress(v *pageRequest) error {
	path := "/v1/transactions/" + v.id()
	read := map[string]any{}
	if err := v.get(path, v.org, &read); err != nil {
		return err
	}
	addresses, kind := records(read["addresses"]), v.PostFormValue("type")
	i := slices.IndexFunc(addresses, func(a map[string]any) bool { return a["type"] == kind })
	if i < 0 {
		i, addresses = len(addresses), append(addresses, map[string]any{"type": kind})
		read["addresses"] = addresses
	}
	stored, form := addresses[i], addressForm()
	if err := form.outdated(stored, v.PostForm); err != nil {
		return err
	}
	changed := form.body(stored, v.PostForm)
	maps.DeleteFunc(changed, func(name string, value any) bool { return textOf(value) == textOf(stored[name]) })
	if len(changed) == 0 && textOf(read["revision"]) != v.PostFormValue("revision") {
		v.replayed = true
		return v.goToOwn("transactions", v.PathValue("id"))
	}
	correct(stored, changed)
	err := v.call(http.MethodPut, path, v.org, changedVersion(read), nil)
	if refused, ok := correctable(err); ok {
		parts := form.each(func(f *field) { f.Path = fmt.Sprintf("addresses[%d].%s", i, f.Name) })
		return refused.fromForm(originsOf(parts.fields()))
	}
	if err != nil {
		return err
	}
	return v.goToOwn("transactions", v.PathValue("id"))
}

// correct changes an address. Unless only the street changes, parts that the form does not have are removed: they
// belong to the old location.
func correct(stored, changed map[string]any) {
	maps.Copy(stored, changed)
	delete(changed, "street_1")
	if len(changed) > 0 {
		for _, name := range []string{"county", "full_address", "is_unincorporated"} {
			delete(stored, name)
		}
	}
}

// changedVersion returns the body of a change: the required fields of the transaction as it was read. Other fields are
// left out, because processing has changed them; they keep the submitted values.
func changedVersion(read map[string]any) map[string]any {
	body := map[string]any{}
	for _, name := range []string{"external_id", "date", "customer", "transaction_items", "addresses", "revision"} {
		body[name] = read[name]
	}
	return body
}
