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
	FieldUnknownOrder     = "unknown_order_field"
	FieldUnknownParameter = "unknown_parameter"
	FieldURLNotAllowed    = "url_not_allowed"
	FieldNotFound         = "not_found"
)

// Fault is one problem at one place of a request, in the contract's words.
type Fault struct {
	Code     string // e.g. "not_found", "mismatch", "invalid_category"
	Location string // e.g. "body.transaction_items[0].external_product_id"
	Message  string
	// Of are the other fields that it follows from, such as body.transaction_items[].amount for those of all entries:
	// where one of them is wrong in itself, nothing can be said. Where nothing is here, only Location counts.
	Of []string
}
