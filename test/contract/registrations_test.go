package contract_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
)

// jurisdictions are those that the registrations of the tests take in turn.
var jurisdictions = strings.Fields("AL AZ AR CA CO CT FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO NE NV NJ NM " +
	"NY NC ND OH OK PA RI SC SD TN TX UT VT VA WA WV WI WY DC")

// registrationBody asks for a registration in a jurisdiction that has none. fields
// are further ones, or empty.
func (in *installation) registrationBody(fields string) string {
	in.t.Helper()
	state := jurisdictions[int(in.serial.Add(1))%len(jurisdictions)]
	in.free(state)
	return fmt.Sprintf(`{"country_code":"US","state_code":%q,"filing_frequency":"MONTHLY"%s}`, state, fields)
}

// free ends the registration in a state, so that another one is possible.
func (in *installation) free(state string) {
	in.t.Helper()
	in.execute(fmt.Sprintf(`SET session_replication_role = replica;
		UPDATE registrations
		SET status = 'CANCELLED'
		WHERE state_code = '%s'`, state))
}

// registration records a registration that is REGISTERED and returns its id.
func (in *installation) registration(as credentials) string {
	in.t.Helper()
	return in.call(as, "POST", "/v1/registrations",
		in.registrationBody(`,"imported":true,"registration_date":"2026-01-01"`), 200).text(in.t, "id")
}

// registered resets a registration to its first status.
func (in *installation) registered(id string) {
	in.t.Helper()
	in.execute(fmt.Sprintf(`SET session_replication_role = replica;
		UPDATE registrations
		SET status = 'REGISTERED', registration_date = '1990-01-01', deregistration_date = NULL
		WHERE id = '%s'`, id))
}

// unregistered is a nexus record of an organization in a jurisdiction without a
// registration.
func (in *installation) unregistered(as credentials) string {
	in.t.Helper()
	state := jurisdictions[int(in.serial.Add(1))%len(jurisdictions)]
	in.free(state)
	return in.nexusOf(as.organization, state)
}

// nexusOf is the nexus record of an organization in a state.
func (in *installation) nexusOf(organization, state string) (id string) {
	in.t.Helper()
	_, _, err := in.store.Nexus.EnsureNexusRecords(in.t.Context(), "")
	require.NoError(in.t, err)
	in.query(&id, "SELECT id FROM nexus_records WHERE organization_id = $1 AND country_code = 'US' AND state_code = $2",
		organization, state)
	return id
}

// settleRegistration makes a body name a jurisdiction that is free, and dates that
// fit together.
func (in *installation) settleRegistration(n *node) {
	in.free("NY")
	n.put(map[string]string{"country_code": "US", "state_code": "NY", "registration_import_type": "REGULAR",
		"filing_frequency": "MONTHLY"})
	n.drop("oss_type", "oss_member_state_of_identification_code", "member_state_of_identification_code",
		"create_filings_from")
}

// A registration that waits for the onboarding of its organization continues with the last step, in the same commit.
func TestTheLastStepOfAnOnboardingStartsWaitingRegistrations(t *testing.T) {
	t.Parallel()
	in := install(t)
	client := in.client()
	scope := models.Scope{OrganizationID: client.organization}
	reg := models.NewAutoRegistration(models.ProvenNexus{
		At:        tax.NamedAuthority{Country: "US", State: "NY", Name: "New York"},
		Frequency: calendar.FilingMonthly, Regime: "STANDARD",
	}, time.Now())
	require.NoError(t, in.store.Registrations.CreateRegistration(t.Context(), scope, models.Actor{}, &reg))
	waits := func() (waiting int) {
		in.query(&waiting, `SELECT count(*)
			FROM registrations
			WHERE id = $1 AND status = 'UNREGISTERED' AND NOT changed AND next_check_at > now()`, reg.ID)
		return waiting
	}
	_, err := in.store.Registrations.RefreshRegistration(t.Context(), scope,
		models.RegistrationRead{RegistrationID: reg.ID, Reader: "run/1"}, rules.RegistrationRun{}, time.Now())
	require.NoError(t, err)
	require.Equal(t, 1, waits())
	in.onboard(client)
	require.Zero(t, waits())
	require.NoError(t, in.store.Catalog.CreateDefaultProducts(t.Context(), scope))
	snapshot, err := in.store.Registrations.RefreshRegistration(t.Context(), scope,
		models.RegistrationRead{RegistrationID: reg.ID, Reader: "run/2"}, rules.RegistrationRun{}, time.Now())
	require.NoError(t, err)
	require.Equal(t, rules.RegistrationProceeds, snapshot.Action)
}
