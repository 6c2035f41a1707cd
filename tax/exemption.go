package tax

import "slices"

// freedBy is the exemption that frees a line where the sale is taxed; nil for none.
func (k *calculation) freedBy(l *Line) *Exempt {
	if e := k.exemptionOf(l); e != nil && !k.inPart(e) {
		return e
	}
	return nil
}

// freedInPart is the exemption that frees a line from the taxes of a part of the country alone; nil for none.
func (k *calculation) freedInPart(l *Line) *Exempt {
	if e := k.exemptionOf(l); e != nil && k.inPart(e) {
		return e
	}
	return nil
}

// exemptionOf is the exemption of a line that applies where the sale is taxed; nil for none.
func (k *calculation) exemptionOf(l *Line) *Exempt {
	e := l.Exempt
	if e == nil || e.Country != "" && e.Country != k.taxed.Country || e.State != "" && e.State != k.taxed.State {
		return nil
	}
	return e
}

// inPart reports whether an exemption is one of a part of a country, such as a province of Canada. States of the United
// States are apart. Such an exemption frees from no tax of the country, also where the content does not know that tax.
// Sources: Excise Tax Act, section 165, which taxes every recipient of a supply that the Act itself does not free;
// Council Directive 2006/112/EC, articles 131 to 166.
func (k *calculation) inPart(e *Exempt) bool { return e.State != "" && k.taxed.Country != "US" }

func exemptReason(e *Exempt) TaxReason {
	if e.Reason != "" {
		return e.Reason
	}
	switch e.TaxExemption {
	case ExemptionCustomer, ExemptionWholesale:
		return ReasonCustomerExempt
	case ExemptionTransaction:
		return ReasonTransactionExempt
	case ExemptionReverseCharge:
		return ReasonReverseCharge
	case ExemptionExport:
		return ReasonExport
	default:
		return ReasonProductExempt
	}
}

// exemptionDoubt is doubt about what an exemption was taken to free a line from. Sources: Excise Tax Act, sections 165 and
// 169; Council Directive 2006/112/EC, article 168.
func (k *calculation) exemptionDoubt(w *work) string {
	switch {
	case w.net == 0:
		return ""
	case k.freedForResale(w):
		return "a tax on value added is due on sales for resale too, and the buyer deducts it (Directive 2006/112/EC, article " +
			"168; Excise Tax Act, section 169); the exemption was taken to free from it"
	case !w.taxed || k.freedInPart(w.line) == nil || k.taxedByProvince():
		return ""
	case k.taxed.Country == "CA":
		return "an exemption for a province does not free from the GST and HST, which are taxes of Canada, and what a " +
			"province relieves of the HST at the point of sale is not in the content; it was taxed in full. Where Canada " +
			"frees the buyer too, record the exemption without a jurisdiction"
	}
	country := withArticle(k.c.countries[k.taxed.Country])
	return "an exemption for a part of a country does not free from the VAT, and no part of " + country + " has a tax of its " +
		"own. Where " + country + " frees the buyer, record the exemption without a jurisdiction"
}

// freedForResale reports whether an exemption of what is bought for resale frees a line from a tax on value added. The
// PST and RST of provinces, which are taxes on the last sale, free it by law.
func (k *calculation) freedForResale(w *work) bool {
	e := k.exemptionOf(w.line)
	return e != nil && e.TaxExemption == ExemptionWholesale && slices.ContainsFunc(k.sharesOf(w), func(s share) bool {
		return s.levy != nil && s.levy.kind != levyPST && s.levy.kind != levyRST && s.exempt && s.reason == exemptReason(e)
	})
}

// taxedByProvince reports whether a province has a tax of its own beside that of the country.
func (k *calculation) taxedByProvince() bool {
	return slices.ContainsFunc(k.levies, func(l levied) bool { return !l.general.levy.kind.federal() })
}
