package ledger

import (
	"cmp"
	"slices"

	"levy/models"
)

// Decision encodes the liability of a transaction as the last stage decided it. It has the amounts of the transaction,
// those of its lines with their taxes, and what it adds to returns.
func Decision(o *models.TaxOutcome) []byte {
	c := make(content, 0, 1024)
	c = append(c, KindDecision, 1)
	c.text(o.Ref.OrganizationID)
	c.text(o.Ref.ID)
	c.integer(o.Ref.Epoch)
	c.text(string(o.Exempt))
	c.number(o.TaxableAmount)
	c.number(o.TaxAmount)
	c.number(o.TaxRate)
	c.number(o.LiabilityAmount)
	c.text(string(o.LiabilitySource))
	c.text(o.DestinationCurrency)
	c.number(o.ConversionRate)
	c.text(o.ContentVersion)
	c.net(o.Net)
	c.integer(len(o.Lines))
	for i := range o.Lines {
		c.decidedLine(&o.Lines[i])
	}
	c.totals(o.Totals)
	return c
}

// net encodes amounts without the tax; nil if the prices do not include it.
func (c *content) net(n *models.NetPrice) {
	c.boolean(n != nil)
	if n != nil {
		c.number(n.Amount)
		c.number(n.Discount)
	}
}

func (c *content) decidedLine(l *models.LineTax) {
	c.integer(l.LineNo)
	c.number(l.TaxableAmount)
	c.number(l.TaxAmount)
	c.number(l.TaxRate)
	c.boolean(l.Exempt)
	c.text(l.TaxExemption)
	c.net(l.Net)
	c.integer(len(l.TaxItems))
	for i := range l.TaxItems {
		t := &l.TaxItems[i]
		for _, text := range []string{
			t.Type, t.RuleID, t.Name, t.JurisdictionType, t.JurisdictionName, t.Reason, t.ExternalID, t.Currency,
		} {
			c.text(text)
		}
		c.number(t.Rate)
		c.number(t.Amount)
		c.optionalNumber(t.TaxableAmount)
	}
}

// totals encodes the totals by their authorities. Currency, day and marketplace are those of the transaction. A total of an
// earlier release has no case: how it is shared over places may be completed later.
func (c *content) totals(all []models.AuthorityTotal) {
	byAuthority := func(a, b models.AuthorityTotal) int {
		return cmp.Or(cmp.Compare(a.CountryCode, b.CountryCode), cmp.Compare(a.StateCode, b.StateCode))
	}
	if !slices.IsSortedFunc(all, byAuthority) {
		all = slices.SortedFunc(slices.Values(all), byAuthority)
	}
	c.integer(len(all))
	for i := range all {
		t := &all[i]
		c.text(t.CountryCode)
		c.text(t.StateCode)
		c.text(t.MemberCode)
		c.number(t.Sales)
		c.number(t.Taxable)
		c.number(t.Tax)
		c.number(t.Collected)
		c.number(t.Liability)
		c.integer(t.Case)
		if t.Case != 0 {
			c.cased(t)
		}
	}
}

// cased encodes what follows from the case of a liability.
func (c *content) cased(t *models.AuthorityTotal) {
	c.number(t.OverCollected)
	c.number(t.UnderCollected)
	c.optionalNumber(t.FormTax)
	c.boolean(t.BeyondRounding)
	c.boolean(t.Places != nil)
	c.integer(len(t.Places))
	for i := range t.Places {
		p := &t.Places[i]
		c.text(p.Type)
		c.text(p.Name)
		c.text(p.Code)
		c.number(p.Amount)
	}
}

// Return encodes a filed return by the hash of its report.
func Return(organizationID, filingID, reportHash string) []byte {
	c := content{KindReturn, 1}
	c.text(organizationID)
	c.text(filingID)
	c.text(reportHash)
	return c
}

// Mark encodes that all records of an organization have their leaf from here on.
func Mark(organizationID string) []byte {
	c := content{KindMark, 1}
	c.text(organizationID)
	return c
}
