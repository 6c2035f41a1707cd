package models

import "levy/tax"

// Cover is what an active registration covers.
type Cover struct {
	Country string   `json:"country"` // tax.EuropeanUnion for the one-stop shop
	State   string   `json:"state"`   // repeats Country where the authority is that of the whole country
	Home    string   `json:"home"`    // of a one-stop shop: the member state that it does not cover, because it is declared there
	From    tax.Date `json:"from"`    // the registration date
}

// Covers is what the active registrations of an organization cover.
type Covers []Cover

// Cover reports whether an active registration covers the authority of a tax line on
// a day: that of the state its local taxes too, that of Canada those of no province.
func (c Covers) Cover(a tax.Authority, day tax.Date) bool {
	state := a.State
	if state == "" {
		state = a.Country
	}
	for _, r := range c {
		shared := r.Country == tax.EuropeanUnion && r.Home != a.Country && tax.UnionMember(a.Country, day)
		if r.From <= day && (shared || r.Country == a.Country && r.State == state) {
			return true
		}
	}
	return false
}
