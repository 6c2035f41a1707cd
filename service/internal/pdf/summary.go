package pdf

import (
	"fmt"
	"strings"
	"time"

	"levy/models/report"
	"levy/service/internal/convert"
)

// title returns the place and the period of the return.
func title(h *report.Head) string {
	place := h.Filing.CountryCode
	if name := convert.ValueOf(h.Filing.StateName); name != "" {
		place = name
	} else if code := convert.ValueOf(h.Filing.StateCode); code != "" {
		place = code
	}
	return place + ", " + h.Filing.StartDate.Format("2 January 2006") + " to " +
		h.Filing.EndDate.Format("2 January 2006")
}

// categoryNames are the printed names of the common categories. Others are printed without change.
var categoryNames = map[string]string{
	"REGULAR": "Sales tax return", "AMENDMENT": "Amendment of a sales tax return",
	"PREPAYMENT": "Sales tax prepayment",
}

// summary prints the first page: the filing and its totals.
func (r *Report) summary() {
	f := &r.head.Filing
	heading, known := categoryNames[f.Category]
	if !known {
		heading = "Sales tax return (" + f.Category + ")"
	}
	r.heading(heading, r.title)
	if r.head.Test {
		r.box("TEST: nothing was filed with an authority. Confirmations are those of a simulation.")
	}
	if late := lateness(r.head); late != "" {
		r.box(late)
	}
	if r.head.Hash == nil {
		r.box("Preview: the filing is " + strings.ToLower(f.Status) + ". Its content is not final, and it has no hash.")
	}
	if r.count() > Printed {
		r.box("The first " + whole(Printed) + " of " + whole(r.count()) +
			" transactions are printed. Totals, jurisdictions and hash cover all of them; " +
			"the CSV and the JSON form of this report list them all.")
	}
	r.facts([]fact{
		{"Filing", f.ID}, {"Organization", f.OrganizationID}, {"Registration", f.RegistrationID},
		{"Amends", convert.ValueOf(f.AmendsFilingID)},
		{"Status", f.Status}, {"Frequency", convert.ValueOf(f.Frequency)},
		{"Due", day(f.DueDate)}, {"Filed", day(f.DateFiled)},
		{"Approved", instant(f.ApprovedAt)}, {"Approved by", convert.ValueOf(f.ApprovedBy)},
		{"Return confirmation", convert.ValueOf(f.ReturnConfirmationID)},
		{"Payment confirmation", convert.ValueOf(f.PaymentConfirmationID)},
		{"Currency", convert.ValueOf(f.Currency)},
		{"Tax content", strings.Join(r.head.ContentVersions, ", ")},
		{"Report of", r.head.GeneratedAt.UTC().Format(instantForm)},
	})
	r.taxpayer()
	r.totals()
}

func (r *Report) totals() {
	t := &r.head.Totals
	r.section("Totals", convert.ValueOf(r.head.Filing.Currency))
	r.open([]column{{name: "", share: 70, head: true}, {name: "Amount", share: 30, right: true}})
	r.add(false, "Net sales", grouped(t.AmountSales))
	r.add(false, "Taxable sales", grouped(t.TotalTaxableSales))
	r.add(false, "Tax calculated", grouped(t.AmountCalculated))
	r.add(false, "Tax collected", grouped(t.AmountTaxCollected))
	r.add(true, "Tax liability", grouped(t.TotalTaxLiability))
	r.add(false, "Adjustments", grouped(t.AmountAdjusted))
	r.add(false, "Discounts", grouped(negated(t.AmountDiscounts)))
	r.add(false, "Fees", grouped(t.AmountFees))
	r.add(false, "Penalties", grouped(t.AmountPenalties))
	r.add(true, "Amount of the return", grouped(t.Amount))
	r.add(false, "Remitted", grouped(t.TaxRemitted))
	r.add(false, "Transactions", whole(t.TransactionCount))
	r.add(false, "Marketplace transactions, for which the marketplace pays", whole(t.MarketplaceTransactionCount))
}

// taxpayer prints the organization of the return. It omits details that the organization has not submitted.
func (r *Report) taxpayer() {
	t := r.head.Taxpayer
	if t == nil {
		return
	}
	r.section("Taxpayer", "")
	facts := []fact{
		{"Legal name", t.Name}, {"Doing business as", t.DBA}, {"EIN", t.EIN}, {"Tax id", t.TaxID},
		{"Sales tax id", t.SalesTaxID},
	}
	for i, line := range t.Address {
		name := ""
		if i == 0 {
			name = "Address"
		}
		facts = append(facts, fact{name, line})
	}
	r.facts(facts)
}

// lateness returns the sentence for a return that was filed after its due date, or is overdue; else an empty text.
func lateness(h *report.Head) string {
	f := &h.Filing
	by, said := h.GeneratedAt.UTC().Truncate(24*time.Hour), "Overdue: it was due on %s, %s ago."
	if f.DateFiled != nil {
		by, said = *f.DateFiled, "Late: it was due on %s and filed %s later."
	} else if f.Status == "SKIPPED" || f.Status == "CANCELLED" {
		return ""
	}
	if f.DueDate == nil || !by.After(*f.DueDate) {
		return ""
	}
	days := int64(by.Sub(*f.DueDate) / (24 * time.Hour))
	length := whole(days) + " days"
	if days == 1 {
		length = "1 day"
	}
	return fmt.Sprintf(said, f.DueDate.Format("2 January 2006"), length)
}

const instantForm = "2006-01-02 15:04:05 UTC"

func day(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.Format(time.DateOnly)
}

func instant(t *time.Time) string {
	if t == nil {
		return ""
	}
	return t.UTC().Format(instantForm)
}
