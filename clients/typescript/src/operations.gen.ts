// Code generated from the contract by clients/internal/generate. DO NOT EDIT.
import type { components, operations } from "./schema.gen.js";
import { Transport } from "./transport.js";
import type { CallOptions, FileContent } from "./transport.js";

/** The records of the contract, by name. Amounts, rates and quantities are decimal strings. */
export type Schemas = components["schemas"];

/** The parameters of an operation. */
export type Query<Name extends keyof operations> = NonNullable<operations[Name]["parameters"]["query"]>;

/** The operations of the contract, one method each. */
export class Operations extends Transport {
  /** Bring the acknowledgement of a state (POST /v1/filings/{filing_id}/acknowledgement). */
  acknowledgeFiling(filing_id: string, body: Schemas["FilingAcknowledgement"], options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/acknowledgement`, json: body, options, keyed: true });
  }

  /** Amend a filed return (POST /v1/filings/{filing_id}/amend). */
  amendFiling(filing_id: string, body: Schemas["FilingAmend"], options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/amend`, json: body, options, keyed: true });
  }

  /** Approve a filing (PUT /v1/filings/{filing_id}/approve). */
  approveFiling(filing_id: string, body?: Schemas["FilingApproval"], options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "PUT", path: `/v1/filings/${encodeURIComponent(filing_id)}/approve`, json: body, options, keyed: true });
  }

  /** Approve many filings (POST /v1/filing_approvals). */
  approveFilings(body: Schemas["FilingApprovals"], options: CallOptions = {}): Promise<Schemas["FilingApprovalResult"]> {
    return this.call({ method: "POST", path: `/v1/filing_approvals`, json: body, options, keyed: true });
  }

  /** Archive a client organization (DELETE /v1/organizations/{organization_id}). */
  archiveOrganization(organization_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/organizations/${encodeURIComponent(organization_id)}`, options, keyed: true });
  }

  /** Archive a product (DELETE /v1/products/{product_id}). */
  archiveProduct(product_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/products/${encodeURIComponent(product_id)}`, options, keyed: true });
  }

  /** Archive transactions (POST /v1/transactions/archive). */
  archiveTransactions(body: Schemas["TransactionArchive"], options: CallOptions = {}): Promise<Schemas["TransactionArchiveResult"]> {
    return this.call({ method: "POST", path: `/v1/transactions/archive`, json: body, options, keyed: true });
  }

  /** Archive the transactions of some days (POST /v1/transactions/archive_by_date). */
  archiveTransactionsByDate(body: Schemas["TransactionArchiveByDate"], options: CallOptions = {}): Promise<Schemas["TransactionArchiveByDateResult"]> {
    return this.call({ method: "POST", path: `/v1/transactions/archive_by_date`, json: body, options, keyed: true });
  }

  /** Assign or note (PUT /v1/exceptions/{type}/{object_id}). */
  assignException(type: string, object_id: string, body: Schemas["ExceptionUpdate"], options: CallOptions = {}): Promise<Schemas["Exception"]> {
    return this.call({ method: "PUT", path: `/v1/exceptions/${encodeURIComponent(type)}/${encodeURIComponent(object_id)}`, json: body, options, keyed: true });
  }

  /** Cancel an onboarding (POST /v1/onboarding/{organization_id}/cancel). */
  cancelOnboarding(organization_id: string, body?: Schemas["OnboardingCancel"], options: CallOptions = {}): Promise<Schemas["Onboarding"]> {
    return this.call({ method: "POST", path: `/v1/onboarding/${encodeURIComponent(organization_id)}/cancel`, json: body, options, keyed: true });
  }

  /** Cancel an import (POST /v1/transactions/imports/{import_id}/cancel). */
  cancelTransactionImport(import_id: string, options: CallOptions = {}): Promise<Schemas["TransactionImport"]> {
    return this.call({ method: "POST", path: `/v1/transactions/imports/${encodeURIComponent(import_id)}/cancel`, options, keyed: true });
  }

  /** Grant or end access at an authority (PUT /v1/authority_connections). */
  changeAuthorityConnection(body: Schemas["AuthorityConnectionChange"], options: CallOptions = {}): Promise<Schemas["AuthorityConnection"]> {
    return this.call({ method: "PUT", path: `/v1/authority_connections`, json: body, options, repeatable: true });
  }

  /** Process again or assign many (POST /v1/exceptions/bulk). */
  changeExceptions(body: Schemas["ExceptionBulk"], options: CallOptions = {}): Promise<Schemas["ExceptionBulkResult"]> {
    return this.call({ method: "POST", path: `/v1/exceptions/bulk`, json: body, options, keyed: true });
  }

  /** Say what the partner may do for your organization (PUT /v1/organizations/{organization_id}/grants/{partner_id}). */
  changeGrant(organization_id: string, partner_id: string, body: Schemas["GrantUpdate"], options: CallOptions = {}): Promise<Schemas["Grant"]> {
    return this.call({ method: "PUT", path: `/v1/organizations/${encodeURIComponent(organization_id)}/grants/${encodeURIComponent(partner_id)}`, json: body, options, keyed: true });
  }

  /** Change the settings (POST /v1/organizations/{organization_id}/settings). */
  changeOrganizationSettings(organization_id: string, body: Schemas["OrganizationSettingsUpdate"], options: CallOptions = {}): Promise<Schemas["Organization"]> {
    return this.call({ method: "POST", path: `/v1/organizations/${encodeURIComponent(organization_id)}/settings`, json: body, options, keyed: true });
  }

  /** Is a name free for a client organization (GET /v1/organizations/is_valid). */
  checkOrganizationName(query: Query<"checkOrganizationName">, options: CallOptions = {}): Promise<Schemas["OrganizationNameCheck"]> {
    return this.call({ method: "GET", path: `/v1/organizations/is_valid`, query, options, repeatable: true });
  }

  /** Create an API key (POST /v1/organizations/api_keys). */
  createAPIKey(body?: Schemas["ApiKeyCreate"], options: CallOptions = {}): Promise<Schemas["ApiKey"]> {
    return this.call({ method: "POST", path: `/v1/organizations/api_keys`, json: body, options, keyed: true });
  }

  /** Create a calendar feed (POST /v1/calendar_feeds). */
  createCalendarFeed(body: Schemas["CalendarFeedCreate"], options: CallOptions = {}): Promise<Schemas["CreatedCalendarFeed"]> {
    return this.call({ method: "POST", path: `/v1/calendar_feeds`, json: body, options, keyed: true });
  }

  /** Comment on a record (POST /v1/comments/{object_type}/{object_id}). */
  createComment(object_type: string, object_id: string, body: Schemas["CommentCreate"], options: CallOptions = {}): Promise<Schemas["Comment"]> {
    return this.call({ method: "POST", path: `/v1/comments/${encodeURIComponent(object_type)}/${encodeURIComponent(object_id)}`, json: body, options, keyed: true });
  }

  /** Credit a transaction (POST /v1/transactions/{transaction_id}/credit_notes). */
  createCreditNote(transaction_id: string, body: Schemas["CreditNoteCreate"], options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "POST", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/credit_notes`, json: body, options, keyed: true });
  }

  /** Create a customer (POST /v1/customers). */
  createCustomer(body: Schemas["CustomerCreate"], options: CallOptions = {}): Promise<Schemas["Customer"]> {
    return this.call({ method: "POST", path: `/v1/customers`, json: body, options, keyed: true });
  }

  /** Record a transaction of a customer (POST /v1/customers/{customer_id}/transactions). */
  createCustomerTransaction(customer_id: string, body: Schemas["CustomerTransactionCreate"], options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "POST", path: `/v1/customers/${encodeURIComponent(customer_id)}/transactions`, json: body, options, keyed: true });
  }

  /** Create an exemption (POST /v1/exemptions). */
  createExemption(body: Schemas["ExemptionCreate"], options: CallOptions = {}): Promise<Schemas["ExemptionRecord"]> {
    return this.call({ method: "POST", path: `/v1/exemptions`, json: body, options, keyed: true });
  }

  /** Create a filing (POST /v1/filings). */
  createFiling(body: Schemas["FilingCreate"], options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "POST", path: `/v1/filings`, json: body, options, keyed: true });
  }

  /** Add an entry to a filing (POST /v1/filings/{filing_id}/entries). */
  createFilingEntry(filing_id: string, body: Schemas["FilingEntryCreate"], options: CallOptions = {}): Promise<Schemas["FilingEntry"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/entries`, json: body, options, keyed: true });
  }

  /** Record a letter of an authority (POST /v1/notices). */
  createNotice(body: Schemas["NoticeCreate"], options: CallOptions = {}): Promise<Schemas["Notice"]> {
    return this.call({ method: "POST", path: `/v1/notices`, json: body, options, keyed: true });
  }

  /** Create a client organization (POST /v1/organizations). */
  createOrganization(body: Schemas["OrganizationCreate"], options: CallOptions = {}): Promise<Schemas["Organization"]> {
    return this.call({ method: "POST", path: `/v1/organizations`, json: body, options, keyed: true });
  }

  /** Record a physical nexus (POST /v1/nexus/physical_nexus). */
  createPhysicalNexus(body: Schemas["PhysicalNexusCreate"], options: CallOptions = {}): Promise<Schemas["PhysicalNexus"]> {
    return this.call({ method: "POST", path: `/v1/nexus/physical_nexus`, json: body, options, keyed: true });
  }

  /** Create a product (POST /v1/products). */
  createProduct(body: Schemas["ProductCreate"], options: CallOptions = {}): Promise<Schemas["Product"]> {
    return this.call({ method: "POST", path: `/v1/products`, json: body, options, keyed: true });
  }

  /** Set a rate yourself (POST /v1/rate_overrides). */
  createRateOverride(body: Schemas["RateOverrideCreate"], options: CallOptions = {}): Promise<Schemas["RateOverride"]> {
    return this.call({ method: "POST", path: `/v1/rate_overrides`, json: body, options, keyed: true });
  }

  /** Register with a tax authority (POST /v1/registrations). */
  createRegistration(body: Schemas["RegistrationCreate"], options: CallOptions = {}): Promise<Schemas["Registration"]> {
    return this.call({ method: "POST", path: `/v1/registrations`, json: body, options, keyed: true });
  }

  /** Record a transaction (POST /v1/transactions). */
  createTransaction(body: Schemas["TransactionCreate"], options: CallOptions = {}): Promise<Schemas["TransactionArray"]> {
    return this.call({ method: "POST", path: `/v1/transactions`, json: body, options, keyed: true });
  }

  /** Record many transactions (POST /v1/transactions/batch). */
  createTransactionBatch(body: Schemas["TransactionBatch"], options: CallOptions = {}): Promise<Schemas["TransactionBatchResult"]> {
    return this.call({ method: "POST", path: `/v1/transactions/batch`, json: body, options, keyed: true });
  }

  /** Import a file of transactions (POST /v1/transactions/imports). */
  createTransactionImport(content: FileContent, query: Query<"createTransactionImport"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionImport"]> {
    return this.call({ method: "POST", path: `/v1/transactions/imports`, csv: content, query, options, keyed: true });
  }

  /** Register an address for events (POST /v1/webhook_endpoints). */
  createWebhookEndpoint(body: Schemas["WebhookEndpointCreate"], options: CallOptions = {}): Promise<Schemas["WebhookEndpoint"]> {
    return this.call({ method: "POST", path: `/v1/webhook_endpoints`, json: body, options, keyed: true });
  }

  /** Revoke a calendar feed (DELETE /v1/calendar_feeds/{calendar_feed_id}). */
  deleteCalendarFeed(calendar_feed_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/calendar_feeds/${encodeURIComponent(calendar_feed_id)}`, options, keyed: true });
  }

  /** Delete an entry of a filing (DELETE /v1/filings/{filing_id}/entries/{entry_id}). */
  deleteFilingEntry(filing_id: string, entry_id: string, options: CallOptions = {}): Promise<Schemas["FilingEntry"]> {
    return this.call({ method: "DELETE", path: `/v1/filings/${encodeURIComponent(filing_id)}/entries/${encodeURIComponent(entry_id)}`, options, keyed: true });
  }

  /** Delete a recorded payment of a filing (DELETE /v1/filings/{filing_id}/payments/{payment_id}). */
  deleteFilingPayment(filing_id: string, payment_id: string, options: CallOptions = {}): Promise<Schemas["RecordedPayment"]> {
    return this.call({ method: "DELETE", path: `/v1/filings/${encodeURIComponent(filing_id)}/payments/${encodeURIComponent(payment_id)}`, options, keyed: true });
  }

  /** Delete a physical nexus (DELETE /v1/nexus/physical_nexus/{physical_nexus_id}). */
  deletePhysicalNexus(physical_nexus_id: string, options: CallOptions = {}): Promise<Schemas["PhysicalNexus"]> {
    return this.call({ method: "DELETE", path: `/v1/nexus/physical_nexus/${encodeURIComponent(physical_nexus_id)}`, options, keyed: true });
  }

  /** Take a rate back (DELETE /v1/rate_overrides/{rate_override_id}). */
  deleteRateOverride(rate_override_id: string, options: CallOptions = {}): Promise<Schemas["RateOverride"]> {
    return this.call({ method: "DELETE", path: `/v1/rate_overrides/${encodeURIComponent(rate_override_id)}`, options, keyed: true });
  }

  /** Delete a webhook endpoint (DELETE /v1/webhook_endpoints/{webhook_endpoint_id}). */
  deleteWebhookEndpoint(webhook_endpoint_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}`, options, keyed: true });
  }

  /** End a registration (POST /v1/registrations/{registration_id}/deregister). */
  deregister(registration_id: string, body?: Schemas["RegistrationDeregister"], options: CallOptions = {}): Promise<Schemas["Registration"]> {
    return this.call({ method: "POST", path: `/v1/registrations/${encodeURIComponent(registration_id)}/deregister`, json: body, options, keyed: true });
  }

  /** Disregard nexus (POST /v1/nexus/{nexus_id}/disregard). */
  disregardNexus(nexus_id: string, body: Schemas["NexusDisregard"], options: CallOptions = {}): Promise<Schemas["NexusRecord"]> {
    return this.call({ method: "POST", path: `/v1/nexus/${encodeURIComponent(nexus_id)}/disregard`, json: body, options, keyed: true });
  }

  /** Revoke an API key, and say what ends with it (POST /v1/organizations/api_keys/{api_key_id}/revoke). */
  endAPIKey(api_key_id: string, body?: Schemas["ApiKeyEnd"], options: CallOptions = {}): Promise<Schemas["EndedApiKey"]> {
    return this.call({ method: "POST", path: `/v1/organizations/api_keys/${encodeURIComponent(api_key_id)}/revoke`, json: body, options, keyed: true });
  }

  /** End what the partner may do for your organization (POST /v1/organizations/{organization_id}/grants/{partner_id}/end). */
  endGrant(organization_id: string, partner_id: string, options: CallOptions = {}): Promise<Schemas["EndedGrant"]> {
    return this.call({ method: "POST", path: `/v1/organizations/${encodeURIComponent(organization_id)}/grants/${encodeURIComponent(partner_id)}/end`, options, keyed: true });
  }

  /** End the link of an onboarding (DELETE /v1/onboarding/{organization_id}/link). */
  endOnboardingLink(organization_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/onboarding/${encodeURIComponent(organization_id)}/link`, options, keyed: true });
  }

  /** Estimate the tax of a sale (POST /v1/tax/estimate). */
  estimateTax(body: Schemas["EstimateRequest"], query: Query<"estimateTax"> = {}, options: CallOptions = {}): Promise<Schemas["Estimate"]> {
    return this.call({ method: "POST", path: `/v1/tax/estimate`, json: body, query, options, repeatable: true });
  }

  /** Export API keys (GET /v1/organizations/api_keys/export). */
  exportAPIKeys(query: Query<"exportAPIKeys">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/organizations/api_keys/export`, query, options, repeatable: true });
  }

  /** Export the audit trail (GET /v1/audit/export). */
  exportAudit(query: Query<"exportAudit">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/audit/export`, query, options, repeatable: true });
  }

  /** Export the customers (GET /v1/customers/export). */
  exportCustomers(query: Query<"exportCustomers">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/customers/export`, query, options, repeatable: true });
  }

  /** Export the calendar of returns (GET /v1/due_filings/export). */
  exportDueFilings(query: Query<"exportDueFilings"> = {}, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/due_filings/export`, query, options, repeatable: true });
  }

  /** Export exemptions (GET /v1/exemptions/export). */
  exportExemptions(query: Query<"exportExemptions">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/exemptions/export`, query, options, repeatable: true });
  }

  /** Export the worksheet of a filing (GET /v1/filings/{filing_id}/worksheet/export). */
  exportFilingWorksheet(filing_id: string, query: Query<"exportFilingWorksheet"> = {}, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/worksheet/export`, query, options, repeatable: true });
  }

  /** Export the filings (GET /v1/filings/export). */
  exportFilings(query: Query<"exportFilings">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/filings/export`, query, options, repeatable: true });
  }

  /** Export nexus records (GET /v1/nexus/export). */
  exportNexus(query: Query<"exportNexus">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/nexus/export`, query, options, repeatable: true });
  }

  /** Export the notices (GET /v1/notices/export). */
  exportNotices(query: Query<"exportNotices">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/notices/export`, query, options, repeatable: true });
  }

  /** Export the onboardings of the clients (GET /v1/onboardings/export). */
  exportOnboardings(query: Query<"exportOnboardings">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/onboardings/export`, query, options, repeatable: true });
  }

  /** Export organizations (GET /v1/organizations/export). */
  exportOrganizations(query: Query<"exportOrganizations">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/organizations/export`, query, options, repeatable: true });
  }

  /** Export physical nexus (GET /v1/nexus/physical_nexus/export). */
  exportPhysicalNexus(query: Query<"exportPhysicalNexus">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/nexus/physical_nexus/export`, query, options, repeatable: true });
  }

  /** Export the products (GET /v1/products/export). */
  exportProducts(query: Query<"exportProducts">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/products/export`, query, options, repeatable: true });
  }

  /** Export the rates you set (GET /v1/rate_overrides/export). */
  exportRateOverrides(query: Query<"exportRateOverrides">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/rate_overrides/export`, query, options, repeatable: true });
  }

  /** Export the registrations (GET /v1/registrations/export). */
  exportRegistrations(query: Query<"exportRegistrations">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/registrations/export`, query, options, repeatable: true });
  }

  /** What was not taken in (GET /v1/transactions/imports/{import_id}/rejected_rows). */
  exportRejectedRows(import_id: string, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/transactions/imports/${encodeURIComponent(import_id)}/rejected_rows`, options, repeatable: true });
  }

  /** Export a report (GET /v1/reports/export). */
  exportReport(query: Query<"exportReport">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/reports/export`, query, options, repeatable: true });
  }

  /** Export imports (GET /v1/transactions/imports/export). */
  exportTransactionImports(query: Query<"exportTransactionImports">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/transactions/imports/export`, query, options, repeatable: true });
  }

  /** Export transactions (GET /v1/transactions/export). */
  exportTransactions(query: Query<"exportTransactions">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/transactions/export`, query, options, repeatable: true });
  }

  /** Export people (GET /v1/users/export). */
  exportUsers(query: Query<"exportUsers">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/users/export`, query, options, repeatable: true });
  }

  /** Export deliveries (GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/export). */
  exportWebhookDeliveries(webhook_endpoint_id: string, query: Query<"exportWebhookDeliveries">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/deliveries/export`, query, options, repeatable: true });
  }

  /** Export webhook endpoints (GET /v1/webhook_endpoints/export). */
  exportWebhookEndpoints(query: Query<"exportWebhookEndpoints">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/webhook_endpoints/export`, query, options, repeatable: true });
  }

  /** Read an API key record (GET /v1/organizations/api_keys/{api_key_id}). */
  getAPIKey(api_key_id: string, options: CallOptions = {}): Promise<Schemas["ApiKey"]> {
    return this.call({ method: "GET", path: `/v1/organizations/api_keys/${encodeURIComponent(api_key_id)}`, options, repeatable: true });
  }

  /** Read the bank details (GET /v1/bank_details). */
  getBankDetails(options: CallOptions = {}): Promise<Schemas["BankDetails"]> {
    return this.call({ method: "GET", path: `/v1/bank_details`, options, repeatable: true });
  }

  /** Read a customer (GET /v1/customers/{customer_id}). */
  getCustomer(customer_id: string, options: CallOptions = {}): Promise<Schemas["Customer"]> {
    return this.call({ method: "GET", path: `/v1/customers/${encodeURIComponent(customer_id)}`, options, repeatable: true });
  }

  /** Read a customer by your own identifier (GET /v1/customers/external/{external_id}). */
  getCustomerByExternalID(external_id: string, options: CallOptions = {}): Promise<Schemas["Customer"]> {
    return this.call({ method: "GET", path: `/v1/customers/external/${encodeURIComponent(external_id)}`, options, repeatable: true });
  }

  /** Read an event (GET /v1/events/{event_id}). */
  getEvent(event_id: string, options: CallOptions = {}): Promise<Schemas["Event"]> {
    return this.call({ method: "GET", path: `/v1/events/${encodeURIComponent(event_id)}`, options, repeatable: true });
  }

  /** Read an exemption (GET /v1/exemptions/{exemption_id}). */
  getExemption(exemption_id: string, options: CallOptions = {}): Promise<Schemas["ExemptionRecord"]> {
    return this.call({ method: "GET", path: `/v1/exemptions/${encodeURIComponent(exemption_id)}`, options, repeatable: true });
  }

  /** Download a document of an exemption (GET /v1/exemptions/{exemption_id}/attachments/{attachment_id}). */
  getExemptionAttachment(exemption_id: string, attachment_id: string, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/exemptions/${encodeURIComponent(exemption_id)}/attachments/${encodeURIComponent(attachment_id)}`, options, repeatable: true });
  }

  /** Read what is owed and what needs a person (GET /v1/figures). */
  getFigures(query: Query<"getFigures"> = {}, options: CallOptions = {}): Promise<Schemas["Figures"]> {
    return this.call({ method: "GET", path: `/v1/figures`, query, options, repeatable: true });
  }

  /** Read a filing (GET /v1/filings/{filing_id}). */
  getFiling(filing_id: string, options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}`, options, repeatable: true });
  }

  /** What to pay for a filing, until when and how (GET /v1/filings/{filing_id}/payment). */
  getFilingPayment(filing_id: string, options: CallOptions = {}): Promise<Schemas["FilingPayment"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/payment`, options, repeatable: true });
  }

  /** Get the report of a filing (GET /v1/filings/{filing_id}/report). */
  getFilingReport(filing_id: string, query: Query<"getFilingReport">, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/report`, query, options, repeatable: true });
  }

  /** Get the file of a filing for its authority (GET /v1/filings/{filing_id}/return). */
  getFilingReturn(filing_id: string, query: Query<"getFilingReturn"> = {}, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/return`, query, options, repeatable: true });
  }

  /** Review a filing before its approval (GET /v1/filings/{filing_id}/review). */
  getFilingReview(filing_id: string, options: CallOptions = {}): Promise<Schemas["FilingReview"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/review`, options, repeatable: true });
  }

  /** Get the worksheet of a filing (GET /v1/filings/{filing_id}/worksheet). */
  getFilingWorksheet(filing_id: string, options: CallOptions = {}): Promise<Schemas["FilingWorksheet"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/worksheet`, options, repeatable: true });
  }

  /** Is the process running (GET /healthz). */
  getHealth(options: CallOptions = {}): Promise<Schemas["Health"]> {
    return this.call({ method: "GET", path: `/healthz`, options, repeatable: true });
  }

  /** Read a nexus record (GET /v1/nexus/{nexus_id}). */
  getNexus(nexus_id: string, options: CallOptions = {}): Promise<Schemas["NexusRecord"]> {
    return this.call({ method: "GET", path: `/v1/nexus/${encodeURIComponent(nexus_id)}`, options, repeatable: true });
  }

  /** Read a notice (GET /v1/notices/{notice_id}). */
  getNotice(notice_id: string, options: CallOptions = {}): Promise<Schemas["Notice"]> {
    return this.call({ method: "GET", path: `/v1/notices/${encodeURIComponent(notice_id)}`, options, repeatable: true });
  }

  /** Download a letter of a notice (GET /v1/notices/{notice_id}/documents/{document_id}). */
  getNoticeDocument(notice_id: string, document_id: string, options: CallOptions = {}): Promise<Blob> {
    return this.download({ method: "GET", path: `/v1/notices/${encodeURIComponent(notice_id)}/documents/${encodeURIComponent(document_id)}`, options, repeatable: true });
  }

  /** Read an onboarding (GET /v1/onboarding/{organization_id}). */
  getOnboarding(organization_id: string, options: CallOptions = {}): Promise<Schemas["Onboarding"]> {
    return this.call({ method: "GET", path: `/v1/onboarding/${encodeURIComponent(organization_id)}`, options, repeatable: true });
  }

  /** Read about the link of an onboarding (GET /v1/onboarding/{organization_id}/link). */
  getOnboardingLink(organization_id: string, options: CallOptions = {}): Promise<Schemas["OnboardingLink"]> {
    return this.call({ method: "GET", path: `/v1/onboarding/${encodeURIComponent(organization_id)}/link`, options, repeatable: true });
  }

  /** Read an organization (GET /v1/organizations/{organization_id}). */
  getOrganization(organization_id: string, options: CallOptions = {}): Promise<Schemas["Organization"]> {
    return this.call({ method: "GET", path: `/v1/organizations/${encodeURIComponent(organization_id)}`, options, repeatable: true });
  }

  /** Read the details of the organization (GET /v1/organization_details). */
  getOrganizationDetails(options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "GET", path: `/v1/organization_details`, options, repeatable: true });
  }

  /** Read the settings (GET /v1/organizations/{organization_id}/settings). */
  getOrganizationSettings(organization_id: string, options: CallOptions = {}): Promise<Schemas["OrganizationSettings"]> {
    return this.call({ method: "GET", path: `/v1/organizations/${encodeURIComponent(organization_id)}/settings`, options, repeatable: true });
  }

  /** Read the onboarding of the organization (GET /v1/onboarding). */
  getOwnOnboarding(options: CallOptions = {}): Promise<Schemas["Onboarding"]> {
    return this.call({ method: "GET", path: `/v1/onboarding`, options, repeatable: true });
  }

  /** Read a physical nexus (GET /v1/nexus/physical_nexus/{physical_nexus_id}). */
  getPhysicalNexus(physical_nexus_id: string, options: CallOptions = {}): Promise<Schemas["PhysicalNexus"]> {
    return this.call({ method: "GET", path: `/v1/nexus/physical_nexus/${encodeURIComponent(physical_nexus_id)}`, options, repeatable: true });
  }

  /** Read a product (GET /v1/products/{product_id}). */
  getProduct(product_id: string, options: CallOptions = {}): Promise<Schemas["Product"]> {
    return this.call({ method: "GET", path: `/v1/products/${encodeURIComponent(product_id)}`, options, repeatable: true });
  }

  /** Find a product by your own identifier (GET /v1/products/external/{external_id}). */
  getProductByExternalID(external_id: string, options: CallOptions = {}): Promise<Schemas["Product"]> {
    return this.call({ method: "GET", path: `/v1/products/external/${encodeURIComponent(external_id)}`, options, repeatable: true });
  }

  /** How the states tax a product (GET /v1/products/{product_id}/taxability). */
  getProductTaxability(product_id: string, query: Query<"getProductTaxability"> = {}, options: CallOptions = {}): Promise<Schemas["ProductTaxability"]> {
    return this.call({ method: "GET", path: `/v1/products/${encodeURIComponent(product_id)}/taxability`, query, options, repeatable: true });
  }

  /** Read a rate you set (GET /v1/rate_overrides/{rate_override_id}). */
  getRateOverride(rate_override_id: string, options: CallOptions = {}): Promise<Schemas["RateOverride"]> {
    return this.call({ method: "GET", path: `/v1/rate_overrides/${encodeURIComponent(rate_override_id)}`, options, repeatable: true });
  }

  /** Can the service take requests (GET /readyz). */
  getReadiness(options: CallOptions = {}): Promise<Schemas["Readiness"]> {
    return this.call({ method: "GET", path: `/readyz`, options, repeatable: true });
  }

  /** Read a registration (GET /v1/registrations/{registration_id}). */
  getRegistration(registration_id: string, query: Query<"getRegistration"> = {}, options: CallOptions = {}): Promise<Schemas["Registration"]> {
    return this.call({ method: "GET", path: `/v1/registrations/${encodeURIComponent(registration_id)}`, query, options, repeatable: true });
  }

  /** Read a report (GET /v1/reports). */
  getReport(query: Query<"getReport">, options: CallOptions = {}): Promise<Schemas["Report"]> {
    return this.call({ method: "GET", path: `/v1/reports`, query, options, repeatable: true });
  }

  /** Read a transaction (GET /v1/transactions/{transaction_id}). */
  getTransaction(transaction_id: string, options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}`, options, repeatable: true });
  }

  /** Find a transaction by your own identifier (GET /v1/transactions/external/{external_id}). */
  getTransactionByExternalID(external_id: string, options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "GET", path: `/v1/transactions/external/${encodeURIComponent(external_id)}`, options, repeatable: true });
  }

  /** How the tax of a transaction was computed (GET /v1/transactions/{transaction_id}/explanation). */
  getTransactionExplanation(transaction_id: string, options: CallOptions = {}): Promise<Schemas["TransactionExplanation"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/explanation`, options, repeatable: true });
  }

  /** Read an import (GET /v1/transactions/imports/{import_id}). */
  getTransactionImport(import_id: string, options: CallOptions = {}): Promise<Schemas["TransactionImport"]> {
    return this.call({ method: "GET", path: `/v1/transactions/imports/${encodeURIComponent(import_id)}`, options, repeatable: true });
  }

  /** Read a replaced version of a transaction (GET /v1/transactions/{transaction_id}/revisions/{revision}). */
  getTransactionRevision(transaction_id: string, revision: string, options: CallOptions = {}): Promise<Schemas["TransactionRevision"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/revisions/${encodeURIComponent(revision)}`, options, repeatable: true });
  }

  /** Read a webhook endpoint (GET /v1/webhook_endpoints/{webhook_endpoint_id}). */
  getWebhookEndpoint(webhook_endpoint_id: string, options: CallOptions = {}): Promise<Schemas["WebhookEndpoint"]> {
    return this.call({ method: "GET", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}`, options, repeatable: true });
  }

  /** Invite a person (POST /v1/users). */
  inviteUser(body: Schemas["UserCreate"], options: CallOptions = {}): Promise<Schemas["InvitedUser"]> {
    return this.call({ method: "POST", path: `/v1/users`, json: body, options, keyed: true });
  }

  /** List API keys (GET /v1/organizations/api_keys). */
  listAPIKeys(query: Query<"listAPIKeys"> = {}, options: CallOptions = {}): Promise<Schemas["ApiKeyList"]> {
    return this.call({ method: "GET", path: `/v1/organizations/api_keys`, query, options, repeatable: true });
  }

  /** List API keys, row by row (listAPIKeys). */
  eachAPIKeys(query: Omit<Query<"listAPIKeys">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["ApiKey"]> {
    return this.each("page", (place) => this.listAPIKeys({ ...query, ...place }, options));
  }

  /** List the audit trail (GET /v1/audit). */
  listAudit(query: Query<"listAudit"> = {}, options: CallOptions = {}): Promise<Schemas["AuditEntryList"]> {
    return this.call({ method: "GET", path: `/v1/audit`, query, options, repeatable: true });
  }

  /** List the audit trail, row by row (listAudit). */
  eachAudit(query: Omit<Query<"listAudit">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["AuditEntry"]> {
    return this.each("after", (place) => this.listAudit({ ...query, ...place }, options), query.after);
  }

  /** List the authorities that take returns by a grant of access (GET /v1/authority_connections). */
  listAuthorityConnections(options: CallOptions = {}): Promise<Schemas["AuthorityConnectionList"]> {
    return this.call({ method: "GET", path: `/v1/authority_connections`, options, repeatable: true });
  }

  /** List the calendar feeds of an organization (GET /v1/calendar_feeds). */
  listCalendarFeeds(options: CallOptions = {}): Promise<Schemas["CalendarFeedList"]> {
    return this.call({ method: "GET", path: `/v1/calendar_feeds`, options, repeatable: true });
  }

  /** List who can be asked (GET /v1/colleagues). */
  listColleagues(query: Query<"listColleagues"> = {}, options: CallOptions = {}): Promise<Schemas["ColleagueList"]> {
    return this.call({ method: "GET", path: `/v1/colleagues`, query, options, repeatable: true });
  }

  /** List comments of a record (GET /v1/comments/{object_type}/{object_id}). */
  listComments(object_type: string, object_id: string, options: CallOptions = {}): Promise<Schemas["CommentList"]> {
    return this.call({ method: "GET", path: `/v1/comments/${encodeURIComponent(object_type)}/${encodeURIComponent(object_id)}`, options, repeatable: true });
  }

  /** List the transactions of a customer (GET /v1/customers/{customer_id}/transactions). */
  listCustomerTransactions(customer_id: string, query: Query<"listCustomerTransactions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionRows"]> {
    return this.call({ method: "GET", path: `/v1/customers/${encodeURIComponent(customer_id)}/transactions`, query, options, repeatable: true });
  }

  /** List customers (GET /v1/customers). */
  listCustomers(query: Query<"listCustomers"> = {}, options: CallOptions = {}): Promise<Schemas["CustomerList"]> {
    return this.call({ method: "GET", path: `/v1/customers`, query, options, repeatable: true });
  }

  /** List customers, row by row (listCustomers). */
  eachCustomers(query: Omit<Query<"listCustomers">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Customer"]> {
    return this.each("after", (place) => this.listCustomers({ ...query, ...place }, options), query.after);
  }

  /** List filings of many organizations by their due date (GET /v1/due_filings). */
  listDueFilings(query: Query<"listDueFilings"> = {}, options: CallOptions = {}): Promise<Schemas["DueFilingList"]> {
    return this.call({ method: "GET", path: `/v1/due_filings`, query, options, repeatable: true });
  }

  /** List filings of many organizations by their due date, row by row (listDueFilings). */
  eachDueFilings(query: Omit<Query<"listDueFilings">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["DueFiling"]> {
    return this.each("page", (place) => this.listDueFilings({ ...query, ...place }, options));
  }

  /** Read the feed of events (GET /v1/events). */
  listEvents(query: Query<"listEvents"> = {}, options: CallOptions = {}): Promise<Schemas["EventList"]> {
    return this.call({ method: "GET", path: `/v1/events`, query, options, repeatable: true });
  }

  /** Read the feed of events, row by row (listEvents). */
  eachEvents(query: Omit<Query<"listEvents">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Event"]> {
    return this.each("after", (place) => this.listEvents({ ...query, ...place }, options), query.after);
  }

  /** List the causes of what needs a person (GET /v1/exceptions/groups). */
  listExceptionGroups(query: Query<"listExceptionGroups"> = {}, options: CallOptions = {}): Promise<Schemas["ExceptionGroupList"]> {
    return this.call({ method: "GET", path: `/v1/exceptions/groups`, query, options, repeatable: true });
  }

  /** List what needs a person (GET /v1/exceptions). */
  listExceptions(query: Query<"listExceptions"> = {}, options: CallOptions = {}): Promise<Schemas["ExceptionList"]> {
    return this.call({ method: "GET", path: `/v1/exceptions`, query, options, repeatable: true });
  }

  /** List what needs a person, row by row (listExceptions). */
  eachExceptions(query: Omit<Query<"listExceptions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Exception"]> {
    return this.each("page", (place) => this.listExceptions({ ...query, ...place }, options));
  }

  /** List the documents of an exemption (GET /v1/exemptions/{exemption_id}/attachments). */
  listExemptionAttachments(exemption_id: string, options: CallOptions = {}): Promise<Schemas["StoredAttachmentList"]> {
    return this.call({ method: "GET", path: `/v1/exemptions/${encodeURIComponent(exemption_id)}/attachments`, options, repeatable: true });
  }

  /** List exemptions (GET /v1/exemptions). */
  listExemptions(query: Query<"listExemptions"> = {}, options: CallOptions = {}): Promise<Schemas["ExemptionList"]> {
    return this.call({ method: "GET", path: `/v1/exemptions`, query, options, repeatable: true });
  }

  /** List exemptions, row by row (listExemptions). */
  eachExemptions(query: Omit<Query<"listExemptions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["ExemptionRecord"]> {
    return this.each("after", (place) => this.listExemptions({ ...query, ...place }, options), query.after);
  }

  /** List the entries of a filing (GET /v1/filings/{filing_id}/entries). */
  listFilingEntries(filing_id: string, options: CallOptions = {}): Promise<Schemas["FilingEntryList"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/entries`, options, repeatable: true });
  }

  /** What happened to a filing (GET /v1/filings/{filing_id}/history). */
  listFilingHistory(filing_id: string, query: Query<"listFilingHistory"> = {}, options: CallOptions = {}): Promise<Schemas["FilingHistory"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/history`, query, options, repeatable: true });
  }

  /** What happened to a filing, row by row (listFilingHistory). */
  eachFilingHistory(filing_id: string, query: Omit<Query<"listFilingHistory">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["FilingHistoryEntry"]> {
    return this.each("page", (place) => this.listFilingHistory(filing_id, { ...query, ...place }, options));
  }

  /** List what is to be paid for filings (GET /v1/filing_payments). */
  listFilingPayments(query: Query<"listFilingPayments"> = {}, options: CallOptions = {}): Promise<Schemas["FilingPaymentList"]> {
    return this.call({ method: "GET", path: `/v1/filing_payments`, query, options, repeatable: true });
  }

  /** List what is to be paid for filings, row by row (listFilingPayments). */
  eachFilingPayments(query: Omit<Query<"listFilingPayments">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["FilingPayment"]> {
    return this.each("page", (place) => this.listFilingPayments({ ...query, ...place }, options));
  }

  /** List the transactions of a filing (GET /v1/filings/{filing_id}/transactions). */
  listFilingTransactions(filing_id: string, query: Query<"listFilingTransactions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionList"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/transactions`, query, options, repeatable: true });
  }

  /** List the transactions of a filing, row by row (listFilingTransactions). */
  eachFilingTransactions(filing_id: string, query: Omit<Query<"listFilingTransactions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Transaction"]> {
    return this.each("after", (place) => this.listFilingTransactions(filing_id, { ...query, ...place }, options), query.after);
  }

  /** List filings (GET /v1/filings). */
  listFilings(query: Query<"listFilings"> = {}, options: CallOptions = {}): Promise<Schemas["FilingList"]> {
    return this.call({ method: "GET", path: `/v1/filings`, query, options, repeatable: true });
  }

  /** List filings, row by row (listFilings). */
  eachFilings(query: Omit<Query<"listFilings">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Filing"]> {
    return this.each("page", (place) => this.listFilings({ ...query, ...place }, options));
  }

  /** List nexus records (GET /v1/nexus). */
  listNexus(query: Query<"listNexus"> = {}, options: CallOptions = {}): Promise<Schemas["NexusList"]> {
    return this.call({ method: "GET", path: `/v1/nexus`, query, options, repeatable: true });
  }

  /** List nexus records, row by row (listNexus). */
  eachNexus(query: Omit<Query<"listNexus">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["NexusRecord"]> {
    return this.each("page", (place) => this.listNexus({ ...query, ...place }, options));
  }

  /** Sales of a jurisdiction by month (GET /v1/nexus/{nexus_id}/months). */
  listNexusMonths(nexus_id: string, options: CallOptions = {}): Promise<Schemas["NexusMonths"]> {
    return this.call({ method: "GET", path: `/v1/nexus/${encodeURIComponent(nexus_id)}/months`, options, repeatable: true });
  }

  /** List notices (GET /v1/notices). */
  listNotices(query: Query<"listNotices"> = {}, options: CallOptions = {}): Promise<Schemas["NoticeList"]> {
    return this.call({ method: "GET", path: `/v1/notices`, query, options, repeatable: true });
  }

  /** List notices, row by row (listNotices). */
  eachNotices(query: Omit<Query<"listNotices">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Notice"]> {
    return this.each("after", (place) => this.listNotices({ ...query, ...place }, options), query.after);
  }

  /** List the onboardings of the clients (GET /v1/onboardings). */
  listOnboardings(query: Query<"listOnboardings"> = {}, options: CallOptions = {}): Promise<Schemas["OnboardingList"]> {
    return this.call({ method: "GET", path: `/v1/onboardings`, query, options, repeatable: true });
  }

  /** List the onboardings of the clients, row by row (listOnboardings). */
  eachOnboardings(query: Omit<Query<"listOnboardings">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Onboarding"]> {
    return this.each("page", (place) => this.listOnboardings({ ...query, ...place }, options));
  }

  /** List organizations (GET /v1/organizations). */
  listOrganizations(query: Query<"listOrganizations"> = {}, options: CallOptions = {}): Promise<Schemas["OrganizationList"]> {
    return this.call({ method: "GET", path: `/v1/organizations`, query, options, repeatable: true });
  }

  /** List organizations, row by row (listOrganizations). */
  eachOrganizations(query: Omit<Query<"listOrganizations">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Organization"]> {
    return this.each("page", (place) => this.listOrganizations({ ...query, ...place }, options));
  }

  /** List physical nexus (GET /v1/nexus/physical_nexus). */
  listPhysicalNexus(query: Query<"listPhysicalNexus"> = {}, options: CallOptions = {}): Promise<Schemas["PhysicalNexusList"]> {
    return this.call({ method: "GET", path: `/v1/nexus/physical_nexus`, query, options, repeatable: true });
  }

  /** List physical nexus, row by row (listPhysicalNexus). */
  eachPhysicalNexus(query: Omit<Query<"listPhysicalNexus">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["PhysicalNexus"]> {
    return this.each("page", (place) => this.listPhysicalNexus({ ...query, ...place }, options));
  }

  /** List the categories of physical nexus (GET /v1/nexus/physical_nexus/categories). */
  listPhysicalNexusCategories(query: Query<"listPhysicalNexusCategories"> = {}, options: CallOptions = {}): Promise<Schemas["PhysicalNexusCategoryList"]> {
    return this.call({ method: "GET", path: `/v1/nexus/physical_nexus/categories`, query, options, repeatable: true });
  }

  /** List product categories (GET /v1/products/categories). */
  listProductCategories(options: CallOptions = {}): Promise<Schemas["ProductCategoryList"]> {
    return this.call({ method: "GET", path: `/v1/products/categories`, options, repeatable: true });
  }

  /** List products (GET /v1/products). */
  listProducts(query: Query<"listProducts"> = {}, options: CallOptions = {}): Promise<Schemas["ProductList"]> {
    return this.call({ method: "GET", path: `/v1/products`, query, options, repeatable: true });
  }

  /** List products, row by row (listProducts). */
  eachProducts(query: Omit<Query<"listProducts">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Product"]> {
    return this.each("after", (place) => this.listProducts({ ...query, ...place }, options), query.after);
  }

  /** List the rates you set (GET /v1/rate_overrides). */
  listRateOverrides(query: Query<"listRateOverrides"> = {}, options: CallOptions = {}): Promise<Schemas["RateOverrideList"]> {
    return this.call({ method: "GET", path: `/v1/rate_overrides`, query, options, repeatable: true });
  }

  /** List the rates you set, row by row (listRateOverrides). */
  eachRateOverrides(query: Omit<Query<"listRateOverrides">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["RateOverride"]> {
    return this.each("page", (place) => this.listRateOverrides({ ...query, ...place }, options));
  }

  /** List the filings of a registration (GET /v1/filings/registration/{registration_id}). */
  listRegistrationFilings(registration_id: string, query: Query<"listRegistrationFilings"> = {}, options: CallOptions = {}): Promise<Schemas["FilingList"]> {
    return this.call({ method: "GET", path: `/v1/filings/registration/${encodeURIComponent(registration_id)}`, query, options, repeatable: true });
  }

  /** List the filings of a registration, row by row (listRegistrationFilings). */
  eachRegistrationFilings(registration_id: string, query: Omit<Query<"listRegistrationFilings">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Filing"]> {
    return this.each("page", (place) => this.listRegistrationFilings(registration_id, { ...query, ...place }, options));
  }

  /** List registrations (GET /v1/registrations). */
  listRegistrations(query: Query<"listRegistrations"> = {}, options: CallOptions = {}): Promise<Schemas["RegistrationList"]> {
    return this.call({ method: "GET", path: `/v1/registrations`, query, options, repeatable: true });
  }

  /** List registrations, row by row (listRegistrations). */
  eachRegistrations(query: Omit<Query<"listRegistrations">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Registration"]> {
    return this.each("page", (place) => this.listRegistrations({ ...query, ...place }, options));
  }

  /** What is connected with a transaction (GET /v1/transactions/{transaction_id}/related_transactions). */
  listRelatedTransactions(transaction_id: string, query: Query<"listRelatedTransactions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionList"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/related_transactions`, query, options, repeatable: true });
  }

  /** What is connected with a transaction, row by row (listRelatedTransactions). */
  eachRelatedTransactions(transaction_id: string, query: Omit<Query<"listRelatedTransactions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Transaction"]> {
    return this.each("page", (place) => this.listRelatedTransactions(transaction_id, { ...query, ...place }, options));
  }

  /** List the forms of returns that Levy knows (GET /v1/meta/return-formats). */
  listReturnFormats(query: Query<"listReturnFormats"> = {}, options: CallOptions = {}): Promise<Schemas["ReturnFormats"]> {
    return this.call({ method: "GET", path: `/v1/meta/return-formats`, query, options, repeatable: true });
  }

  /** Transitions of every status (GET /v1/meta/state-machines). */
  listStateMachines(options: CallOptions = {}): Promise<Schemas["StateMachineList"]> {
    return this.call({ method: "GET", path: `/v1/meta/state-machines`, options, repeatable: true });
  }

  /** What happened to a transaction (GET /v1/transactions/{transaction_id}/history). */
  listTransactionHistory(transaction_id: string, query: Query<"listTransactionHistory"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionHistory"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/history`, query, options, repeatable: true });
  }

  /** What happened to a transaction, row by row (listTransactionHistory). */
  eachTransactionHistory(transaction_id: string, query: Omit<Query<"listTransactionHistory">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["TransactionHistoryEntry"]> {
    return this.each("page", (place) => this.listTransactionHistory(transaction_id, { ...query, ...place }, options));
  }

  /** List imports (GET /v1/transactions/imports). */
  listTransactionImports(query: Query<"listTransactionImports"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionImportList"]> {
    return this.call({ method: "GET", path: `/v1/transactions/imports`, query, options, repeatable: true });
  }

  /** List imports, row by row (listTransactionImports). */
  eachTransactionImports(query: Omit<Query<"listTransactionImports">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["TransactionImport"]> {
    return this.each("page", (place) => this.listTransactionImports({ ...query, ...place }, options));
  }

  /** The replaced versions of a transaction (GET /v1/transactions/{transaction_id}/revisions). */
  listTransactionRevisions(transaction_id: string, query: Query<"listTransactionRevisions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionRevisionList"]> {
    return this.call({ method: "GET", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/revisions`, query, options, repeatable: true });
  }

  /** The replaced versions of a transaction, row by row (listTransactionRevisions). */
  eachTransactionRevisions(transaction_id: string, query: Omit<Query<"listTransactionRevisions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["TransactionRevisionEntry"]> {
    return this.each("page", (place) => this.listTransactionRevisions(transaction_id, { ...query, ...place }, options));
  }

  /** List transactions (GET /v1/transactions). */
  listTransactions(query: Query<"listTransactions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionList"]> {
    return this.call({ method: "GET", path: `/v1/transactions`, query, options, repeatable: true });
  }

  /** List transactions, row by row (listTransactions). */
  eachTransactions(query: Omit<Query<"listTransactions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Transaction"]> {
    return this.each("after", (place) => this.listTransactions({ ...query, ...place }, options), query.after);
  }

  /** List the transactions of a filing as a plain list (GET /v1/transactions/filings/{filing_id}). */
  listTransactionsOfFiling(filing_id: string, query: Query<"listTransactionsOfFiling"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionRows"]> {
    return this.call({ method: "GET", path: `/v1/transactions/filings/${encodeURIComponent(filing_id)}`, query, options, repeatable: true });
  }

  /** List the unresolved transactions of a filing (GET /v1/filings/{filing_id}/transactions/unresolved). */
  listUnresolvedFilingTransactions(filing_id: string, query: Query<"listUnresolvedFilingTransactions"> = {}, options: CallOptions = {}): Promise<Schemas["TransactionList"]> {
    return this.call({ method: "GET", path: `/v1/filings/${encodeURIComponent(filing_id)}/transactions/unresolved`, query, options, repeatable: true });
  }

  /** List the unresolved transactions of a filing, row by row (listUnresolvedFilingTransactions). */
  eachUnresolvedFilingTransactions(filing_id: string, query: Omit<Query<"listUnresolvedFilingTransactions">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["Transaction"]> {
    return this.each("after", (place) => this.listUnresolvedFilingTransactions(filing_id, { ...query, ...place }, options), query.after);
  }

  /** List people (GET /v1/users). */
  listUsers(query: Query<"listUsers"> = {}, options: CallOptions = {}): Promise<Schemas["UserList"]> {
    return this.call({ method: "GET", path: `/v1/users`, query, options, repeatable: true });
  }

  /** List people, row by row (listUsers). */
  eachUsers(query: Omit<Query<"listUsers">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["User"]> {
    return this.each("page", (place) => this.listUsers({ ...query, ...place }, options));
  }

  /** List deliveries (GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries). */
  listWebhookDeliveries(webhook_endpoint_id: string, query: Query<"listWebhookDeliveries"> = {}, options: CallOptions = {}): Promise<Schemas["WebhookDeliveryList"]> {
    return this.call({ method: "GET", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/deliveries`, query, options, repeatable: true });
  }

  /** List deliveries, row by row (listWebhookDeliveries). */
  eachWebhookDeliveries(webhook_endpoint_id: string, query: Omit<Query<"listWebhookDeliveries">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["WebhookDelivery"]> {
    return this.each("after", (place) => this.listWebhookDeliveries(webhook_endpoint_id, { ...query, ...place }, options), query.after);
  }

  /** List webhook endpoints (GET /v1/webhook_endpoints). */
  listWebhookEndpoints(query: Query<"listWebhookEndpoints"> = {}, options: CallOptions = {}): Promise<Schemas["WebhookEndpointList"]> {
    return this.call({ method: "GET", path: `/v1/webhook_endpoints`, query, options, repeatable: true });
  }

  /** List webhook endpoints, row by row (listWebhookEndpoints). */
  eachWebhookEndpoints(query: Omit<Query<"listWebhookEndpoints">, "page" | "offset"> = {}, options: CallOptions = {}): AsyncGenerator<Schemas["WebhookEndpoint"]> {
    return this.each("page", (place) => this.listWebhookEndpoints({ ...query, ...place }, options));
  }

  /** Make a link with which a client does the steps itself (POST /v1/onboarding/{organization_id}/link). */
  makeOnboardingLink(organization_id: string, body?: Schemas["OnboardingLinkCreate"], options: CallOptions = {}): Promise<Schemas["MadeOnboardingLink"]> {
    return this.call({ method: "POST", path: `/v1/onboarding/${encodeURIComponent(organization_id)}/link`, json: body, options, keyed: true });
  }

  /** Make a file by which a bank pays returns (POST /v1/payment_files). */
  makePaymentFile(body: Schemas["PaymentFileMake"], options: CallOptions = {}): Promise<Schemas["PaymentFile"]> {
    return this.call({ method: "POST", path: `/v1/payment_files`, json: body, options, repeatable: true });
  }

  /** Pause an import (POST /v1/transactions/imports/{import_id}/pause). */
  pauseTransactionImport(import_id: string, options: CallOptions = {}): Promise<Schemas["TransactionImport"]> {
    return this.call({ method: "POST", path: `/v1/transactions/imports/${encodeURIComponent(import_id)}/pause`, options, keyed: true });
  }

  /** What would another classification change (POST /v1/products/{product_id}/reclassification_preview). */
  previewReclassification(product_id: string, body: Schemas["Reclassification"], options: CallOptions = {}): Promise<Schemas["ReclassificationPreview"]> {
    return this.call({ method: "POST", path: `/v1/products/${encodeURIComponent(product_id)}/reclassification_preview`, json: body, options, repeatable: true });
  }

  /** Say which account is used (step 8) (PUT /v1/bank_details). */
  putBankDetails(body: Schemas["BankDetailsUpdate"], options: CallOptions = {}): Promise<Schemas["BankDetails"]> {
    return this.call({ method: "PUT", path: `/v1/bank_details`, json: body, options, keyed: true });
  }

  /** Say where the company is (step 4) (PUT /v1/organization_details/business_address). */
  putBusinessAddress(body: Schemas["BusinessAddressUpdate"], options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "PUT", path: `/v1/organization_details/business_address`, json: body, options, keyed: true });
  }

  /** Name the contact (step 6) (PUT /v1/organization_details/business_contact). */
  putBusinessContact(body: Schemas["BusinessContactUpdate"], query: Query<"putBusinessContact"> = {}, options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "PUT", path: `/v1/organization_details/business_contact`, json: body, query, options, keyed: true });
  }

  /** Say what the company is (step 3) (PUT /v1/organization_details/business_details). */
  putBusinessDetails(body: Schemas["BusinessDetailsUpdate"], options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "PUT", path: `/v1/organization_details/business_details`, json: body, options, keyed: true });
  }

  /** Say how the business is reached (step 5) (PUT /v1/organization_details/business_information). */
  putBusinessInformation(body: Schemas["BusinessInformationUpdate"], options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "PUT", path: `/v1/organization_details/business_information`, json: body, options, keyed: true });
  }

  /** Name the owners (step 7) (PUT /v1/organization_details/business_owners). */
  putBusinessOwners(body: Schemas["BusinessOwnersUpdate"], options: CallOptions = {}): Promise<Schemas["OrganizationDetails"]> {
    return this.call({ method: "PUT", path: `/v1/organization_details/business_owners`, json: body, options, keyed: true });
  }

  /** Record a payment that was made for a filed return (POST /v1/filings/{filing_id}/payments). */
  recordFilingPayment(filing_id: string, body: Schemas["RecordedPaymentCreate"], options: CallOptions = {}): Promise<Schemas["RecordedPayment"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/payments`, json: body, options, keyed: true });
  }

  /** Send an event once more (POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver). */
  redeliverWebhook(webhook_endpoint_id: string, delivery_id: string, options: CallOptions = {}): Promise<Schemas["WebhookDelivery"]> {
    return this.call({ method: "POST", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/deliveries/${encodeURIComponent(delivery_id)}/redeliver`, options, keyed: true });
  }

  /** Register where nexus is (PUT /v1/nexus/{nexus_id}/register). */
  registerNexus(nexus_id: string, body?: Schemas["NexusRegister"], options: CallOptions = {}): Promise<Schemas["Registration"]> {
    return this.call({ method: "PUT", path: `/v1/nexus/${encodeURIComponent(nexus_id)}/register`, json: body, options, keyed: true });
  }

  /** Remind a client of its onboarding (POST /v1/onboarding/{organization_id}/remind). */
  remindOnboarding(organization_id: string, options: CallOptions = {}): Promise<Schemas["Onboarding"]> {
    return this.call({ method: "POST", path: `/v1/onboarding/${encodeURIComponent(organization_id)}/remind`, options, keyed: true });
  }

  /** Remove a person (DELETE /v1/users/{user_id}). */
  removeUser(user_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/users/${encodeURIComponent(user_id)}`, options, keyed: true });
  }

  /** Send the events of a span once more (POST /v1/webhook_endpoints/{webhook_endpoint_id}/replay). */
  replayWebhookEvents(webhook_endpoint_id: string, body: Schemas["WebhookReplayCreate"], options: CallOptions = {}): Promise<Schemas["WebhookReplay"]> {
    return this.call({ method: "POST", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/replay`, json: body, options, keyed: true });
  }

  /** Process a transaction again (POST /v1/transactions/{transaction_id}/reprocess). */
  reprocessTransaction(transaction_id: string, options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "POST", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/reprocess`, options, keyed: true });
  }

  /** Resume an import (POST /v1/transactions/imports/{import_id}/resume). */
  resumeTransactionImport(import_id: string, options: CallOptions = {}): Promise<Schemas["TransactionImport"]> {
    return this.call({ method: "POST", path: `/v1/transactions/imports/${encodeURIComponent(import_id)}/resume`, options, keyed: true });
  }

  /** File again after an issue (POST /v1/filings/{filing_id}/retry). */
  retryFiling(filing_id: string, options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/retry`, options, keyed: true });
  }

  /** Revoke an API key (DELETE /v1/organizations/api_keys/{api_key_id}). */
  revokeAPIKey(api_key_id: string, options: CallOptions = {}): Promise<void> {
    return this.call({ method: "DELETE", path: `/v1/organizations/api_keys/${encodeURIComponent(api_key_id)}`, options, keyed: true });
  }

  /** Replace an API key (POST /v1/organizations/api_keys/{api_key_id}/rotate). */
  rotateAPIKey(api_key_id: string, body?: Schemas["ApiKeyRotate"], options: CallOptions = {}): Promise<Schemas["ApiKey"]> {
    return this.call({ method: "POST", path: `/v1/organizations/api_keys/${encodeURIComponent(api_key_id)}/rotate`, json: body, options, keyed: true });
  }

  /** Replace the secret (POST /v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret). */
  rotateWebhookSecret(webhook_endpoint_id: string, options: CallOptions = {}): Promise<Schemas["WebhookEndpoint"]> {
    return this.call({ method: "POST", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/rotate_secret`, options, keyed: true });
  }

  /** Find something (GET /v1/search). */
  search(query: Query<"search">, options: CallOptions = {}): Promise<Schemas["SearchResults"]> {
    return this.call({ method: "GET", path: `/v1/search`, query, options, repeatable: true });
  }

  /** Check an address (POST /v1/address_validation/search). */
  searchAddress(body: Schemas["AddressSearch"], options: CallOptions = {}): Promise<Schemas["AddressMatchList"]> {
    return this.call({ method: "POST", path: `/v1/address_validation/search`, json: body, options, repeatable: true });
  }

  /** Try out other sales or thresholds (POST /v1/nexus/simulate). */
  simulateNexus(body: Schemas["NexusSimulation"], options: CallOptions = {}): Promise<Schemas["NexusSimulated"]> {
    return this.call({ method: "POST", path: `/v1/nexus/simulate`, json: body, options, repeatable: true });
  }

  /** Complete an address (POST /v1/address_validation/suggestions). */
  suggestAddresses(body: Schemas["AddressBeginning"], options: CallOptions = {}): Promise<Schemas["AddressSuggestionList"]> {
    return this.call({ method: "POST", path: `/v1/address_validation/suggestions`, json: body, options, repeatable: true });
  }

  /** Send a test event (POST /v1/webhook_endpoints/{webhook_endpoint_id}/test). */
  testWebhookEndpoint(webhook_endpoint_id: string, options: CallOptions = {}): Promise<Schemas["WebhookDelivery"]> {
    return this.call({ method: "POST", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}/test`, options, keyed: true });
  }

  /** Regard nexus again (POST /v1/nexus/{nexus_id}/undisregard). */
  undisregardNexus(nexus_id: string, options: CallOptions = {}): Promise<Schemas["NexusRecord"]> {
    return this.call({ method: "POST", path: `/v1/nexus/${encodeURIComponent(nexus_id)}/undisregard`, options, keyed: true });
  }

  /** Change an API key record (PUT /v1/organizations/api_keys/{api_key_id}). */
  updateAPIKey(api_key_id: string, body: Schemas["ApiKeyUpdate"], options: CallOptions = {}): Promise<Schemas["ApiKey"]> {
    return this.call({ method: "PUT", path: `/v1/organizations/api_keys/${encodeURIComponent(api_key_id)}`, json: body, options, keyed: true });
  }

  /** Correct or withdraw a comment (PUT /v1/comments/{comment_id}). */
  updateComment(comment_id: string, body: Schemas["CommentUpdate"], options: CallOptions = {}): Promise<Schemas["Comment"]> {
    return this.call({ method: "PUT", path: `/v1/comments/${encodeURIComponent(comment_id)}`, json: body, options, keyed: true });
  }

  /** Change a credit note (PUT /v1/transactions/{transaction_id}/credit_notes/{credit_note_id}). */
  updateCreditNote(transaction_id: string, credit_note_id: string, body: Schemas["CreditNoteUpdate"], options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "PUT", path: `/v1/transactions/${encodeURIComponent(transaction_id)}/credit_notes/${encodeURIComponent(credit_note_id)}`, json: body, options, keyed: true });
  }

  /** Change a customer (PUT /v1/customers/{customer_id}). */
  updateCustomer(customer_id: string, body: Schemas["CustomerUpdate"], options: CallOptions = {}): Promise<Schemas["Customer"]> {
    return this.call({ method: "PUT", path: `/v1/customers/${encodeURIComponent(customer_id)}`, json: body, options, keyed: true });
  }

  /** Change an exemption (PUT /v1/exemptions/{exemption_id}). */
  updateExemption(exemption_id: string, body: Schemas["ExemptionUpdate"], options: CallOptions = {}): Promise<Schemas["ExemptionRecord"]> {
    return this.call({ method: "PUT", path: `/v1/exemptions/${encodeURIComponent(exemption_id)}`, json: body, options, keyed: true });
  }

  /** Change a filing (PUT /v1/filings/{filing_id}). */
  updateFiling(filing_id: string, body: Schemas["FilingUpdate"], options: CallOptions = {}): Promise<Schemas["Filing"]> {
    return this.call({ method: "PUT", path: `/v1/filings/${encodeURIComponent(filing_id)}`, json: body, options, keyed: true });
  }

  /** Change a notice (PUT /v1/notices/{notice_id}). */
  updateNotice(notice_id: string, body: Schemas["NoticeUpdate"], options: CallOptions = {}): Promise<Schemas["Notice"]> {
    return this.call({ method: "PUT", path: `/v1/notices/${encodeURIComponent(notice_id)}`, json: body, options, keyed: true });
  }

  /** Change an organization (PUT /v1/organizations/{organization_id}). */
  updateOrganization(organization_id: string, body: Schemas["OrganizationUpdate"], options: CallOptions = {}): Promise<Schemas["Organization"]> {
    return this.call({ method: "PUT", path: `/v1/organizations/${encodeURIComponent(organization_id)}`, json: body, options, keyed: true });
  }

  /** Change a physical nexus (PUT /v1/nexus/physical_nexus/{physical_nexus_id}). */
  updatePhysicalNexus(physical_nexus_id: string, body: Schemas["PhysicalNexusUpdate"], options: CallOptions = {}): Promise<Schemas["PhysicalNexus"]> {
    return this.call({ method: "PUT", path: `/v1/nexus/physical_nexus/${encodeURIComponent(physical_nexus_id)}`, json: body, options, keyed: true });
  }

  /** Change a product (PUT /v1/products/{product_id}). */
  updateProduct(product_id: string, body: Schemas["ProductUpdate"], options: CallOptions = {}): Promise<Schemas["Product"]> {
    return this.call({ method: "PUT", path: `/v1/products/${encodeURIComponent(product_id)}`, json: body, options, keyed: true });
  }

  /** Change a registration (PUT /v1/registrations/{registration_id}). */
  updateRegistration(registration_id: string, body: Schemas["RegistrationUpdate"], options: CallOptions = {}): Promise<Schemas["Registration"]> {
    return this.call({ method: "PUT", path: `/v1/registrations/${encodeURIComponent(registration_id)}`, json: body, options, keyed: true });
  }

  /** Update a transaction (PUT /v1/transactions/{transaction_id}). */
  updateTransaction(transaction_id: string, body: Schemas["TransactionUpdate"], options: CallOptions = {}): Promise<Schemas["Transaction"]> {
    return this.call({ method: "PUT", path: `/v1/transactions/${encodeURIComponent(transaction_id)}`, json: body, options, keyed: true });
  }

  /** Change a person (PUT /v1/users/{user_id}). */
  updateUser(user_id: string, body: Schemas["UserUpdate"], options: CallOptions = {}): Promise<Schemas["InvitedUser"]> {
    return this.call({ method: "PUT", path: `/v1/users/${encodeURIComponent(user_id)}`, json: body, options, keyed: true });
  }

  /** Change a webhook endpoint (PUT /v1/webhook_endpoints/{webhook_endpoint_id}). */
  updateWebhookEndpoint(webhook_endpoint_id: string, body: Schemas["WebhookEndpointUpdate"], options: CallOptions = {}): Promise<Schemas["WebhookEndpoint"]> {
    return this.call({ method: "PUT", path: `/v1/webhook_endpoints/${encodeURIComponent(webhook_endpoint_id)}`, json: body, options, keyed: true });
  }

  /** Store a document with an exemption (POST /v1/exemptions/{exemption_id}/attachments). */
  uploadExemptionAttachment(exemption_id: string, filename: string, content: FileContent, options: CallOptions = {}): Promise<Schemas["StoredAttachment"]> {
    return this.call({ method: "POST", path: `/v1/exemptions/${encodeURIComponent(exemption_id)}/attachments`, file: { filename, content }, options, keyed: true });
  }

  /** Store a letter with a notice (POST /v1/notices/{notice_id}/documents). */
  uploadNoticeDocument(notice_id: string, filename: string, content: FileContent, options: CallOptions = {}): Promise<Schemas["NoticeDocument"]> {
    return this.call({ method: "POST", path: `/v1/notices/${encodeURIComponent(notice_id)}/documents`, file: { filename, content }, options, keyed: true });
  }

  /** Verify the report of a filing (POST /v1/filings/{filing_id}/verify). */
  verifyFiling(filing_id: string, options: CallOptions = {}): Promise<Schemas["FilingVerification"]> {
    return this.call({ method: "POST", path: `/v1/filings/${encodeURIComponent(filing_id)}/verify`, options, repeatable: true });
  }

}
