package problem

import "levy/models"

// FieldCode is a code of one problem of a request. Its page is written from it.
type FieldCode struct {
	Code    string
	Meaning string
	Help    string // advice for the page
	Path    string // of the example, and its message
	Message string
}

// FieldCodes are all codes that a located problem can have, in the order of the list.
var FieldCodes = []FieldCode{
	{Code: models.FieldMissing, Meaning: "Required, and absent, null, empty or only white space.",
		Help: "Send the field. A header or parameter that lacks its value counts as absent.",
		Path: "external_id", Message: "external_id is required."},
	{Code: models.FieldInvalidType, Meaning: "Another JSON type than expected.",
		Help: "Send the type that the contract names. Decimals may be strings or numbers; texts and identifiers are always " +
			"strings.",
		Path: "transaction_items", Message: "Must be a list."},
	{Code: models.FieldInvalidFormat, Meaning: "The right type, but no such value can be read: a date, decimal, e-mail " +
		"address, check digit or the like.",
		Help: "Write dates as 2026-05-15, instants as 2026-05-15T10:00:00Z, and decimals with a point and no separator " +
			"of thousands.",
		Path: "date", Message: "Must be a date and time such as 2026-05-15T10:00:00Z."},
	{Code: models.FieldInvalidEnum, Meaning: "Not one of the values that are allowed. The message names them, " +
		"or the nearest of many.",
		Help: "Use a value from the message, in the same letter case.",
		Path: "type", Message: "type must be one of SALE, FULL_CREDIT_NOTE, PARTIAL_CREDIT_NOTE, TAX_REFUND, ARCHIVE. " +
			"Nearest: SALE."},
	{Code: models.FieldInvalidCategory, Meaning: "No product category has this name. The message names the nearest.",
		Help: "GET /v1/products/categories lists all categories with their subcategories and an example of each. " +
			"Letter case does not matter, and spaces and dashes count as underscores.",
		Path: "product_category", Message: "There is no such product category. Nearest: PHYSICAL."},
	{Code: models.FieldOutOfRange, Meaning: "A number, date or length of a period outside its limits.",
		Help: "The message names the limits.",
		Path: "date", Message: "Must not be more than 366 days from now."},
	{Code: models.FieldTooPrecise, Meaning: "Too many decimals.",
		Help: "Amounts have at most 2 decimals, rates and quantities 9. Round before you send: Levy never does. " +
			"A price per unit with more decimals belongs into a line whose amount is that of all its units.",
		Path: "transaction_items[0].amount", Message: "At most 2 decimals are allowed."},
	{Code: models.FieldTooLong, Meaning: "The text is too long.",
		Help: "Shorten the text to the limit in the message. Characters are counted, not bytes.",
		Path: "name", Message: "At most 255 characters are allowed."},
	{Code: models.FieldTooShort, Meaning: "The text is too short.",
		Help: "Send the text, or leave the field out.",
		Path: "name", Message: "Must not be empty."},
	{Code: models.FieldTooMany, Meaning: "Too many entries or parameters.",
		Help: "Divide the list over several calls. An order of more than 1,000 lines becomes several transactions.",
		Path: "transaction_ids", Message: "At most 100 entries are allowed."},
	{Code: models.FieldTooFew, Meaning: "Too few entries.",
		Help: "Send at least as many entries as the message says.",
		Path: "transaction_items", Message: "At least 1 entry is needed."},
	{Code: models.FieldDuplicateKey, Meaning: "A field stands twice in one object.",
		Help: "Send every field once. Upper and lower case do not make two fields different.",
		Path: "external_id", Message: "The field stands twice in the object."},
	{Code: models.FieldDuplicateValue, Meaning: "A value stands twice where it must be unique.",
		Help: "Remove the repeated entry.",
		Path: "transaction_ids[1]", Message: "The value stands twice in the list."},
	{Code: models.FieldNotAllowed, Meaning: "The field or parameter is not allowed here, or fixed once the object is " +
		"created.",
		Help: "Leave the field out. The message says why, and names the right field where there is one.",
		Path: "event_types", Message: "There is no such field; events are selected by enabled_events."},
	{Code: models.FieldUnknownParameter, Meaning: "The operation has no such query parameter. The message names the " +
		"nearest.",
		Help: "Correct the name, or leave the parameter out. A filter that was ignored would return other records as if " +
			"they had matched.",
		Path: "statsu", Message: "There is no such parameter; the nearest is status."},
	{Code: models.FieldMismatch, Meaning: "Contradicts another value.",
		Help: "The message names the other value. Correct one of both.",
		Path: "date_to", Message: "Must not be before date_from."},
	{Code: models.FieldCurrencyMismatch, Meaning: "A credit note in another currency than its original.",
		Help: "Credit in the currency of the sale.",
		Path: "currency", Message: "The original is in USD."},
	{Code: models.FieldNotInOriginal, Meaning: "A line of a credit note for a product that is not on the original.",
		Help: "Credit a product of the sale. A goodwill or a fee that belongs to no line is a line of one of the sale's " +
			"products with quantity 0, or a transaction of its own.",
		Path: "transaction_items[0].external_product_id", Message: "This product is not on the original."},
	{Code: models.FieldTotalMismatch, Meaning: "The lines of a credit note contradict its total.",
		Help: "Send as lines only what comes back: a part of a unit has its share as amount, and a goodwill is a line with " +
			"quantity 0. The message names both sums.",
		Path: "total_amount", Message: "The lines alone come to 100.00, more than the total of 5.00."},
	{Code: models.FieldNoNetPrice, Meaning: "The rules of the place allow no net price for this gross price.",
		Help: "Change the price: a limit of the law lies between it and the price without tax. Such an article is exempt " +
			"below the limit, and with its tax it costs more than the price.",
		Path: "transaction_items[0].amount", Message: "No net price comes to 115.00 with its tax: a limit of the law lies between."},
	{Code: models.FieldUnknownOrder, Meaning: "The list cannot be sorted by this name.",
		Help: "Use a name that the contract lists for order_by, with - in front for descending.",
		Path: "order_by", Message: "order_by must be one of date, -date, status, -status. Nearest: -date."},
	{Code: models.FieldURLNotAllowed, Meaning: "The URL of a webhook is not allowed.",
		Help: "Use an https address of a public host, without user and fragment. A development installation also sends to " +
			"http on this machine (localhost, 127.0.0.1, ::1); others name further hosts by LEVY_WEBHOOK_HOSTS.",
		Path: "url", Message: "Must begin with https://."},
	{Code: models.FieldNotFound, Meaning: "No object has the id that is referenced.",
		Help: "Create the object first, or correct its id. Ids of other organizations count as unknown.",
		Path: "transaction_items[0].external_product_id", Message: "There is no product with this external_product_id."},
}
