package tax

import (
	"cmp"
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/nexus"
	"levy/tax/postal"
)

// atSeller are services that a consumer in the European Union or the United Kingdom has where the seller is
// established. Source: Council Directive 2006/112/EC, article 45; VAT Act 1994, section 7A(2)(b).
var atSeller = [numClasses]bool{
	keyService: true, keyProfessional: true, keyAdvertising: true, keyDataProcessing: true, keySecurity: true,
	keyLegal: true, keyAccounting: true, keyEngineering: true, keyConsulting: true, keyStaffing: true, keyCreditReport: true,
	keyDebtCollection: true, keyPhoneAnswering: true, keyInformation: true, keyWebDesign: true, keyITSupport: true,
}

// exported are services that are untaxed in the country of the seller for consumers outside the European Union or the
// United Kingdom. Other services for such consumers are taxed at the seller. Source: Council Directive 2006/112/EC,
// articles 45 and 59; VAT Act 1994, schedule 4A, paragraph 16.
var exported = [numClasses]bool{keyProfessional: true, keyAdvertising: true, keyDataProcessing: true, keyLegal: true,
	keyAccounting: true, keyEngineering: true, keyConsulting: true, keyStaffing: true, keyInformation: true}

// excisable goods are outside the schemes for consignments of small value. Source: Council Directive
// 2006/112/EC, article 369l; HMRC, VAT and overseas goods sold directly to customers in the UK; Skatteetaten, VOEC.
var excisable = [numClasses]bool{keyAlcohol: true, keyTobacco: true, keyBeer: true, keyWine: true, keySpirits: true,
	keyCigarette: true, keyCigar: true, keyVapour: true}

// capInAlaska is the least price of a sale, in cents, of which a local government of Alaska taxes only a part. Source: Code
// of the Kenai Peninsula Borough, chapter 5.18; others have other amounts, some of an item, which are not in the content.
const capInAlaska = 500_00

// doubt is what the law of the place that taxes a line asks about it and a sale does not say; empty for nothing.
func (k *calculation) doubt(w *work) string {
	o := k.req.Origin
	if slices.Contains(k.reliefs, export) {
		return k.exportDoubt(w, o)
	}
	if w.net != 0 && k.inLloydminster() && k.bearsProvincialTax(w) {
		return "residents and businesses of Lloydminster bear no provincial tax on most of what they buy for use there; it " +
			"was taxed"
	}
	if k.state != nil {
		return k.stateDoubt(w)
	}
	if doubt := cmp.Or(k.exemptionDoubt(w), k.homeDoubt(w)); doubt != "" {
		return doubt
	}
	if w.taxed && w.net != 0 && k.inAegean() {
		return "on some islands of the Aegean the rates are lower by 30 %; they were taken in full"
	}
	if o == nil || o.Country == "" || len(k.levies) == 0 || k.taxed.Country == "CA" ||
		w.net == 0 || k.freedBy(w.line) != nil {
		return ""
	}
	abroad, outside := o.Country != k.taxed.Country, k.c.outside(o) != nil
	inUnion := nexus.UnionMember(k.taxed.Country, k.req.TaxDate)
	business, asked := k.toBusinessThere(), ""
	if abroad && business {
		asked = k.businessDoubt(w)
	}
	switch {
	case asked != "":
		return asked
	case !movable[w.class] && abroad && inUnion && business:
		return "whether a business accounts for the tax on services that are bound to a place is for the member state to " +
			"say (Directive 2006/112/EC, article 194)"
	case outside && !abroad && supplies[w.class] && business:
		return "a business may account itself for the tax on services from a seller outside the territory of the tax " +
			"(Directive 2006/112/EC, articles 44 and 196)"
	case atSeller[w.class] && abroad && (inUnion || k.taxed.Country == "GB") && w.taxed:
		return "services to a consumer are taxed where the seller is established, but for some that the law names; they " +
			"were taxed where the consumer is"
	case goods[w.class] && w.taxed && k.req.acrossIrishSea():
		return "goods between Northern Ireland and the European Union count for the threshold for distance sales (Directive " +
			"2006/112/EC, article 59c), and below it they are taxed where they come from"
	case goods[w.class] && w.taxed:
		return k.importDoubt(w, o, business)
	}
	return ""
}

// businessDoubt is what the law asks about supplies to a business from abroad; empty for nothing.
func (k *calculation) businessDoubt(w *work) string {
	switch l := k.c.businessLawOf(k.taxed.Country, w.class, k.req.TaxDate); {
	case l == nil || l.doubt == "":
		return ""
	case l.accounts:
		return l.doubt + "; no tax was calculated"
	default:
		return l.doubt + "; it was taxed"
	}
}

// stateDoubt is what the law of a state asks about a line and a sale does not say. Sources: HRS 237-4, 237-13(2) and
// 237-25; Fla. Admin. Code 12A-15.004; NMSA 7-1-14; Tenn. Code Ann. 67-6-702.
func (k *calculation) stateDoubt(w *work) string {
	free := k.freedBy(w.line)
	switch k.state.code {
	case "AK":
		if w.taxed && k.aboveCapInAlaska(w) {
			return "boroughs and cities tax only the first part of the price of a sale, in some of them 500 dollars; it was " +
				"taxed in full"
		}
	case "AZ":
		if w.taxed && k.mayHaveTiers(w) {
			return "some cities tax the part of the price of a single item above an amount, in some of them 5,000 dollars, at a " +
				"lower rate; it was taxed in full at the usual one"
		}
	case "FL":
		if k.isSoldInBulk(w) {
			return "several of one kind that are usually sold together, and the electric power of a bill, can be one item, of " +
				"which a county takes its surtax of the first 5,000 dollars (Fla. Admin. Code 12A-15.004); it was taken of each"
		}
	case "HI":
		if w.net != 0 && free != nil &&
			(free.TaxExemption == ExemptionWholesale || free.TaxExemption == ExemptionCustomer) {
			return "the general excise tax is one on the seller: sales for resale bear 0.5 %, and few customers are free of it " +
				"(HRS 237-4, 237-13 and 237-25); no tax was calculated"
		}
	case "NM":
		if w.taxed && w.class == keyProfessional && k.req.TaxDate >= newMexicoDelivers {
			return "services of a profession are taxed where they are performed or the seller is (NMSA 7-1-14); they were taxed " +
				"where they are delivered"
		}
	case "TN":
		if w.class == keyRentalGoods && slices.ContainsFunc(k.sharesOf(w), func(s share) bool { return k.limitsArticle(&s) }) {
			return "whether the limit on the price of a single article holds for a rental is not in the content; it was taken " +
				"to hold"
		}
	}
	return ""
}

// isSoldInBulk reports whether the limit on the price of an item leaves more of a line than that limit.
func (k *calculation) isSoldInBulk(w *work) bool {
	return slices.ContainsFunc(k.state.rules, func(r localRule) bool {
		return r.kind == ruleLocalBaseCap && r.covers(w.class, k.req.TaxDate) &&
			slices.ContainsFunc(k.sharesOf(w), func(s share) bool {
				limited := s.rate != 0 && r.levels[k.c.jurisdictions[s.jurisdiction].order]
				return limited && max(s.base, -s.base)/perCent > k.limit(r.amount, dollars).times(1)
			})
	})
}

var newMexicoDelivers = calendar.MustDate("2021-07-01")

// homeDoubt is doubt about sales that were taxed in the seller's member state before July 2021. Source: Council
// Directive
// 2006/112/EC, articles 33, 34 and 58 as they were before article 59c; Directive 2008/8/EC; Directive (EU) 2017/2455.
func (k *calculation) homeDoubt(w *work) string {
	switch day := k.req.TaxDate; {
	case !w.taxed || w.net == 0 || day >= oneUnionThreshold || !k.req.TaxedAtHome():
	case goods[w.class] || w.class.charge():
		return "until June 2021 each member state had a threshold of its own for distance sales; the sale was taken to be below it"
	case electronic(w.class) && day >= electronicAtConsumer:
		return "from 2015 to 2018 electronic services were taxed where the consumer is, and until June 2021 they had a " +
			"threshold of their own; the sale was taken to be below it"
	}
	return ""
}

var oneUnionThreshold, electronicAtConsumer = calendar.MustDate("2021-07-01"), calendar.MustDate("2015-01-01")

// aboveCapInAlaska reports whether the sale of a line, or what comes back with it, costs more than the cap.
func (k *calculation) aboveCapInAlaska(w *work) bool {
	sale := perItem{cents: k.totals.all[sideOf(w.net)], quantity: 1}
	return sale.compare(k.limit(capInAlaska, dollars)) > 0
}

// exportDoubt is doubt about what leaves the country of the seller untaxed.
func (k *calculation) exportDoubt(w *work, o *Place) string {
	taxing := nexus.UnionMember(o.Country, k.req.TaxDate) || o.Country == "GB"
	switch {
	case !taxing, w.net == 0, len(k.req.CustomerVAT) > 0, k.freedBy(w.line) != nil:
		return ""
	case o.Country == "IT" && goods[w.class] && k.inSanMarino():
		return "goods that Italy sends to a consumer in San Marino bear the tax of Italy, but for distance sales above a " +
			"threshold; they were not taxed"
	case w.class.root() != keyService, exported[w.class], !supplies[w.class]:
		return ""
	}
	return "services to a consumer in another country are taxed where the seller is established, but for some that the " +
		"law names; they were not taxed"
}

// inSanMarino reports whether a sale goes to San Marino, also where the address is written as one of Italy. Source:
// Decree of the Italian Minister of Economy and Finance of 21 June 2021 on trade with San Marino.
func (k *calculation) inSanMarino() bool {
	t := k.c.outside(k.taxed)
	return t != nil && t.name == "San Marino"
}

// importDoubt is doubt about goods that are taxed at their sale by a scheme for consignments of small value.
func (k *calculation) importDoubt(w *work, o *Place, business bool) string {
	i := slices.IndexFunc(k.c.limits, func(l importLimit) bool { return k.limits(&l, o) })
	switch {
	case i < 0:
		return ""
	case k.c.limits[i].ofTax && k.suppliesThere(&k.c.limits[i]) && k.exceeds(&k.c.limits[i]):
		return "only a seller by mail order, or one who has declared so, supplies goods of this value where they arrive; for " +
			"another registered seller the tax is due at the border (MWSTG, article 7(3))"
	case k.c.limits[i].ofTax: // Switzerland's is for all goods and customers
		return ""
	}
	inUnion := nexus.UnionMember(k.taxed.Country, k.req.TaxDate)
	food := w.class.root() == keyFood || w.class == keyPreparedFood || w.class == keySupplement
	switch {
	case business, inUnion && (k.hasVATOfUnion() || slices.Contains(k.req.CustomerVAT, northernIreland)):
		return "a business accounts for the tax on goods from abroad itself, by reverse charge or at the border; the " +
			"scheme for consignments of small value is for consumers"
	case excisable[w.class]:
		return "goods that bear an excise duty are outside the scheme for consignments of small value, and the tax is due " +
			"at the border"
	case food && k.taxed.Country == "NO":
		return "food is outside the scheme for consignments of small value (VOEC), and the tax is due at the border"
	}
	return ""
}

// toBusinessThere reports whether the customer has a VAT id of the country where the sale is taxed.
func (k *calculation) toBusinessThere() bool {
	return slices.Contains(k.req.CustomerVAT, k.taxed.Country)
}

// inLloydminster reports whether a sale is taxed in the part of the city that lies in Saskatchewan. Source: Provincial
// Sales Tax Act of Saskatchewan and its regulations, exemptions of Lloydminster.
func (k *calculation) inLloydminster() bool {
	if k.taxed.Country != "CA" || k.taxed.State != "SK" {
		return false
	}
	var buf [64]byte
	return strings.HasPrefix(k.taxed.PostalCode, "S9V") ||
		string(postal.Compact(buf[:0], k.taxed.City)) == "LLOYDMINSTER"
}

// inAegean reports whether a sale is taxed on an island that can have the lower rates. These are Lesbos, Chios, Samos,
// the Dodecanese and islands near them, and Samothrace. Source: VAT Code of Greece (Law 5144/2024), article 26; Law
// 5246/2025.
func (k *calculation) inAegean() bool {
	var buf [16]byte
	code := strings.TrimPrefix(string(postal.Compact(buf[:0], k.taxed.PostalCode)), "GR")
	return k.taxed.Country == "GR" && len(code) > 2 &&
		(code == "68002" || slices.Contains([]string{"81", "82", "83", "85"}, code[:2]))
}

func (k *calculation) bearsProvincialTax(w *work) bool {
	return slices.ContainsFunc(k.sharesOf(w), func(s share) bool {
		return s.levy != nil && !s.levy.kind.federal() && !s.exempt && s.rate != 0
	})
}
