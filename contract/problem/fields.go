package problem

// FieldCode is a code of one problem of a request, with its meaning for the page of all codes.
type FieldCode struct {
	Code    string
	Meaning string
}

// FieldCodes are all codes that a located problem can have, in the order of the page.
var FieldCodes = []FieldCode{
	{FieldMissing, "Required, and absent, null, empty or only white space."},
	{FieldInvalidType, "Another JSON type than expected."},
	{FieldInvalidFormat, "The right type, but no such value can be read: a date, decimal, e-mail address, " +
		"check digit or the like."},
	{FieldInvalidEnum, "Not one of the values that are allowed. The message names them, or the nearest of many."},
	{FieldInvalidCategory, "No product category has this name."},
	{FieldOutOfRange, "A number, date or length of a period outside its limits."},
	{FieldTooPrecise, "Too many decimals."},
	{FieldTooLong, "The text is too long."},
	{FieldTooShort, "The text is too short."},
	{FieldTooMany, "Too many entries or parameters."},
	{FieldTooFew, "Too few entries."},
	{FieldDuplicateKey, "A field stands twice in one object."},
	{FieldDuplicateValue, "A value stands twice where it must be unique."},
	{FieldNotAllowed, "The field or parameter is not allowed here, or fixed once the object is created."},
	{FieldUnknownParameter, "The operation has no such query parameter. The message names the nearest."},
	{FieldMismatch, "Contradicts another value."},
	{FieldCurrencyMismatch, "A credit note in another currency than its original."},
	{FieldNotInOriginal, "A line of a credit note for a product that is not on the original."},
	{FieldUnknownOrder, "The list cannot be sorted by this name."},
	{FieldURLNotAllowed, "The URL of a webhook is not allowed."},
	{FieldNotFound, "No object has the id that is referenced."},
}
