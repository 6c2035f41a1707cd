package integrity

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// A rule without a condition on its rows would read all records of all organizations every night.
func TestEveryRuleReadsOnlyWhatACheckIsAbout(t *testing.T) {
	t.Parallel()
	for _, g := range Groups {
		for _, rule := range g.Rules {
			require.NotRegexp(t, `\|\| (encode\b|\w+\.name\b)`, rule.Query, "%s: what it returns is logged", rule.Says)
			sql, args := rule.in(Reach{})
			require.Empty(t, args, rule.Says)
			require.NotContains(t, sql, "$", rule.Says)
			require.NotRegexp(t, readRow, sql, rule.Says)

			sql, args = rule.in(Reach{OrganizationID: "org_1"})
			require.Equal(t, []any{"org_1"}, args, rule.Says)
			require.Contains(t, sql, "= $1", rule.Says)
			require.NotContains(t, sql, "$2", rule.Says)

			_, args = rule.in(Reach{OrganizationID: "org_1", IDs: []string{"id_1"}})
			if g.Of == models.RecordTransactions || g.Of == models.RecordReturns {
				require.Equal(t, []any{"org_1", []string{"id_1"}}, args, "%s: it reads all of an organization", rule.Says)
			}
		}
	}
}
