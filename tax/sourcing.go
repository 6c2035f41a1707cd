package tax

import (
	"slices"
	"strings"

	"levy/tax/calendar"
)

// source decides which place taxes the sale, and with which jurisdictions. It is the origin for sales inside a state
// that taxes at the origin, else the destination. In a mixed state, statewide taxes follow the origin and all others
// the destination.
func (k *calculation) source() (err error) {
	req := &k.req
	k.taxed, k.rule, k.reason = &req.Destination, SourcingDestination, "Sales are taxed where they are delivered."
	if !req.Destination.Known() {
		return ErrPlaceUnknown
	}
	if req.Destination.Country == "US" {
		if n := k.c.usState(req.Destination.State); n != 0 {
			k.state = &k.c.states[n-1]
		}
	}
	if req.TaxedAtHome() {
		k.taxed, k.rule = req.Origin, SourcingOrigin
		k.reason = "Below the threshold of the European Union a seller taxes consumers in other member states at home."
	}
	mixed := false
	if o := req.Origin; o != nil && k.state != nil {
		switch law := k.state.sourcingOn(req.TaxDate); {
		case o.Country == "US" && o.State == req.Destination.State:
			mixed = k.sourceInside(o, law)
		case o.Country != "" && (o.Country != "US" || o.State != ""):
			k.instead = law.fromOutside
		}
	}
	if k.set, err = k.c.indexes(k.set[:0], k.taxed.Jurisdictions); err != nil {
		return err
	}
	if mixed {
		if err := k.takeStatewideAtOrigin(); err != nil {
			return err
		}
	}
	k.c.sortJurisdictions(k.set)
	return nil
}

// sourceInside decides about a sale inside a state; mixed: the statewide taxes follow the seller.
func (k *calculation) sourceInside(o *Place, law sourcing) (mixed bool) {
	if !slices.Equal(o.Jurisdictions, k.req.Destination.Jurisdictions) {
		k.sure = max(k.sure, law.confidence)
	}
	switch law.intrastate {
	case intrastateDestination:
	case intrastateOrigin:
		k.taxed, k.rule = o, SourcingOrigin
		k.reason = k.state.name + " taxes sales inside the state where they start."
		if day := k.req.TaxDate; law.useTax != "" && k.c.localRate(&k.req.Destination, day) > k.c.localRate(o, day) {
			k.useTax = law.useTax
		}
	case intrastateMixed:
		k.reason = "Inside " + k.state.name + " the statewide taxes follow the seller and district taxes the delivery."
		return true
	}
	return false
}

// takeStatewideAtOrigin replaces the statewide taxes of the destination by those of the origin.
func (k *calculation) takeStatewideAtOrigin() error {
	origin, err := k.c.indexes(nil, k.req.Origin.Jurisdictions)
	if err != nil {
		return err
	}
	local := func(j uint16) bool {
		return !k.c.jurisdictions[j].statewide && k.c.jurisdictions[j].Type != TypeState
	}
	k.set = slices.DeleteFunc(k.set, func(j uint16) bool { return !local(j) })
	k.set = append(k.set, slices.DeleteFunc(origin, local)...)
	return nil
}

// noteUseTax drops a local use tax if no line is taxed. A sale that is free of the tax of the state is free of its use
// tax. It drops the tax for sellers from outside if the seller set each rate that it would replace.
func (k *calculation) noteUseTax() {
	taxed, byLaw := false, false
	for i := range k.shares {
		if s := &k.shares[i]; !s.exempt && s.base != 0 && s.rate != 0 {
			taxed = true
			doubted := k.insteadOfState() || s.jurisdiction != k.state.jurisdiction
			byLaw = byLaw || doubted && !strings.HasSuffix(s.ruleID, "-"+overrideSlug)
		}
	}
	if !taxed {
		k.useTax = ""
	}
	if !byLaw {
		k.instead = ""
	}
	if k.useTax != "" || k.instead != "" {
		k.sure = levelLow
	}
}

// insteadOfState reports whether what a seller from outside may collect takes the place of the tax of the state, too.
// Source: Ala. Code 40-23-193. Elsewhere it is about local taxes alone.
func (k *calculation) insteadOfState() bool { return k.state.code == "AL" }

// localRate is the sum of the general local rates of a place on a day.
func (c *Content) localRate(p *Place, day calendar.Date) (sum int64) {
	for _, id := range p.Jurisdictions {
		j, ok := c.byID[id]
		if !ok || c.jurisdictions[j].order <= orderState {
			continue
		}
		if r, _ := c.jurisdictions[j].rateOfKey(keyAny, day); r != nil {
			sum += r.nano
		}
	}
	return sum
}

// indexes appends the jurisdictions with the given ids.
func (c *Content) indexes(set []uint16, ids []string) ([]uint16, error) {
	for _, id := range ids {
		j, ok := c.byID[id]
		if !ok {
			return nil, &UnknownJurisdictionError{ID: id}
		}
		set = append(set, j)
	}
	return set, nil
}
