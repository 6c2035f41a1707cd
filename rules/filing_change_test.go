package rules_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax/money"
)

var ada, bob, byLevy = models.Actor{UserID: "user_ada"}, models.Actor{UserID: "user_bob"}, models.Actor{}

// change is a change of a filing from one status to another, with or without claimed lines.
func change(from, to models.FilingStatus, claimed bool, by models.Actor) rules.FilingChange {
	before, after := models.Filing{Status: from}, models.Filing{Status: to}
	if claimed {
		before.ClaimedAt = new(time.Time)
	}
	return rules.FilingChange{Before: &before, After: &after, By: by}
}

func total(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

// created is a new filing, of which nothing is claimed yet.
func created(as models.FilingStatus, by models.Actor) rules.FilingChange {
	from := as
	if as == models.FilingFiling || as == models.FilingFiled {
		from = models.FilingUnfiled
	}
	c := change(from, as, false, by)
	c.Created = true
	return c
}

func TestADecisionAboutAReturnIsOfASecondPerson(t *testing.T) {
	t.Parallel()
	const refused = true
	ofAda := rules.SecondPersonFacts{Required: true, Works: []rules.FilingWork{{By: ada}}}
	needed := rules.SecondPersonFacts{Required: true}
	for _, test := range []struct {
		rule    string
		change  rules.FilingChange
		second  rules.SecondPersonFacts
		refused bool
	}{
		{"who approves is not who made it", change("UNFILED", "FILING", false, ada), ofAda, refused},
		{"who tries again is not who made it", change("ISSUE", "FILING", true, ada), ofAda, refused},
		{"nor who confirms", change("FILING", "FILED", true, ada), ofAda, refused},
		{"nor who skips", change("UNFILED", "SKIPPED", false, ada), ofAda, refused},
		{"nor who cancels", change("PAUSED", "CANCELLED", false, ada), ofAda, refused},
		{"nor who pauses it until it is resumed", change("UNFILED", "PAUSED", false, ada), ofAda, refused},
		{"another user may", change("UNFILED", "FILING", false, bob), ofAda, false},
		{"Levy may", change("UNFILED", "FILING", false, byLevy), ofAda, false},
		{"a key may not", change("UNFILED", "FILING", false, models.Actor{APIKeyID: "key_1"}), needed, refused},
		{"after a key, any user may", change("UNFILED", "FILING", false, ada), needed, false},
		{"an issue decides nothing", change("FILING", "ISSUE", true, ada), ofAda, false},
		{"a change of fields decides nothing", change("FILED", "FILED", true, ada), ofAda, false},
		{"where one person is enough", change("UNFILED", "FILING", false, ada),
			rules.SecondPersonFacts{Works: ofAda.Works}, false},
		{"to create one is a work", created("SKIPPED", ada), needed, refused},
		{"one that waits may be created", created("UNFILED", ada), needed, false},
		{"by a key, too", created("FILED", models.Actor{APIKeyID: "key_1"}), needed, refused},
	} {
		err := rules.CheckFilingChange(test.change, test.second)
		if test.refused {
			require.ErrorIs(t, err, models.ErrSecondPersonNeeded, test.rule)
		} else {
			require.NoError(t, err, test.rule)
		}
	}
	entered := change("UNFILED", "FILING", false, bob)
	entered.After.AmountAdjusted = total(t, "-5.00")
	require.ErrorIs(t, rules.CheckFilingChange(entered, ofAda), models.ErrSecondPersonNeeded,
		"an amount that is entered with the approval was seen by nobody else")
	var transition *models.TransitionError
	require.ErrorAs(t, rules.CheckFilingChange(change("FILED", "UNFILED", true, ada), ofAda), &transition,
		"a status that does not follow is the first reason")
	require.NoError(t, rules.CheckFilingChange(created("ISSUE", bob), ofAda), "a new one may have any status")
}

func TestAStatusSaysWhatHappensToTheLines(t *testing.T) {
	t.Parallel()
	const unclaimed, claimed = false, true
	for _, test := range []struct {
		change   rules.FilingChange
		want     rules.FilingLines
		approves bool
	}{
		{change("UNFILED", "FILING", unclaimed, ada), rules.FilingClaimsLines, true},
		{change("ISSUE", "FILING", unclaimed, ada), rules.FilingClaimsLines, true},
		{change("UNFILED", "FILED", unclaimed, ada), rules.FilingClaimsLines, false},
		{created("FILING", ada), rules.FilingClaimsLines, true},
		{created("FILED", ada), rules.FilingClaimsLines, false},
		{change("ISSUE", "FILING", claimed, ada), rules.FilingKeepsLines, false},
		{change("FILING", "ISSUE", claimed, ada), rules.FilingKeepsLines, false},
		{change("FILING", "FILED", claimed, ada), rules.FilingFinishesLines, false},
		{change("ISSUE", "UNFILED", claimed, ada), rules.FilingReleasesLines, false},
		{change("ISSUE", "SKIPPED", claimed, ada), rules.FilingReleasesLines, false},
		{change("ISSUE", "CANCELLED", claimed, ada), rules.FilingReleasesLines, false},
		{change("ISSUE", "CANCELLED", unclaimed, ada), rules.FilingFreezesSums, false},
		{change("UNFILED", "SKIPPED", unclaimed, ada), rules.FilingFreezesSums, false},
		{change("PAUSED", "CANCELLED", unclaimed, ada), rules.FilingFreezesSums, false},
		{created("SKIPPED", ada), rules.FilingFreezesSums, false},
		{created("UNFILED", ada), rules.FilingKeepsLines, false},
		{created("ISSUE", ada), rules.FilingKeepsLines, false},
		{change("UNFILED", "PAUSED", unclaimed, ada), rules.FilingKeepsLines, false},
		{change("FILING", "FILING", claimed, ada), rules.FilingKeepsLines, false},
		{change("SKIPPED", "SKIPPED", unclaimed, ada), rules.FilingKeepsLines, false},
	} {
		how := []any{test.change.Before.Status, test.change.After.Status, test.change.Before.ClaimedAt}
		require.Equal(t, test.want, rules.LinesOfFiling(test.change), how)
		require.Equal(t, test.approves, rules.ApprovesLines(test.change), how)
	}
}

func TestAClaimIsCheckedBeforeItIsCommitted(t *testing.T) {
	t.Parallel()
	approval := change("UNFILED", "FILING", false, ada)
	owes := func(lines int64) *models.Filing {
		return &models.Filing{FilingSums: models.FilingSums{TotalTaxLiability: total(t, "10.00"),
			MarketplaceTransactionCount: lines}}
	}
	claim := func(alter func(*rules.FilingClaim)) rules.FilingClaim {
		c := rules.FilingClaim{
			Read: rules.FilingObligations{Version: "1"}, Claimed: rules.FilingObligations{Version: "1"}, Written: owes(1),
		}
		if alter != nil {
			alter(&c)
		}
		return c
	}
	changed := func(c *rules.FilingClaim) { c.Claimed.Version = "2" }
	require.NoError(t, rules.CheckFilingClaim(approval, claim(nil)))

	var waits *models.FilingNotReadyError
	require.ErrorAs(t, rules.CheckFilingClaim(approval, claim(changed)), &waits)
	require.Equal(t, models.FilingNotReadyError{WaitsForObligation: true}, *waits)
	require.ErrorAs(t, rules.CheckFilingClaim(approval, claim(func(c *rules.FilingClaim) { c.Claimed.Undecided = true })),
		&waits)
	require.NoError(t, rules.CheckFilingClaim(change("UNFILED", "FILED", false, ada), claim(changed)),
		"one that was filed elsewhere says what has happened")
	require.NoError(t, rules.CheckFilingClaim(change("FILING", "FILED", true, ada), claim(changed)))

	var unresolved *models.FilingUnresolvedError
	require.ErrorAs(t, rules.CheckFilingClaim(approval, claim(func(c *rules.FilingClaim) {
		c.Unresolved = models.UnresolvedTransactions{Transactions: 2}
	})), &unresolved)
	require.Equal(t, 2, unresolved.Transactions)

	expected := total(t, "9.99")
	approval.After.Approval = &models.FilingApproval{Expected: &expected}
	var other *models.FilingAmountError
	require.ErrorAs(t, rules.CheckFilingClaim(approval, claim(nil)), &other)
	require.Equal(t, models.FilingAmountError{Expected: expected, Amount: total(t, "10.00")}, *other)

	var tooLarge *models.InvalidError
	require.ErrorAs(t, rules.CheckFilingClaim(change("UNFILED", "UNFILED", false, ada), claim(func(c *rules.FilingClaim) {
		c.Written.AmountFees = total(t, "999999999999999999.00")
	})), &tooLarge)

	var owed *models.FilingLiabilityError
	require.ErrorAs(t, rules.CheckFilingClaim(change("UNFILED", "SKIPPED", false, ada), claim(nil)), &owed)
	require.ErrorAs(t, rules.CheckFilingClaim(created("SKIPPED", ada), claim(nil)), &owed)
	require.Equal(t, "10.00", owed.Liability.String())
	require.NoError(t, rules.CheckFilingClaim(change("SKIPPED", "SKIPPED", false, ada), claim(nil)),
		"a note to one that was skipped before")
	require.NoError(t, rules.CheckFilingClaim(change("UNFILED", "CANCELLED", false, ada), claim(nil)))

	cancelled := func(by models.Actor, why string) rules.FilingChange {
		c := change("UNFILED", "CANCELLED", false, by)
		c.After.CancelledReason = &why
		return c
	}
	require.ErrorIs(t, rules.CheckFilingClaim(cancelled(byLevy, models.NothingToAmend), claim(nil)),
		models.ErrChangedMeanwhile, "something is there again")
	require.NoError(t, rules.CheckFilingClaim(cancelled(byLevy, models.NothingToAmend),
		claim(func(c *rules.FilingClaim) { c.Written = owes(0) })))
	require.NoError(t, rules.CheckFilingClaim(cancelled(byLevy, models.EndedWithRegistration), claim(nil)))
	require.NoError(t, rules.CheckFilingClaim(cancelled(ada, models.NothingToAmend), claim(nil)), "a user decides")
}
