package models

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// maxOwners is the most owners of a company.
const maxOwners = 3

// BusinessOwners is the document of step 7. In JSON the fields of owner n are named business_owner<n>_….
type BusinessOwners struct {
	Owners     [maxOwners]BusinessOwner
	Incomplete bool // further owners exist
}

// BusinessOwner is one owner. An owner without a name does not exist.
type BusinessOwner struct {
	Name       *string `json:"name,omitempty"`
	Percent    *string `json:"percent_ownership,omitempty"` // percent with two decimals
	Phone      *string `json:"phone,omitempty"`
	Email      *string `json:"email,omitempty"`
	Title      *string `json:"title,omitempty"`
	DOB        *string `json:"dob,omitempty"` // personal
	SSN        *string `json:"ssn,omitempty"` // personal
	DL         *string `json:"dl,omitempty"`  // personal
	Address1   *string `json:"address_1,omitempty"`
	Address2   *string `json:"address_2,omitempty"`
	City       *string `json:"city,omitempty"`
	State      *string `json:"state,omitempty"`
	PostalCode *string `json:"postal_code,omitempty"`
	Country    *string `json:"country_code,omitempty"`
}

const (
	ownerPrefix      = "business_owner"
	ownersIncomplete = "business_owners_incomplete"
)

func OwnerField(n int, name string) string { return fmt.Sprintf("%s%d_%s", ownerPrefix, n, name) }

// MarshalJSON writes the flat form of the contract.
func (o BusinessOwners) MarshalJSON() ([]byte, error) {
	flat := map[string]any{ownersIncomplete: o.Incomplete}
	for i, owner := range o.Owners {
		raw, err := json.Marshal(owner)
		if err != nil {
			return nil, err
		}
		var members map[string]any
		if err := json.Unmarshal(raw, &members); err != nil {
			return nil, err
		}
		for name, value := range members {
			flat[OwnerField(i+1, name)] = value
		}
	}
	return json.Marshal(flat)
}

// UnmarshalJSON merges the flat form into the existing owners. A null name removes the owner.
func (o *BusinessOwners) UnmarshalJSON(raw []byte) error {
	var flat map[string]json.RawMessage
	if err := json.Unmarshal(raw, &flat); err != nil {
		return err
	}
	var members [maxOwners]map[string]json.RawMessage
	for name, value := range flat {
		if name == ownersIncomplete {
			o.Incomplete = string(value) == "true" // null is the default
			continue
		}
		number, field, ok := strings.Cut(strings.TrimPrefix(name, ownerPrefix), "_")
		n, err := strconv.Atoi(number)
		if !ok || err != nil || n < 1 || n > maxOwners {
			continue
		}
		if members[n-1] == nil {
			members[n-1] = map[string]json.RawMessage{}
		}
		members[n-1][field] = value
	}
	for i, fields := range members {
		if fields == nil {
			continue
		}
		if string(fields["name"]) == "null" {
			o.Owners[i] = BusinessOwner{}
		}
		owner, err := json.Marshal(fields)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(owner, &o.Owners[i]); err != nil {
			return err
		}
	}
	return nil
}
