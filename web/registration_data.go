package web

import (
	"encoding/json"
	"strings"

	"levy/contract"
)

// specificFields begins the names of the fields that a registration has for its authority alone.
const specificFields = "jurisdiction_specific_fields."

// dataName begins the names of the fields with data that returns ask of a registration.
const dataName = "data_"

// returnFields returns the fields that returns ask of a registration, with what it has.
func (v *pageRequest) returnFields(r *contract.Registration) ([]field, error) {
	request := contract.ListReturnFormatsRequest{}
	request.Params.CountryCode, request.Params.StateCode = r.CountryCode, r.StateCode
	formats, err := v.session.ListReturnFormats(v.Context(), request)
	if err != nil {
		return nil, err
	}
	stored, err := specificOf(r)
	if err != nil {
		return nil, err
	}
	var asks []field
	for _, f := range formats.Fields {
		name, specific := strings.CutPrefix(f.Field, specificFields)
		if _, list := stored[name].([]any); !specific || list {
			continue // a list is entered by the API
		}
		one := text(dataName+name, sentence(strings.ToUpper(name)), 50, "off")
		one.Hint, one.Value = f.Expected, textOf(stored[name])
		asks = append(asks, one)
	}
	return asks, nil
}

// specificOf returns the fields of a registration that are for its authority alone.
func specificOf(r *contract.Registration) (map[string]any, error) {
	fields := map[string]any{}
	if r.JurisdictionSpecificFields == nil {
		return fields, nil
	}
	return fields, json.Unmarshal(*r.JurisdictionSpecificFields, &fields)
}

// enterData changes the fields of the registration of the page that the form has. Others stay.
func (v *pageRequest) enterData() error {
	read, err := v.readRegistration()
	if err != nil {
		return err
	}
	fields, err := specificOf(&read)
	if err != nil {
		return err
	}
	for sent := range v.PostForm {
		name, is := strings.CutPrefix(sent, dataName)
		switch value := typedIn(v.PostForm, sent); {
		case !is:
		case value == "":
			delete(fields, name)
		default:
			fields[name] = value
		}
	}
	return v.updateRegistration(v.sending(map[string]any{"jurisdiction_specific_fields": fields}))
}
