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

// ChangeRefund applies a change to a stored refund: the result of its calculation
// goes, what was sent counts.
func ChangeRefund(d *models.RefundDraft, actor models.Actor, now time.Time, sent *contract.CreditNoteUpdate) error {
	d.Actor, d.UpdatedAt = actor, now
	m := &draftMaker{body: &contract.TransactionCreate{}, now: now, d: &d.TransactionDraft}
	if sent.ExternalID != "" {
		d.ExternalID = sent.ExternalID
	}
	if date := convert.Instant(sent.Date); !sent.Date.IsZero() && !date.Equal(d.Date) {
		d.Date = date
		d.TaxDate, d.ShopDate, d.ShopDateTZ = d.Date.Truncate(24*time.Hour), nil, nil
	}
	if sent.Status != "" {
		d.Status = models.TransactionStatus(sent.Status)
	}
	if sent.Currency != "" {
		d.Currency = sent.Currency
	}
	convert.Change(&d.TotalAmount, sent.TotalAmount, d.TotalAmount)
	if d.TotalAmount.IsZero() {
		m.fault(models.FieldOutOfRange, "total_amount", "Must not be 0.")
	}
	convert.ChangeOptional(&d.Description, sent.Description)
	convert.ChangeOptional(&d.ExternalFriendlyID, sent.ExternalFriendlyID)
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

// changeMoney replaces the lines that were sent, removes from the others what was
// calculated, and adds up again.
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
	case d.Status.Reserves(): // else it is as it was when it counted
		d.TotalTaxAmountImported = decimal.Zero
		m.forgetTax()
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

// changeTax replaces the collected tax that was sent. What followed from the original until
// now is gone where it was not sent.
func (m *draftMaker) changeTax(
	d *models.TransactionDraft, sent *contract.CreditNoteUpdate, before []models.TransactionItem,
) {
	if d.Sent.TaxFromOriginal && sent.TransactionItems == nil {
		m.forgetTax()
	}
	d.Sent.TaxFromOriginal = false
	imported, known := sent.TaxAmountImported[true]
	switch {
	case known && !sent.TaxAmountImported.IsNull():
		d.TotalTaxAmountImported = imported
	case sent.TaxAmountImported.IsNull(), sent.TransactionItems != nil && rules.IsImportedTaxOf(d.TotalTaxAmountImported, before):
		d.TotalTaxAmountImported = decimal.Zero // the sum of the lines
	}
}

// forgetTax leaves the lines without collected tax.
func (m *draftMaker) forgetTax() {
	for i := range m.d.Items {
		m.d.Items[i].TaxAmountImported = decimal.Zero
	}
}

// taxFromOriginal reports whether the collected tax follows from that of the original: no
// part of the note says it. What answers show of it, sent again, says nothing new.
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
	case !followed && !sent.TaxAmountImported.IsSpecified() && !rules.IsImportedTaxOf(d.TotalTaxAmountImported, before):
		return false // what was sent for the note as a whole stays
	}
	for i := range sent.TransactionItems {
		line := sent.TransactionItems[i].TaxAmountImported
		was := slices.IndexFunc(before, func(b models.TransactionItem) bool { return b.ID == d.Items[i].ID })
		if line != nil && (was < 0 || !shown(*line, before[was].TaxAmountImported)) {
			return false
		}
	}
	return true
}

// uncalculated takes from a line what the stages wrote.
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

// continuedLines finds for each line the index of the stored one that it continues: the
// first with its external id that no other continues; -1 for none.
func continuedLines(items []contract.TransactionItemCreate, before []models.TransactionItem) []int {
	names := make([]rules.LineName, len(items))
	for i := range items {
		names[i].ExternalID = items[i].ExternalID
	}
	return rules.ContinuedLines(before, names)
}

// keepAskedOfRefund is keepAsked for a line of a refund, which keeps as well what the
// lines of credit notes have no fields for.
func keepAskedOfRefund(line *contract.TransactionItemCreate, stored *models.TransactionItem, currency string) {
	line.Exempt, line.ProductDescription = stored.Exempt, convert.ValueOf(stored.ProductDescription)
	line.TaxAmountCalculated, line.TaxRateCalculated = stored.TaxAmountCalculated, stored.TaxRateCalculated
	keepAsked(line, stored, stored, currency)
}
