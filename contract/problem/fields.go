package problem

import "levy/models"

// FieldCode is a code of one problem of a request, with its meaning for the page of all codes.
type FieldCode struct {
	Code    string
	Meaning string
}

// FieldCodes are all codes that a located problem can have, in the order of the page.
var FieldCodes = []FieldCode{
	{models.FieldMissing, "Required, and absent, null, empty or only white space."},
	{models.FieldInvalidType, "Another JSON type than expected."},
	{models.FieldInvalidFormat, "The right type, but no such value can be read: a date, decimal, e-mail address, " +
		"check digit or the like."},
	{models.FieldInvalidEnum, "Not one of the values that are allowed. The message names them, " +
		"or the nearest of many."},
	{models.FieldInvalidCategory, "No product category has this name."},
	{models.FieldOutOfRange, "A number, date or length of a period outside its limits."},
	{models.FieldTooPrecise, "Too many decimals."},
	{models.FieldTooLong, "The text is too long."},
	{models.FieldTooShort, "The text is too short."},
	{models.FieldTooMany, "Too many entries or parameters."},
	{models.FieldTooFew, "Too few entries."},
	{models.FieldDuplicateKey, "A field stands twice in one object."},
	{models.FieldDuplicateValue, "A value stands twice where it must be unique."},
	{models.FieldNotAllowed, "The field or parameter is not allowed here, or fixed once the object is created."},
	{models.FieldUnknownParameter, "The operation has no such query parameter. The message names the nearest."},
	{models.FieldMismatch, "Contradicts another value."},
	{models.FieldCurrencyMismatch, "A credit note in another currency than its original."},
	{models.FieldNotInOriginal, "A line of a credit note for a product that is not on the original."},
	{models.FieldTotalMismatch, "The lines of a credit note contradict its total."},
	{models.FieldNoNetPrice, "The rules of the place allow no net price for this gross price."},
	{models.FieldUnknownOrder, "The list cannot be sorted by this name."},
	{models.FieldURLNotAllowed, "The URL of a webhook is not allowed."},
	{models.FieldNotFound, "No object has the id that is referenced."},
}
