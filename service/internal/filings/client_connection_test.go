package filings

import (
	"context"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns"
	"levy/service/internal/call"
	"levy/service/internal/deps"
	"levy/tax/calendar"
)

// theOrganization is the organization of a call.
type theOrganization struct {
	deps.Organizations
	test bool
}

func (o theOrganization) Organization(context.Context, models.Scope) (models.Organization, error) {
	return models.Organization{IsTest: o.test}, nil
}

// Only a return to an authority that requires it takes something of the call.
func TestOnlyAnAuthorityThatRequiresItGetsTheConnection(t *testing.T) {
	t.Parallel()
	british := models.Filing{CountryCode: "GB", StateCode: "GB", FilingCategory: calendar.FilingRegular}
	amendment, german := british, british
	amendment.FilingCategory = models.FilingAmendment
	german.CountryCode, german.StateCode = "DE", "DE"
	ctx := call.With(t.Context(), &call.Call{Principal: models.Principal{APIKeyID: "apik_1"}})
	takes := func(sentTo []string, test bool, f models.Filing) bool {
		sent := returns.AdapterAuthorities{Tests: sentTo}
		o := New(&deps.Deps{SentTo: sent, Organizations: theOrganization{test: test}}, time.Now, nil)
		connection, err := o.connectionOf(ctx)
		require.NoError(t, err)
		require.Equal(t, test && slices.Contains(sentTo, "GB"), connection != nil, "nothing is taken for others")
		o.connect(&f, connection)
		return f.Connection != nil
	}
	require.True(t, takes([]string{"MI", "GB"}, true, british))
	require.False(t, takes([]string{"MI"}, true, british), "no adapter sends it")
	require.False(t, takes([]string{"GB"}, false, british), "people file it")
	require.False(t, takes([]string{"GB"}, true, amendment), "people carry it")
	require.False(t, takes([]string{"GB"}, true, german))
}
