package models

// Codes of Fault. The contract publishes them.
const (
	FieldMissing          = "missing_field"
	FieldInvalidType      = "invalid_type"
	FieldInvalidFormat    = "invalid_format"
	FieldInvalidEnum      = "invalid_enum"
	FieldInvalidCategory  = "invalid_category"
	FieldOutOfRange       = "out_of_range"
	FieldTooPrecise       = "too_precise"
	FieldTooLong          = "too_long"
	FieldTooShort         = "too_short"
	FieldTooMany          = "too_many"
	FieldTooFew           = "too_few"
	FieldDuplicateKey     = "duplicate_key"
	FieldDuplicateValue   = "duplicate_value"
	FieldNotAllowed       = "not_allowed"
	FieldMismatch         = "mismatch"
	FieldCurrencyMismatch = "currency_mismatch"
	FieldNotInOriginal    = "item_not_in_original"
	FieldTotalMismatch    = "total_mismatch"
	FieldNoNetPrice       = "no_net_price"
	FieldUnknownOrder     = "unknown_order_field"
	FieldUnknownParameter = "unknown_parameter"
	FieldURLNotAllowed    = "url_not_allowed"
	FieldNotFound         = "not_found"
)

// Part is the part of a request that a fault is in.
type Part string

// The parts of a request. The default is the body.
const (
	InBody   Part = ""
	InQuery  Part = "query"
	InHeader Part = "header"
)

// Fault is one problem of a request, in the contract's terms.
type Fault struct {
	Code    string // e.g. FieldNotFound
	In      Part
	Path    string // of the field, e.g. "transaction_items[0].external_product_id"; empty for the whole part
	Message string
	// Of are the paths of the other fields that the fault depends on. "transaction_items[].amount" means the amounts of
	// all items. The fault is not reported while one of them is invalid. Without any, only Path counts.
	Of []string
}

// JoinPath returns the path of a value that has the path inner within the value at outer: "transactions[3]" and
// "customer.name" make "transactions[3].customer.name".
func JoinPath(outer, inner string) string {
	if outer == "" || inner == "" || inner[0] == '[' {
		return outer + inner
	}
	return outer + "." + inner
}
