package rules_test

import (
	"fmt"

	"levy/models"
	"levy/rules"
	"levy/tax/calendar"
)

// The return of February is approved automatically when a day has passed after the end of its period, unless a person
// blocks that.
func ExampleNextFilingAction() {
	facts := models.FilingFacts{
		Status: models.FilingUnfiled, Period: calendar.Period{Start: 20260201, End: 20260228},
		AutoFile: true, Lookback: 1, Due: 20260320, Country: "US", State: "NY",
	}
	early := rules.NextFilingAction(facts, calendar.Date(20260215).Time(), rules.DefaultFilingPolicy())
	fmt.Println(early.Action, early.Waits, "for", early.Next)

	ended := rules.NextFilingAction(facts, calendar.Date(20260302).Time(), rules.DefaultFilingPolicy())
	fmt.Println(ended.Action)

	facts.BlockApprove = true
	blocked := rules.NextFilingAction(facts, calendar.Date(20260302).Time(), rules.DefaultFilingPolicy())
	fmt.Println(blocked.Action, blocked.Waits)
	// Output:
	// WAIT AUTO_APPROVAL for 360h0m0s
	// APPROVE
	// WAIT UNBLOCKING
}

// A registration files monthly from January on, and quarterly from March on. By 10 June two months have ended, and
// the days of the first quarter that were left.
func ExampleEndedPeriods() {
	january, march := calendar.Date(20260101).Time(), calendar.Date(20260301).Time()
	registration := models.Registration{
		Status: models.RegistrationRegistered, RegistrationDate: &january,
		Frequencies: []models.RegistrationFrequency{
			{FromDate: january, FilingFrequency: calendar.FilingMonthly},
			{FromDate: march, FilingFrequency: calendar.FilingQuarterly},
		},
	}
	for _, period := range rules.EndedPeriods(registration, 20260610) {
		fmt.Println(period.Frequency, period.Start, period.End)
	}
	// Output:
	// MONTHLY 2026-01-01 2026-01-31
	// MONTHLY 2026-02-01 2026-02-28
	// QUARTERLY 2026-03-01 2026-03-31
}
