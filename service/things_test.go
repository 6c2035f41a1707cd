package service

import (
	"fmt"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// making are the words with which operations begin that make something.
var making = regexp.MustCompile(`^(add|create|export|invite|make|open|rotate|set|sign|upload)[A-Z]`)

// records are what else operations make: records of the organization, which stay, and what only their person has.
var records = map[string]bool{
	"createOrganization": true, "createProduct": true, "createCustomer": true, "createCustomerTransaction": true,
	"createExemption": true, "uploadExemptionAttachment": true, "createRegistration": true, "createFiling": true,
	"createPhysicalNexus": true, "createRateOverride": true, "createTransaction": true, "createTransactionBatch": true,
	"createCreditNote": true, "createNotice": true, "uploadNoticeDocument": true, "createComment": true, "createFilingEntry": true,
	"recordFilingPayment": true,
	"makePaymentFile":     true, // it is nowhere but in its answer
	"setSecondFactor":     true, "signOut": true, "rotateWebhookSecret": true,
}

// Each operation that makes something is in the table of things, or makes a record that stays. The docs show the table.
func TestEverythingThatIsMadeHasAFate(t *testing.T) {
	t.Parallel()
	of := map[string]bool{}
	var rows strings.Builder
	for _, thing := range Things() {
		var makers []string
		for _, operation := range thing.Operations {
			rule := accessRules[operation]
			require.NotEmpty(t, accessRules[operation], operation)
			of[operation] = true
			if !rule.SignIn {
				require.NoError(t, rule.check(), operation)
			}
			makers = append(makers, "`"+operation+"`")
		}
		for _, fate := range []Fate{thing.Revoked, thing.Leaked, thing.Removed, thing.Ended} {
			require.Contains(t, []Fate{FateEnds, FateNamed, FateStays, FateNone}, fate, thing.Kind)
		}
		fmt.Fprintf(&rows, "| %s | %s | %s | %s | %s | %s | %s |\n", thing.Kind, strings.Join(makers, ", "), thing.MakerNeeds,
			thing.Revoked, thing.Leaked, thing.Removed, thing.Ended)
	}
	for _, route := range everyOperation(t) {
		name := strings.TrimSuffix(route.ID, "Alias")
		if making.MatchString(name) && (route.Method != http.MethodGet || strings.HasPrefix(name, "export")) {
			require.NotEqual(t, records[name], of[name], "%s: say in Things what becomes of what it makes", name)
		}
	}
	page, err := os.ReadFile(rolesPage)
	require.NoError(t, err)
	require.Contains(t, string(page), rows.String(), "put these rows into docs/roles.md")
}
