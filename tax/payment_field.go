package tax

import "regexp"

// Fields of a registration in the United States that say how its returns are paid. The authority tells them to sellers
// that enrol for payments.
const (
	PaymentMethod     = "payment_method"         // one of the ways below
	PaymentTaxpayer   = "payment_taxpayer_id"    // the number of the seller in the addendum
	PaymentTaxType    = "payment_tax_type"       // the code of the tax
	PaymentAmountType = "payment_amount_type"    // the code of the amount
	PaymentReceiver   = "payment_receiver_name"  // the name of the authority at its bank
	PaymentRouting    = "payment_routing_number" // of the bank of the authority
	PaymentAccount    = "payment_account_number" // of the authority
)

// Ways of paying a return. A registration without one pays by PORTAL.
const (
	PayByPortal = "PORTAL" // at the site of the authority
	PayByDebit  = "DEBIT"  // the authority draws the amount from the account of the seller
	PayByCredit = "CREDIT" // the bank of the seller sends it to the account of the authority
)

// paymentSource names what the patterns of the fields follow.
const paymentSource = "California Department of Tax and Fee Administration, ACH Credit Specifications; City of Dayton, ACH CCD+ " +
	"Addendum Layout"

// PaymentFields are the fields of payments, as bank files have them. All but the first are for payments by CREDIT.
var PaymentFields = []RegistrationField{
	paymentField(PaymentMethod, "PORTAL|DEBIT|CREDIT", "how the returns are paid: PORTAL, DEBIT or CREDIT"),
	paymentField(PaymentTaxpayer, "[A-Za-z0-9]{1,15}", "your number in the addendum of the payment: up to 15 letters and digits"),
	paymentField(PaymentTaxType, "[A-Za-z0-9]{1,5}", "the code of the tax: up to 5 letters and digits"),
	paymentField(PaymentAmountType, "[A-Za-z0-9]", "the code of the amount: a letter or digit"),
	paymentField(PaymentReceiver, "[A-Za-z0-9][A-Za-z0-9 .,&/'-]{0,21}", "the name of the authority at its bank: up to 22 characters"),
	paymentField(PaymentRouting, "[0-9]{9}", "the routing number of the bank of the authority: 9 digits"),
	paymentField(PaymentAccount, "[A-Za-z0-9-]{1,17}", "the account of the authority: up to 17 letters, digits and dashes"),
}

func paymentField(name, pattern, expected string) RegistrationField {
	return RegistrationField{
		Country: "US", Field: SpecificFields + name, Expected: expected, Source: paymentSource, Confidence: ConfidenceMedium,
		pattern: regexp.MustCompile("^(?:" + pattern + ")$"),
	}
}
