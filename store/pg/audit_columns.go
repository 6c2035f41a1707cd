package pg

import (
	"time"
)

// shownColumns are, by table, the columns whose values before and after a change stand in the audit trail. Of every other
// column it has the name alone. An entry can never be changed, and an erasure leaves it as it is. So these are statuses,
// codes, days and amounts, and never what may name a person, a contact, a secret, or a bank or tax number.
var shownColumns = map[string]string{
	"customers": `status address_status source connection_id state country`,
	"products": `name product_category product_subcategory tax_class classification tax_exempt status source sku code
		connection_id`,
	"exemptions": `exemption_type start_date end_date customer_id transaction_id country_code jurisdiction reseller
		exemption_category status`,
	"registrations": `country_code state_code status filing_frequency registration_import_type registration_date
		registration_requested registration_completed deregistration_requested deregistration_completed deregistration_date
		auto_registered do_not_file registrations_regime change_regime_status create_filings_from imported initial_sync vda
		sst_import amount_fees oss_type third_party_enabled two_factor_enabled marked_collecting marked_collecting_date
		credits_total_available authority attempt`,
	"filings": `status due_date date_filed is_manual auto_approved approved_at block_approval paused_until_date
		amount_adjusted amount_discounts amount_fees amount_penalties tax_remitted attempt manual_since filed_at`,
	"notices":        `kind status currency amount received_date due_date answered_at`,
	"nexus_records":  `status nexus_met nexus_met_date disregarded_at disregarded_until disregarded_nexus_types`,
	"physical_nexus": `country_code state_code start_date end_date category source`,
	"organizations": `parent_organization_id status is_test billing_plan disable_emails scheduled_deletion internal_use
		archived_at onboarding_status`,
	"organization_settings": `disable_onboarding enable_eu_registration product_category_version oss_scheme
		enable_new_auto_filing_experience enable_new_filing_ui prefer_collected_tax_amounts special_tax_circumstances
		enabled_jurisdictions disable_ai_classification enable_business_address_fallback filing_lookback_periods
		require_second_person second_person_end_at rounding_unit time_zone`,
	"users":             `staff_role status`,
	"api_keys":          `scopes expires_at rotated_to revoked_at granted`,
	"webhook_endpoints": `enabled_events status disabled_reason include_clients signature_scheme former_until`,
}

// auditedValue returns a value as the audit trail shows it: a day without a time, and everything else as its JSON.
func auditedValue(value any) any {
	at, isTime := value.(time.Time)
	if p, ok := value.(*time.Time); ok && p != nil {
		at, isTime = *p, true
	}
	if isTime && at.Equal(at.UTC().Truncate(24*time.Hour)) {
		return at.UTC().Format(time.DateOnly)
	}
	return value
}
