package tax

import "strings"

// Address is a postal address as it was written. FullAddress is read only
// when all other parts are empty.
type Address struct {
	Street1, Street2, City, County, State, PostalCode, Country string
	FullAddress                                                string
	Unincorporated                                             bool
}

// Place is what an address resolves to. It is plain data: it can be stored
// between two stages of processing and handed to Calculate later.
type Place struct {
	Status AddressStatus `json:"status"`

	// The normalised address. State is the code of the state or province.
	Street1    string `json:"street_1,omitempty"`
	Street2    string `json:"street_2,omitempty"`
	City       string `json:"city,omitempty"`
	County     string `json:"county,omitempty"`
	State      string `json:"state,omitempty"`
	PostalCode string `json:"postal_code,omitempty"`
	Country    string `json:"country,omitempty"`

	// AddressType names the address this place came from (SHIP_TO, ...). The
	// caller sets it; it appears in explanations and changes no amount.
	AddressType string `json:"address_type,omitempty"`

	Resolution Resolution `json:"resolution"`
	// Jurisdictions holds the ids of exactly those that tax here.
	Jurisdictions []string `json:"jurisdictions"`
	// Ambiguous means that the address fits several sets. Alternatives holds
	// the ids of the sets that were not chosen.
	Ambiguous    bool         `json:"ambiguous"`
	Alternatives [][]string   `json:"alternatives,omitempty"`
	Completeness Completeness `json:"completeness,omitempty"`
	Confidence   Confidence   `json:"confidence,omitempty"`
	// Reason is one sentence about the status.
	Reason string `json:"reason,omitempty"`
	// ContentVersion names the content that resolved the address; a sale is
	// calculated by the same one.
	ContentVersion string `json:"content_version,omitempty"`
}

// Known reports whether tax can be calculated here: the country is certain and,
// in the United States and Canada, the state or province too.
func (p Place) Known() bool {
	switch p.Country {
	case "":
		return false
	case "US", "CA":
		return p.State != ""
	}
	return true
}

// fault is why the address is invalid; empty for one that is not.
func (p *Place) fault() string {
	if p.Status != StatusInvalid {
		return ""
	}
	return p.Reason
}

func (a Address) trimmed() Address {
	for _, s := range []*string{&a.Street1, &a.Street2, &a.City, &a.County, &a.State, &a.PostalCode, &a.Country,
		&a.FullAddress} {
		*s = strings.TrimSpace(*s)
	}
	return a
}

func (a Address) onlyFull() bool {
	return a.Street1 == "" && a.Street2 == "" && a.City == "" && a.County == "" && a.State == "" &&
		a.PostalCode == "" &&
		a.Country == ""
}

func (a Address) blank() bool { return a.onlyFull() && a.FullAddress == "" }
