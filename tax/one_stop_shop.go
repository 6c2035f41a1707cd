package tax

import (
	"github.com/govalues/decimal"

	"levy/tax/calendar"
	"levy/tax/nexus"
)

// ShopState is the state of files for the one-stop shop of the European Union in a member.
const ShopState = "OSS"

// ShopMember is a member of the Union in a return of the one-stop shop.
type ShopMember struct {
	Country, Name string
	Code          string // as returns write it
	Standard      decimal.Decimal
}

// shopCodes are the codes that differ from those of countries (Directive 2006/112/EC, article 215).
var shopCodes = map[string]string{"GR": "EL"}

// ShopMembers returns the members on a day, in the order of their countries, with their standard rates.
func (c *Content) ShopMembers(day calendar.Date) (members []ShopMember) {
	for _, country := range nexus.UnionMembers(day) {
		m := ShopMember{Country: country, Code: country}
		if code, ok := shopCodes[country]; ok {
			m.Code = code
		}
		i, ok := c.byID[country]
		if !ok {
			continue
		}
		m.Name = c.jurisdictions[i].Name
		if m.Standard, ok = c.GeneralRate(country, day); ok {
			members = append(members, m)
		}
	}
	return members
}

// The kinds of supplies of the one-stop shop. A charge, such as shipping, is a part of what it is charged for.
const (
	SupplyGoods   = "GOODS"
	SupplyService = "SERVICES"
	SupplyCharge  = "CHARGE"
)

// SupplyOf returns the kind of the supplies of a class; "" for none that the program knows.
func SupplyOf(class TaxClass) string {
	key, ok := class.key()
	switch {
	case !ok:
		return ""
	case key.charge():
		return SupplyCharge
	case goods[key]:
		return SupplyGoods
	}
	return SupplyService
}
