package people_test

import (
	"context"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/store/storetest"
)

// Decisions on columns in which a name may stand.
const (
	erased    = "erased with its customer, person or organization"
	named     = "named by levy erase, for a decision"
	ofSales   = "stays: a sale as it was made or sent, which tax law makes the seller keep"
	ofTax     = "stays: a certificate or a return, which tax law makes the seller keep"
	ofTrail   = "stays: a trail of who did what, which cannot be changed"
	ofCompany = "stays: an organization, a shop or a place of business, and no customer"
	ofCatalog = "stays: a good or a rate, and nobody"
	ofSystem  = "stays: written by Levy, an authority or an operator, about no customer"
	ends      = "stays for a while: deleted some days after its import, or its request, ended"
	opaque    = "stays: a hash, a key or a sealed value"
)

// codes are the columns that hold codes, identifiers or hashes of Levy in every table.
var codes = strings.Fields(`action actor_id address_status assignee_id category change_read_by claims_as code connection_id
	content_version content_versions country_code currency digest digests end_lsn exempt fein_key filing_category
	filing_frequency fingerprint from_status hash id ids jurisdiction jurisdiction_id jurisdiction_type key_hash kind last4
	list lease member_code nexus_type organization_ids place_id prefix processing_status product_category
	product_category_version product_subcategory public_key reason_code request_id rounding_unit run_id seal sha256 source
	span stage state_code status tax_class to_status type used_by workflow_id wrapped separator columns
	destination_currency shop_date_tz requires_exemption enabled_events scopes exemption_category sst_id`)

// decisions are those on all other columns that take a text, by table.
var decisions = map[string]map[string]string{
	"api_keys":               each(named, "name", ofCompany, "metadata allowed_addresses"),
	"audit":                  each(ofTrail, "detail entity_type staff user_name", opaque, "leaf"),
	"authority_consents":     each(ofSystem, "authority", opaque, "state session verifier"),
	"authority_grants":       each(ofSystem, "authority", opaque, "tokens", ofTrail, "granted_by"),
	"authority_outages":      each(ofSystem, "by error tried_by"),
	"backups":                each(ofSystem, "place end_lsn"),
	"bank_details":           each(erased, "details"),
	"boundary_loads":         each(ofSystem, "state file"),
	"calendar_feeds":         each(named, "name", ofTrail, "made_by"),
	"comment_versions":       each(named, "text"),
	"content_activations":    each(ofSystem, "reason"),
	"content_sources":        each(ofSystem, "state rates_url boundaries_url rates boundaries rate_file said failure"),
	"content_publications":   each(ofSystem, "version"),
	"acknowledgements":       each(ofSystem, "authority transmitter sha256 transmission_id", opaque, "message"),
	"acknowledgement_queues": each(ofSystem, "authority transmitter holder"),
	"content_versions":       each(ofSystem, "pack note sources"),
	"background_migrations": each(ofSystem, `table_name after_key
		failure`),
	"customers": each(erased, `name email phone street_1 street_2 full_address registration_number external_friendly_id
		tax_registrations`, ofTax, "city county state postal_code country"),
	"events":                      each(erased, "record previous"),
	"exception_notes":             each(ofTrail, "assignee", named, "note"),
	"exemption_attachment_pieces": each(opaque, "content"),
	"exemption_attachments":       each(ofTax, "filename"),
	"exemptions":                  each(ofTax, "fein sales_tax_id"),
	"filing_connections":          each(opaque, "connection"),
	"filing_documents": each(ofSystem, "layout media_type file_name transmitter transmission_id document_id sha256 findings",
		opaque, "content"),
	"filing_entries":    each(named, "note", ofTax, "line", ofSystem, "jurisdiction_name", ofTrail, "created_by"),
	"filing_payments":   each(named, "reference", ofTrail, "created_by"),
	"filing_exclusions": each(ofSales, "external_id", named, "reason"),
	"record_violations": each(ofSystem, "rule record"),
	"filing_history": each(ofTrail, "actor_name", named, "reason attestation",
		ofSystem, "authority authority_code authority_message confirmation_id"),
	"filing_figures":        each(ofSystem, "place key"),
	"filing_jurisdictions":  each(ofSystem, "jurisdiction_name"),
	"filing_recomputations": each(ofSystem, "after_transaction"),
	"filing_reports":        each(ofCompany, "taxpayer", ofSystem, "findings"),
	"filings": each(named, "skip_reason internal_notes", ofTrail, "approved_by",
		ofSystem, `state_name issue_reason cancelled_reason return_confirmation_id payment_confirmation_id jira_issue_key
		report_hash amended_totals`),
	"idempotency_keys":    each(erased, "body sealed_body sealed_about"),
	"ledger_coverage":     each(ofSystem, "after_transaction"),
	"ledger_unsealed":     each(opaque, "leaves"),
	"mails":               each(ofSystem, "occasion failure"),
	"nexus_jurisdictions": each(ofSystem, "state_name terms"),
	"nexus_records": each(ofSystem, `state_name trigger period_model
		crossing periods disregard_reason disregarded_nexus_types obliged_gaps applied_gaps applying`),
	"notices":                each(named, "authority reference description answer"),
	"notice_documents":       each(ofTax, "filename"),
	"notice_document_pieces": each(opaque, "content"),
	"nexus_recounts":         each(ofSystem, "after_transaction failure"),
	"nexus_repairs":          each(ofSystem, "found expected"),
	"onboarding_links":       each(ofTrail, "made_by"),
	"onboarding_mails":       each(ends, "email", ofSystem, "failure"),
	"onboarding_steps":       each(ofSystem, "error errors"),
	"onboardings":            each(ofSystem, "reason"),
	"operator_keys":          each(ofTrail, "name"),
	"api_processes":          each(ofSystem, "calls"),
	"organization_details": each(erased, `business_details business_address business_information business_contact
		business_owners`, ofCompany, "place"),
	"organization_settings": each(ofCompany, "enabled_jurisdictions time_zone", ofTrail, "second_person_end_name"),
	"organizations":         each(ofCompany, "name promo email_group archival_reason"),
	"outbox":                each(ofSystem, "last_error"),
	"physical_nexus":        each(ofCompany, "external_id street_1 street_2 city postal_code"),
	"preferences":           each(ofSystem, "time_zone mails_off"),
	"products":              each(ofCatalog, "name description sku"),
	"rate_overrides":        each(ofCatalog, "jurisdiction_name", named, "reason"),
	"registrations": each(ofCompany, "registration_email username sales_tax_id tax_id jurisdiction_specific_fields",
		named, "deregistration_reason comment", ofSystem, `state_name oss_member_state_of_identification_code authority
		authority_reference clarification`),
	"sandbox_submissions": each(ofSystem, "answer"),
	"saved_views":         each(erased, "name_key name query"),
	"second_factors":      each(opaque, "sealed"),
	"sessions":            each(ofSystem, "second_proof"),
	"passkeys":            each(erased, "name", opaque, "credential_id", ofSystem, "transports"),
	"audit_seals":         each(opaque, "seal leaves"),
	"transaction_addresses": each(ofSales, `street_1 street_2 city county state postal_code country
		full_address phone status`),
	"transaction_coarse_counts":     each(ofSystem, "exempt country"),
	"transaction_count_changes":     each(ofSystem, "exempt country state"),
	"transaction_counts":            each(ofSystem, "exempt country state"),
	"transaction_explanations":      each(ofSales, "body packed"),
	"transaction_import_originals":  each(ends, "file_id"),
	"transaction_import_pieces":     each(ends, "content"),
	"transaction_import_rejections": each(ends, "external_id faults rows lines"),
	"transaction_imports":           each(named, "name", ofSystem, "reason", ofTrail, "user_name"),
	"transaction_items": each(ofSales, `external_id description product product_name product_description tax_exemption_sent
		tax_exemption tax_items sent`),
	"transaction_revisions": each(ofSales, "body"),
	"transaction_stages":    each(ofSystem, "detail"),
	"transaction_totals":    each(ofSystem, "places figure_place figure_keys"),
	"transactions": each(ofSales, `processing_reason shop_date description exempt_sent exempt secondary_external_id
		secondary_source external_friendly_id tax_id city county state postal_code country place origin sent certainty`),
	"users":              each(erased, "name email provider_issuer provider_subject password_hash"),
	"webhook_deliveries": each(ofSystem, "attempts"),
	"webhook_endpoints":  each(ofCompany, "url", named, "description"),
	"webhook_replays":    each(ofSystem, "types"),
}

// each returns the decisions on columns: pairs of a decision and names.
func each(pairs ...string) map[string]string {
	of := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		for _, column := range strings.Fields(pairs[i+1]) {
			of[column] = pairs[i]
		}
	}
	return of
}

// A name may stand in every column that takes a text. Each column holds codes, or has a decision. A new column has to
// get one.
func TestEveryFreeTextHasADecisionForErasures(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), storetest.URL(t))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close(context.WithoutCancel(t.Context())) })
	rows, err := conn.Query(t.Context(), `
		SELECT c.relname::text, a.attname::text FROM pg_class c
		  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		 WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
		   AND c.relname <> 'goose_db_version'
		   AND a.atttypid IN ('text'::regtype, 'text[]'::regtype, 'json'::regtype, 'jsonb'::regtype, 'bytea'::regtype)
		   AND NOT EXISTS (SELECT FROM pg_constraint k WHERE k.conrelid = c.oid AND k.contype = 'c'
		                      AND k.conkey = ARRAY[a.attnum] AND pg_get_constraintdef(k.oid) ~ '= ANY')
		 ORDER BY 1, 2`)
	require.NoError(t, err)
	seen := map[string]map[string]bool{}
	var table, column string
	var without []string
	_, err = pgx.ForEachRow(rows, []any{&table, &column}, func() error {
		if seen[table] == nil {
			seen[table] = map[string]bool{}
		}
		seen[table][column] = true
		if _, judged := decisions[table][column]; !judged && !isCode(column) {
			without = append(without, table+"."+column)
		}
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, without, "columns that may hold a name, and have no decision")
	var gone []string
	for table, columns := range decisions {
		for column := range columns {
			if !seen[table][column] {
				gone = append(gone, table+"."+column)
			}
		}
	}
	require.Empty(t, gone, "decisions on columns that are not there, or take no free text")
}

func isCode(column string) bool {
	for _, code := range codes {
		if code == column {
			return true
		}
	}
	return false
}
