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
	Before        decimal.Decimal // the standard rate on the first day of the period
}

// IsStandard reports whether a rate is one that was standard in the period.
func (m ShopMember) IsStandard(rate decimal.Decimal) bool {
	return rate.Cmp(m.Standard) == 0 || rate.Cmp(m.Before) == 0
}

// shopCodes are the codes that differ from those of countries (Directive 2006/112/EC, article 215).
var shopCodes = map[string]string{"GR": "EL"}

// ShopMembers returns the members at the end of a period, with their standard rates on its first and last day. They are in
// the order of their countries.
func (c *Content) ShopMembers(from, to calendar.Date) (members []ShopMember) {
	for _, country := range nexus.UnionMembers(to) {
		m := ShopMember{Country: country, Code: country}
		if code, ok := shopCodes[country]; ok {
			m.Code = code
		}
		i, ok := c.byID[country]
		if !ok {
			continue
		}
		m.Name = c.jurisdictions[i].Name
		if m.Standard, ok = c.GeneralRate(country, to); !ok {
			continue
		}
		if m.Before, ok = c.GeneralRate(country, from); !ok {
			m.Before = m.Standard
		}
		members = append(members, m)
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
