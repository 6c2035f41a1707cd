package ser

import (
	"slices"
	"strings"
)

// Difference is where a document does not add up, or repeats what it may say once.
type Difference struct{ Path, Message string }

// Sums returns where the returns of a transmission do not add up, or repeat or turn around what the schema cannot order. It
// returns nothing of a file that is not well formed, which Validate tells.
func Sums(document []byte) (differences []Difference) {
	root, err := parse(document)
	if err != nil {
		return nil
	}
	for _, d := range root.all(documentElement) {
		c := &adding{}
		c.days(d)
		for _, r := range d.all(returnElement) {
			c.returns(r)
		}
		for _, p := range d.all(paymentElement, "StatePayment") {
			c.payment(p)
		}
		differences = append(differences, c.differences...)
	}
	return differences
}

type adding struct{ differences []Difference }

func (c *adding) differ(n *node, message string) {
	c.differences = append(c.differences, Difference{n.path(), message})
}

// equal compares an element with the sum of others, of which some are taken off.
func (c *adding) equal(r *node, name string, plus, minus []*node) {
	of := r.first(name)
	if of == nil {
		return
	}
	sum, ok := sumOf(plus)
	off, also := sumOf(minus)
	rest, err := sum.Minus(off)
	// guard: simplified: what the return adds up adds up
	if !ok || !also || err != nil || rest != amountIn(of.text) {
		c.differ(of, "is not the sum of its parts")
	}
}

func (c *adding) returns(r *node) {
	pick := func(names ...string) (nodes []*node) {
		for _, name := range names {
			nodes = append(nodes, r.all(name)...)
		}
		return nodes
	}
	c.equal(r, "TaxableSales", pick("TotalSales"), pick("ExemptionsDeductions"))
	if breakouts := r.all("ExemptionDeductionBreakout", "ExemptionAmount"); len(breakouts) > 0 {
		c.equal(r, "ExemptionsDeductions", breakouts, nil)
	}
	taxes := pick("StateTaxDueSalesInState", "StateTaxDueSalesOrigOutOfState", "StateTaxDueOwnPurchWithdraw", "StateTaxDueFoodDrug")
	for _, name := range []string{"JurisTaxDueSalesInState", "JurisTaxDueSalesOrigOutOfState", "JurisTaxDueOwnPurchWithdraw"} {
		taxes = append(taxes, r.all("JurisdictionDetail", name)...)
	}
	c.equal(r, "TotalTaxDue", taxes, nil)
	c.equal(r, "AmountDueOrRefund", pick("TotalTaxDue", "InterestDue", "PenaltyDue", "NewPrepayments"),
		pick("Discounts", "SSTPAllowance", "Priorpayments"))
	c.once(r.all("ExemptionDeductionBreakout", "ExemptionType"))
	codes := r.all("JurisdictionDetail", "JurisdictionCode")
	c.once(codes)
	if !slices.IsSortedFunc(codes, func(x, y *node) int { return strings.Compare(x.text, y.text) }) {
		c.differ(r, "has local tax in no order of its codes")
	}
}

// once refuses a word that stands twice.
func (c *adding) once(nodes []*node) {
	seen := map[string]bool{}
	for _, n := range nodes {
		if seen[n.text] {
			c.differ(n, "stands twice")
		}
		seen[n.text] = true
	}
}

// days refuses a period that ends before it begins, and days with a zone.
func (c *adding) days(d *node) {
	start, end := d.first(headerElement, "TaxPeriodStartDate"), d.first(headerElement, "TaxPeriodEndDate")
	if start != nil && end != nil && start.text > end.text {
		c.differ(end, "is before the start of the period")
	}
	for _, name := range []string{"ElectronicPostmark", "TaxPeriodStartDate", "TaxPeriodEndDate"} {
		if day := d.first(headerElement, name); day != nil && len(day.text) != len("2006-01-02") {
			c.differ(day, "has a zone")
		}
	}
}

// payment compares what is drawn with its parts.
func (c *adding) payment(p *node) {
	if parts := p.all("AddendaRecord", "TXPAmount", "SubAmount"); len(parts) > 0 {
		c.equal(p, "PaymentAmount", parts, nil)
	}
}
