package tax

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"slices"
)

// digest writes values in an unambiguous form: every text carries its length.
type digest []byte

func (d *digest) text(values ...string) {
	for _, s := range values {
		*d = binary.AppendUvarint(*d, uint64(len(s)))
		*d = append(*d, s...)
	}
}

func (d *digest) numbers(values ...int64) {
	for _, n := range values {
		*d = binary.AppendVarint(*d, n)
	}
}

func (d *digest) flag(b bool) {
	n := byte(0)
	if b {
		n = 1
	}
	*d = append(*d, n)
}

// hexDigits is the length of a hash in hex.
const hexDigits = 2 * sha256.Size

func (d *digest) sum() string {
	var hexed [hexDigits]byte
	d.sumInto(hexed[:])
	return string(hexed[:])
}

func (d *digest) sumInto(hexed []byte) {
	h := sha256.Sum256(*d)
	hex.Encode(hexed, h[:])
}

func (d *digest) place(p *Place) {
	d.text(p.Country, p.State, p.City, p.PostalCode, string(p.Resolution))
	d.numbers(int64(len(p.Jurisdictions)))
	d.text(p.Jurisdictions...)
}

// sign adds the hashes: equal inputs and content give equal results.
func (k *calculation) sign(r *Result) {
	var hashes [2 * hexDigits]byte
	d := digest(k.text[:0])
	k.digestInput(&d)
	d.sumInto(hashes[:hexDigits])
	d = d[:0]
	k.digestResult(&d)
	d.sumInto(hashes[hexDigits:])
	both := string(hashes[:])
	r.Explanation.InputHash, r.Explanation.ResultHash = both[:hexDigits], both[hexDigits:]
	k.text = d
}

func (k *calculation) digestInput(d *digest) {
	d.text(k.c.version, k.req.Currency, string(k.req.Rounding))
	d.numbers(int64(k.req.TaxDate))
	if k.unit != 1 { // older explanations have none
		d.numbers(k.unit)
	}
	d.flag(k.req.Marketplace)
	if k.req.PricesIncludeTax { // likewise
		d.flag(true)
	}
	if k.req.Seller != "" { // older explanations have none
		d.text(k.req.Seller)
	}
	if k.req.Registered != nil { // likewise
		d.numbers(int64(len(k.req.Registered)))
		d.text(k.req.Registered...)
	}
	d.place(&k.req.Destination)
	d.flag(k.req.Origin != nil)
	if k.req.Origin != nil {
		d.place(k.req.Origin)
	}
	d.numbers(int64(len(k.req.CustomerVAT)))
	d.text(k.req.CustomerVAT...)
	d.flag(k.req.BelowUnionThreshold)
	d.flag(k.spread) // coupon lines are spread; older explanations have a constant false here

	if len(k.req.Rates) > 0 { // most sales have none
		for _, currency := range slices.Sorted(maps.Keys(k.req.Rates)) {
			d.text(currency, k.req.Rates[currency].String())
		}
	}
	k.digestOverrides(d)
	k.digestLines(d)
}

func (k *calculation) digestOverrides(d *digest) {
	for i := range k.overrides {
		o := k.overrides[i].given
		d.text(o.JurisdictionID, string(o.Class), o.Reason)
		d.numbers(k.overrides[i].rate.nano, int64(o.SetOn))
	}
}

func (k *calculation) digestLines(d *digest) {
	for i := range k.lines {
		w := &k.lines[i]
		d.text(w.line.ExternalID, w.line.ExternalProductID, string(w.line.Class))
		d.numbers(w.amount, w.discount, int64(w.item.scale))
		*d = binary.AppendUvarint(*d, w.item.quantity)
		d.flag(w.line.Exempt != nil)
		if e := w.line.Exempt; e != nil {
			d.text(string(e.TaxExemption), string(e.Reason), e.ExemptionID, e.Country, e.State)
		}
		if t := w.line.Terms; !t.IsZero() { // older explanations have none
			d.text(t.Shared.String(), t.ByManufacturer.String(), t.ByThirdParty.String(), string(t.ReimbursedBy))
			d.flag(t.TradeIn)
		}
	}
}

func (k *calculation) digestResult(d *digest) {
	for i := range k.lines {
		w := &k.lines[i]
		d.text(w.line.ExternalID, string(w.exemption), w.exemptionID)
		d.flag(w.exempt)
		d.numbers(w.base, w.tax)
		shares := k.sharesOf(w)
		for j := range shares {
			s := &shares[j]
			d.text(s.ruleID, string(s.reason))
			d.numbers(s.rate, s.base, s.amount)
		}
	}
}
