package tax

import (
	"levy/tax/money"
	"levy/tax/postal"
)

// mostPlaces are the places that a warning names; a ZIP hardly ever has more.
const mostPlaces = 6

// sharedBy names the places that an address can lie in, with the rate of each, and what settles the doubt.
func (k *calculation) sharedBy() string {
	text := []byte("The address can lie in places with different taxes: ")
	if _, ok := postal.ZIP5(k.taxed.PostalCode); ok && k.taxed.Country == "US" {
		text = append([]byte("ZIP "+k.taxed.PostalCode[:5]), " lies in places with different taxes: "...)
	}
	text = append(k.appendPlace(text, k.taxed.Jurisdictions), " was taken"...)
	for i, ids := range k.taxed.Alternatives {
		if i == mostPlaces {
			text = append(text, ", others"...)
			break
		}
		text = k.appendPlace(append(text, ", "...), ids)
	}
	return string(append(text, ". Where the ZIP has one post office for them, only the street tells: name the city or "+
		"county that the address lies in, or mark it as unincorporated."...))
}

// appendPlace names a set of jurisdictions by its city, else its county, and its rate.
func (k *calculation) appendPlace(text []byte, ids []string) []byte {
	set, err := k.c.indexes(nil, ids)
	if err != nil {
		return text // of a content that is gone
	}
	name, inCity := "", false
	for _, j := range set {
		switch at := &k.c.jurisdictions[j]; {
		case at.order == orderCity:
			name, inCity = at.Name, true
		case at.order == orderCounty && !inCity, at.order == orderState && name == "":
			name = at.Name
		}
	}
	text = append(text, name...)
	if !inCity {
		text = append(text, " outside of cities that tax"...)
	}
	text = append(text, " ("...)
	text = money.AppendPercent(text, k.c.rateOfSet(set, keyAny, k.req.TaxDate))
	return append(text, ')')
}
