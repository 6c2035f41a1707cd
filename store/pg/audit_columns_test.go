package pg

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"gorm.io/gorm/schema"

	"levy/models"
)

// maskedColumns are the columns of audited records whose values do not stand in the trail, by table.
var maskedColumns = map[string]string{
	"customers": `external_id name email phone street_1 street_2 city county postal_code full_address registration_number
		external_friendly_id tax_registrations`,
	"products":   `external_id description`,
	"exemptions": `fein sales_tax_id`,
	"registrations": `state_name registration_email deregistration_reason username password password_metadata sales_tax_id
		tax_id comment jurisdiction_specific_fields oss_member_state_of_identification_code authority_reference
		unanswered_since clarification changed change_read_by`,
	"filings": `approved_by issue_reason skip_reason cancelled_reason internal_notes return_confirmation_id
		payment_confirmation_id jira_issue_key unanswered_since`,
	"nexus_records": `country_code state_code state_name enabled nexus_type registration_regime currency
		treatment_of_exempt_transactions trigger sales_or_transactions threshold_sales threshold_transactions start_date
		period_model marketplace_included period_start_date period_end_date previous_period_start_date
		previous_period_end_date transaction_count previous_transaction_count transactions_amount
		previous_transactions_amount total_transactions total_transactions_included total_transactions_exempted
		total_transactions_marketplace economic_nexus_met physical_nexus_met collected_tax_nexus_met
		economic_nexus_met_date physical_nexus_met_date collected_tax_nexus_met_date obligation_start_date crossing
		earliest_transaction_date most_recent_transaction_date earliest_collected_date predicted_month_from_today
		confidence_level vda_eligible periods obliged_from obliged_until obliged_gaps calculated_tax_liability
		imported_tax_liability tax_liability last_tax_liability_processed_at disregarded_by disregard_reason
		last_processed_at`,
	"notices":               `authority reference description answer`,
	"physical_nexus":        `external_id street_1 street_2 city postal_code`,
	"organizations":         `external_id name source promo email_group archival_reason`,
	"organization_settings": `second_person_end_by second_person_end_name sst_id`,
	"users":                 `email email_key address_key name password_hash provider_issuer provider_subject proven_at`,
	"api_keys":              `name hash prefix last4 metadata allowed_addresses last_used_at master_key_id`,
	"webhook_endpoints":     `url description public_key secret former_secret`,
}

// Each column of an audited record is shown or masked by a decision. A new column has to get one.
func TestEachColumnOfTheAuditTrailIsShownOrMasked(t *testing.T) {
	t.Parallel()
	for _, record := range []any{
		&models.Customer{}, &models.Product{}, &models.ExemptionRecord{}, &models.Registration{}, &models.Filing{},
		&models.NexusRecord{}, &models.PhysicalNexus{}, &models.Organization{}, &models.OrganizationSettings{}, &models.User{},
		&models.APIKey{}, &models.WebhookEndpoint{}, &models.Notice{},
	} {
		mapped, err := schema.Parse(record, schemas, schema.NamingStrategy{})
		require.NoError(t, err)
		var columns []string
		for _, f := range mapped.Fields {
			own := []string{"id", "organization_id", "created_at"}
			if f.DBName != "" && f.Updatable && !slices.Contains(slices.Concat(unreportedColumns, own), f.DBName) {
				columns = append(columns, f.DBName)
			}
		}
		decided := strings.Fields(shownColumns[mapped.Table] + " " + maskedColumns[mapped.Table])
		require.ElementsMatch(t, columns, decided, mapped.Table)
	}
	require.Len(t, maskedColumns, len(shownColumns))
}

// Of a changed customer the trail has the country, and only the name of the column for the rest.
func TestAChangeHasTheValuesOfShownColumns(t *testing.T) {
	t.Parallel()
	text := func(s string) *string { return &s }
	before := models.Customer{Name: text("Ann"), Country: text("US"), State: text("NY")}
	after := models.Customer{Name: text("Eve"), Country: text("CA"), Status: "ARCHIVED", State: text("NY")}
	require.Equal(t, map[string]any{
		"fields":  []string{"country", "name", "status"},
		"country": map[string]any{"from": text("US"), "to": text("CA")},
		"status":  map[string]any{"from": models.CustomerStatus(""), "to": models.CustomerStatus("ARCHIVED")},
	}, Changed(&before, &after))
	day := time.Date(2026, 5, 31, 0, 0, 0, 0, time.UTC)
	require.Equal(t, map[string]any{
		"fields": []string{"fein", "start_date"}, "start_date": map[string]any{"from": "0001-01-01", "to": "2026-05-31"},
	}, Changed(&models.Exemption{}, &models.Exemption{StartDate: day, FEIN: text("12-3456789")}))
	require.True(t, reflect.DeepEqual(day.Add(time.Hour), auditedValue(day.Add(time.Hour))), "a moment has its time")
}
