package rules_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/tax"
	"levy/tax/calendar"
)

// Every status of a filing has a next action, whatever the other fields of its record.
func TestEveryStatusOfAFilingHasANextAction(t *testing.T) {
	t.Parallel()
	actions := map[models.FilingStatus][]rules.FilingAction{
		models.FilingUnfiled:   {rules.FilingWaits, rules.FilingApproves},
		models.FilingPaused:    {rules.FilingWaits, rules.FilingResumes},
		models.FilingFiling:    {rules.FilingSubmits},
		models.FilingIssue:     {rules.FilingWaits},
		models.FilingFiled:     {rules.FilingLocks, rules.FilingEnds},
		models.FilingSkipped:   {rules.FilingEnds},
		models.FilingCancelled: {rules.FilingEnds},
	}
	yes := []bool{false, true}
	for _, status := range models.FilingTransitions.States {
		met := map[rules.FilingAction]bool{}
		for _, blocked := range yes {
			for _, autoFile := range yes {
				for _, locked := range yes {
					for _, day := range []calendar.Date{20260201, 20260228, 20260301, 20260302, 20260401} {
						facts := models.FilingFacts{
							Status: models.FilingStatus(status), Period: calendar.Period{
								Start: 20260201, End: 20260228,
							}, PausedUntil: 20260302,
							BlockApprove: blocked, AutoFile: autoFile, Locked: locked, Lookback: 1, Due: 20260320,
						}
						step := rules.NextFilingAction(facts, day.Time(), rules.DefaultFilingPolicy())
						met[step.Action] = true
						require.Equal(
							t, step.Action == rules.FilingWaits,
							step.Action == rules.FilingWaits && step.Waits != "", "the action names what it waits for",
						)
						require.GreaterOrEqual(t, step.Next, time.Duration(0), "the next time is not in the past")
					}
				}
			}
		}
		want := map[rules.FilingAction]bool{}
		for _, action := range actions[models.FilingStatus(status)] {
			want[action] = true
		}
		require.Equal(t, want, met, status)
	}
}

func TestAFilingWaitsForItsNextEvent(t *testing.T) {
	t.Parallel()
	const hour = time.Hour
	for name, c := range map[string]struct {
		due   calendar.Date
		state string
		now   string
		next  time.Duration
	}{
		"the automatic approval before a reminder":           {20260320, "NY", "2026-03-01T00:00:00Z", 24 * hour},
		"a reminder before the automatic approval":           {20260310, "NY", "2026-02-27T00:00:00Z", 29 * hour},
		"midnight where the authority sits":                  {20260310, "HI", "2026-02-27T00:00:00Z", 34 * hour},
		"without a due day nothing reminds":                  {0, "NY", "2026-02-27T00:00:00Z", 72 * hour},
		"a reminder that is due already is not the next one": {20260228, "NY", "2026-03-01T00:00:00Z", 5 * hour},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			facts := models.FilingFacts{
				Status: models.FilingUnfiled, Period: calendar.Period{
					Start: 20260201, End: 20260228,
				}, AutoFile: true, Lookback: 1,
				Due: c.due, Country: "US", State: c.state,
			}
			require.Equal(t, c.next, rules.NextFilingAction(facts, at(t, c.now), rules.DefaultFilingPolicy()).Next)
		})
	}
}

func TestThePolicySetsTheUnitOfTheLookback(t *testing.T) {
	t.Parallel()
	facts := models.FilingFacts{
		Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228}, AutoFile: true,
		Lookback: 3,
	}
	policy := rules.FilingPolicy{LookbackUnit: 5 * time.Hour}
	require.Equal(t, time.Second, rules.NextFilingAction(facts, at(t, "2026-03-01T14:59:59Z"), policy).Next)
	require.Equal(t, rules.FilingApproves, rules.NextFilingAction(facts, at(t, "2026-03-01T15:00:00Z"), policy).Action)
	facts.Lookback = 0 // the last day is over everywhere at noon
	require.Equal(t, time.Second, rules.NextFilingAction(facts, at(t, "2026-03-01T11:59:59Z"), policy).Next)
	require.Equal(t, rules.FilingApproves, rules.NextFilingAction(facts, at(t, "2026-03-01T12:00:00Z"), policy).Action)
}

// A filing for what came late waits as long since it was made, and none before its period is over.
func TestTheLookbackOfWhatCameLateBeginsWithIt(t *testing.T) {
	t.Parallel()
	for made, approved := range map[string]string{
		"2026-04-10T08:00:00Z": "2026-04-11T08:00:00Z", "2026-02-20T08:00:00Z": "2026-03-02T00:00:00Z",
	} {
		facts := models.FilingFacts{
			Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228}, AutoFile: true,
			Lookback: 1, LateSince: at(t, made),
		}
		step := rules.NextFilingAction(facts, at(t, approved).Add(-time.Second), rules.DefaultFilingPolicy())
		require.Equal(t, []any{rules.WaitsForAutoApproval, time.Second}, []any{step.Waits, step.Next})
		step = rules.NextFilingAction(facts, at(t, approved), rules.DefaultFilingPolicy())
		require.Equal(t, rules.FilingApproves, step.Action)
	}
}

// A return that is made for what came late is not approved after its due day because of that, unless it is made after it.
func TestTheLookbackOfWhatCameLateEndsWithTheDueDay(t *testing.T) {
	t.Parallel()
	for made, approved := range map[string]string{
		"2026-03-05T08:00:00Z": "2026-03-15T08:00:00Z", // the due day is still to come
		"2026-03-12T08:00:00Z": "2026-03-20T04:00:00Z", // when it begins
		"2026-03-20T08:00:00Z": "2026-03-20T08:00:00Z", // on it
		"2026-03-21T03:00:00Z": "2026-03-21T03:00:00Z", // on it, where the authority is
		"2026-03-21T08:00:00Z": "2026-03-31T08:00:00Z",
	} {
		facts := models.FilingFacts{
			Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228}, AutoFile: true,
			Lookback: 10, LateSince: at(t, made), Due: 20260320, Country: "US", State: "NY",
		}
		if made < approved {
			step := rules.NextFilingAction(facts, at(t, approved).Add(-time.Second), rules.DefaultFilingPolicy())
			require.Equal(t, rules.WaitsForAutoApproval, step.Waits, made)
		}
		step := rules.NextFilingAction(facts, at(t, approved), rules.DefaultFilingPolicy())
		require.Equal(t, rules.FilingApproves, step.Action, made)
	}
	facts := models.FilingFacts{
		Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228}, AutoFile: true,
		Lookback: 30, LateSince: at(t, "2026-03-05T08:00:00Z"), Due: 20260320, Country: "US", State: "NY",
	}
	step := rules.NextFilingAction(facts, at(t, "2026-03-30T23:59:59Z"), rules.DefaultFilingPolicy())
	require.Equal(t, rules.WaitsForAutoApproval, step.Waits, "the lookback of the period itself is longer")
	step = rules.NextFilingAction(facts, at(t, "2026-03-31T00:00:00Z"), rules.DefaultFilingPolicy())
	require.Equal(t, rules.FilingApproves, step.Action)
}

// The rate of a return of the one-stop shop that ends with its registration is that of the last day of the quarter: until
// then each try to approve it would fail.
func TestAReturnIsNotApprovedBeforeItsRateCanBeKnown(t *testing.T) {
	t.Parallel()
	facts := models.FilingFacts{
		Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260101, End: 20260115}, ConvertedOn: 20260331,
		AutoFile: true, Lookback: 1, Due: 20260430, Country: "ZZ_EU", State: "ZZ_EU",
	}
	step := rules.NextFilingAction(facts, at(t, "2026-04-01T23:59:59Z"), rules.DefaultFilingPolicy())
	require.Equal(t, rules.WaitsForAutoApproval, step.Waits)
	require.Equal(t, time.Second, step.Next)
	step = rules.NextFilingAction(facts, at(t, "2026-04-02T00:00:00Z"), rules.DefaultFilingPolicy())
	require.Equal(t, rules.FilingApproves, step.Action)
}

func TestStatusesOfWhichStaffAreReminded(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]struct {
		event string
		days  int
	}{
		1: {models.EventFilingDueSoon, 10}, 2: {models.EventFilingDueSoon, 5}, 3: {models.EventFilingDueSoon, 1},
		4: {models.EventFilingOverdue, -1},
	} {
		event, days := rules.DefaultFilingPolicy().ReminderEvent(n)
		require.Equal(t, want.event, event, n)
		require.Equal(t, want.days, days, n)
	}
}

// Histories of workflows hold decisions of the rules: the names of the fields do not change.
func TestFieldsInWorkflowHistoriesKeepTheirNames(t *testing.T) {
	t.Parallel()
	filing := rules.FilingSnapshot{
		FilingFacts: models.FilingFacts{
			Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228}, Due: 20260320,
			Lookback: 1,
		},
		FilingStep: rules.FilingStep{
			Action: rules.FilingWaits, Waits: rules.WaitsForApproval, Next: time.Hour, Reminders: 2,
		},
		Reminded: models.EventFilingDueSoon,
	}
	text, err := json.Marshal(filing)
	require.NoError(t, err)
	require.JSONEq(t, `{"Status":"UNFILED","Period":{"Start":"2026-02-01","End":"2026-02-28"},"Due":"2026-03-20",
		"PausedUntil":"",
		"BlockApprove":false,"AutoFile":false,"Special":false,"Lookback":1,"Attempt":0,"Country":"","State":"",
		"Reason":"","Locked":false,
		"Action":"WAIT","Waits":"APPROVAL","Next":3600000000000,"Reminders":2,"Reminded":"filing.due_soon"}`, string(text))

	registration := rules.RegistrationSnapshot{
		Status: models.RegistrationDeregistering, Action: rules.RegistrationWaits, Waits: rules.RegistrationWaitsForFilings,
		Attempt: 2,
		Kind:    models.AuthorityDeregistration, OpenFilings: 1, Next: time.Hour,
		Run: rules.RegistrationRun{Settled: true, Confirmed: true, Refused: true, Manual: 3},
	}
	text, err = json.Marshal(registration)
	require.NoError(t, err)
	require.JSONEq(t, `{"status":"DEREGISTERING","action":"WAIT","waits":"FILINGS","attempt":2,
		"kind":"DEREGISTRATION","open_filings":1,
		"next":3600000000000,"run":{"settled":true,"confirmed":true,"refused":true,"by_hand":3}}`, string(text))
}

func TestFilingsThatARegistrationNeeds(t *testing.T) {
	t.Parallel()
	law, err := tax.LoadContent()
	require.NoError(t, err)
	first := calendar.MustDate("2026-01-01").Time()
	for name, c := range map[string]struct {
		country, state string
		frequency      calendar.FilingFrequency
		currency       string
		ends           []string
		due            bool
	}{
		"monthly in Texas": {
			"US", "TX", calendar.FilingMonthly, "USD", []string{"2026-01-31", "2026-02-28"}, true,
		},
		"a quarter is not over": {"US", "TX", calendar.FilingQuarterly, "USD", nil, false},
		"monthly in Canada": {
			"CA", "CA", calendar.FilingMonthly, "CAD", []string{"2026-01-31", "2026-02-28"}, true,
		},
		"no rule for months of the one-stop shop": {
			"ZZ_EU", "ZZ_EU", calendar.FilingMonthly, "EUR", []string{"2026-01-31", "2026-02-28"}, false,
		},
		"no frequency, no return": {"US", "TX", calendar.FilingUnknown, "USD", nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			filings := rules.FilingPlan(law, at(t, "2026-03-01T12:00:00Z"))(models.Registration{
				OrganizationID: "org_1", ID: "regs_1", CountryCode: c.country, StateCode: c.state,
				Status: models.RegistrationRegistered, RegistrationDate: &first,
				Frequencies: []models.RegistrationFrequency{{FromDate: first, FilingFrequency: c.frequency}},
			})
			var ends []string
			for _, f := range filings {
				if f.FilingCategory != calendar.FilingRegular {
					continue
				}
				ends = append(ends, f.EndDate.Format(time.DateOnly))
				require.Equal(t, c.currency, f.Currency)
				require.Equal(t, c.due, f.DueDate != nil)
				require.Equal(t, []string{"org_1", "regs_1", ""}, []string{
					f.OrganizationID, f.RegistrationID, f.ID,
				}, "the store assigns the ids")
			}
			require.Equal(t, c.ends, ends)
		})
	}
}
