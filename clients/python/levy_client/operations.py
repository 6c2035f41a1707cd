# Code generated from the contract by clients/internal/generate. DO NOT EDIT.
"""The operations of the contract, one method each."""

from __future__ import annotations

from typing import Any, Dict, Iterator, List, Literal, Optional, Sequence, cast

from . import types
from .transport import Transport


class Operations(Transport):
    """Calls of a Levy service. Client adds how to make one."""

    def acknowledge_filing(
        self,
        filing_id: str,
        body: types.FilingAcknowledgement,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """Bring the acknowledgement of a state (POST /v1/filings/{filing_id}/acknowledgement)."""
        return cast("types.Filing", self._call("POST", self._path("/v1/filings/{filing_id}/acknowledgement", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="Filing"))

    def amend_filing(
        self,
        filing_id: str,
        body: types.FilingAmend,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """Amend a filed return (POST /v1/filings/{filing_id}/amend)."""
        return cast("types.Filing", self._call("POST", self._path("/v1/filings/{filing_id}/amend", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="Filing"))

    def approve_filing(
        self,
        filing_id: str,
        body: Optional[types.FilingApproval] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """Approve a filing (PUT /v1/filings/{filing_id}/approve)."""
        return cast("types.Filing", self._call("PUT", self._path("/v1/filings/{filing_id}/approve", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="Filing"))

    def approve_filings(
        self,
        body: types.FilingApprovals,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.FilingApprovalResult:
        """Approve many filings (POST /v1/filing_approvals)."""
        return cast("types.FilingApprovalResult", self._call("POST", "/v1/filing_approvals", json_body=body, key=idempotency_key, keyed=True, answer="FilingApprovalResult"))

    def archive_organization(
        self,
        organization_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Archive a client organization (DELETE /v1/organizations/{organization_id})."""
        self._call("DELETE", self._path("/v1/organizations/{organization_id}", organization_id), key=idempotency_key, keyed=True)

    def archive_product(
        self,
        product_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Archive a product (DELETE /v1/products/{product_id})."""
        self._call("DELETE", self._path("/v1/products/{product_id}", product_id), key=idempotency_key, keyed=True)

    def archive_transactions(
        self,
        body: types.TransactionArchive,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionArchiveResult:
        """Archive transactions (POST /v1/transactions/archive)."""
        return cast("types.TransactionArchiveResult", self._call("POST", "/v1/transactions/archive", json_body=body, key=idempotency_key, keyed=True, answer="TransactionArchiveResult"))

    def archive_transactions_by_date(
        self,
        body: types.TransactionArchiveByDate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionArchiveByDateResult:
        """Archive the transactions of some days (POST /v1/transactions/archive_by_date)."""
        return cast("types.TransactionArchiveByDateResult", self._call("POST", "/v1/transactions/archive_by_date", json_body=body, key=idempotency_key, keyed=True, answer="TransactionArchiveByDateResult"))

    def assign_exception(
        self,
        type: str,
        object_id: str,
        body: types.ExceptionUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Exception:
        """Assign or note (PUT /v1/exceptions/{type}/{object_id})."""
        return cast("types.Exception", self._call("PUT", self._path("/v1/exceptions/{type}/{object_id}", type, object_id), json_body=body, key=idempotency_key, keyed=True, answer="Exception"))

    def cancel_onboarding(
        self,
        organization_id: str,
        body: Optional[types.OnboardingCancel] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Onboarding:
        """Cancel an onboarding (POST /v1/onboarding/{organization_id}/cancel)."""
        return cast("types.Onboarding", self._call("POST", self._path("/v1/onboarding/{organization_id}/cancel", organization_id), json_body=body, key=idempotency_key, keyed=True, answer="Onboarding"))

    def cancel_transaction_import(
        self,
        import_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionImport:
        """Cancel an import (POST /v1/transactions/imports/{import_id}/cancel)."""
        return cast("types.TransactionImport", self._call("POST", self._path("/v1/transactions/imports/{import_id}/cancel", import_id), key=idempotency_key, keyed=True, answer="TransactionImport"))

    def change_authority_connection(
        self,
        body: types.AuthorityConnectionChange,
    ) -> types.AuthorityConnection:
        """Grant or end access at an authority (PUT /v1/authority_connections)."""
        return cast("types.AuthorityConnection", self._call("PUT", "/v1/authority_connections", json_body=body, repeatable=True, answer="AuthorityConnection"))

    def change_exceptions(
        self,
        body: types.ExceptionBulk,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ExceptionBulkResult:
        """Process again or assign many (POST /v1/exceptions/bulk)."""
        return cast("types.ExceptionBulkResult", self._call("POST", "/v1/exceptions/bulk", json_body=body, key=idempotency_key, keyed=True, answer="ExceptionBulkResult"))

    def change_grant(
        self,
        organization_id: str,
        partner_id: str,
        body: types.GrantUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Grant:
        """Say what the partner may do for your organization (PUT /v1/organizations/{organization_id}/grants/{partner_id})."""
        return cast("types.Grant", self._call("PUT", self._path("/v1/organizations/{organization_id}/grants/{partner_id}", organization_id, partner_id), json_body=body, key=idempotency_key, keyed=True, answer="Grant"))

    def change_organization_settings(
        self,
        organization_id: str,
        body: types.OrganizationSettingsUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Organization:
        """Change the settings (POST /v1/organizations/{organization_id}/settings)."""
        return cast("types.Organization", self._call("POST", self._path("/v1/organizations/{organization_id}/settings", organization_id), json_body=body, key=idempotency_key, keyed=True, answer="Organization"))

    def check_organization_name(
        self,
        *,
        name: str,
    ) -> types.OrganizationNameCheck:
        """Is a name free for a client organization (GET /v1/organizations/is_valid)."""
        return cast("types.OrganizationNameCheck", self._call("GET", "/v1/organizations/is_valid", query={"name": name}, repeatable=True, answer="OrganizationNameCheck"))

    def create_api_key(
        self,
        body: Optional[types.ApiKeyCreate] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ApiKey:
        """Create an API key (POST /v1/organizations/api_keys)."""
        return cast("types.ApiKey", self._call("POST", "/v1/organizations/api_keys", json_body=body, key=idempotency_key, keyed=True, answer="ApiKey"))

    def create_calendar_feed(
        self,
        body: types.CalendarFeedCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.CreatedCalendarFeed:
        """Create a calendar feed (POST /v1/calendar_feeds)."""
        return cast("types.CreatedCalendarFeed", self._call("POST", "/v1/calendar_feeds", json_body=body, key=idempotency_key, keyed=True, answer="CreatedCalendarFeed"))

    def create_comment(
        self,
        object_type: str,
        object_id: str,
        body: types.CommentCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Comment:
        """Comment on a record (POST /v1/comments/{object_type}/{object_id})."""
        return cast("types.Comment", self._call("POST", self._path("/v1/comments/{object_type}/{object_id}", object_type, object_id), json_body=body, key=idempotency_key, keyed=True, answer="Comment"))

    def create_credit_note(
        self,
        transaction_id: str,
        body: types.CreditNoteCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transaction:
        """Credit a transaction (POST /v1/transactions/{transaction_id}/credit_notes)."""
        return cast("types.Transaction", self._call("POST", self._path("/v1/transactions/{transaction_id}/credit_notes", transaction_id), json_body=body, key=idempotency_key, keyed=True, answer="Transaction"))

    def create_customer(
        self,
        body: types.CustomerCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Customer:
        """Create a customer (POST /v1/customers)."""
        return cast("types.Customer", self._call("POST", "/v1/customers", json_body=body, key=idempotency_key, keyed=True, answer="Customer"))

    def create_customer_transaction(
        self,
        customer_id: str,
        body: types.CustomerTransactionCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transaction:
        """Record a transaction of a customer (POST /v1/customers/{customer_id}/transactions)."""
        return cast("types.Transaction", self._call("POST", self._path("/v1/customers/{customer_id}/transactions", customer_id), json_body=body, key=idempotency_key, keyed=True, answer="Transaction"))

    def create_exemption(
        self,
        body: types.ExemptionCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ExemptionRecord:
        """Create an exemption (POST /v1/exemptions)."""
        return cast("types.ExemptionRecord", self._call("POST", "/v1/exemptions", json_body=body, key=idempotency_key, keyed=True, answer="ExemptionRecord"))

    def create_filing(
        self,
        body: types.FilingCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """Create a filing (POST /v1/filings)."""
        return cast("types.Filing", self._call("POST", "/v1/filings", json_body=body, key=idempotency_key, keyed=True, answer="Filing"))

    def create_filing_entry(
        self,
        filing_id: str,
        body: types.FilingEntryCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.FilingEntry:
        """Add an entry to a filing (POST /v1/filings/{filing_id}/entries)."""
        return cast("types.FilingEntry", self._call("POST", self._path("/v1/filings/{filing_id}/entries", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="FilingEntry"))

    def create_notice(
        self,
        body: types.NoticeCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Notice:
        """Record a letter of an authority (POST /v1/notices)."""
        return cast("types.Notice", self._call("POST", "/v1/notices", json_body=body, key=idempotency_key, keyed=True, answer="Notice"))

    def create_organization(
        self,
        body: types.OrganizationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Organization:
        """Create a client organization (POST /v1/organizations)."""
        return cast("types.Organization", self._call("POST", "/v1/organizations", json_body=body, key=idempotency_key, keyed=True, answer="Organization"))

    def create_physical_nexus(
        self,
        body: types.PhysicalNexusCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PhysicalNexus:
        """Record a physical nexus (POST /v1/nexus/physical_nexus)."""
        return cast("types.PhysicalNexus", self._call("POST", "/v1/nexus/physical_nexus", json_body=body, key=idempotency_key, keyed=True, answer="PhysicalNexus"))

    def create_product(
        self,
        body: types.ProductCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Product:
        """Create a product (POST /v1/products)."""
        return cast("types.Product", self._call("POST", "/v1/products", json_body=body, key=idempotency_key, keyed=True, answer="Product"))

    def create_rate_override(
        self,
        body: types.RateOverrideCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RateOverride:
        """Set a rate yourself (POST /v1/rate_overrides)."""
        return cast("types.RateOverride", self._call("POST", "/v1/rate_overrides", json_body=body, key=idempotency_key, keyed=True, answer="RateOverride"))

    def create_registration(
        self,
        body: types.RegistrationCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Registration:
        """Register with a tax authority (POST /v1/registrations)."""
        return cast("types.Registration", self._call("POST", "/v1/registrations", json_body=body, key=idempotency_key, keyed=True, answer="Registration"))

    def create_transaction(
        self,
        body: types.TransactionCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionArray:
        """Record a transaction (POST /v1/transactions)."""
        return cast("types.TransactionArray", self._call("POST", "/v1/transactions", json_body=body, key=idempotency_key, keyed=True, answer="Transaction"))

    def create_transaction_batch(
        self,
        body: types.TransactionBatch,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionBatchResult:
        """Record many transactions (POST /v1/transactions/batch)."""
        return cast("types.TransactionBatchResult", self._call("POST", "/v1/transactions/batch", json_body=body, key=idempotency_key, keyed=True, answer="TransactionBatchResult"))

    def create_transaction_import(
        self,
        content: bytes,
        *,
        name: Optional[str] = None,
        columns: Optional[str] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionImport:
        """Import a file of transactions (POST /v1/transactions/imports)."""
        return cast("types.TransactionImport", self._call("POST", "/v1/transactions/imports", csv=content, key=idempotency_key, query={"name": name, "columns": columns}, keyed=True, answer="TransactionImport"))

    def create_webhook_endpoint(
        self,
        body: types.WebhookEndpointCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookEndpoint:
        """Register an address for events (POST /v1/webhook_endpoints)."""
        return cast("types.WebhookEndpoint", self._call("POST", "/v1/webhook_endpoints", json_body=body, key=idempotency_key, keyed=True, answer="WebhookEndpoint"))

    def delete_calendar_feed(
        self,
        calendar_feed_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Revoke a calendar feed (DELETE /v1/calendar_feeds/{calendar_feed_id})."""
        self._call("DELETE", self._path("/v1/calendar_feeds/{calendar_feed_id}", calendar_feed_id), key=idempotency_key, keyed=True)

    def delete_filing_entry(
        self,
        filing_id: str,
        entry_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.FilingEntry:
        """Delete an entry of a filing (DELETE /v1/filings/{filing_id}/entries/{entry_id})."""
        return cast("types.FilingEntry", self._call("DELETE", self._path("/v1/filings/{filing_id}/entries/{entry_id}", filing_id, entry_id), key=idempotency_key, keyed=True, answer="FilingEntry"))

    def delete_filing_payment(
        self,
        filing_id: str,
        payment_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RecordedPayment:
        """Delete a recorded payment of a filing (DELETE /v1/filings/{filing_id}/payments/{payment_id})."""
        return cast("types.RecordedPayment", self._call("DELETE", self._path("/v1/filings/{filing_id}/payments/{payment_id}", filing_id, payment_id), key=idempotency_key, keyed=True, answer="RecordedPayment"))

    def delete_physical_nexus(
        self,
        physical_nexus_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PhysicalNexus:
        """Delete a physical nexus (DELETE /v1/nexus/physical_nexus/{physical_nexus_id})."""
        return cast("types.PhysicalNexus", self._call("DELETE", self._path("/v1/nexus/physical_nexus/{physical_nexus_id}", physical_nexus_id), key=idempotency_key, keyed=True, answer="PhysicalNexus"))

    def delete_rate_override(
        self,
        rate_override_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RateOverride:
        """Take a rate back (DELETE /v1/rate_overrides/{rate_override_id})."""
        return cast("types.RateOverride", self._call("DELETE", self._path("/v1/rate_overrides/{rate_override_id}", rate_override_id), key=idempotency_key, keyed=True, answer="RateOverride"))

    def delete_webhook_endpoint(
        self,
        webhook_endpoint_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Delete a webhook endpoint (DELETE /v1/webhook_endpoints/{webhook_endpoint_id})."""
        self._call("DELETE", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}", webhook_endpoint_id), key=idempotency_key, keyed=True)

    def deregister(
        self,
        registration_id: str,
        body: Optional[types.RegistrationDeregister] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Registration:
        """End a registration (POST /v1/registrations/{registration_id}/deregister)."""
        return cast("types.Registration", self._call("POST", self._path("/v1/registrations/{registration_id}/deregister", registration_id), json_body=body, key=idempotency_key, keyed=True, answer="Registration"))

    def disregard_nexus(
        self,
        nexus_id: str,
        body: types.NexusDisregard,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.NexusRecord:
        """Disregard nexus (POST /v1/nexus/{nexus_id}/disregard)."""
        return cast("types.NexusRecord", self._call("POST", self._path("/v1/nexus/{nexus_id}/disregard", nexus_id), json_body=body, key=idempotency_key, keyed=True, answer="NexusRecord"))

    def end_api_key(
        self,
        api_key_id: str,
        body: Optional[types.ApiKeyEnd] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.EndedApiKey:
        """Revoke an API key, and say what ends with it (POST /v1/organizations/api_keys/{api_key_id}/revoke)."""
        return cast("types.EndedApiKey", self._call("POST", self._path("/v1/organizations/api_keys/{api_key_id}/revoke", api_key_id), json_body=body, key=idempotency_key, keyed=True, answer="EndedApiKey"))

    def end_grant(
        self,
        organization_id: str,
        partner_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.EndedGrant:
        """End what the partner may do for your organization (POST /v1/organizations/{organization_id}/grants/{partner_id}/end)."""
        return cast("types.EndedGrant", self._call("POST", self._path("/v1/organizations/{organization_id}/grants/{partner_id}/end", organization_id, partner_id), key=idempotency_key, keyed=True, answer="EndedGrant"))

    def end_onboarding_link(
        self,
        organization_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """End the link of an onboarding (DELETE /v1/onboarding/{organization_id}/link)."""
        self._call("DELETE", self._path("/v1/onboarding/{organization_id}/link", organization_id), key=idempotency_key, keyed=True)

    def estimate_tax(
        self,
        body: types.EstimateRequest,
        *,
        explain: Optional[bool] = None,
        simulate_nexus_met: Optional[bool] = None,
    ) -> types.Estimate:
        """Estimate the tax of a sale (POST /v1/tax/estimate)."""
        return cast("types.Estimate", self._call("POST", "/v1/tax/estimate", json_body=body, query={"explain": explain, "simulate_nexus_met": simulate_nexus_met}, repeatable=True, answer="Estimate"))

    def export_api_keys(
        self,
        *,
        format: Literal["csv", "xlsx"],
        active: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "expires_at", "-expires_at", "name", "-name", "last_used_at", "-last_used_at", "revoked_at", "-revoked_at"]]] = None,
    ) -> bytes:
        """Export API keys (GET /v1/organizations/api_keys/export)."""
        return self._download("GET", "/v1/organizations/api_keys/export", query={"format": format, "active": active, "order_by": order_by}, repeatable=True)

    def export_audit(
        self,
        *,
        format: Literal["csv", "xlsx"],
        object_id: Optional[str] = None,
        actor_id: Optional[str] = None,
        action__in: Optional[Sequence[str]] = None,
        object_type__in: Optional[Sequence[str]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
    ) -> bytes:
        """Export the audit trail (GET /v1/audit/export)."""
        return self._download("GET", "/v1/audit/export", query={"format": format, "object_id": object_id, "actor_id": actor_id, "action__in": action__in, "object_type__in": object_type__in, "since": since, "until": until}, repeatable=True)

    def export_customers(
        self,
        *,
        format: Literal["csv", "xlsx"],
        search_query: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        state: Optional[str] = None,
        status__in: Optional[Sequence[types.CustomerStatus]] = None,
        status: Optional[Sequence[types.CustomerStatus]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "email", "-email", "phone", "-phone", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "county", "-county", "state", "-state", "postal_code", "-postal_code", "country", "-country", "full_address", "-full_address", "address_status", "-address_status", "source", "-source", "connection_id", "-connection_id", "registration_number", "-registration_number", "external_friendly_id", "-external_friendly_id"]]] = None,
    ) -> bytes:
        """Export the customers (GET /v1/customers/export)."""
        return self._download("GET", "/v1/customers/export", query={"format": format, "search_query": search_query, "country": country, "state": state, "status__in": status__in, "status": status, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by}, repeatable=True)

    def export_due_filings(
        self,
        *,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        due_days__gte: Optional[int] = None,
        due_days__lte: Optional[int] = None,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        organization_id: Optional[str] = None,
        format: Optional[Literal["csv", "ics"]] = None,
    ) -> bytes:
        """Export the calendar of returns (GET /v1/due_filings/export)."""
        return self._download("GET", "/v1/due_filings/export", query={"due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "due_days__gte": due_days__gte, "due_days__lte": due_days__lte, "status__in": status__in, "state_code": state_code, "country_code": country_code, "organization_id": organization_id, "format": format}, repeatable=True)

    def export_exemptions(
        self,
        *,
        format: Literal["csv", "xlsx"],
        search_query: Optional[str] = None,
        status__in: Optional[Sequence[types.ExemptionStatus]] = None,
        status: Optional[Sequence[types.ExemptionStatus]] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        jurisdiction: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        customer_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        exemption_category__in: Optional[Sequence[Literal["AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "RESALE", "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL", "FOREIGN_DIPLOMAT", "OTHER", "NONE"]]] = None,
        order_by: Optional[Sequence[Literal["end_date", "-end_date", "start_date", "-start_date", "FEIN", "-FEIN", "sales_tax_id", "-sales_tax_id", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "exemption_type", "-exemption_type", "country_code", "-country_code", "jurisdiction", "-jurisdiction", "customer_id", "-customer_id", "transaction_id", "-transaction_id"]]] = None,
    ) -> bytes:
        """Export exemptions (GET /v1/exemptions/export)."""
        return self._download("GET", "/v1/exemptions/export", query={"format": format, "search_query": search_query, "status__in": status__in, "status": status, "country_code": country_code, "jurisdiction": jurisdiction, "start_date": start_date, "end_date": end_date, "customer_id": customer_id, "transaction_id": transaction_id, "exemption_category__in": exemption_category__in, "order_by": order_by}, repeatable=True)

    def export_filing_worksheet(
        self,
        filing_id: str,
        *,
        of: Optional[Literal["lines", "figures"]] = None,
    ) -> bytes:
        """Export the worksheet of a filing (GET /v1/filings/{filing_id}/worksheet/export)."""
        return self._download("GET", self._path("/v1/filings/{filing_id}/worksheet/export", filing_id), query={"of": of}, repeatable=True)

    def export_filings(
        self,
        *,
        format: Literal["csv", "xlsx"],
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        status: Optional[Sequence[types.FilingStatus]] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        date_filed__gte: Optional[str] = None,
        date_filed__lte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        filing_category__in: Optional[Sequence[str]] = None,
        registration_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["start_date", "-start_date", "end_date", "-end_date", "due_date", "-due_date", "date_filed", "-date_filed", "status", "-status", "state_code", "-state_code", "created_at", "-created_at", "updated_at", "-updated_at", "country_code", "-country_code", "state_name", "-state_name", "filing_category", "-filing_category", "filing_frequency", "-filing_frequency", "currency", "-currency", "registration_id", "-registration_id", "amount", "-amount"]]] = None,
    ) -> bytes:
        """Export the filings (GET /v1/filings/export)."""
        return self._download("GET", "/v1/filings/export", query={"format": format, "status__in": status__in, "status": status, "start_date": start_date, "end_date": end_date, "date_filed__gte": date_filed__gte, "date_filed__lte": date_filed__lte, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "filing_category__in": filing_category__in, "registration_id": registration_id, "order_by": order_by}, repeatable=True)

    def export_nexus(
        self,
        *,
        format: Literal["csv", "xlsx"],
        disregard_view: Optional[Literal["exposed", "disregarded"]] = None,
        status__in: Optional[Sequence[types.NexusStatus]] = None,
        status: Optional[Sequence[types.NexusStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        collected_tax_nexus_met: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "state_name", "-state_name", "status", "-status", "transactions_amount", "-transactions_amount", "transaction_count", "-transaction_count", "tax_liability", "-tax_liability", "nexus_met_date", "-nexus_met_date", "updated_at", "-updated_at", "created_at", "-created_at", "currency", "-currency", "threshold_sales", "-threshold_sales", "threshold_transactions", "-threshold_transactions", "start_date", "-start_date", "period_start_date", "-period_start_date", "period_end_date", "-period_end_date", "previous_transactions_amount", "-previous_transactions_amount", "previous_transaction_count", "-previous_transaction_count", "total_transactions", "-total_transactions", "calculated_tax_liability", "-calculated_tax_liability", "imported_tax_liability", "-imported_tax_liability", "economic_nexus_met_date", "-economic_nexus_met_date", "physical_nexus_met_date", "-physical_nexus_met_date", "collected_tax_nexus_met_date", "-collected_tax_nexus_met_date", "obligation_start_date", "-obligation_start_date", "earliest_transaction_date", "-earliest_transaction_date", "most_recent_transaction_date", "-most_recent_transaction_date", "predicted_month_from_today", "-predicted_month_from_today", "confidence_level", "-confidence_level"]]] = None,
    ) -> bytes:
        """Export nexus records (GET /v1/nexus/export)."""
        return self._download("GET", "/v1/nexus/export", query={"format": format, "disregard_view": disregard_view, "status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "collected_tax_nexus_met": collected_tax_nexus_met, "order_by": order_by}, repeatable=True)

    def export_notices(
        self,
        *,
        format: Literal["csv", "xlsx"],
        status__in: Optional[Sequence[types.NoticeStatus]] = None,
        kind__in: Optional[Sequence[types.NoticeKind]] = None,
        registration_id: Optional[str] = None,
        filing_id: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        assignee: Optional[str] = None,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        search_query: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "received_date", "-received_date", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "kind", "-kind", "authority", "-authority", "country_code", "-country_code", "state_code", "-state_code", "amount", "-amount"]]] = None,
    ) -> bytes:
        """Export the notices (GET /v1/notices/export)."""
        return self._download("GET", "/v1/notices/export", query={"format": format, "status__in": status__in, "kind__in": kind__in, "registration_id": registration_id, "filing_id": filing_id, "country_code": country_code, "state_code": state_code, "assignee": assignee, "due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "search_query": search_query, "order_by": order_by}, repeatable=True)

    def export_onboardings(
        self,
        *,
        format: Literal["csv"],
        query: Optional[str] = None,
        is_test: Optional[bool] = None,
        status__in: Optional[Sequence[types.OnboardingStatus]] = None,
        status: Optional[Sequence[types.OnboardingStatus]] = None,
        next_step__in: Optional[Sequence[int]] = None,
        age_days__gte: Optional[int] = None,
        order_by: Optional[Sequence[Literal["since", "-since", "status", "-status", "next_step", "-next_step"]]] = None,
    ) -> bytes:
        """Export the onboardings of the clients (GET /v1/onboardings/export)."""
        return self._download("GET", "/v1/onboardings/export", query={"format": format, "query": query, "is_test": is_test, "status__in": status__in, "status": status, "next_step__in": next_step__in, "age_days__gte": age_days__gte, "order_by": order_by}, repeatable=True)

    def export_organizations(
        self,
        *,
        format: Literal["csv", "xlsx"],
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.OrganizationStatus]] = None,
        status: Optional[Sequence[types.OrganizationStatus]] = None,
        onboarding_status: Optional[Sequence[types.OnboardingStatus]] = None,
        is_test: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "external_id", "-external_id", "onboarding_status", "-onboarding_status"]]] = None,
    ) -> bytes:
        """Export organizations (GET /v1/organizations/export)."""
        return self._download("GET", "/v1/organizations/export", query={"format": format, "query": query, "status__in": status__in, "status": status, "onboarding_status": onboarding_status, "is_test": is_test, "order_by": order_by}, repeatable=True)

    def export_physical_nexus(
        self,
        *,
        format: Literal["csv", "xlsx"],
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        category: Optional[types.PhysicalNexusCategory] = None,
        order_by: Optional[Sequence[Literal["country_code", "-country_code", "state_code", "-state_code", "start_date", "-start_date", "end_date", "-end_date", "category", "-category", "external_id", "-external_id", "source", "-source", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "postal_code", "-postal_code", "created_at", "-created_at", "updated_at", "-updated_at"]]] = None,
    ) -> bytes:
        """Export physical nexus (GET /v1/nexus/physical_nexus/export)."""
        return self._download("GET", "/v1/nexus/physical_nexus/export", query={"format": format, "country_code": country_code, "state_code": state_code, "category": category, "order_by": order_by}, repeatable=True)

    def export_products(
        self,
        *,
        format: Literal["csv", "xlsx"],
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.ProductStatus]] = None,
        status: Optional[Sequence[types.ProductStatus]] = None,
        product_category__in: Optional[Sequence[str]] = None,
        product_subcategory__in: Optional[Sequence[str]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "product_category", "-product_category", "product_subcategory", "-product_subcategory", "tax_class", "-tax_class", "classification", "-classification", "description", "-description", "source", "-source", "code", "-code", "connection_id", "-connection_id"]]] = None,
    ) -> bytes:
        """Export the products (GET /v1/products/export)."""
        return self._download("GET", "/v1/products/export", query={"format": format, "query": query, "status__in": status__in, "status": status, "product_category__in": product_category__in, "product_subcategory__in": product_subcategory__in, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by}, repeatable=True)

    def export_rate_overrides(
        self,
        *,
        format: Literal["csv", "xlsx"],
        country_code: Optional[types.CountryCode] = None,
        state_code: Optional[str] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "start_date", "-start_date", "jurisdiction_name", "-jurisdiction_name", "end_date", "-end_date", "country_code", "-country_code", "state_code", "-state_code", "jurisdiction_type", "-jurisdiction_type", "tax_class", "-tax_class", "rate", "-rate", "reason", "-reason"]]] = None,
    ) -> bytes:
        """Export the rates you set (GET /v1/rate_overrides/export)."""
        return self._download("GET", "/v1/rate_overrides/export", query={"format": format, "country_code": country_code, "state_code": state_code, "order_by": order_by}, repeatable=True)

    def export_registrations(
        self,
        *,
        format: Literal["csv", "xlsx"],
        status__in: Optional[Sequence[types.RegistrationStatus]] = None,
        status: Optional[Sequence[types.RegistrationStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        filing_frequency__in: Optional[Sequence[types.FilingFrequency]] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "registration_date", "-registration_date", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "state_name", "-state_name", "filing_frequency", "-filing_frequency", "registration_import_type", "-registration_import_type", "registration_email", "-registration_email", "create_filings_from", "-create_filings_from", "amount_fees", "-amount_fees", "username", "-username", "comment", "-comment"]]] = None,
    ) -> bytes:
        """Export the registrations (GET /v1/registrations/export)."""
        return self._download("GET", "/v1/registrations/export", query={"format": format, "status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "filing_frequency__in": filing_frequency__in, "order_by": order_by}, repeatable=True)

    def export_rejected_rows(
        self,
        import_id: str,
    ) -> bytes:
        """What was not taken in (GET /v1/transactions/imports/{import_id}/rejected_rows)."""
        return self._download("GET", self._path("/v1/transactions/imports/{import_id}/rejected_rows", import_id), repeatable=True)

    def export_report(
        self,
        *,
        report: types.ReportName,
        format: Literal["csv", "xlsx"],
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        organization_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        customer_id__in: Optional[Sequence[str]] = None,
    ) -> bytes:
        """Export a report (GET /v1/reports/export)."""
        return self._download("GET", "/v1/reports/export", query={"report": report, "format": format, "start_date": start_date, "end_date": end_date, "organization_id": organization_id, "customer_id": customer_id, "customer_id__in": customer_id__in}, repeatable=True)

    def export_transaction_imports(
        self,
        *,
        format: Literal["csv", "xlsx"],
        status: Optional[types.TransactionImportStatus] = None,
    ) -> bytes:
        """Export imports (GET /v1/transactions/imports/export)."""
        return self._download("GET", "/v1/transactions/imports/export", query={"format": format, "status": status}, repeatable=True)

    def export_transactions(
        self,
        *,
        format: Literal["csv"],
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        filing_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
    ) -> bytes:
        """Export transactions (GET /v1/transactions/export)."""
        return self._download("GET", "/v1/transactions/export", query={"format": format, "transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "filing_id": filing_id, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by}, repeatable=True)

    def export_users(
        self,
        *,
        format: Literal["csv", "xlsx"],
    ) -> bytes:
        """Export people (GET /v1/users/export)."""
        return self._download("GET", "/v1/users/export", query={"format": format}, repeatable=True)

    def export_webhook_deliveries(
        self,
        webhook_endpoint_id: str,
        *,
        format: Literal["csv", "xlsx"],
        failed: Optional[bool] = None,
        created_at__gte: Optional[str] = None,
    ) -> bytes:
        """Export deliveries (GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/export)."""
        return self._download("GET", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/export", webhook_endpoint_id), query={"format": format, "failed": failed, "created_at__gte": created_at__gte}, repeatable=True)

    def export_webhook_endpoints(
        self,
        *,
        format: Literal["csv", "xlsx"],
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "updated_at", "-updated_at", "url", "-url", "description", "-description", "status", "-status"]]] = None,
    ) -> bytes:
        """Export webhook endpoints (GET /v1/webhook_endpoints/export)."""
        return self._download("GET", "/v1/webhook_endpoints/export", query={"format": format, "order_by": order_by}, repeatable=True)

    def get_api_key(
        self,
        api_key_id: str,
    ) -> types.ApiKey:
        """Read an API key record (GET /v1/organizations/api_keys/{api_key_id})."""
        return cast("types.ApiKey", self._call("GET", self._path("/v1/organizations/api_keys/{api_key_id}", api_key_id), repeatable=True, answer="ApiKey"))

    def get_bank_details(
        self,
    ) -> types.BankDetails:
        """Read the bank details (GET /v1/bank_details)."""
        return cast("types.BankDetails", self._call("GET", "/v1/bank_details", repeatable=True, answer="BankDetails"))

    def get_customer(
        self,
        customer_id: str,
    ) -> types.Customer:
        """Read a customer (GET /v1/customers/{customer_id})."""
        return cast("types.Customer", self._call("GET", self._path("/v1/customers/{customer_id}", customer_id), repeatable=True, answer="Customer"))

    def get_customer_by_external_id(
        self,
        external_id: str,
    ) -> types.Customer:
        """Read a customer by your own identifier (GET /v1/customers/external/{external_id})."""
        return cast("types.Customer", self._call("GET", self._path("/v1/customers/external/{external_id}", external_id), repeatable=True, answer="Customer"))

    def get_event(
        self,
        event_id: str,
    ) -> types.Event:
        """Read an event (GET /v1/events/{event_id})."""
        return cast("types.Event", self._call("GET", self._path("/v1/events/{event_id}", event_id), repeatable=True, answer="Event"))

    def get_exemption(
        self,
        exemption_id: str,
    ) -> types.ExemptionRecord:
        """Read an exemption (GET /v1/exemptions/{exemption_id})."""
        return cast("types.ExemptionRecord", self._call("GET", self._path("/v1/exemptions/{exemption_id}", exemption_id), repeatable=True, answer="ExemptionRecord"))

    def get_exemption_attachment(
        self,
        exemption_id: str,
        attachment_id: str,
    ) -> bytes:
        """Download a document of an exemption (GET /v1/exemptions/{exemption_id}/attachments/{attachment_id})."""
        return self._download("GET", self._path("/v1/exemptions/{exemption_id}/attachments/{attachment_id}", exemption_id, attachment_id), repeatable=True)

    def get_figures(
        self,
        *,
        organization_id: Optional[str] = None,
    ) -> types.Figures:
        """Read what is owed and what needs a person (GET /v1/figures)."""
        return cast("types.Figures", self._call("GET", "/v1/figures", query={"organization_id": organization_id}, repeatable=True, answer="Figures"))

    def get_filing(
        self,
        filing_id: str,
    ) -> types.Filing:
        """Read a filing (GET /v1/filings/{filing_id})."""
        return cast("types.Filing", self._call("GET", self._path("/v1/filings/{filing_id}", filing_id), repeatable=True, answer="Filing"))

    def get_filing_payment(
        self,
        filing_id: str,
    ) -> types.FilingPayment:
        """What to pay for a filing, until when and how (GET /v1/filings/{filing_id}/payment)."""
        return cast("types.FilingPayment", self._call("GET", self._path("/v1/filings/{filing_id}/payment", filing_id), repeatable=True, answer="FilingPayment"))

    def get_filing_report(
        self,
        filing_id: str,
        *,
        format: Literal["csv", "json", "pdf"],
    ) -> bytes:
        """Get the report of a filing (GET /v1/filings/{filing_id}/report)."""
        return self._download("GET", self._path("/v1/filings/{filing_id}/report", filing_id), query={"format": format}, repeatable=True)

    def get_filing_return(
        self,
        filing_id: str,
        *,
        format: Optional[Literal["document", "findings", "upload"]] = None,
    ) -> bytes:
        """Get the file of a filing for its authority (GET /v1/filings/{filing_id}/return)."""
        return self._download("GET", self._path("/v1/filings/{filing_id}/return", filing_id), query={"format": format}, repeatable=True)

    def get_filing_review(
        self,
        filing_id: str,
    ) -> types.FilingReview:
        """Review a filing before its approval (GET /v1/filings/{filing_id}/review)."""
        return cast("types.FilingReview", self._call("GET", self._path("/v1/filings/{filing_id}/review", filing_id), repeatable=True, answer="FilingReview"))

    def get_filing_worksheet(
        self,
        filing_id: str,
    ) -> types.FilingWorksheet:
        """Get the worksheet of a filing (GET /v1/filings/{filing_id}/worksheet)."""
        return cast("types.FilingWorksheet", self._call("GET", self._path("/v1/filings/{filing_id}/worksheet", filing_id), repeatable=True, answer="FilingWorksheet"))

    def get_health(
        self,
    ) -> types.Health:
        """Is the process running (GET /healthz)."""
        return cast("types.Health", self._call("GET", "/healthz", repeatable=True, answer="Health"))

    def get_nexus(
        self,
        nexus_id: str,
    ) -> types.NexusRecord:
        """Read a nexus record (GET /v1/nexus/{nexus_id})."""
        return cast("types.NexusRecord", self._call("GET", self._path("/v1/nexus/{nexus_id}", nexus_id), repeatable=True, answer="NexusRecord"))

    def get_notice(
        self,
        notice_id: str,
    ) -> types.Notice:
        """Read a notice (GET /v1/notices/{notice_id})."""
        return cast("types.Notice", self._call("GET", self._path("/v1/notices/{notice_id}", notice_id), repeatable=True, answer="Notice"))

    def get_notice_document(
        self,
        notice_id: str,
        document_id: str,
    ) -> bytes:
        """Download a letter of a notice (GET /v1/notices/{notice_id}/documents/{document_id})."""
        return self._download("GET", self._path("/v1/notices/{notice_id}/documents/{document_id}", notice_id, document_id), repeatable=True)

    def get_onboarding(
        self,
        organization_id: str,
    ) -> types.Onboarding:
        """Read an onboarding (GET /v1/onboarding/{organization_id})."""
        return cast("types.Onboarding", self._call("GET", self._path("/v1/onboarding/{organization_id}", organization_id), repeatable=True, answer="Onboarding"))

    def get_onboarding_link(
        self,
        organization_id: str,
    ) -> types.OnboardingLink:
        """Read about the link of an onboarding (GET /v1/onboarding/{organization_id}/link)."""
        return cast("types.OnboardingLink", self._call("GET", self._path("/v1/onboarding/{organization_id}/link", organization_id), repeatable=True, answer="OnboardingLink"))

    def get_organization(
        self,
        organization_id: str,
    ) -> types.Organization:
        """Read an organization (GET /v1/organizations/{organization_id})."""
        return cast("types.Organization", self._call("GET", self._path("/v1/organizations/{organization_id}", organization_id), repeatable=True, answer="Organization"))

    def get_organization_details(
        self,
    ) -> types.OrganizationDetails:
        """Read the details of the organization (GET /v1/organization_details)."""
        return cast("types.OrganizationDetails", self._call("GET", "/v1/organization_details", repeatable=True, answer="OrganizationDetails"))

    def get_organization_settings(
        self,
        organization_id: str,
    ) -> types.OrganizationSettings:
        """Read the settings (GET /v1/organizations/{organization_id}/settings)."""
        return cast("types.OrganizationSettings", self._call("GET", self._path("/v1/organizations/{organization_id}/settings", organization_id), repeatable=True, answer="OrganizationSettings"))

    def get_own_onboarding(
        self,
    ) -> types.Onboarding:
        """Read the onboarding of the organization (GET /v1/onboarding)."""
        return cast("types.Onboarding", self._call("GET", "/v1/onboarding", repeatable=True, answer="Onboarding"))

    def get_physical_nexus(
        self,
        physical_nexus_id: str,
    ) -> types.PhysicalNexus:
        """Read a physical nexus (GET /v1/nexus/physical_nexus/{physical_nexus_id})."""
        return cast("types.PhysicalNexus", self._call("GET", self._path("/v1/nexus/physical_nexus/{physical_nexus_id}", physical_nexus_id), repeatable=True, answer="PhysicalNexus"))

    def get_product(
        self,
        product_id: str,
    ) -> types.Product:
        """Read a product (GET /v1/products/{product_id})."""
        return cast("types.Product", self._call("GET", self._path("/v1/products/{product_id}", product_id), repeatable=True, answer="Product"))

    def get_product_by_external_id(
        self,
        external_id: str,
    ) -> types.Product:
        """Find a product by your own identifier (GET /v1/products/external/{external_id})."""
        return cast("types.Product", self._call("GET", self._path("/v1/products/external/{external_id}", external_id), repeatable=True, answer="Product"))

    def get_product_taxability(
        self,
        product_id: str,
        *,
        amount: Optional[types.DecimalInput] = None,
    ) -> types.ProductTaxability:
        """How the states tax a product (GET /v1/products/{product_id}/taxability)."""
        return cast("types.ProductTaxability", self._call("GET", self._path("/v1/products/{product_id}/taxability", product_id), query={"amount": amount}, repeatable=True, answer="ProductTaxability"))

    def get_rate_override(
        self,
        rate_override_id: str,
    ) -> types.RateOverride:
        """Read a rate you set (GET /v1/rate_overrides/{rate_override_id})."""
        return cast("types.RateOverride", self._call("GET", self._path("/v1/rate_overrides/{rate_override_id}", rate_override_id), repeatable=True, answer="RateOverride"))

    def get_readiness(
        self,
    ) -> types.Readiness:
        """Can the service take requests (GET /readyz)."""
        return cast("types.Readiness", self._call("GET", "/readyz", repeatable=True, answer="Readiness"))

    def get_registration(
        self,
        registration_id: str,
        *,
        reveal: Optional[bool] = None,
    ) -> types.Registration:
        """Read a registration (GET /v1/registrations/{registration_id})."""
        return cast("types.Registration", self._call("GET", self._path("/v1/registrations/{registration_id}", registration_id), query={"reveal": reveal}, repeatable=True, answer="Registration"))

    def get_report(
        self,
        *,
        report: types.ReportName,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        organization_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        customer_id__in: Optional[Sequence[str]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.Report:
        """Read a report (GET /v1/reports)."""
        return cast("types.Report", self._call("GET", "/v1/reports", query={"report": report, "start_date": start_date, "end_date": end_date, "organization_id": organization_id, "customer_id": customer_id, "customer_id__in": customer_id__in, "page": page, "size": size}, repeatable=True, answer="Report"))

    def get_transaction(
        self,
        transaction_id: str,
    ) -> types.Transaction:
        """Read a transaction (GET /v1/transactions/{transaction_id})."""
        return cast("types.Transaction", self._call("GET", self._path("/v1/transactions/{transaction_id}", transaction_id), repeatable=True, answer="Transaction"))

    def get_transaction_by_external_id(
        self,
        external_id: str,
    ) -> types.Transaction:
        """Find a transaction by your own identifier (GET /v1/transactions/external/{external_id})."""
        return cast("types.Transaction", self._call("GET", self._path("/v1/transactions/external/{external_id}", external_id), repeatable=True, answer="Transaction"))

    def get_transaction_explanation(
        self,
        transaction_id: str,
    ) -> types.TransactionExplanation:
        """How the tax of a transaction was computed (GET /v1/transactions/{transaction_id}/explanation)."""
        return cast("types.TransactionExplanation", self._call("GET", self._path("/v1/transactions/{transaction_id}/explanation", transaction_id), repeatable=True, answer="TransactionExplanation"))

    def get_transaction_import(
        self,
        import_id: str,
    ) -> types.TransactionImport:
        """Read an import (GET /v1/transactions/imports/{import_id})."""
        return cast("types.TransactionImport", self._call("GET", self._path("/v1/transactions/imports/{import_id}", import_id), repeatable=True, answer="TransactionImport"))

    def get_transaction_revision(
        self,
        transaction_id: str,
        revision: str,
    ) -> types.TransactionRevision:
        """Read a replaced version of a transaction (GET /v1/transactions/{transaction_id}/revisions/{revision})."""
        return cast("types.TransactionRevision", self._call("GET", self._path("/v1/transactions/{transaction_id}/revisions/{revision}", transaction_id, revision), repeatable=True, answer="TransactionRevision"))

    def get_webhook_endpoint(
        self,
        webhook_endpoint_id: str,
    ) -> types.WebhookEndpoint:
        """Read a webhook endpoint (GET /v1/webhook_endpoints/{webhook_endpoint_id})."""
        return cast("types.WebhookEndpoint", self._call("GET", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}", webhook_endpoint_id), repeatable=True, answer="WebhookEndpoint"))

    def invite_user(
        self,
        body: types.UserCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.InvitedUser:
        """Invite a person (POST /v1/users)."""
        return cast("types.InvitedUser", self._call("POST", "/v1/users", json_body=body, key=idempotency_key, keyed=True, answer="InvitedUser"))

    def list_api_keys(
        self,
        *,
        active: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "expires_at", "-expires_at", "name", "-name", "last_used_at", "-last_used_at", "revoked_at", "-revoked_at"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.ApiKeyList:
        """List API keys (GET /v1/organizations/api_keys)."""
        return cast("types.ApiKeyList", self._call("GET", "/v1/organizations/api_keys", query={"active": active, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="ApiKeyList"))

    def each_api_keys(
        self,
        *,
        active: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "expires_at", "-expires_at", "name", "-name", "last_used_at", "-last_used_at", "revoked_at", "-revoked_at"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.ApiKey]:
        """List API keys, row by row (list_api_keys)."""
        return self._each("page", self.list_api_keys, [], {"active": active, "order_by": order_by, "size": size})

    def list_audit(
        self,
        *,
        object_id: Optional[str] = None,
        actor_id: Optional[str] = None,
        action__in: Optional[Sequence[str]] = None,
        object_type__in: Optional[Sequence[str]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.AuditEntryList:
        """List the audit trail (GET /v1/audit)."""
        return cast("types.AuditEntryList", self._call("GET", "/v1/audit", query={"object_id": object_id, "actor_id": actor_id, "action__in": action__in, "object_type__in": object_type__in, "since": since, "until": until, "page": page, "after": after, "size": size}, repeatable=True, answer="AuditEntryList"))

    def each_audit(
        self,
        *,
        object_id: Optional[str] = None,
        actor_id: Optional[str] = None,
        action__in: Optional[Sequence[str]] = None,
        object_type__in: Optional[Sequence[str]] = None,
        since: Optional[str] = None,
        until: Optional[str] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.AuditEntry]:
        """List the audit trail, row by row (list_audit)."""
        return self._each("after", self.list_audit, [], {"object_id": object_id, "actor_id": actor_id, "action__in": action__in, "object_type__in": object_type__in, "since": since, "until": until, "after": after, "size": size})

    def list_authority_connections(
        self,
    ) -> types.AuthorityConnectionList:
        """List the authorities that take returns by a grant of access (GET /v1/authority_connections)."""
        return cast("types.AuthorityConnectionList", self._call("GET", "/v1/authority_connections", repeatable=True, answer="AuthorityConnectionList"))

    def list_calendar_feeds(
        self,
    ) -> types.CalendarFeedList:
        """List the calendar feeds of an organization (GET /v1/calendar_feeds)."""
        return cast("types.CalendarFeedList", self._call("GET", "/v1/calendar_feeds", repeatable=True, answer="CalendarFeedList"))

    def list_colleagues(
        self,
        *,
        organization_id__in: Optional[Sequence[str]] = None,
    ) -> types.ColleagueList:
        """List who can be asked (GET /v1/colleagues)."""
        return cast("types.ColleagueList", self._call("GET", "/v1/colleagues", query={"organization_id__in": organization_id__in}, repeatable=True, answer="ColleagueList"))

    def list_comments(
        self,
        object_type: str,
        object_id: str,
    ) -> types.CommentList:
        """List comments of a record (GET /v1/comments/{object_type}/{object_id})."""
        return cast("types.CommentList", self._call("GET", self._path("/v1/comments/{object_type}/{object_id}", object_type, object_id), repeatable=True, answer="CommentList"))

    def list_customer_transactions(
        self,
        customer_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        filing_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.TransactionRows:
        """List the transactions of a customer (GET /v1/customers/{customer_id}/transactions)."""
        return cast("types.TransactionRows", self._call("GET", self._path("/v1/customers/{customer_id}/transactions", customer_id), query={"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "filing_id": filing_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "page": page, "after": after, "size": size, "limit": limit, "offset": offset}, repeatable=True, answer="Transaction"))

    def list_customers(
        self,
        *,
        search_query: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        state: Optional[str] = None,
        status__in: Optional[Sequence[types.CustomerStatus]] = None,
        status: Optional[Sequence[types.CustomerStatus]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "email", "-email", "phone", "-phone", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "county", "-county", "state", "-state", "postal_code", "-postal_code", "country", "-country", "full_address", "-full_address", "address_status", "-address_status", "source", "-source", "connection_id", "-connection_id", "registration_number", "-registration_number", "external_friendly_id", "-external_friendly_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.CustomerList:
        """List customers (GET /v1/customers)."""
        return cast("types.CustomerList", self._call("GET", "/v1/customers", query={"search_query": search_query, "country": country, "state": state, "status__in": status__in, "status": status, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by, "page": page, "after": after, "size": size}, repeatable=True, answer="CustomerList"))

    def each_customers(
        self,
        *,
        search_query: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        state: Optional[str] = None,
        status__in: Optional[Sequence[types.CustomerStatus]] = None,
        status: Optional[Sequence[types.CustomerStatus]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "email", "-email", "phone", "-phone", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "county", "-county", "state", "-state", "postal_code", "-postal_code", "country", "-country", "full_address", "-full_address", "address_status", "-address_status", "source", "-source", "connection_id", "-connection_id", "registration_number", "-registration_number", "external_friendly_id", "-external_friendly_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Customer]:
        """List customers, row by row (list_customers)."""
        return self._each("after", self.list_customers, [], {"search_query": search_query, "country": country, "state": state, "status__in": status__in, "status": status, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by, "after": after, "size": size})

    def list_due_filings(
        self,
        *,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        due_days__gte: Optional[int] = None,
        due_days__lte: Optional[int] = None,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        organization_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "amount", "-amount", "organization_name", "-organization_name"]]] = None,
        money: Optional[bool] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.DueFilingList:
        """List filings of many organizations by their due date (GET /v1/due_filings)."""
        return cast("types.DueFilingList", self._call("GET", "/v1/due_filings", query={"due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "due_days__gte": due_days__gte, "due_days__lte": due_days__lte, "status__in": status__in, "state_code": state_code, "country_code": country_code, "organization_id": organization_id, "order_by": order_by, "money": money, "page": page, "size": size}, repeatable=True, answer="DueFilingList"))

    def each_due_filings(
        self,
        *,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        due_days__gte: Optional[int] = None,
        due_days__lte: Optional[int] = None,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        organization_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "amount", "-amount", "organization_name", "-organization_name"]]] = None,
        money: Optional[bool] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.DueFiling]:
        """List filings of many organizations by their due date, row by row (list_due_filings)."""
        return self._each("page", self.list_due_filings, [], {"due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "due_days__gte": due_days__gte, "due_days__lte": due_days__lte, "status__in": status__in, "state_code": state_code, "country_code": country_code, "organization_id": organization_id, "order_by": order_by, "money": money, "size": size})

    def list_events(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        type__in: Optional[Sequence[types.EventType]] = None,
    ) -> types.EventList:
        """Read the feed of events (GET /v1/events)."""
        return cast("types.EventList", self._call("GET", "/v1/events", query={"after": after, "limit": limit, "type__in": type__in}, repeatable=True, answer="EventList"))

    def each_events(
        self,
        *,
        after: Optional[str] = None,
        limit: Optional[int] = None,
        type__in: Optional[Sequence[types.EventType]] = None,
    ) -> Iterator[types.Event]:
        """Read the feed of events, row by row (list_events)."""
        return self._each("after", self.list_events, [], {"after": after, "limit": limit, "type__in": type__in})

    def list_exception_groups(
        self,
        *,
        type__in: Optional[Sequence[types.ExceptionType]] = None,
        organization_id: Optional[str] = None,
        assignee: Optional[str] = None,
        age_days__gte: Optional[int] = None,
    ) -> types.ExceptionGroupList:
        """List the causes of what needs a person (GET /v1/exceptions/groups)."""
        return cast("types.ExceptionGroupList", self._call("GET", "/v1/exceptions/groups", query={"type__in": type__in, "organization_id": organization_id, "assignee": assignee, "age_days__gte": age_days__gte}, repeatable=True, answer="ExceptionGroupList"))

    def list_exceptions(
        self,
        *,
        type__in: Optional[Sequence[types.ExceptionType]] = None,
        organization_id: Optional[str] = None,
        assignee: Optional[str] = None,
        reason_code: Optional[str] = None,
        age_days__gte: Optional[int] = None,
        after: Optional[str] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.ExceptionList:
        """List what needs a person (GET /v1/exceptions)."""
        return cast("types.ExceptionList", self._call("GET", "/v1/exceptions", query={"type__in": type__in, "organization_id": organization_id, "assignee": assignee, "reason_code": reason_code, "age_days__gte": age_days__gte, "after": after, "page": page, "size": size}, repeatable=True, answer="ExceptionList"))

    def each_exceptions(
        self,
        *,
        type__in: Optional[Sequence[types.ExceptionType]] = None,
        organization_id: Optional[str] = None,
        assignee: Optional[str] = None,
        reason_code: Optional[str] = None,
        age_days__gte: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Exception]:
        """List what needs a person, row by row (list_exceptions)."""
        return self._each("page", self.list_exceptions, [], {"type__in": type__in, "organization_id": organization_id, "assignee": assignee, "reason_code": reason_code, "age_days__gte": age_days__gte, "after": after, "size": size})

    def list_exemption_attachments(
        self,
        exemption_id: str,
    ) -> types.StoredAttachmentList:
        """List the documents of an exemption (GET /v1/exemptions/{exemption_id}/attachments)."""
        return cast("types.StoredAttachmentList", self._call("GET", self._path("/v1/exemptions/{exemption_id}/attachments", exemption_id), repeatable=True, answer="StoredAttachment"))

    def list_exemptions(
        self,
        *,
        search_query: Optional[str] = None,
        status__in: Optional[Sequence[types.ExemptionStatus]] = None,
        status: Optional[Sequence[types.ExemptionStatus]] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        jurisdiction: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        customer_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        exemption_category__in: Optional[Sequence[Literal["AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "RESALE", "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL", "FOREIGN_DIPLOMAT", "OTHER", "NONE"]]] = None,
        order_by: Optional[Sequence[Literal["end_date", "-end_date", "start_date", "-start_date", "FEIN", "-FEIN", "sales_tax_id", "-sales_tax_id", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "exemption_type", "-exemption_type", "country_code", "-country_code", "jurisdiction", "-jurisdiction", "customer_id", "-customer_id", "transaction_id", "-transaction_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.ExemptionList:
        """List exemptions (GET /v1/exemptions)."""
        return cast("types.ExemptionList", self._call("GET", "/v1/exemptions", query={"search_query": search_query, "status__in": status__in, "status": status, "country_code": country_code, "jurisdiction": jurisdiction, "start_date": start_date, "end_date": end_date, "customer_id": customer_id, "transaction_id": transaction_id, "exemption_category__in": exemption_category__in, "order_by": order_by, "page": page, "after": after, "size": size}, repeatable=True, answer="ExemptionList"))

    def each_exemptions(
        self,
        *,
        search_query: Optional[str] = None,
        status__in: Optional[Sequence[types.ExemptionStatus]] = None,
        status: Optional[Sequence[types.ExemptionStatus]] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        jurisdiction: Optional[str] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        customer_id: Optional[str] = None,
        transaction_id: Optional[str] = None,
        exemption_category__in: Optional[Sequence[Literal["AGRICULTURE", "DIRECT_PAY", "GOVERNMENT", "MANUFACTURING", "RESALE", "NONPROFIT", "EDUCATION", "RELIGIOUS", "MEDICAL", "FOREIGN_DIPLOMAT", "OTHER", "NONE"]]] = None,
        order_by: Optional[Sequence[Literal["end_date", "-end_date", "start_date", "-start_date", "FEIN", "-FEIN", "sales_tax_id", "-sales_tax_id", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "exemption_type", "-exemption_type", "country_code", "-country_code", "jurisdiction", "-jurisdiction", "customer_id", "-customer_id", "transaction_id", "-transaction_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.ExemptionRecord]:
        """List exemptions, row by row (list_exemptions)."""
        return self._each("after", self.list_exemptions, [], {"search_query": search_query, "status__in": status__in, "status": status, "country_code": country_code, "jurisdiction": jurisdiction, "start_date": start_date, "end_date": end_date, "customer_id": customer_id, "transaction_id": transaction_id, "exemption_category__in": exemption_category__in, "order_by": order_by, "after": after, "size": size})

    def list_filing_entries(
        self,
        filing_id: str,
    ) -> types.FilingEntryList:
        """List the entries of a filing (GET /v1/filings/{filing_id}/entries)."""
        return cast("types.FilingEntryList", self._call("GET", self._path("/v1/filings/{filing_id}/entries", filing_id), repeatable=True, answer="FilingEntry"))

    def list_filing_history(
        self,
        filing_id: str,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.FilingHistory:
        """What happened to a filing (GET /v1/filings/{filing_id}/history)."""
        return cast("types.FilingHistory", self._call("GET", self._path("/v1/filings/{filing_id}/history", filing_id), query={"page": page, "size": size}, repeatable=True, answer="FilingHistory"))

    def each_filing_history(
        self,
        filing_id: str,
        *,
        size: Optional[int] = None,
    ) -> Iterator[types.FilingHistoryEntry]:
        """What happened to a filing, row by row (list_filing_history)."""
        return self._each("page", self.list_filing_history, [filing_id], {"size": size})

    def list_filing_payments(
        self,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        registration_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "date_filed", "-date_filed", "start_date", "-start_date", "end_date", "-end_date", "state_code", "-state_code", "country_code", "-country_code"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.FilingPaymentList:
        """List what is to be paid for filings (GET /v1/filing_payments)."""
        return cast("types.FilingPaymentList", self._call("GET", "/v1/filing_payments", query={"status__in": status__in, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "registration_id": registration_id, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="FilingPaymentList"))

    def each_filing_payments(
        self,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        registration_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "date_filed", "-date_filed", "start_date", "-start_date", "end_date", "-end_date", "state_code", "-state_code", "country_code", "-country_code"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.FilingPayment]:
        """List what is to be paid for filings, row by row (list_filing_payments)."""
        return self._each("page", self.list_filing_payments, [], {"status__in": status__in, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "registration_id": registration_id, "order_by": order_by, "size": size})

    def list_filing_transactions(
        self,
        filing_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.TransactionList:
        """List the transactions of a filing (GET /v1/filings/{filing_id}/transactions)."""
        return cast("types.TransactionList", self._call("GET", self._path("/v1/filings/{filing_id}/transactions", filing_id), query={"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "page": page, "after": after, "size": size, "limit": limit, "offset": offset}, repeatable=True, answer="TransactionList"))

    def each_filing_transactions(
        self,
        filing_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[types.Transaction]:
        """List the transactions of a filing, row by row (list_filing_transactions)."""
        return self._each("after", self.list_filing_transactions, [filing_id], {"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "after": after, "size": size, "limit": limit})

    def list_filings(
        self,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        status: Optional[Sequence[types.FilingStatus]] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        date_filed__gte: Optional[str] = None,
        date_filed__lte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        filing_category__in: Optional[Sequence[str]] = None,
        registration_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["start_date", "-start_date", "end_date", "-end_date", "due_date", "-due_date", "date_filed", "-date_filed", "status", "-status", "state_code", "-state_code", "created_at", "-created_at", "updated_at", "-updated_at", "country_code", "-country_code", "state_name", "-state_name", "filing_category", "-filing_category", "filing_frequency", "-filing_frequency", "currency", "-currency", "registration_id", "-registration_id", "amount", "-amount"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.FilingList:
        """List filings (GET /v1/filings)."""
        return cast("types.FilingList", self._call("GET", "/v1/filings", query={"status__in": status__in, "status": status, "start_date": start_date, "end_date": end_date, "date_filed__gte": date_filed__gte, "date_filed__lte": date_filed__lte, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "filing_category__in": filing_category__in, "registration_id": registration_id, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="FilingList"))

    def each_filings(
        self,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        status: Optional[Sequence[types.FilingStatus]] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        date_filed__gte: Optional[str] = None,
        date_filed__lte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        filing_category__in: Optional[Sequence[str]] = None,
        registration_id: Optional[str] = None,
        order_by: Optional[Sequence[Literal["start_date", "-start_date", "end_date", "-end_date", "due_date", "-due_date", "date_filed", "-date_filed", "status", "-status", "state_code", "-state_code", "created_at", "-created_at", "updated_at", "-updated_at", "country_code", "-country_code", "state_name", "-state_name", "filing_category", "-filing_category", "filing_frequency", "-filing_frequency", "currency", "-currency", "registration_id", "-registration_id", "amount", "-amount"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Filing]:
        """List filings, row by row (list_filings)."""
        return self._each("page", self.list_filings, [], {"status__in": status__in, "status": status, "start_date": start_date, "end_date": end_date, "date_filed__gte": date_filed__gte, "date_filed__lte": date_filed__lte, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "filing_category__in": filing_category__in, "registration_id": registration_id, "order_by": order_by, "size": size})

    def list_nexus(
        self,
        *,
        without_pagination: Optional[bool] = None,
        disregard_view: Optional[Literal["exposed", "disregarded"]] = None,
        status__in: Optional[Sequence[types.NexusStatus]] = None,
        status: Optional[Sequence[types.NexusStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        collected_tax_nexus_met: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "state_name", "-state_name", "status", "-status", "transactions_amount", "-transactions_amount", "transaction_count", "-transaction_count", "tax_liability", "-tax_liability", "nexus_met_date", "-nexus_met_date", "updated_at", "-updated_at", "created_at", "-created_at", "currency", "-currency", "threshold_sales", "-threshold_sales", "threshold_transactions", "-threshold_transactions", "start_date", "-start_date", "period_start_date", "-period_start_date", "period_end_date", "-period_end_date", "previous_transactions_amount", "-previous_transactions_amount", "previous_transaction_count", "-previous_transaction_count", "total_transactions", "-total_transactions", "calculated_tax_liability", "-calculated_tax_liability", "imported_tax_liability", "-imported_tax_liability", "economic_nexus_met_date", "-economic_nexus_met_date", "physical_nexus_met_date", "-physical_nexus_met_date", "collected_tax_nexus_met_date", "-collected_tax_nexus_met_date", "obligation_start_date", "-obligation_start_date", "earliest_transaction_date", "-earliest_transaction_date", "most_recent_transaction_date", "-most_recent_transaction_date", "predicted_month_from_today", "-predicted_month_from_today", "confidence_level", "-confidence_level"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.NexusList:
        """List nexus records (GET /v1/nexus)."""
        return cast("types.NexusList", self._call("GET", "/v1/nexus", query={"without_pagination": without_pagination, "disregard_view": disregard_view, "status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "collected_tax_nexus_met": collected_tax_nexus_met, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="NexusList"))

    def each_nexus(
        self,
        *,
        without_pagination: Optional[bool] = None,
        disregard_view: Optional[Literal["exposed", "disregarded"]] = None,
        status__in: Optional[Sequence[types.NexusStatus]] = None,
        status: Optional[Sequence[types.NexusStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        collected_tax_nexus_met: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "state_name", "-state_name", "status", "-status", "transactions_amount", "-transactions_amount", "transaction_count", "-transaction_count", "tax_liability", "-tax_liability", "nexus_met_date", "-nexus_met_date", "updated_at", "-updated_at", "created_at", "-created_at", "currency", "-currency", "threshold_sales", "-threshold_sales", "threshold_transactions", "-threshold_transactions", "start_date", "-start_date", "period_start_date", "-period_start_date", "period_end_date", "-period_end_date", "previous_transactions_amount", "-previous_transactions_amount", "previous_transaction_count", "-previous_transaction_count", "total_transactions", "-total_transactions", "calculated_tax_liability", "-calculated_tax_liability", "imported_tax_liability", "-imported_tax_liability", "economic_nexus_met_date", "-economic_nexus_met_date", "physical_nexus_met_date", "-physical_nexus_met_date", "collected_tax_nexus_met_date", "-collected_tax_nexus_met_date", "obligation_start_date", "-obligation_start_date", "earliest_transaction_date", "-earliest_transaction_date", "most_recent_transaction_date", "-most_recent_transaction_date", "predicted_month_from_today", "-predicted_month_from_today", "confidence_level", "-confidence_level"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.NexusRecord]:
        """List nexus records, row by row (list_nexus)."""
        return self._each("page", self.list_nexus, [], {"without_pagination": without_pagination, "disregard_view": disregard_view, "status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "collected_tax_nexus_met": collected_tax_nexus_met, "order_by": order_by, "size": size})

    def list_nexus_months(
        self,
        nexus_id: str,
    ) -> types.NexusMonths:
        """Sales of a jurisdiction by month (GET /v1/nexus/{nexus_id}/months)."""
        return cast("types.NexusMonths", self._call("GET", self._path("/v1/nexus/{nexus_id}/months", nexus_id), repeatable=True, answer="NexusMonths"))

    def list_notices(
        self,
        *,
        status__in: Optional[Sequence[types.NoticeStatus]] = None,
        kind__in: Optional[Sequence[types.NoticeKind]] = None,
        registration_id: Optional[str] = None,
        filing_id: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        assignee: Optional[str] = None,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        search_query: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "received_date", "-received_date", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "kind", "-kind", "authority", "-authority", "country_code", "-country_code", "state_code", "-state_code", "amount", "-amount"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.NoticeList:
        """List notices (GET /v1/notices)."""
        return cast("types.NoticeList", self._call("GET", "/v1/notices", query={"status__in": status__in, "kind__in": kind__in, "registration_id": registration_id, "filing_id": filing_id, "country_code": country_code, "state_code": state_code, "assignee": assignee, "due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "search_query": search_query, "order_by": order_by, "page": page, "after": after, "size": size}, repeatable=True, answer="NoticeList"))

    def each_notices(
        self,
        *,
        status__in: Optional[Sequence[types.NoticeStatus]] = None,
        kind__in: Optional[Sequence[types.NoticeKind]] = None,
        registration_id: Optional[str] = None,
        filing_id: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        assignee: Optional[str] = None,
        due_date__gte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        search_query: Optional[str] = None,
        order_by: Optional[Sequence[Literal["due_date", "-due_date", "received_date", "-received_date", "created_at", "-created_at", "updated_at", "-updated_at", "status", "-status", "kind", "-kind", "authority", "-authority", "country_code", "-country_code", "state_code", "-state_code", "amount", "-amount"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Notice]:
        """List notices, row by row (list_notices)."""
        return self._each("after", self.list_notices, [], {"status__in": status__in, "kind__in": kind__in, "registration_id": registration_id, "filing_id": filing_id, "country_code": country_code, "state_code": state_code, "assignee": assignee, "due_date__gte": due_date__gte, "due_date__lte": due_date__lte, "search_query": search_query, "order_by": order_by, "after": after, "size": size})

    def list_onboardings(
        self,
        *,
        query: Optional[str] = None,
        is_test: Optional[bool] = None,
        status__in: Optional[Sequence[types.OnboardingStatus]] = None,
        status: Optional[Sequence[types.OnboardingStatus]] = None,
        next_step__in: Optional[Sequence[int]] = None,
        age_days__gte: Optional[int] = None,
        order_by: Optional[Sequence[Literal["since", "-since", "status", "-status", "next_step", "-next_step"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.OnboardingList:
        """List the onboardings of the clients (GET /v1/onboardings)."""
        return cast("types.OnboardingList", self._call("GET", "/v1/onboardings", query={"query": query, "is_test": is_test, "status__in": status__in, "status": status, "next_step__in": next_step__in, "age_days__gte": age_days__gte, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="OnboardingList"))

    def each_onboardings(
        self,
        *,
        query: Optional[str] = None,
        is_test: Optional[bool] = None,
        status__in: Optional[Sequence[types.OnboardingStatus]] = None,
        status: Optional[Sequence[types.OnboardingStatus]] = None,
        next_step__in: Optional[Sequence[int]] = None,
        age_days__gte: Optional[int] = None,
        order_by: Optional[Sequence[Literal["since", "-since", "status", "-status", "next_step", "-next_step"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Onboarding]:
        """List the onboardings of the clients, row by row (list_onboardings)."""
        return self._each("page", self.list_onboardings, [], {"query": query, "is_test": is_test, "status__in": status__in, "status": status, "next_step__in": next_step__in, "age_days__gte": age_days__gte, "order_by": order_by, "size": size})

    def list_organizations(
        self,
        *,
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.OrganizationStatus]] = None,
        status: Optional[Sequence[types.OrganizationStatus]] = None,
        onboarding_status: Optional[Sequence[types.OnboardingStatus]] = None,
        is_test: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "external_id", "-external_id", "onboarding_status", "-onboarding_status"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.OrganizationList:
        """List organizations (GET /v1/organizations)."""
        return cast("types.OrganizationList", self._call("GET", "/v1/organizations", query={"query": query, "status__in": status__in, "status": status, "onboarding_status": onboarding_status, "is_test": is_test, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="OrganizationList"))

    def each_organizations(
        self,
        *,
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.OrganizationStatus]] = None,
        status: Optional[Sequence[types.OrganizationStatus]] = None,
        onboarding_status: Optional[Sequence[types.OnboardingStatus]] = None,
        is_test: Optional[bool] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "external_id", "-external_id", "onboarding_status", "-onboarding_status"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Organization]:
        """List organizations, row by row (list_organizations)."""
        return self._each("page", self.list_organizations, [], {"query": query, "status__in": status__in, "status": status, "onboarding_status": onboarding_status, "is_test": is_test, "order_by": order_by, "size": size})

    def list_physical_nexus(
        self,
        *,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        category: Optional[types.PhysicalNexusCategory] = None,
        order_by: Optional[Sequence[Literal["country_code", "-country_code", "state_code", "-state_code", "start_date", "-start_date", "end_date", "-end_date", "category", "-category", "external_id", "-external_id", "source", "-source", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "postal_code", "-postal_code", "created_at", "-created_at", "updated_at", "-updated_at"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.PhysicalNexusList:
        """List physical nexus (GET /v1/nexus/physical_nexus)."""
        return cast("types.PhysicalNexusList", self._call("GET", "/v1/nexus/physical_nexus", query={"country_code": country_code, "state_code": state_code, "category": category, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="PhysicalNexusList"))

    def each_physical_nexus(
        self,
        *,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        state_code: Optional[str] = None,
        category: Optional[types.PhysicalNexusCategory] = None,
        order_by: Optional[Sequence[Literal["country_code", "-country_code", "state_code", "-state_code", "start_date", "-start_date", "end_date", "-end_date", "category", "-category", "external_id", "-external_id", "source", "-source", "street_1", "-street_1", "street_2", "-street_2", "city", "-city", "postal_code", "-postal_code", "created_at", "-created_at", "updated_at", "-updated_at"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.PhysicalNexus]:
        """List physical nexus, row by row (list_physical_nexus)."""
        return self._each("page", self.list_physical_nexus, [], {"country_code": country_code, "state_code": state_code, "category": category, "order_by": order_by, "size": size})

    def list_physical_nexus_categories(
        self,
        *,
        country_code: Optional[types.CountryCode] = None,
        state_code: Optional[str] = None,
    ) -> types.PhysicalNexusCategoryList:
        """List the categories of physical nexus (GET /v1/nexus/physical_nexus/categories)."""
        return cast("types.PhysicalNexusCategoryList", self._call("GET", "/v1/nexus/physical_nexus/categories", query={"country_code": country_code, "state_code": state_code}, repeatable=True, answer="PhysicalNexusCategoryList"))

    def list_product_categories(
        self,
    ) -> types.ProductCategoryList:
        """List product categories (GET /v1/products/categories)."""
        return cast("types.ProductCategoryList", self._call("GET", "/v1/products/categories", repeatable=True, answer="ProductCategory"))

    def list_products(
        self,
        *,
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.ProductStatus]] = None,
        status: Optional[Sequence[types.ProductStatus]] = None,
        product_category__in: Optional[Sequence[str]] = None,
        product_subcategory__in: Optional[Sequence[str]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "product_category", "-product_category", "product_subcategory", "-product_subcategory", "tax_class", "-tax_class", "classification", "-classification", "description", "-description", "source", "-source", "code", "-code", "connection_id", "-connection_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.ProductList:
        """List products (GET /v1/products)."""
        return cast("types.ProductList", self._call("GET", "/v1/products", query={"query": query, "status__in": status__in, "status": status, "product_category__in": product_category__in, "product_subcategory__in": product_subcategory__in, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by, "page": page, "after": after, "size": size}, repeatable=True, answer="ProductList"))

    def each_products(
        self,
        *,
        query: Optional[str] = None,
        status__in: Optional[Sequence[types.ProductStatus]] = None,
        status: Optional[Sequence[types.ProductStatus]] = None,
        product_category__in: Optional[Sequence[str]] = None,
        product_subcategory__in: Optional[Sequence[str]] = None,
        source__in: Optional[Sequence[types.Source]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["name", "-name", "external_id", "-external_id", "created_at", "-created_at", "status", "-status", "updated_at", "-updated_at", "product_category", "-product_category", "product_subcategory", "-product_subcategory", "tax_class", "-tax_class", "classification", "-classification", "description", "-description", "source", "-source", "code", "-code", "connection_id", "-connection_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Product]:
        """List products, row by row (list_products)."""
        return self._each("after", self.list_products, [], {"query": query, "status__in": status__in, "status": status, "product_category__in": product_category__in, "product_subcategory__in": product_subcategory__in, "source__in": source__in, "connection_id__in": connection_id__in, "order_by": order_by, "after": after, "size": size})

    def list_rate_overrides(
        self,
        *,
        country_code: Optional[types.CountryCode] = None,
        state_code: Optional[str] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "start_date", "-start_date", "jurisdiction_name", "-jurisdiction_name", "end_date", "-end_date", "country_code", "-country_code", "state_code", "-state_code", "jurisdiction_type", "-jurisdiction_type", "tax_class", "-tax_class", "rate", "-rate", "reason", "-reason"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.RateOverrideList:
        """List the rates you set (GET /v1/rate_overrides)."""
        return cast("types.RateOverrideList", self._call("GET", "/v1/rate_overrides", query={"country_code": country_code, "state_code": state_code, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="RateOverrideList"))

    def each_rate_overrides(
        self,
        *,
        country_code: Optional[types.CountryCode] = None,
        state_code: Optional[str] = None,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "start_date", "-start_date", "jurisdiction_name", "-jurisdiction_name", "end_date", "-end_date", "country_code", "-country_code", "state_code", "-state_code", "jurisdiction_type", "-jurisdiction_type", "tax_class", "-tax_class", "rate", "-rate", "reason", "-reason"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.RateOverride]:
        """List the rates you set, row by row (list_rate_overrides)."""
        return self._each("page", self.list_rate_overrides, [], {"country_code": country_code, "state_code": state_code, "order_by": order_by, "size": size})

    def list_registration_filings(
        self,
        registration_id: str,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        status: Optional[Sequence[types.FilingStatus]] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        date_filed__gte: Optional[str] = None,
        date_filed__lte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        filing_category__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["start_date", "-start_date", "end_date", "-end_date", "due_date", "-due_date", "date_filed", "-date_filed", "status", "-status", "state_code", "-state_code", "created_at", "-created_at", "updated_at", "-updated_at", "country_code", "-country_code", "state_name", "-state_name", "filing_category", "-filing_category", "filing_frequency", "-filing_frequency", "currency", "-currency", "registration_id", "-registration_id", "amount", "-amount"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.FilingList:
        """List the filings of a registration (GET /v1/filings/registration/{registration_id})."""
        return cast("types.FilingList", self._call("GET", self._path("/v1/filings/registration/{registration_id}", registration_id), query={"status__in": status__in, "status": status, "start_date": start_date, "end_date": end_date, "date_filed__gte": date_filed__gte, "date_filed__lte": date_filed__lte, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "filing_category__in": filing_category__in, "order_by": order_by, "page": page, "size": size}, repeatable=True, answer="FilingList"))

    def each_registration_filings(
        self,
        registration_id: str,
        *,
        status__in: Optional[Sequence[types.FilingStatus]] = None,
        status: Optional[Sequence[types.FilingStatus]] = None,
        start_date: Optional[str] = None,
        end_date: Optional[str] = None,
        date_filed__gte: Optional[str] = None,
        date_filed__lte: Optional[str] = None,
        due_date__lte: Optional[str] = None,
        state_code: Optional[str] = None,
        country_code: Optional[Sequence[types.CountryCode]] = None,
        filing_category__in: Optional[Sequence[str]] = None,
        order_by: Optional[Sequence[Literal["start_date", "-start_date", "end_date", "-end_date", "due_date", "-due_date", "date_filed", "-date_filed", "status", "-status", "state_code", "-state_code", "created_at", "-created_at", "updated_at", "-updated_at", "country_code", "-country_code", "state_name", "-state_name", "filing_category", "-filing_category", "filing_frequency", "-filing_frequency", "currency", "-currency", "registration_id", "-registration_id", "amount", "-amount"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Filing]:
        """List the filings of a registration, row by row (list_registration_filings)."""
        return self._each("page", self.list_registration_filings, [registration_id], {"status__in": status__in, "status": status, "start_date": start_date, "end_date": end_date, "date_filed__gte": date_filed__gte, "date_filed__lte": date_filed__lte, "due_date__lte": due_date__lte, "state_code": state_code, "country_code": country_code, "filing_category__in": filing_category__in, "order_by": order_by, "size": size})

    def list_registrations(
        self,
        *,
        status__in: Optional[Sequence[types.RegistrationStatus]] = None,
        status: Optional[Sequence[types.RegistrationStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        filing_frequency__in: Optional[Sequence[types.FilingFrequency]] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "registration_date", "-registration_date", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "state_name", "-state_name", "filing_frequency", "-filing_frequency", "registration_import_type", "-registration_import_type", "registration_email", "-registration_email", "create_filings_from", "-create_filings_from", "amount_fees", "-amount_fees", "username", "-username", "comment", "-comment"]]] = None,
        reveal: Optional[bool] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.RegistrationList:
        """List registrations (GET /v1/registrations)."""
        return cast("types.RegistrationList", self._call("GET", "/v1/registrations", query={"status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "filing_frequency__in": filing_frequency__in, "order_by": order_by, "reveal": reveal, "page": page, "size": size}, repeatable=True, answer="RegistrationList"))

    def each_registrations(
        self,
        *,
        status__in: Optional[Sequence[types.RegistrationStatus]] = None,
        status: Optional[Sequence[types.RegistrationStatus]] = None,
        state_code: Optional[str] = None,
        country_code__in: Optional[Sequence[types.CountryCode]] = None,
        filing_frequency__in: Optional[Sequence[types.FilingFrequency]] = None,
        order_by: Optional[Sequence[Literal["state_code", "-state_code", "country_code", "-country_code", "registration_date", "-registration_date", "status", "-status", "created_at", "-created_at", "updated_at", "-updated_at", "state_name", "-state_name", "filing_frequency", "-filing_frequency", "registration_import_type", "-registration_import_type", "registration_email", "-registration_email", "create_filings_from", "-create_filings_from", "amount_fees", "-amount_fees", "username", "-username", "comment", "-comment"]]] = None,
        reveal: Optional[bool] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.Registration]:
        """List registrations, row by row (list_registrations)."""
        return self._each("page", self.list_registrations, [], {"status__in": status__in, "status": status, "state_code": state_code, "country_code__in": country_code__in, "filing_frequency__in": filing_frequency__in, "order_by": order_by, "reveal": reveal, "size": size})

    def list_related_transactions(
        self,
        transaction_id: str,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.TransactionList:
        """What is connected with a transaction (GET /v1/transactions/{transaction_id}/related_transactions)."""
        return cast("types.TransactionList", self._call("GET", self._path("/v1/transactions/{transaction_id}/related_transactions", transaction_id), query={"page": page, "size": size}, repeatable=True, answer="TransactionList"))

    def each_related_transactions(
        self,
        transaction_id: str,
        *,
        size: Optional[int] = None,
    ) -> Iterator[types.Transaction]:
        """What is connected with a transaction, row by row (list_related_transactions)."""
        return self._each("page", self.list_related_transactions, [transaction_id], {"size": size})

    def list_return_formats(
        self,
        *,
        country_code: Optional[str] = None,
        state_code: Optional[str] = None,
    ) -> types.ReturnFormats:
        """List the forms of returns that Levy knows (GET /v1/meta/return-formats)."""
        return cast("types.ReturnFormats", self._call("GET", "/v1/meta/return-formats", query={"country_code": country_code, "state_code": state_code}, repeatable=True, answer="ReturnFormats"))

    def list_state_machines(
        self,
    ) -> types.StateMachineList:
        """Transitions of every status (GET /v1/meta/state-machines)."""
        return cast("types.StateMachineList", self._call("GET", "/v1/meta/state-machines", repeatable=True, answer="StateMachineList"))

    def list_transaction_history(
        self,
        transaction_id: str,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.TransactionHistory:
        """What happened to a transaction (GET /v1/transactions/{transaction_id}/history)."""
        return cast("types.TransactionHistory", self._call("GET", self._path("/v1/transactions/{transaction_id}/history", transaction_id), query={"page": page, "size": size}, repeatable=True, answer="TransactionHistory"))

    def each_transaction_history(
        self,
        transaction_id: str,
        *,
        size: Optional[int] = None,
    ) -> Iterator[types.TransactionHistoryEntry]:
        """What happened to a transaction, row by row (list_transaction_history)."""
        return self._each("page", self.list_transaction_history, [transaction_id], {"size": size})

    def list_transaction_imports(
        self,
        *,
        status: Optional[types.TransactionImportStatus] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.TransactionImportList:
        """List imports (GET /v1/transactions/imports)."""
        return cast("types.TransactionImportList", self._call("GET", "/v1/transactions/imports", query={"status": status, "page": page, "size": size}, repeatable=True, answer="TransactionImportList"))

    def each_transaction_imports(
        self,
        *,
        status: Optional[types.TransactionImportStatus] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.TransactionImport]:
        """List imports, row by row (list_transaction_imports)."""
        return self._each("page", self.list_transaction_imports, [], {"status": status, "size": size})

    def list_transaction_revisions(
        self,
        transaction_id: str,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.TransactionRevisionList:
        """The replaced versions of a transaction (GET /v1/transactions/{transaction_id}/revisions)."""
        return cast("types.TransactionRevisionList", self._call("GET", self._path("/v1/transactions/{transaction_id}/revisions", transaction_id), query={"page": page, "size": size}, repeatable=True, answer="TransactionRevisionList"))

    def each_transaction_revisions(
        self,
        transaction_id: str,
        *,
        size: Optional[int] = None,
    ) -> Iterator[types.TransactionRevisionEntry]:
        """The replaced versions of a transaction, row by row (list_transaction_revisions)."""
        return self._each("page", self.list_transaction_revisions, [transaction_id], {"size": size})

    def list_transactions(
        self,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        filing_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.TransactionList:
        """List transactions (GET /v1/transactions)."""
        return cast("types.TransactionList", self._call("GET", "/v1/transactions", query={"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "filing_id": filing_id, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "page": page, "after": after, "size": size, "limit": limit, "offset": offset}, repeatable=True, answer="TransactionList"))

    def each_transactions(
        self,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        filing_id: Optional[str] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[types.Transaction]:
        """List transactions, row by row (list_transactions)."""
        return self._each("after", self.list_transactions, [], {"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "filing_id": filing_id, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "after": after, "size": size, "limit": limit})

    def list_transactions_of_filing(
        self,
        filing_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.TransactionRows:
        """List the transactions of a filing as a plain list (GET /v1/transactions/filings/{filing_id})."""
        return cast("types.TransactionRows", self._call("GET", self._path("/v1/transactions/filings/{filing_id}", filing_id), query={"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "page": page, "after": after, "size": size, "limit": limit, "offset": offset}, repeatable=True, answer="Transaction"))

    def list_unresolved_filing_transactions(
        self,
        filing_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
    ) -> types.TransactionList:
        """List the unresolved transactions of a filing (GET /v1/filings/{filing_id}/transactions/unresolved)."""
        return cast("types.TransactionList", self._call("GET", self._path("/v1/filings/{filing_id}/transactions/unresolved", filing_id), query={"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "page": page, "after": after, "size": size, "limit": limit, "offset": offset}, repeatable=True, answer="TransactionList"))

    def each_unresolved_filing_transactions(
        self,
        filing_id: str,
        *,
        transaction_type: Optional[Sequence[types.TransactionType]] = None,
        related_to: Optional[str] = None,
        search_query: Optional[str] = None,
        state_code: Optional[str] = None,
        state: Optional[str] = None,
        country: Optional[Sequence[types.CountryCode]] = None,
        status: Optional[Sequence[types.TransactionStatus]] = None,
        processing_status__in: Optional[Sequence[types.ProcessingStatus]] = None,
        address_status__in: Optional[Sequence[types.AddressStatus]] = None,
        exempt__in: Optional[Sequence[types.ExemptStatus]] = None,
        connection_id__in: Optional[Sequence[str]] = None,
        transaction_source: Optional[types.Source] = None,
        customer_id: Optional[str] = None,
        marketplace: Optional[bool] = None,
        report_row: Optional[str] = None,
        startDate: Optional[str] = None,
        endDate: Optional[str] = None,
        date__gte: Optional[str] = None,
        date__lte: Optional[str] = None,
        order_by: Optional[Sequence[Literal["date", "-date", "state", "-state", "customer_name", "-customer_name", "status", "-status", "total_amount", "-total_amount", "created_at", "-created_at", "external_id", "-external_id"]]] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> Iterator[types.Transaction]:
        """List the unresolved transactions of a filing, row by row (list_unresolved_filing_transactions)."""
        return self._each("after", self.list_unresolved_filing_transactions, [filing_id], {"transaction_type": transaction_type, "related_to": related_to, "search_query": search_query, "state_code": state_code, "state": state, "country": country, "status": status, "processing_status__in": processing_status__in, "address_status__in": address_status__in, "exempt__in": exempt__in, "connection_id__in": connection_id__in, "transaction_source": transaction_source, "customer_id": customer_id, "marketplace": marketplace, "report_row": report_row, "startDate": startDate, "endDate": endDate, "date__gte": date__gte, "date__lte": date__lte, "order_by": order_by, "after": after, "size": size, "limit": limit})

    def list_users(
        self,
        *,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.UserList:
        """List people (GET /v1/users)."""
        return cast("types.UserList", self._call("GET", "/v1/users", query={"page": page, "size": size}, repeatable=True, answer="UserList"))

    def each_users(
        self,
        *,
        size: Optional[int] = None,
    ) -> Iterator[types.User]:
        """List people, row by row (list_users)."""
        return self._each("page", self.list_users, [], {"size": size})

    def list_webhook_deliveries(
        self,
        webhook_endpoint_id: str,
        *,
        failed: Optional[bool] = None,
        created_at__gte: Optional[str] = None,
        page: Optional[int] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> types.WebhookDeliveryList:
        """List deliveries (GET /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries)."""
        return cast("types.WebhookDeliveryList", self._call("GET", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries", webhook_endpoint_id), query={"failed": failed, "created_at__gte": created_at__gte, "page": page, "after": after, "size": size}, repeatable=True, answer="WebhookDeliveryList"))

    def each_webhook_deliveries(
        self,
        webhook_endpoint_id: str,
        *,
        failed: Optional[bool] = None,
        created_at__gte: Optional[str] = None,
        after: Optional[str] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.WebhookDelivery]:
        """List deliveries, row by row (list_webhook_deliveries)."""
        return self._each("after", self.list_webhook_deliveries, [webhook_endpoint_id], {"failed": failed, "created_at__gte": created_at__gte, "after": after, "size": size})

    def list_webhook_endpoints(
        self,
        *,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "updated_at", "-updated_at", "url", "-url", "description", "-description", "status", "-status"]]] = None,
        page: Optional[int] = None,
        size: Optional[int] = None,
    ) -> types.WebhookEndpointList:
        """List webhook endpoints (GET /v1/webhook_endpoints)."""
        return cast("types.WebhookEndpointList", self._call("GET", "/v1/webhook_endpoints", query={"order_by": order_by, "page": page, "size": size}, repeatable=True, answer="WebhookEndpointList"))

    def each_webhook_endpoints(
        self,
        *,
        order_by: Optional[Sequence[Literal["created_at", "-created_at", "updated_at", "-updated_at", "url", "-url", "description", "-description", "status", "-status"]]] = None,
        size: Optional[int] = None,
    ) -> Iterator[types.WebhookEndpoint]:
        """List webhook endpoints, row by row (list_webhook_endpoints)."""
        return self._each("page", self.list_webhook_endpoints, [], {"order_by": order_by, "size": size})

    def make_onboarding_link(
        self,
        organization_id: str,
        body: Optional[types.OnboardingLinkCreate] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.MadeOnboardingLink:
        """Make a link with which a client does the steps itself (POST /v1/onboarding/{organization_id}/link)."""
        return cast("types.MadeOnboardingLink", self._call("POST", self._path("/v1/onboarding/{organization_id}/link", organization_id), json_body=body, key=idempotency_key, keyed=True, answer="MadeOnboardingLink"))

    def make_payment_file(
        self,
        body: types.PaymentFileMake,
    ) -> types.PaymentFile:
        """Make a file by which a bank pays returns (POST /v1/payment_files)."""
        return cast("types.PaymentFile", self._call("POST", "/v1/payment_files", json_body=body, repeatable=True, answer="PaymentFile"))

    def pause_transaction_import(
        self,
        import_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionImport:
        """Pause an import (POST /v1/transactions/imports/{import_id}/pause)."""
        return cast("types.TransactionImport", self._call("POST", self._path("/v1/transactions/imports/{import_id}/pause", import_id), key=idempotency_key, keyed=True, answer="TransactionImport"))

    def preview_reclassification(
        self,
        product_id: str,
        body: types.Reclassification,
    ) -> types.ReclassificationPreview:
        """What would another classification change (POST /v1/products/{product_id}/reclassification_preview)."""
        return cast("types.ReclassificationPreview", self._call("POST", self._path("/v1/products/{product_id}/reclassification_preview", product_id), json_body=body, repeatable=True, answer="ReclassificationPreview"))

    def put_bank_details(
        self,
        body: types.BankDetailsUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.BankDetails:
        """Say which account is used (step 8) (PUT /v1/bank_details)."""
        return cast("types.BankDetails", self._call("PUT", "/v1/bank_details", json_body=body, key=idempotency_key, keyed=True, answer="BankDetails"))

    def put_business_address(
        self,
        body: types.BusinessAddressUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OrganizationDetails:
        """Say where the company is (step 4) (PUT /v1/organization_details/business_address)."""
        return cast("types.OrganizationDetails", self._call("PUT", "/v1/organization_details/business_address", json_body=body, key=idempotency_key, keyed=True, answer="OrganizationDetails"))

    def put_business_contact(
        self,
        body: types.BusinessContactUpdate,
        *,
        save_business_contact_as_company_owner: Optional[bool] = None,
        idempotency_key: Optional[str] = None,
    ) -> types.OrganizationDetails:
        """Name the contact (step 6) (PUT /v1/organization_details/business_contact)."""
        return cast("types.OrganizationDetails", self._call("PUT", "/v1/organization_details/business_contact", json_body=body, key=idempotency_key, query={"save_business_contact_as_company_owner": save_business_contact_as_company_owner}, keyed=True, answer="OrganizationDetails"))

    def put_business_details(
        self,
        body: types.BusinessDetailsUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OrganizationDetails:
        """Say what the company is (step 3) (PUT /v1/organization_details/business_details)."""
        return cast("types.OrganizationDetails", self._call("PUT", "/v1/organization_details/business_details", json_body=body, key=idempotency_key, keyed=True, answer="OrganizationDetails"))

    def put_business_information(
        self,
        body: types.BusinessInformationUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OrganizationDetails:
        """Say how the business is reached (step 5) (PUT /v1/organization_details/business_information)."""
        return cast("types.OrganizationDetails", self._call("PUT", "/v1/organization_details/business_information", json_body=body, key=idempotency_key, keyed=True, answer="OrganizationDetails"))

    def put_business_owners(
        self,
        body: types.BusinessOwnersUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.OrganizationDetails:
        """Name the owners (step 7) (PUT /v1/organization_details/business_owners)."""
        return cast("types.OrganizationDetails", self._call("PUT", "/v1/organization_details/business_owners", json_body=body, key=idempotency_key, keyed=True, answer="OrganizationDetails"))

    def record_filing_payment(
        self,
        filing_id: str,
        body: types.RecordedPaymentCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.RecordedPayment:
        """Record a payment that was made for a filed return (POST /v1/filings/{filing_id}/payments)."""
        return cast("types.RecordedPayment", self._call("POST", self._path("/v1/filings/{filing_id}/payments", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="RecordedPayment"))

    def redeliver_webhook(
        self,
        webhook_endpoint_id: str,
        delivery_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send an event once more (POST /v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver)."""
        return cast("types.WebhookDelivery", self._call("POST", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/deliveries/{delivery_id}/redeliver", webhook_endpoint_id, delivery_id), key=idempotency_key, keyed=True, answer="WebhookDelivery"))

    def register_nexus(
        self,
        nexus_id: str,
        body: Optional[types.NexusRegister] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Registration:
        """Register where nexus is (PUT /v1/nexus/{nexus_id}/register)."""
        return cast("types.Registration", self._call("PUT", self._path("/v1/nexus/{nexus_id}/register", nexus_id), json_body=body, key=idempotency_key, keyed=True, answer="Registration"))

    def remind_onboarding(
        self,
        organization_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Onboarding:
        """Remind a client of its onboarding (POST /v1/onboarding/{organization_id}/remind)."""
        return cast("types.Onboarding", self._call("POST", self._path("/v1/onboarding/{organization_id}/remind", organization_id), key=idempotency_key, keyed=True, answer="Onboarding"))

    def remove_user(
        self,
        user_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Remove a person (DELETE /v1/users/{user_id})."""
        self._call("DELETE", self._path("/v1/users/{user_id}", user_id), key=idempotency_key, keyed=True)

    def replay_webhook_events(
        self,
        webhook_endpoint_id: str,
        body: types.WebhookReplayCreate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookReplay:
        """Send the events of a span once more (POST /v1/webhook_endpoints/{webhook_endpoint_id}/replay)."""
        return cast("types.WebhookReplay", self._call("POST", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/replay", webhook_endpoint_id), json_body=body, key=idempotency_key, keyed=True, answer="WebhookReplay"))

    def reprocess_transaction(
        self,
        transaction_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transaction:
        """Process a transaction again (POST /v1/transactions/{transaction_id}/reprocess)."""
        return cast("types.Transaction", self._call("POST", self._path("/v1/transactions/{transaction_id}/reprocess", transaction_id), key=idempotency_key, keyed=True, answer="Transaction"))

    def resume_transaction_import(
        self,
        import_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.TransactionImport:
        """Resume an import (POST /v1/transactions/imports/{import_id}/resume)."""
        return cast("types.TransactionImport", self._call("POST", self._path("/v1/transactions/imports/{import_id}/resume", import_id), key=idempotency_key, keyed=True, answer="TransactionImport"))

    def retry_filing(
        self,
        filing_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """File again after an issue (POST /v1/filings/{filing_id}/retry)."""
        return cast("types.Filing", self._call("POST", self._path("/v1/filings/{filing_id}/retry", filing_id), key=idempotency_key, keyed=True, answer="Filing"))

    def revoke_api_key(
        self,
        api_key_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> None:
        """Revoke an API key (DELETE /v1/organizations/api_keys/{api_key_id})."""
        self._call("DELETE", self._path("/v1/organizations/api_keys/{api_key_id}", api_key_id), key=idempotency_key, keyed=True)

    def rotate_api_key(
        self,
        api_key_id: str,
        body: Optional[types.ApiKeyRotate] = None,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ApiKey:
        """Replace an API key (POST /v1/organizations/api_keys/{api_key_id}/rotate)."""
        return cast("types.ApiKey", self._call("POST", self._path("/v1/organizations/api_keys/{api_key_id}/rotate", api_key_id), json_body=body, key=idempotency_key, keyed=True, answer="ApiKey"))

    def rotate_webhook_secret(
        self,
        webhook_endpoint_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookEndpoint:
        """Replace the secret (POST /v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret)."""
        return cast("types.WebhookEndpoint", self._call("POST", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/rotate_secret", webhook_endpoint_id), key=idempotency_key, keyed=True, answer="WebhookEndpoint"))

    def search(
        self,
        *,
        q: str,
    ) -> types.SearchResults:
        """Find something (GET /v1/search)."""
        return cast("types.SearchResults", self._call("GET", "/v1/search", query={"q": q}, repeatable=True, answer="SearchResults"))

    def search_address(
        self,
        body: types.AddressSearch,
    ) -> types.AddressMatchList:
        """Check an address (POST /v1/address_validation/search)."""
        return cast("types.AddressMatchList", self._call("POST", "/v1/address_validation/search", json_body=body, repeatable=True, answer="AddressMatch"))

    def simulate_nexus(
        self,
        body: types.NexusSimulation,
    ) -> types.NexusSimulated:
        """Try out other sales or thresholds (POST /v1/nexus/simulate)."""
        return cast("types.NexusSimulated", self._call("POST", "/v1/nexus/simulate", json_body=body, repeatable=True, answer="NexusSimulated"))

    def suggest_addresses(
        self,
        body: types.AddressBeginning,
    ) -> types.AddressSuggestionList:
        """Complete an address (POST /v1/address_validation/suggestions)."""
        return cast("types.AddressSuggestionList", self._call("POST", "/v1/address_validation/suggestions", json_body=body, repeatable=True, answer="AddressSuggestionList"))

    def test_webhook_endpoint(
        self,
        webhook_endpoint_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookDelivery:
        """Send a test event (POST /v1/webhook_endpoints/{webhook_endpoint_id}/test)."""
        return cast("types.WebhookDelivery", self._call("POST", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}/test", webhook_endpoint_id), key=idempotency_key, keyed=True, answer="WebhookDelivery"))

    def undisregard_nexus(
        self,
        nexus_id: str,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.NexusRecord:
        """Regard nexus again (POST /v1/nexus/{nexus_id}/undisregard)."""
        return cast("types.NexusRecord", self._call("POST", self._path("/v1/nexus/{nexus_id}/undisregard", nexus_id), key=idempotency_key, keyed=True, answer="NexusRecord"))

    def update_api_key(
        self,
        api_key_id: str,
        body: types.ApiKeyUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ApiKey:
        """Change an API key record (PUT /v1/organizations/api_keys/{api_key_id})."""
        return cast("types.ApiKey", self._call("PUT", self._path("/v1/organizations/api_keys/{api_key_id}", api_key_id), json_body=body, key=idempotency_key, keyed=True, answer="ApiKey"))

    def update_comment(
        self,
        comment_id: str,
        body: types.CommentUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Comment:
        """Correct or withdraw a comment (PUT /v1/comments/{comment_id})."""
        return cast("types.Comment", self._call("PUT", self._path("/v1/comments/{comment_id}", comment_id), json_body=body, key=idempotency_key, keyed=True, answer="Comment"))

    def update_credit_note(
        self,
        transaction_id: str,
        credit_note_id: str,
        body: types.CreditNoteUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transaction:
        """Change a credit note (PUT /v1/transactions/{transaction_id}/credit_notes/{credit_note_id})."""
        return cast("types.Transaction", self._call("PUT", self._path("/v1/transactions/{transaction_id}/credit_notes/{credit_note_id}", transaction_id, credit_note_id), json_body=body, key=idempotency_key, keyed=True, answer="Transaction"))

    def update_customer(
        self,
        customer_id: str,
        body: types.CustomerUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Customer:
        """Change a customer (PUT /v1/customers/{customer_id})."""
        return cast("types.Customer", self._call("PUT", self._path("/v1/customers/{customer_id}", customer_id), json_body=body, key=idempotency_key, keyed=True, answer="Customer"))

    def update_exemption(
        self,
        exemption_id: str,
        body: types.ExemptionUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.ExemptionRecord:
        """Change an exemption (PUT /v1/exemptions/{exemption_id})."""
        return cast("types.ExemptionRecord", self._call("PUT", self._path("/v1/exemptions/{exemption_id}", exemption_id), json_body=body, key=idempotency_key, keyed=True, answer="ExemptionRecord"))

    def update_filing(
        self,
        filing_id: str,
        body: types.FilingUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Filing:
        """Change a filing (PUT /v1/filings/{filing_id})."""
        return cast("types.Filing", self._call("PUT", self._path("/v1/filings/{filing_id}", filing_id), json_body=body, key=idempotency_key, keyed=True, answer="Filing"))

    def update_notice(
        self,
        notice_id: str,
        body: types.NoticeUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Notice:
        """Change a notice (PUT /v1/notices/{notice_id})."""
        return cast("types.Notice", self._call("PUT", self._path("/v1/notices/{notice_id}", notice_id), json_body=body, key=idempotency_key, keyed=True, answer="Notice"))

    def update_organization(
        self,
        organization_id: str,
        body: types.OrganizationUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Organization:
        """Change an organization (PUT /v1/organizations/{organization_id})."""
        return cast("types.Organization", self._call("PUT", self._path("/v1/organizations/{organization_id}", organization_id), json_body=body, key=idempotency_key, keyed=True, answer="Organization"))

    def update_physical_nexus(
        self,
        physical_nexus_id: str,
        body: types.PhysicalNexusUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.PhysicalNexus:
        """Change a physical nexus (PUT /v1/nexus/physical_nexus/{physical_nexus_id})."""
        return cast("types.PhysicalNexus", self._call("PUT", self._path("/v1/nexus/physical_nexus/{physical_nexus_id}", physical_nexus_id), json_body=body, key=idempotency_key, keyed=True, answer="PhysicalNexus"))

    def update_product(
        self,
        product_id: str,
        body: types.ProductUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Product:
        """Change a product (PUT /v1/products/{product_id})."""
        return cast("types.Product", self._call("PUT", self._path("/v1/products/{product_id}", product_id), json_body=body, key=idempotency_key, keyed=True, answer="Product"))

    def update_registration(
        self,
        registration_id: str,
        body: types.RegistrationUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Registration:
        """Change a registration (PUT /v1/registrations/{registration_id})."""
        return cast("types.Registration", self._call("PUT", self._path("/v1/registrations/{registration_id}", registration_id), json_body=body, key=idempotency_key, keyed=True, answer="Registration"))

    def update_transaction(
        self,
        transaction_id: str,
        body: types.TransactionUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.Transaction:
        """Update a transaction (PUT /v1/transactions/{transaction_id})."""
        return cast("types.Transaction", self._call("PUT", self._path("/v1/transactions/{transaction_id}", transaction_id), json_body=body, key=idempotency_key, keyed=True, answer="Transaction"))

    def update_user(
        self,
        user_id: str,
        body: types.UserUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.InvitedUser:
        """Change a person (PUT /v1/users/{user_id})."""
        return cast("types.InvitedUser", self._call("PUT", self._path("/v1/users/{user_id}", user_id), json_body=body, key=idempotency_key, keyed=True, answer="InvitedUser"))

    def update_webhook_endpoint(
        self,
        webhook_endpoint_id: str,
        body: types.WebhookEndpointUpdate,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.WebhookEndpoint:
        """Change a webhook endpoint (PUT /v1/webhook_endpoints/{webhook_endpoint_id})."""
        return cast("types.WebhookEndpoint", self._call("PUT", self._path("/v1/webhook_endpoints/{webhook_endpoint_id}", webhook_endpoint_id), json_body=body, key=idempotency_key, keyed=True, answer="WebhookEndpoint"))

    def upload_exemption_attachment(
        self,
        exemption_id: str,
        filename: str,
        content: bytes,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.StoredAttachment:
        """Store a document with an exemption (POST /v1/exemptions/{exemption_id}/attachments)."""
        return cast("types.StoredAttachment", self._call("POST", self._path("/v1/exemptions/{exemption_id}/attachments", exemption_id), file=(filename, content), key=idempotency_key, keyed=True, answer="StoredAttachment"))

    def upload_notice_document(
        self,
        notice_id: str,
        filename: str,
        content: bytes,
        *,
        idempotency_key: Optional[str] = None,
    ) -> types.NoticeDocument:
        """Store a letter with a notice (POST /v1/notices/{notice_id}/documents)."""
        return cast("types.NoticeDocument", self._call("POST", self._path("/v1/notices/{notice_id}/documents", notice_id), file=(filename, content), key=idempotency_key, keyed=True, answer="NoticeDocument"))

    def verify_filing(
        self,
        filing_id: str,
    ) -> types.FilingVerification:
        """Verify the report of a filing (POST /v1/filings/{filing_id}/verify)."""
        return cast("types.FilingVerification", self._call("POST", self._path("/v1/filings/{filing_id}/verify", filing_id), repeatable=True, answer="FilingVerification"))
