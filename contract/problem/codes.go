package problem

// Code names a kind of problem. Codes are stable; texts are not.
type Code string

// The codes of the contract.
const (
	CodeInvalidJSON                 Code = "invalid_json"
	CodeValidationFailed            Code = "validation_failed"
	CodeOrganizationHeaderMissing   Code = "organization_header_missing"
	CodeInvalidHeader               Code = "invalid_header"
	CodeMalformedRequest            Code = "malformed_request"
	CodeUnauthenticated             Code = "unauthenticated"
	CodeSecondFactorRequired        Code = "second_factor_required"
	CodeStepUpRequired              Code = "step_up_required"
	CodeForbiddenForKey             Code = "forbidden_for_key"
	CodeRouteNotFound               Code = "route_not_found"
	CodeOrganizationNotFound        Code = "organization_not_found"
	CodeResourceNotFound            Code = "resource_not_found"
	CodeProductNotFound             Code = "product_not_found"
	CodeReferenceNotFound           Code = "reference_not_found"
	CodeMethodNotAllowed            Code = "method_not_allowed"
	CodeRequestTimeout              Code = "request_timeout"
	CodeDuplicateExternalID         Code = "duplicate_external_id"
	CodeDuplicateName               Code = "duplicate_name"
	CodeDuplicateRegistration       Code = "duplicate_registration"
	CodeDuplicateFiling             Code = "duplicate_filing"
	CodeDuplicateEmail              Code = "duplicate_email"
	CodeLastAdmin                   Code = "last_admin"
	CodeInvalidStatusTransition     Code = "invalid_status_transition"
	CodeTransactionLocked           Code = "transaction_locked"
	CodeHasCreditNotes              Code = "has_credit_notes"
	CodeCreditNoteEndpointRequired  Code = "credit_note_endpoint_required"
	CodeOriginalNotCommitted        Code = "original_not_committed"
	CodeOriginalIsCreditNote        Code = "original_is_credit_note"
	CodeCreditExceedsOriginal       Code = "credit_exceeds_original"
	CodeNotProcessed                Code = "not_processed"
	CodeOnboardingStepOutOfOrder    Code = "onboarding_step_out_of_order"
	CodeOnboardingStepFailed        Code = "onboarding_step_failed"
	CodeOnboardingNotActive         Code = "onboarding_not_active"
	CodeOrganizationArchived        Code = "organization_archived"
	CodeAPIKeyLimitReached          Code = "api_key_limit_reached"
	CodeWebhookEndpointLimitReached Code = "webhook_endpoint_limit_reached"
	CodeStorageLimitReached         Code = "storage_limit_reached"
	CodeRateOverrideLimitReached    Code = "rate_override_limit_reached"
	CodeSavedViewLimitReached       Code = "saved_view_limit_reached"
	CodeSharedViewLimitReached      Code = "shared_view_limit_reached"
	CodeCalendarFeedLimitReached    Code = "calendar_feed_limit_reached"
	CodeFilingEntryLimitReached     Code = "filing_entry_limit_reached"
	CodeCommentLimitReached         Code = "comment_limit_reached"
	CodeNoticeLimitReached          Code = "notice_limit_reached"
	CodeNoticeChanged               Code = "notice_changed"
	CodeRegistrationNotActive       Code = "registration_not_active"
	CodeNoSalesTax                  Code = "no_sales_tax"
	CodeFilingImmutable             Code = "filing_immutable"
	CodeFilingPeriodOpen            Code = "filing_period_open"
	CodeFilingApprovalBlocked       Code = "filing_approval_blocked"
	CodeFilingNeedsReview           Code = "filing_needs_review"
	CodeFilingNotReady              Code = "filing_not_ready"
	CodeFilingHasUnresolved         Code = "filing_has_unresolved_transactions"
	CodeFilingWithoutDocument       Code = "filing_without_document"
	CodeAmountChanged               Code = "amount_changed"
	CodeFilingHasLiability          Code = "filing_has_liability"
	CodeIdempotencyKeyReused        Code = "idempotency_key_reused"
	CodeIdempotencyKeyInUse         Code = "idempotency_key_in_use"
	CodeIdempotencyAnswerErased     Code = "idempotency_answer_erased"
	CodePayloadTooLarge             Code = "payload_too_large"
	CodeURITooLong                  Code = "uri_too_long"
	CodeUnsupportedMediaType        Code = "unsupported_media_type"
	CodeRateLimited                 Code = "rate_limited"
	CodeHeadersTooLarge             Code = "headers_too_large"
	CodeInternalError               Code = "internal_error"
	CodeServiceUnavailable          Code = "service_unavailable"
	CodeOutcomeUnknown              Code = "outcome_unknown"
)

// Entry is the answer to a code. The page of the code is written from it as well.
type Entry struct {
	Status     int
	Title      string
	Retryable  bool
	RetryAfter int    // in seconds; 0: no header for this code
	Close      bool   // the connection is closed
	Outcome    string // member "outcome"
	Detail     string // used when a problem has no detail of its own
	Members    string // further members, for the page
	Help       string // advice for the page
}

// Table is the only place that decides how a code is answered.
var Table = map[Code]Entry{
	CodeInvalidJSON: {Status: 400, Title: "The body is not acceptable JSON",
		Detail: "The body must be one JSON object in UTF-8.",
		Help: "Send one JSON object in UTF-8, nested at most 32 levels deep, without comments, without anything after " +
			"it, and with every field at most once. Upper and lower case do not make two fields different."},
	CodeValidationFailed: {Status: 400, Title: "The request has invalid fields",
		Detail: "The request has invalid fields.",
		Help: "Every problem found is listed in errors, with its place and a sentence. " +
			"Correct them all and send the request again."},
	CodeOrganizationHeaderMissing: {Status: 400, Title: "The organization header is missing",
		Detail: "The header x-organization-id is missing or empty.",
		Help:   "Send x-organization-id with the id of the organization the call is about."},
	CodeInvalidHeader: {Status: 400, Title: "A header is invalid",
		Detail: "A header is repeated or malformed.",
		Help: "Send x-organization-id exactly once and without a comma, and Idempotency-Key once with 1 to 255 visible " +
			"ASCII characters."},
	CodeMalformedRequest: {Status: 400, Title: "The request cannot be read",
		Detail: "The request is not valid HTTP, or did not arrive in time: its first line or a header cannot be read.",
		Help: "Write every % of the address as %25 unless two hexadecimal digits follow it, send one Host header, and no " +
			"line breaks in headers."},
	CodeUnauthenticated: {Status: 401, Title: "The API key is not accepted",
		// One sentence for all refusals: what differed would tell something of the key.
		Detail: "The API key is missing, unknown, revoked or expired. Send it in X-API-KEY; Authorization is not read.",
		Help: "Send a valid key in the header X-API-KEY, exactly once. " +
			"Keys in the query or in Authorization are not read."},
	CodeSecondFactorRequired: {Status: 401, Title: "A code is needed too",
		Detail:  "Enter the six digits that your app shows, or use a passkey.",
		Members: "challenge: what to send back with the code or the passkey, within 5 minutes",
		Help:    "Send POST /v1/session with challenge, and the code as password or the answer of a passkey as passkey."},
	CodeStepUpRequired: {Status: 403, Title: "Sign in again to go on",
		Detail: "This gives access, and you signed in more than 5 minutes ago. Nothing was changed: sign in again, and send it again.",
		Help: "Send POST /v1/session/proof with the password or a code, or sign in again at the OpenID provider " +
			"(/oidc/start?again=1). Then send the request again within 5 minutes. A key is never refused so."},
	CodeForbiddenForKey: {Status: 403, Title: "This key may not use this function",
		Detail: "This kind of key may not use this function for this organization.",
		Members: "scope: the scope that the key lacks; absent when it is not for lack of a scope; " +
			"grant: what the partner may do for the client, null after the end of the grant; " +
			"needed_grant: the grant that would allow the call",
		Help: "Creating organizations needs the key of the partner. A client's data needs the client's own key, or a grant " +
			"of the partner, which an admin of the client gives. Where scope is named, use a key that has it."},
	CodeRouteNotFound: {Status: 404, Title: "There is no such path",
		Detail: "There is no such path.",
		Help:   "Paths are case-sensitive and have no slash at the end, except those of the onboarding steps."},
	CodeOrganizationNotFound: {Status: 404, Title: "The organization does not exist",
		Detail: "The organization of the header x-organization-id does not exist or cannot be reached with this key.",
		Help:   "Use the id that was returned when the organization was created."},
	CodeResourceNotFound: {Status: 404, Title: "The object does not exist",
		Detail: "There is no object with this id in your organization.",
		Help:   "Paths take Levy's id of an object, unless they contain /external/."},
	CodeProductNotFound: {Status: 404, Title: "A product does not exist",
		Detail: "A product that is referenced does not exist.",
		Help:   "Create the products first. Every external_product_id that is unknown is listed in errors."},
	CodeReferenceNotFound: {Status: 404, Title: "A referenced object does not exist",
		Detail: "An object that is referenced does not exist.",
		Help:   "The fields with unknown ids are listed in errors."},
	CodeMethodNotAllowed: {Status: 405, Title: "The method is not allowed here",
		Detail: "The path exists, but not with this method.",
		Help:   "The header Allow lists the methods of the path."},
	CodeRequestTimeout: {Status: 408, Title: "The request took too long to arrive", Retryable: true, Close: true,
		Detail: "The request was not received in time.",
		Help:   "Send the whole request within 15 seconds."},
	CodeDuplicateExternalID: {Status: 409, Title: "The external_id exists already",
		Detail:  "An object with this external_id exists already.",
		Members: "existing_id: Levy's id of the object that exists",
		Help:    "If this was a repeat, the object is already there: read it by existing_id."},
	CodeDuplicateName: {Status: 409, Title: "The name exists already",
		Detail: "An organization with this name exists already.", Members: "existing_id: id of the organization that exists",
		Help: "Names are compared without regard to letter case and white space."},
	CodeDuplicateRegistration: {Status: 409, Title: "The registration exists already",
		Detail:  "An open registration for this jurisdiction exists already.",
		Members: "existing_id: id of the registration that exists",
		Help:    "Change the existing registration."},
	CodeDuplicateFiling: {Status: 409, Title: "A filing for this period exists already",
		Detail:  "A regular filing for an overlapping period of this registration exists already.",
		Members: "existing_id: id of the filing that exists",
		Help:    "Use another period, or another filing_category such as AMENDMENT."},
	CodeDuplicateEmail: {Status: 409, Title: "The e-mail address is known already",
		Detail:  "A person with this e-mail address is known already.",
		Members: "existing_id: id of the person, where that person belongs to the organization; empty otherwise",
		Help: "Change the role of the person. Who belongs to another organization gets a second role by " +
			"levy user invite."},
	CodeLastAdmin: {Status: 409, Title: "No other person manages people",
		Detail: "This is the last person who manages people here: another person who has signed in has to be an admin, " +
			"of staff an operator, first.",
		Help: "Give another person the role admin, or of staff the role operator. " +
			"An invited person counts after the first sign-in."},
	CodeInvalidStatusTransition: {Status: 409, Title: "The status cannot change this way",
		Detail: "The status cannot change this way.",
		Members: "from: current status; to: status asked for, null when the call asks for none; " +
			"allowed: statuses that are possible",
		Help: "Choose one of the statuses in allowed, or wait until the object has one of them."},
	CodeTransactionLocked: {Status: 409, Title: "The transaction is in a filing",
		Detail: "The transaction is in a filing and cannot change.", Members: "filing_id: the filing",
		Help: "Correct it with a credit note."},
	CodeHasCreditNotes: {Status: 409, Title: "The transaction has credit notes",
		Detail: "The change is not possible while credit notes exist that are not cancelled.",
		Help:   "Cancel the credit notes first."},
	CodeCreditNoteEndpointRequired: {Status: 409, Title: "This is a credit note",
		Detail: "A credit note is changed through its own endpoint.", Members: "related_to: the original transaction",
		Help: "Use PUT /v1/transactions/{related_to}/credit_notes/{id}."},
	CodeOriginalNotCommitted: {Status: 409, Title: "The original is not committed",
		Detail: "Only a committed transaction can be credited.", Members: "current_status: status of the original",
		Help: "Commit the original first."},
	CodeOriginalIsCreditNote: {Status: 409, Title: "The original is a credit note",
		Detail: "Credit notes refer to sales only.",
		Help:   "Refer to the sale."},
	CodeCreditExceedsOriginal: {Status: 409, Title: "The credit is larger than what is left",
		Detail:  "The credit is larger than what is left of the original.",
		Members: "remaining_amount, currency: what is left",
		Help:    "Credit at most the remaining amount."},
	CodeNotProcessed: {Status: 409, Title: "The result is not there yet", Retryable: true, RetryAfter: 1,
		Detail:  "The transaction has not been processed yet.",
		Members: "processing_status: how far it is; processing_reason: what it waits for, with NEEDS_REFETCH",
		Help:    "Repeat the call after the time in Retry-After."},
	CodeOnboardingStepOutOfOrder: {Status: 409, Title: "Another onboarding step is next",
		Detail:  "The onboarding steps are done in order.",
		Members: "next_step, next_step_name, next_step_path: the step that is next",
		Help:    "Do the step that is next."},
	CodeOnboardingStepFailed: {Status: 409, Title: "The onboarding step failed",
		Detail:  "The work behind the step failed for good, and the onboarding is being undone.",
		Members: "step: the step; reason: why",
		Help:    "Start a new onboarding once the reason is removed."},
	CodeOnboardingNotActive: {Status: 409, Title: "The onboarding is not active",
		Detail: "The onboarding is cancelled, expired, failed or completed.", Members: "onboarding_status: its status",
		Help: "Nothing more can be done with this onboarding."},
	CodeOrganizationArchived: {Status: 409, Title: "The organization is archived",
		Detail: "An archived organization cannot change.",
		Help:   "Create a new organization; the name is free again."},
	CodeAPIKeyLimitReached: {Status: 409, Title: "There are too many active keys",
		Detail: "The organization has the largest number of active keys.", Members: "limit: that number",
		Help: "Revoke a key that is no longer used."},
	CodeWebhookEndpointLimitReached: {Status: 409, Title: "There are too many webhook endpoints",
		Detail: "The organization has the largest number of webhook endpoints.", Members: "limit: that number",
		Help: "Delete an endpoint that is no longer used."},
	CodeStorageLimitReached: {Status: 409, Title: "There is no room for more files",
		Detail:  "As much is stored as may be, by you or with your partner: documents of exemptions, letters of notices, and files of imports.",
		Members: "limit: how much, in bytes",
		Help:    "A file of an import makes room when the import has ended or is cancelled. For more room ask the operator."},
	CodeRateOverrideLimitReached: {Status: 409, Title: "There are too many rates of your own",
		Detail: "The organization has set the largest number of rates.", Members: "limit: that number",
		Help: "Delete a rate that the tax content has by now."},
	CodeFilingEntryLimitReached: {Status: 409, Title: "The filing has too many entries",
		Detail: "The filing has the largest number of entries.", Members: "limit: that number",
		Help: "Add amounts of one kind and place up to one entry."},
	CodeSavedViewLimitReached: {Status: 409, Title: "You have too many views",
		Detail: "You have saved the largest number of views.", Members: "limit: that number",
		Help: "Remove a view that you no longer use."},
	CodeSharedViewLimitReached: {Status: 409, Title: "There are too many shared views",
		Detail: "The largest number of views is shared with the organization.", Members: "limit: that number",
		Help: "Make one private that the others no longer use."},
	CodeCalendarFeedLimitReached: {Status: 409, Title: "There are too many calendar feeds",
		Detail: "The organization has the largest number of calendar feeds.", Members: "limit: that number",
		Help: "Revoke a feed that no calendar reads."},
	CodeCommentLimitReached: {Status: 409, Title: "There are too many comments",
		Detail:  "The organization, the record or the comment has the largest number of comments or corrections.",
		Members: "limit: that number", Help: "Withdraw a comment and write another one, or note it elsewhere."},
	CodeNoticeLimitReached: {Status: 409, Title: "There are too many notices",
		Detail:  "The organization has the largest number of notices, or the notice of letters.",
		Members: "limit: that number", Help: "Ask the operator to delete letters that no law needs any more."},
	CodeNoticeChanged: {Status: 409, Title: "The notice has changed meanwhile",
		Detail: "The notice has another revision than the request names.", Members: "revision: that of the notice now",
		Help: "Read the notice again, and send the change with its revision."},
	CodeRegistrationNotActive: {Status: 409, Title: "The registration is not active",
		Detail: "The registration is cancelled or deregistered.", Members: "current_status: its status",
		Help: "Create a new registration."},
	CodeNoSalesTax: {Status: 409, Title: "There is no sales tax there",
		Detail: "No authority taxes sales in this jurisdiction, so there is none to register with.",
		Help:   "Nothing has to be registered. When a tax is introduced there, the next tax content knows it."},
	CodeFilingImmutable: {Status: 409, Title: "The filing cannot change any more",
		Detail: "The filing is filed.",
		Help:   "Late corrections go into an amendment."},
	CodeFilingPeriodOpen: {Status: 409, Title: "The period has not ended", Retryable: true,
		Detail: "A filing is approved after the end of its period.", Members: "available_at: from when on it is possible",
		Help: "Approve it after available_at."},
	CodeFilingApprovalBlocked: {Status: 409, Title: "The approval is blocked",
		Detail: "The approval of this filing is blocked.",
		Help:   "Set block_approval to false first."},
	CodeFilingNeedsReview: {Status: 409, Title: "The filing has something to look at",
		Detail: "A check of the filing did not pass, so it is not approved together with others.",
		Help:   "Read GET /v1/filings/{filing_id}/review, and approve it alone with PUT /v1/filings/{filing_id}/approve."},
	CodeFilingNotReady: {Status: 409, Title: "Transactions are still being processed", Retryable: true, RetryAfter: 5,
		Detail: "Transactions of the period are still being processed.", Members: "pending_transactions: how many",
		Help: "Repeat the call after the time in Retry-After."},
	CodeFilingHasUnresolved: {Status: 409, Title: "Transactions of the period are unresolved",
		Detail:  "Transactions of the period cannot be processed, so the amounts that they add are not known.",
		Members: "unresolved_transaction_count: how many; unresolved_amount: their net, in the currency of the filing",
		Help: "List them with GET /v1/filings/{filing_id}/transactions/unresolved and correct them, " +
			"or approve with exclude_unresolved: " +
			"then they open an amendment when they are resolved."},
	CodeFilingWithoutDocument: {Status: 409, Title: "The filing has no document",
		Detail: "There is no file of this filing for its authority.", Members: "findings: the codes of the findings that say why",
		Help: "Read what is missing with GET /v1/filings/{filing_id}/return?format=findings. Type the worksheet in where there is no file."},
	CodeAmountChanged: {Status: 409, Title: "The amount of the filing has changed",
		Detail:  "The amount of the filing is not the one that you expect.",
		Members: "amount: the amount now; expected_amount: the one that was sent",
		Help:    "Read the filing again, and approve it with its amount."},
	CodeFilingHasLiability: {Status: 409, Title: "The filing has a tax liability",
		Detail: "A filing with a tax liability cannot be skipped.", Members: "total_tax_liability: the amount",
		Help: "File it, or cancel it with a reason."},
	CodeIdempotencyKeyReused: {Status: 409, Title: "The Idempotency-Key was used for another request",
		Detail: "This Idempotency-Key was used for another request.",
		Help:   "Use a new key for each thing to be done, and the same one only for an exact repeat."},
	CodeIdempotencyKeyInUse: {Status: 409, Title: "The first request with this key still runs",
		Retryable: true, RetryAfter: 1,
		Detail: "The first request with this Idempotency-Key still runs.",
		Help:   "Repeat the call after the time in Retry-After."},
	CodeIdempotencyAnswerErased: {Status: 409, Title: "The answer to this key was erased",
		Detail: "The first request with this Idempotency-Key was carried out. " +
			"Its answer named a person who was erased on request since, and was erased too.",
		Help: "Do not send the request under another key: it has been done. Read the record instead."},
	CodePayloadTooLarge: {Status: 413, Title: "The body is too large", Close: true,
		Detail: "The body is larger than allowed.", Members: "limit_bytes: largest body in bytes",
		Help: "Send less at once."},
	CodeURITooLong: {Status: 414, Title: "The URL is too long",
		Detail: "The URL is longer than 8 KiB.",
		Help:   "Send fewer or shorter parameters."},
	CodeUnsupportedMediaType: {Status: 415, Title: "The body has another type than expected",
		Detail: "The body must be application/json in UTF-8, for a document multipart/form-data, and not compressed.",
		Help: "Send Content-Type: application/json, for a document multipart/form-data with its boundary, " +
			"and no Content-Encoding."},
	CodeRateLimited: {Status: 429, Title: "Too many requests", Retryable: true, RetryAfter: 1,
		Detail: "Too many requests.",
		Members: "limit_type: rate, concurrency, authentication, organizations or onboarding_mails; " +
			"limit: with the last two, how many in 24 hours",
		Help: "Wait for the time in Retry-After."},
	CodeHeadersTooLarge: {Status: 431, Title: "The headers are too large",
		Detail: "The headers are larger than 16 KiB.",
		Help:   "Send fewer or shorter headers."},
	CodeInternalError: {Status: 500, Title: "Something went wrong in the service",
		Detail: "The request could not be completed because of a defect in the service.",
		Help:   "Tell the operator the request_id; it leads to the log entry."},
	CodeServiceUnavailable: {Status: 503, Title: "The service cannot do this right now",
		Retryable: true, RetryAfter: 1, Outcome: "not_applied",
		Detail:  "The service is overloaded or something it needs is down. Nothing was written.",
		Members: "outcome: not_applied",
		Help:    "Repeat the call after the time in Retry-After."},
	CodeOutcomeUnknown: {Status: 503, Title: "It is not known whether the write happened", Retryable: true,
		RetryAfter: 1, Outcome: "unknown",
		Detail: "The write may or may not have happened.", Members: "outcome: unknown",
		Help: "Repeat the call with the same Idempotency-Key. If it had none, read the object by its external_id, " +
			"and repeat the call if it is not there."},
}

// StatusOf is the HTTP status of a code; 500 for an unknown one.
func StatusOf(code Code) int {
	if entry, ok := Table[code]; ok {
		return entry.Status
	}
	return Table[CodeInternalError].Status
}
