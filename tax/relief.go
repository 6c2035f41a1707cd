package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/nexus"
	"levy/tax/postal"
)

var (
	allClasses = func() *[numClasses]bool {
		var set [numClasses]bool
		for i := range set {
			set[i] = true
		}
		return &set
	}()

	// goods can be stopped at a border.
	goods = func() *[numClasses]bool {
		var set [numClasses]bool
		for k := keyPhysical; k < numClasses; k++ {
			set[k] = k != keyRentalGoods && slices.Contains(
				[]classKey{keyPhysical, keyClothing, keyFood, keyPreparedFood, keyDrugsRx}, k.root(),
			)
		}
		return &set
	}()

	// supplies are the services and digital supplies that a business accounts for itself when they come from another
	// country. Services that are bound to a place are taxed there.
	supplies = func() *[numClasses]bool {
		set := *movable
		for k := range set {
			set[k] = set[k] && !goods[k] && !classKey(k).charge() && classKey(k) != keyUtility && classParents[k] != keyUtility
		}
		return &set
	}()

	// movable is all that is not bound to a place.
	movable = func() *[numClasses]bool {
		set := *allClasses
		for _, k := range []classKey{
			keyLandscaping, keyCleaning, keyConstruction, keyAdmission, keyLodging, keyRentalVehicle, keyGratuity,
			keyParking, keySelfStorage, keyPestControl, keySnowRemoval, keyPoolCleaning, keyLodgingLong, keyCampground,
		} {
			set[k] = false
		}
		return &set
	}()
)

var (
	reverseCharge = &relief{reason: ReasonReverseCharge, exemption: ExemptionReverseCharge, covers: allClasses,
		why:    "a business in another member state of the European Union accounts for the tax itself",
		source: &ExplainedSource{Document: "Council Directive 2006/112/EC, articles 138, 194 to 196"}}
	reverseChargeMovable = &relief{reason: reverseCharge.reason, exemption: reverseCharge.exemption, covers: movable,
		why: reverseCharge.why, source: reverseCharge.source}
	reverseChargeAbroad = &relief{reason: ReasonReverseCharge, exemption: ExemptionReverseCharge, covers: supplies,
		why: "a business accounts itself for the tax on services from another country",
		source: &ExplainedSource{
			Document: "Council Directive 2006/112/EC, articles 44 and 196; VAT Act 1994, section 8; MWSTG, articles 45 to 49; " +
				"merverdiavgiftsloven, § 3-30",
		}}
	reverseChargeGoods = &relief{reason: ReasonReverseCharge, exemption: ExemptionReverseCharge, covers: goods,
		why: "a business accounts itself for the tax on goods between Northern Ireland and the European Union",
		source: &ExplainedSource{
			Document: "Windsor Framework, article 8 and annex 3; Council Directive 2006/112/EC, article 138",
		}}
	export = &relief{reason: ReasonExport, exemption: ExemptionExport, covers: allClasses,
		why: "it leaves the territory of the tax of the seller"}
)

// TaxedAtHome reports whether a sale from one member state of the European Union to
// another is taxed where it comes from. Source: Council Directive 2006/112/EC, article
// 59c.
func (r *Request) TaxedAtHome() bool {
	return r.BelowUnionThreshold && r.acrossUnion() && !r.toBusinessInUnion()
}

func (r *Request) acrossUnion() bool {
	o, d := r.Origin, &r.Destination
	return o != nil && o.Country != d.Country && len(d.Jurisdictions) > 0 && len(o.Jurisdictions) > 0 &&
		nexus.UnionMember(o.Country, r.TaxDate) && nexus.UnionMember(d.Country, r.TaxDate)
}

// toBusinessInUnion reports whether the customer has a VAT id of a member state
// other than that of the seller.
func (r *Request) toBusinessInUnion() bool {
	return slices.ContainsFunc(r.CustomerVAT, func(country string) bool {
		return country != r.Origin.Country && nexus.UnionMember(country, r.TaxDate)
	})
}

// relieve finds what frees the sale as a whole, or its goods and its services each by themselves.
func (k *calculation) relieve() {
	o := k.req.Origin
	k.reliefs = k.reliefs[:0]
	switch {
	case k.state != nil || o == nil:
		return
	case k.req.acrossUnion() && k.req.toBusinessInUnion():
		// A service that is bound to a place is taxed there: only a business that is registered there can account for it.
		if k.toBusinessThere() {
			k.reliefs = append(k.reliefs, reverseCharge)
		} else {
			k.reliefs = append(k.reliefs, reverseChargeMovable)
		}
		return
	case len(k.levies) == 0 && k.freesExports(o):
		k.reliefs = append(k.reliefs, export)
		if k.exportsIntoTheUnknown() {
			k.sure = levelLow
		}
		return
	case k.req.acrossIrishSea() && k.toBusinessAcrossIrishSea():
		k.reliefs = append(k.reliefs, reverseChargeGoods)
	}
	k.relieveBusiness(o)
	if over := k.overImportLimit(o); over != nil {
		k.reliefs = append(k.reliefs, over)
	}
}

// exportsIntoTheUnknown reports whether the country of the seller frees the sale, and whether the place of
// delivery taxes it is not known.
func (k *calculation) exportsIntoTheUnknown() bool {
	return slices.Contains(k.reliefs, export) && k.c.outside(k.taxed) == nil
}

// reliefOf is the relief that covers a class; nil for none.
func (k *calculation) reliefOf(class classKey) *relief {
	for _, r := range k.reliefs {
		if r.covers[class] {
			return r
		}
	}
	return nil
}

// reliefFor is the relief of a line. A charge has that of all that it delivers.
func (k *calculation) reliefFor(w *work) *relief {
	found := k.reliefOf(w.class)
	if found != nil || !w.class.charge() || len(k.reliefs) == 0 {
		return found
	}
	delivered := k.delivered(w)
	for i, d := range delivered {
		if r := k.reliefOf(d.class); i == 0 {
			found = r
		} else if r != found {
			return nil
		}
	}
	if found != nil {
		w.delivered = delivered
	}
	return found
}

// relieveBusiness adds what frees supplies from another country to a business that accounts for their tax itself.
func (k *calculation) relieveBusiness(o *Place) {
	laws := k.c.businessLaws[k.taxed.Country]
	if len(laws) == 0 {
		if k.toBusinessAbroad(o) {
			k.reliefs = append(k.reliefs, reverseChargeAbroad)
		}
		return
	}
	if o.Country == "" || o.Country == k.taxed.Country || len(k.levies) == 0 || !k.toBusinessThere() {
		return
	}
	for i := range laws {
		// guard: reverse charge: outside of Europe the law of the country says who accounts for the tax
		if l := &laws[i]; l.Holds(k.req.TaxDate) && l.accounts {
			k.reliefs = append(k.reliefs, &l.relief)
		}
	}
}

// toBusinessAbroad reports whether services come from another country to a business there, known by
// its VAT id. In the European Union the id of any member will do.
func (k *calculation) toBusinessAbroad(o *Place) bool {
	if o.Country == "" || o.Country == k.taxed.Country || len(k.levies) == 0 || k.levies[0].general.levy.kind != levyVAT ||
		!slices.ContainsFunc(k.lines, func(w work) bool { return supplies[w.class] }) {
		return false
	}
	return slices.ContainsFunc(k.req.CustomerVAT, func(country string) bool {
		return country == k.taxed.Country || country != o.Country &&
			nexus.UnionMember(country, k.req.TaxDate) && nexus.UnionMember(k.taxed.Country, k.req.TaxDate)
	})
}

// northernIreland is its code in VAT ids.
const northernIreland = "XI"

// inNorthernIreland reports where a place is by its postal code, else by its state.
func (p *Place) inNorthernIreland() bool {
	switch {
	case p.Country != "GB":
		return false
	case p.PostalCode != "":
		return len(p.PostalCode) > 2 && strings.EqualFold(p.PostalCode[:2], "BT")
	}
	var buf [64]byte
	switch string(postal.Compact(buf[:0], p.State)) {
	case "NIR", "NORTHERNIRELAND":
		return true
	}
	return false
}

// acrossIrishSea reports whether goods move between the European Union and Northern Ireland, which
// is no border for them: Windsor Framework, article 8.
func (r *Request) acrossIrishSea() bool {
	o, d := r.Origin, &r.Destination
	return o != nil && (nexus.UnionMember(o.Country, r.TaxDate) && d.inNorthernIreland() ||
		nexus.UnionMember(d.Country, r.TaxDate) && o.inNorthernIreland()) && r.TaxDate >= unitedKingdomLeft
}

// toBusinessAcrossIrishSea reports whether the customer is a business by its VAT id. Goods that go to Northern Ireland
// need an id of Northern Ireland, goods that go to the European Union one of a member state.
func (k *calculation) toBusinessAcrossIrishSea() bool {
	if k.req.Destination.inNorthernIreland() {
		return slices.Contains(k.req.CustomerVAT, northernIreland)
	}
	return k.hasVATOfUnion()
}

// hasVATOfUnion reports whether the customer has a VAT id of a member state of the European Union.
func (k *calculation) hasVATOfUnion() bool {
	return slices.ContainsFunc(k.req.CustomerVAT, func(country string) bool {
		return nexus.UnionMember(country, k.req.TaxDate)
	})
}

var unitedKingdomLeft = calendar.MustDate("2021-01-01")

// freesExports reports whether a place has a tax that frees exports.
func (k *calculation) freesExports(p *Place) bool {
	if p.Country == k.taxed.Country && len(k.taxed.Jurisdictions) > 0 {
		return false
	}
	return slices.ContainsFunc(p.Jurisdictions, func(id string) bool {
		n, ok := k.c.byID[id]
		return ok && len(k.c.jurisdictions[n].rates) > 0 && k.c.jurisdictions[n].rates[0].levy != nil
	})
}
