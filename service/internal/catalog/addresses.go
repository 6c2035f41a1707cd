package catalog

import (
	"cmp"
	"context"
	"strings"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service/internal/convert"
	"levy/tax"
	"levy/tax/calendar"
)

// noAddressPart refuses an address without any part.
var noAddressPart = problem.Invalid(models.FieldMissing, "", "At least one part of the address is required.")

// SearchAddress checks an address. It returns the best match, then the other sets of jurisdictions that match.
func (o *Operations) SearchAddress(
	ctx context.Context, r contract.SearchAddressRequest,
) (contract.AddressMatchList, error) {
	sent := r.Body
	if sent == (contract.AddressSearch{}) {
		return nil, noAddressPart
	}
	asked := tax.DatedAddress{Day: calendar.DateOf(o.now().UTC()), Address: tax.Address{
		Street1: sent.Street1, Street2: sent.Street2, City: sent.City, County: sent.County, State: sent.State,
		PostalCode: sent.PostalCode, Country: sent.Country, FullAddress: sent.FullAddress,
	}}
	places, err := o.deps.Places.Locate(ctx, []tax.DatedAddress{asked})
	if err != nil {
		return nil, err
	}
	place := places[asked]
	matches := []contract.AddressMatch{o.match(sent, place)}
	for _, set := range place.Alternatives {
		other := place
		other.Jurisdictions = set
		other.County = sent.County
		if sent.City == "" { // the best match supplied the city
			other.City = ""
		}
		matches = append(matches, o.match(sent, other))
	}
	return matches, nil
}

func (o *Operations) match(sent contract.AddressSearch, p tax.Place) contract.AddressMatch {
	found := contract.AddressFound{
		Street1: convert.Optional(p.Street1), Street2: convert.Optional(p.Street2), City: convert.Optional(p.City),
		County: convert.Optional(p.County),
		State:  convert.Optional(p.State), PostalCode: convert.Optional(p.PostalCode), Country: convert.Optional(p.Country),
		FullAddress: convert.Optional(oneLine(p)),
	}
	enriched := []string{}
	for _, part := range []struct {
		name  string
		sent  string
		found *string
	}{
		{"street_1", sent.Street1, found.Street1}, {"street_2", sent.Street2, found.Street2},
		{"city", sent.City, found.City},
		{"county", sent.County, found.County}, {"state", sent.State, found.State},
		{"postal_code", sent.PostalCode, found.PostalCode},
		{"country", sent.Country, found.Country}, {"full_address", sent.FullAddress, found.FullAddress},
	} {
		if part.found != nil && *part.found != part.sent {
			enriched = append(enriched, part.name)
		}
	}
	return contract.AddressMatch{
		AddressSubmitted: sent, ResponseAddress: found, VerificationStatus: contract.AddressStatus(p.Status),
		EnrichFields: enriched,
		Resolution:   contract.AddressResolution(p.Resolution), Ambiguous: p.Ambiguous,
		Jurisdictions: o.jurisdictions(p.Jurisdictions),
	}
}

func (o *Operations) jurisdictions(ids []string) []contract.Jurisdiction {
	list := make([]contract.Jurisdiction, 0, len(ids))
	for _, id := range ids {
		if j, ok := o.deps.Places.Jurisdiction(id); ok {
			list = append(list, contract.Jurisdiction{
				JurisdictionType: contract.JurisdictionType(j.Type), JurisdictionName: j.Name, Country: j.Country,
				State: j.State,
				Code:  j.Code,
			})
		}
	}
	return list
}

// oneLine returns an address as "street, city, state ZIP, country".
func oneLine(p tax.Place) string {
	var parts []string
	for _, part := range []string{
		p.Street1, p.Street2, p.City, strings.TrimSpace(p.State + " " + p.PostalCode), p.Country,
	} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}

// SuggestAddresses completes the beginning of an address.
func (o *Operations) SuggestAddresses(
	_ context.Context, r contract.SuggestAddressesRequest,
) (contract.AddressSuggestionList, error) {
	sent := r.Body
	if sent == (contract.AddressBeginning{}) {
		return contract.AddressSuggestionList{}, noAddressPart
	}
	found := o.deps.Places.Suggest(tax.Address{
		City: sent.City, County: sent.County, State: sent.State,
		PostalCode: cmp.Or(sent.PostalCode, sent.PostalCodeToo),
		Country:    cmp.Or(sent.Country, "US"), FullAddress: sent.FullAddress,
	})
	total := len(found)
	size := max(total, 1)
	return contract.AddressSuggestionList{
		Items: convert.ConvertAll(found, func(f tax.Suggestion) contract.AddressSuggestion {
			return contract.AddressSuggestion{
				City: f.City, County: f.County, State: f.State, PostalCode: f.PostalCode, Country: f.Country,
			}
		}),
		Total: int64(total), Page: 1, Size: size, Pages: convert.Pages(int64(total), size),
	}, nil
}
