package transactions

import (
	"slices"
	"time"

	"github.com/govalues/decimal"
	"github.com/oapi-codegen/nullable"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/convert"
	"levy/tax"
)

// ChangeRefund applies a change to a stored refund. It replaces the submitted fields and removes the calculated tax.
// Errors: *models.InvalidError.
func ChangeRefund(d *models.RefundDraft, actor models.Actor, now time.Time, sent *contract.CreditNoteUpdate) error {
	d.Actor, d.UpdatedAt = actor, now
	m := &draftMaker{body: &contract.TransactionCreate{}, now: now, d: &d.TransactionDraft}
	if sent.ExternalID != "" {
		d.ExternalID = convert.KeepIdentifier(sent.ExternalID, d.ExternalID)
	}
	m.changeDay(d, sent)
	if sent.Status != "" {
		d.Status = models.TransactionStatus(sent.Status)
	}
	if sent.Currency != "" {
		d.Currency = sent.Currency
	}
	total := d.TotalAmount
	convert.Change(&d.TotalAmount, sent.TotalAmount, total)
	switch {
	case !d.TotalAmount.IsZero():
	case d.Status == models.StatusCancelled: // a cancelled note refunds nothing, and keeps what it would have
		d.TotalAmount = total
	default:
		m.fault(models.FieldOutOfRange, "total_amount", "Must not be 0.")
	}
	convert.ChangeOptional(&d.Description, sent.Description)
	convert.ChangeOptional(&d.ExternalFriendlyID, convert.KeepOptional(sent.ExternalFriendlyID, d.ExternalFriendlyID))
	if sent.Source.IsSpecified() {
		d.OwnSource = !sent.Source.IsNull()
		convert.Change(&d.Source, sent.Source, "")
	}
	m.changeAddresses(d, sent.Addresses)
	m.changeMoney(sent)
	if m.faults != nil {
		return &models.InvalidError{Faults: m.faults}
	}
	return nil
}

// changeDay replaces the date and what is submitted about its day, as an update of a sale does.
func (m *draftMaker) changeDay(d *models.RefundDraft, sent *contract.CreditNoteUpdate) {
	at := sent.Date
	if at.IsZero() {
		at = d.Date.UTC() // it was not submitted
	}
	shop := shopDateAfter(sent.ShopDate, at, &d.Transaction)
	zone := cleared(sent.ShopDateTz, convert.ValueOf(d.ShopDateTZ))
	if apart := shop.Sub(convert.Instant(at).Truncate(24 * time.Hour)); !shop.IsZero() && apart.Abs() > 24*time.Hour {
		m.fault(models.FieldMismatch, "shop_date", "shop_date must be within 1 day of the date of the refund.")
	}
	day := saleTime(at, shop, zone)
	d.WithoutDay = day.IsWithoutDay() && !day.IsThatOf(&d.Transaction)
	d.TaxDate = day.TaxDateAfter(&d.Transaction)
	d.Date, d.ShopDateTZ, d.ShopDate = convert.Instant(at), convert.Optional(zone), nil
	if !shop.IsZero() {
		d.ShopDate = convert.Optional(shop.String())
	}
}

// changeAddresses replaces the submitted addresses.
func (m *draftMaker) changeAddresses(
	d *models.RefundDraft, sent nullable.Nullable[[]contract.TransactionAddressCreate],
) {
	switch {
	case sent.IsNull():
		d.OwnAddresses = false
	case sent.IsSpecified():
		before := d.Addresses
		m.body.Addresses = sent[true]
		m.addresses()
		rules.KeepAddressIDs(before, d.Addresses)
	default:
		for i := range d.Addresses {
			d.Addresses[i].Status = tax.StatusUnverified
		}
	}
	d.AddressStatus = tax.StatusUnverified
}

// changeMoney replaces the submitted lines, removes calculated values from the others and computes the sums again.
func (m *draftMaker) changeMoney(sent *contract.CreditNoteUpdate) {
	d := m.d
	before := d.Items
	if sent.TransactionItems != nil {
		m.body.TransactionItems = creditNoteItems(sent.TransactionItems, d.Date)
		continued := continuedLines(m.body.TransactionItems, before)
		for i, line := range continued {
			if line >= 0 {
				keepAskedOfRefund(&m.body.TransactionItems[i], &before[line], d.Currency)
			}
		}
		m.items()
		for i, line := range continued {
			if line >= 0 {
				d.Items[i].ID = before[line].ID
			}
		}
	}
	for i := range d.Items {
		uncalculated(&d.Items[i])
	}
	switch {
	case !m.taxFromOriginal(d, sent, before):
		m.changeTax(d, sent, before)
	case d.Status.Reserves(): // a refund that reserves nothing keeps its collected tax
		d.TotalTaxAmountImported = decimal.Zero
		m.clearTax()
		fallthrough
	default:
		d.Sent.TaxFromOriginal = true
	}
	convert.Change(&d.TaxRateImported, sent.TaxRateImported, decimal.Zero)
	d.TaxableAmount = decimal.Zero
	convert.Change(&d.TaxableAmount, sent.TaxableAmount, decimal.Zero)
	d.TotalTaxAmountCalculated, d.TaxRateCalculated, d.TotalTaxLiabilityAmount = decimal.Zero, decimal.Zero, decimal.Zero
	d.TaxLiabilitySource = nil
	m.sums()
}

// changeTax replaces the submitted collected tax. Tax that followed from the original is removed unless it was
// submitted.
func (m *draftMaker) changeTax(
	d *models.TransactionDraft, sent *contract.CreditNoteUpdate, before []models.TransactionItem,
) {
	if d.Sent.TaxFromOriginal && sent.TransactionItems == nil {
		m.clearTax()
	}
	d.Sent.TaxFromOriginal = false
	imported, known := sent.TaxAmountImported[true]
	switch {
	case known && !sent.TaxAmountImported.IsNull():
		d.TotalTaxAmountImported, d.Sent.TotalTaxAmountImported = imported, imported
	case sent.TaxAmountImported.IsNull(),
		sent.TransactionItems != nil && d.Sent.TotalTaxAmountImported.IsZero() &&
			rules.IsImportedTaxOf(d.TotalTaxAmountImported, before):
		d.TotalTaxAmountImported = decimal.Zero // Levy sums the lines
	}
}

// clearTax removes the collected tax of the lines.
func (m *draftMaker) clearTax() {
	for i := range m.d.Items {
		m.d.Items[i].TaxAmountImported = decimal.Zero
	}
}

// taxFromOriginal reports whether the collected tax follows from the original, because no part of the note states it.
// A value that repeats the answer does not state it.
func (m *draftMaker) taxFromOriginal(
	d *models.TransactionDraft, sent *contract.CreditNoteUpdate, before []models.TransactionItem,
) bool {
	followed := d.Sent.TaxFromOriginal
	shown := func(amount, now decimal.Decimal) bool { return followed && amount.CmpAbs(now) == 0 }
	whole := sent.TaxAmountImported[true]
	switch {
	case d.Type == models.TypeTaxRefund, !whole.IsZero() && !shown(whole, d.TotalTaxAmountImported):
		return false
	case sent.TransactionItems == nil:
		return followed
	case !followed && !sent.TaxAmountImported.IsSpecified() && (!d.Sent.TotalTaxAmountImported.IsZero() ||
		!rules.IsImportedTaxOf(d.TotalTaxAmountImported, before)):
		return false // the client submitted it for the whole note
	}
	for i := range sent.TransactionItems {
		line := sent.TransactionItems[i].TaxAmountImported
		was := slices.IndexFunc(before, func(b models.TransactionItem) bool { return b.ID == d.Items[i].ID })
		if !convert.ValueOf(line).IsZero() && (was < 0 || !shown(*line, before[was].TaxAmountImported)) {
			return false
		}
	}
	return true
}

// uncalculated removes from a line the results of the stages.
func uncalculated(item *models.TransactionItem) {
	item.TaxAmountCalculated, item.TaxRateCalculated, item.TaxableAmount = decimal.Zero, decimal.Zero, decimal.Zero
	item.Exempt, item.TaxExemption, item.ExemptionID = item.ExemptSent, item.TaxExemptionSent, nil
	imported := make([]models.TaxItem, 0, len(item.TaxItems))
	for _, t := range item.TaxItems {
		if t.Type != models.TaxItemCalculated {
			imported = append(imported, t)
		}
	}
	item.TaxItems = imported
}

// continuedLines returns for each line the index of the stored line that it continues: the first unused line
// with the same external id, or -1.
func continuedLines(items []contract.TransactionItemCreate, before []models.TransactionItem) []int {
	names := make([]rules.LineName, len(items))
	for i := range items {
		names[i].ExternalID = items[i].ExternalID
	}
	return rules.ContinuedLines(before, names)
}

// keepAskedOfRefund is keepAsked for a line of a refund. It also keeps the fields that lines
// of credit notes do not have.
func keepAskedOfRefund(line *contract.TransactionItemCreate, stored *models.TransactionItem, currency string) {
	line.Exempt, line.ProductDescription = stored.Exempt, convert.ValueOf(stored.ProductDescription)
	line.TaxAmountCalculated, line.TaxRateCalculated = stored.TaxAmountCalculated, stored.TaxRateCalculated
	keepAsked(line, stored, stored, currency)
}
