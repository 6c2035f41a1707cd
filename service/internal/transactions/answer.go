package transactions

import (
	"cmp"
	"encoding/json"
	"time"

	"github.com/govalues/decimal"
	openapi_types "github.com/oapi-codegen/runtime/types"

	"levy/contract"
	"levy/models"
	"levy/rules"
	"levy/service/internal/catalog"
	"levy/service/internal/convert"
	"levy/tax/money"
)

// Answer returns a transaction in the form of the contract.
func Answer(t *models.Transaction) contract.Transaction {
	t = rules.WithOneSign(rules.WithKnownPrices(t))
	to := rules.ConvertedAmountsOf(t)
	final := rules.FinalTotal(t)
	lines := to.Lines(t)
	answer := contract.Transaction{
		ID:                t.ID,
		OrganizationID:    t.OrganizationID,
		ExternalID:        t.ExternalID,
		Type:              contract.TransactionType(t.Type),
		Status:            contract.TransactionStatus(t.Status),
		ProcessingStatus:  contract.ProcessingStatus(t.ProcessingStatus),
		ProcessingReason:  convert.ValueOf(t.ProcessingReason),
		AddressStatus:     contract.AddressStatus(t.AddressStatus),
		Date:              convert.Instant(t.Date),
		TaxDate:           convert.DayOf(t.TaxDate),
		ShopDate:          shopDate(t.ShopDate),
		PricesIncludeTax:  t.PricesIncludeTax(),
		TaxRounding:       contract.RoundingUnit(convert.ValueOf(t.TaxRounding)),
		RefundStatus:      contract.RefundStatus(convert.ValueOf(t.RefundStatus)),
		Marketplace:       t.Marketplace,
		Exempt:            contract.ExemptStatus(t.Exempt),
		Locked:            t.Locked(),
		RelatedTo:         convert.ValueOf(t.RelatedTo),
		Source:            t.Source,
		FilingID:          convert.ValueOf(t.FilingID),
		BatchID:           convert.ValueOf(t.BatchID),
		TaxID:             convert.ValueOf(t.TaxID),
		RequiresExemption: requiredExemptionAnswer(t),
		City:              convert.ValueOf(t.City),
		County:            convert.ValueOf(t.County),
		State:             convert.ValueOf(t.State),
		PostalCode:        convert.ValueOf(t.PostalCode),
		Country:           convert.ValueOf(t.Country),
		Ambiguous:         t.Ambiguous,
		Revision:          t.Revision,
		ContentVersion:    convert.ValueOf(t.ContentVersion),
		CreatedAt:         convert.Instant(t.CreatedAt),
		UpdatedAt:         convert.Instant(t.UpdatedAt),

		Currency:                 t.Currency,
		TotalAmount:              money.Format(t.TotalAmount),
		Subtotal:                 money.Format(t.Subtotal),
		TotalDiscount:            money.Format(t.TotalDiscount),
		FinalTotalAmount:         money.Format(final),
		TotalTaxAmountImported:   money.Format(t.TotalTaxAmountImported),
		TaxRateImported:          money.FormatRate(t.TaxRateImported),
		TotalTaxAmountCalculated: money.Format(t.TotalTaxAmountCalculated),
		TaxRateCalculated:        money.FormatRate(t.TaxRateCalculated),
		TotalTaxLiabilityAmount:  money.Format(t.TotalTaxLiabilityAmount),
		TaxLiabilitySource:       contract.TaxLiabilitySource(convert.ValueOf(t.TaxLiabilitySource)),
		TaxableAmount:            money.Format(t.TaxableAmount),

		DestinationCurrency:               to.Currency,
		ConversionRate:                    to.RateText(),
		ConvertedTotalAmount:              to.Money(t.TotalAmount),
		ConvertedSubtotal:                 to.Money(t.Subtotal),
		ConvertedTotalDiscount:            to.Money(t.TotalDiscount),
		ConvertedFinalTotalAmount:         to.Final(t),
		ConvertedTotalTaxAmountImported:   to.Money(t.TotalTaxAmountImported),
		ConvertedTotalTaxAmountCalculated: to.Money(t.TotalTaxAmountCalculated),
		ConvertedTotalTaxLiabilityAmount:  to.Money(t.TotalTaxLiabilityAmount),
		ConvertedTaxableAmount:            to.Money(t.TaxableAmount),

		CustomerID:       t.CustomerID,
		Customer:         catalog.CustomerAnswer(t.Customer),
		Addresses:        convert.ConvertAll(t.Addresses, addressAnswer),
		TransactionItems: itemAnswers(t, to, lines),
		Exemptions:       exemptionAnswers(t),
	}
	answerPassthrough(&answer, t)
	if c := t.Certainty; c != nil {
		answer.Confidence = contract.TaxConfidence(c.Confidence)
		answer.Completeness = contract.TaxCompleteness(c.Completeness)
		answer.Warnings = convert.ConvertAll(c.Warnings, warningAnswer)
	}
	return answer
}

// shopDate returns the stored shop_date, or the zero date if there is none or it is no date.
func shopDate(s *string) openapi_types.Date {
	day, err := time.Parse(time.DateOnly, convert.ValueOf(s))
	if err != nil {
		return openapi_types.Date{}
	}
	return convert.DayOf(day)
}

// itemAnswers returns the lines of a transaction.
func itemAnswers(
	t *models.Transaction, to rules.ConvertedAmounts, lines rules.ConvertedLines,
) []contract.TransactionItem {
	answers := make([]contract.TransactionItem, len(t.Items))
	for i := range t.Items {
		item := &t.Items[i]
		answers[i] = contract.TransactionItem{
			ID:                  item.ID,
			OrganizationID:      t.OrganizationID,
			Date:                convert.Instant(item.Date),
			ExternalID:          convert.ValueOf(item.ExternalID),
			ExternalProductID:   item.ExternalProductID,
			ProductID:           item.ProductID,
			Product:             convert.ValueOf(item.Product),
			ProductName:         convert.ValueOf(item.ProductName),
			ProductDescription:  convert.ValueOf(item.ProductDescription),
			Description:         convert.ValueOf(item.Description),
			Quantity:            money.FormatQuantity(item.Quantity),
			Amount:              money.Format(item.SubmittedAmount()),
			Subtotal:            money.Format(item.Amount),
			TotalDiscount:       money.Format(item.TotalDiscount),
			TaxAmountImported:   money.Format(item.TaxAmountImported),
			TaxRateImported:     money.FormatRate(item.TaxRateImported),
			TaxAmountCalculated: money.Format(item.TaxAmountCalculated),
			TaxRateCalculated:   money.FormatRate(item.TaxRateCalculated),
			TaxableAmount:       money.Format(item.TaxableAmount),
			Exempt:              item.Exempt,
			TaxExemption:        contract.TaxExemption(convert.ValueOf(item.TaxExemption)),
			ExemptionCategory:   contract.ExemptionCategory(item.ExemptionCategorySent()),
			OriginalCurrency:    t.Currency,
			DiscountBuilder:     discountAnswer(item.SentDiscount()),

			DestinationCurrency:          to.Currency,
			ConvertedAmount:              lines.Amount.At(i),
			ConvertedSubtotal:            lines.Subtotal.At(i),
			ConvertedTotalDiscount:       lines.Discount.At(i),
			ConvertedTaxAmountImported:   lines.Imported.At(i),
			ConvertedTaxAmountCalculated: lines.Calculated.At(i),
			ConvertedTaxableAmount:       lines.Taxable.At(i),

			TaxItems: taxItemAnswers(item.TaxItems, t.Currency, to, lines.Calculated.Of(i)),
		}
		if price := item.GrossPrice(); price != nil && to.Currency != "" {
			answers[i].NetAmount = money.Format(rules.AfterDiscount(item.Amount, item.TotalDiscount))
			answers[i].GrossAmount = money.Format(rules.AfterDiscount(price.Amount, price.Discount))
		}
		if !t.Type.IsCredit() {
			answers[i].ReimbursedBy, answers[i].TradeIn = couponTermsAnswer(item)
		}
	}
	return answers
}

// taxItemAnswers returns the taxes of a line.
func taxItemAnswers(
	items []models.TaxItem, currency string, to rules.ConvertedAmounts, calculated *decimal.Decimal,
) []contract.TaxItem {
	answers := make([]contract.TaxItem, len(items))
	converted := to.TaxItems(items, calculated)
	for i := range items {
		item := &items[i]
		answer := contract.TaxItem{
			Type:             contract.TaxItemType(item.Type),
			RuleID:           item.RuleID,
			Name:             item.Name,
			JurisdictionType: contract.JurisdictionType(item.JurisdictionType),
			JurisdictionName: item.JurisdictionName,
			Rate:             money.FormatRate(item.Rate),
			Amount:           money.Format(item.Amount),
			Reason:           contract.TaxReason(item.Reason),
			ExternalID:       item.ExternalID,
			Currency:         item.Currency,
			Source:           item.Source,
		}
		if item.TaxableAmount != nil {
			answer.TaxableAmount = money.Format(*item.TaxableAmount)
		}
		answer.Currency = cmp.Or(answer.Currency, currency)
		if answer.Currency == currency { // the rate is that of the transaction's currency
			answer.DestinationCurrency, answer.ConvertedAmount = to.Currency, converted[i]
		}
		answers[i] = answer
	}
	return answers
}

// addressAnswer returns an address of a transaction.
func addressAnswer(a models.TransactionAddress) contract.TransactionAddress {
	return contract.TransactionAddress{
		ID:               a.ID,
		TransactionID:    a.TransactionID,
		Type:             contract.AddressType(a.Type),
		Street1:          convert.ValueOf(a.Street1),
		Street2:          convert.ValueOf(a.Street2),
		City:             convert.ValueOf(a.City),
		County:           convert.ValueOf(a.County),
		State:            convert.ValueOf(a.State),
		PostalCode:       convert.ValueOf(a.PostalCode),
		Country:          convert.ValueOf(a.Country),
		FullAddress:      convert.ValueOf(a.FullAddress),
		Phone:            convert.ValueOf(a.Phone),
		IsUnincorporated: a.IsUnincorporated,
		Status:           contract.AddressStatus(a.Status),
		ConnectionID:     convert.ValueOf(a.ConnectionID),
	}
}

// exemptionAnswers returns the applied exemptions of a transaction.
func exemptionAnswers(t *models.Transaction) []contract.Exemption {
	return convert.ConvertAll(t.Exemptions, func(e models.Exemption) contract.Exemption {
		answer := contract.Exemption{
			ID:             e.ID,
			OrganizationID: t.OrganizationID,
			ExemptionType:  contract.ExemptionType(e.ExemptionType),
			StartDate:      convert.DayOf(e.StartDate),
			EndDate:        convert.DayOf(convert.ValueOf(e.EndDate)),
			CustomerID:     convert.ValueOf(e.CustomerID),
			TransactionID:  convert.ValueOf(e.TransactionID),
			CountryCode:    e.CountryCode,
			Jurisdiction:   convert.ValueOf(e.Jurisdiction),
			Reseller:       e.Reseller,
			FEIN:           convert.ValueOf(e.FEIN),
			SalesTaxID:     convert.ValueOf(e.SalesTaxID),
			Status:         contract.ExemptionStatus(e.Status),
			Attachments:    convert.ConvertAll(e.Attachments, catalog.AttachmentAnswer),
			CreatedAt:      convert.Instant(e.CreatedAt),
			UpdatedAt:      convert.ValueOf(convert.OptionalInstant(e.UpdatedAt)),

			ExemptionCategory: contract.ExemptionCategory(e.Category()),
		}
		if answer.CustomerID == t.CustomerID {
			answer.CustomerName = convert.ValueOf(t.Customer.Name)
		}
		return answer
	})
}

// requiredExemption returns the required exemption that the client requested; nil for none.
func requiredExemption(sent json.RawMessage) *contract.RequiredExemption {
	if sent == nil {
		return nil
	}
	r := &contract.RequiredExemption{}
	if err := json.Unmarshal(sent, r); err != nil {
		return nil // jsonOf wrote it, so it can be read
	}
	return r
}

// requiredExemptionAnswer returns the required exemption with defaults for the fields that the client did not submit.
func requiredExemptionAnswer(t *models.Transaction) *contract.TransactionRequiredExemption {
	r := requiredExemption(t.RequiresExemption)
	if r == nil {
		return nil
	}
	if r.StartDate.IsZero() {
		r.StartDate.Time = t.TaxDate
	}
	return &contract.TransactionRequiredExemption{
		OrganizationID: t.OrganizationID,
		ExemptionType:  r.ExemptionType, StartDate: r.StartDate.Time, EndDate: r.EndDate, Status: r.Status,
		Reseller:     r.Reseller,
		Jurisdiction: r.Jurisdiction, CountryCode: r.CountryCode, CustomerID: r.CustomerID, FEIN: r.FEIN,
		SalesTaxID: r.SalesTaxID, ExemptionCategory: r.ExemptionCategory,
	}
}

// jsonOf returns a part of a request as JSON; nil for an empty part.
func jsonOf[T *contract.RequiredExemption | []contract.TransactionExemptionCreate](part T) json.RawMessage {
	sent, err := json.Marshal(part)
	if err != nil {
		return nil // strings, dates and booleans are always encodable
	}
	return sent
}
