package tax

import (
	"slices"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/money"
	"levy/tax/postal"
)

// otherTax is a tax or fee other than the taxes on sales, such as a city's tax on meals. The content
// knows of it, and it is not calculated.
type otherTax struct {
	calendar.Span
	classes [numClasses]bool
	cities  []string // of the place, normalised; none: everywhere in the jurisdiction
	message string
	least   int64 // cents in US dollars of these classes from which on a sale bears it
}

func (b *builder) addOtherTaxes(rows []content.OtherTaxRow) {
	for _, row := range rows {
		j, known := b.c.byID[row.JurisdictionID]
		if !known {
			b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
			continue
		}
		if row.Tax == "" || row.Source == "" {
			b.fault(row.At, "no tax or no source")
		}
		o := otherTax{
			Span: calendar.Span{From: row.From, To: row.To}, classes: b.classSet(row.At, row.Classes),
			message: row.Tax + " may be due besides; it is not calculated here. Source: " + row.Source + ".",
			least:   b.dollars(row.At, row.Least),
		}
		if country := b.c.jurisdictions[j].Country; country != "US" && country != "CA" {
			o.message += " If you owe it, set the rate of the class with it at /v1/rate_overrides."
		}
		for _, city := range row.Cities {
			o.cities = append(o.cities, string(postal.PlaceKey(nil, city)))
		}
		b.checkSpan(row.At, o.Span)
		b.c.jurisdictions[j].others = append(b.c.jurisdictions[j].others, o)
	}
}

// isIn reports whether the tax is due in a city, empty for none.
func (o *otherTax) isIn(city string) bool {
	return len(o.cities) == 0 || slices.Contains(o.cities, string(postal.PlaceKey(nil, city)))
}

// otherTaxes adds a warning about each other tax that lines may bear, one for all of them. Where the
// seller set the rate of their class, it is calculated.
func (k *calculation) otherTaxes(found []Warning) []Warning {
	for _, j := range k.set {
		taxes := k.c.jurisdictions[j].others
		for i := range taxes {
			o := &taxes[i]
			if !o.Holds(k.req.TaxDate) || !o.isIn(k.taxed.City) {
				continue
			}
			first, lines, sum := 0, 0, int64(0)
			for n := range k.lines {
				w := &k.lines[n]
				if o.classes[w.class] && w.net != 0 && k.freedBy(w.line) == nil && !k.setBySeller(j, w.class) {
					if lines == 0 {
						first = n
					}
					lines++
					sum += w.net
				}
			}
			least, rated := k.converted(o.least, dollars)
			sold := perItem{cents: int64(money.Magnitude(sum)), quantity: 1}
			if lines == 0 || rated && sold.compare(least) < 0 {
				continue
			}
			warning := Warning{Code: WarningOtherLocalTax, Message: o.message}
			if lines == 1 {
				line := first // only a line that is told lives on
				warning.Line = &line
			}
			found = append(found, warning)
		}
	}
	return found
}
