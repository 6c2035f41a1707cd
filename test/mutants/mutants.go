package main

// mutants are the guards that stand in statements and in code. Those of the schema are
// dropped by the tests of their packages.
var mutants = []mutant{
	{
		"acceptance: its promise in the same transaction",
		"store/intake_group.go", "		if !d.ProcessingStatus.Terminal() {\n			outbox =", "		if false {\n			outbox =",
		"./store", "TestAcceptWritesEverythingTogether",
	},
	{
		"outbox: a lease skips what another relay holds",
		"store/outbox.go", "ORDER BY next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)", "ORDER BY next_attempt_at LIMIT $1 FOR UPDATE)",
		"./store", "TestALeaseDoesNotWaitForAnother",
	},
	{
		"outbox: a lease puts off the next attempt",
		"store/outbox.go", "interval '3 seconds' * power(2, least(o.attempts, 7)))", "interval '0')",
		"./store", "TestOutbox",
	},
	{
		"stage: the previous status in the WHERE",
		"store/stage_save.go", " AND x.epoch = i.epoch AND x.processing_status = ANY ($4::text[])", " AND x.epoch = i.epoch AND $4::text[] IS NOT NULL",
		"./store", "TestStagesRunTwiceChangeNothing|TestStagesKeepTheirOrder",
	},
	{
		"update: the sale is locked before it is read",
		"store/transactions_update.go", "WHERE organization_id = $1 AND id = $2 FOR NO KEY UPDATE\"", "WHERE organization_id = $1 AND id = $2\"",
		"./store", "TestConcurrentUpdatesAndStagesLoseNothing",
	},
	{
		"idempotency: one request with a key at a time",
		"store/idempotency.go", "if !free {", "if false && !free {",
		"./api", "TestTheSameKeyAtTheSameTimeInTwoProcesses",
	},
	{
		"idempotency: an answer is kept with its effect",
		"store/idempotency.go", "case r.fingerprint == nil:", "case true:",
		"./api", "TestARepeatGetsTheFirstAnswerAndDoesNothing",
	},
	{
		"keys: creations of one organization wait for each other",
		"store/api_keys.go", "tx.Clauses(clause.Locking{Strength: \"NO KEY UPDATE\"}).Select(\"id\").", "tx.Clauses(clause.Returning{}).Select(\"id\").",
		"./store", "TestAnOrganizationHasAtMostTwentyActiveKeys",
	},
	{
		"keys: a revoked one is not found",
		"store/api_keys.go", "WHERE k.hash = ANY($1) AND k.revoked_at IS NULL AND", "WHERE k.hash = ANY($1) AND",
		"./store", "TestFindPrincipal",
	},
	{
		"onboarding: a step comes after the one before it",
		"store/onboarding_step.go", "if sub.Step > o.Completed+1 {", "if false {",
		"./store", "TestStepsAreDoneInTheirOrder",
	},
	{
		"onboarding: a submission is done once",
		"store/onboarding_step.go", "if err != nil || done > 0 {", "if err != nil {",
		"./store", "TestASubmissionIsDoneOnce",
	},
	{
		"onboarding: what ended takes no step",
		"store/onboarding_step.go", "if o.Status.Undone() {", "if false {",
		"./store", "TestWhatEndedTakesNoStepAndOnlyThatIsUndone",
	},
	{
		"onboarding: only what ended is undone",
		"store/onboarding_undo.go", "if err == nil && !o.Status.Undone() {", "if false {",
		"./store", "TestWhatEndedTakesNoStepAndOnlyThatIsUndone",
	},
	{
		"onboarding: a lease skips what another sweeper holds",
		"store/onboarding_watch.go", "LIMIT $1 FOR UPDATE SKIP LOCKED)", "LIMIT $1 FOR UPDATE)",
		"./store", "TestALeaseDoesNotWaitForAnother",
	},
	{
		"compensation: newest first",
		"workflows/saga.go", "	slices.Reverse(order)\n", "",
		"./workflows", "TestCancelAfterEveryStep|TestFailureAtEveryStep",
	},
	{
		"compensation: goes on when the run is cancelled",
		"workflows/saga.go", "ctx, _ = workflow.NewDisconnectedContext(ctx)", "",
		"./workflows", "TestCancelAfterEveryStep|TestCancelInsideEveryStep",
	},
	{
		"compensation: an undo that fails keeps no other from happening",
		"workflows/saga.go", "wait := workflow.AwaitOptions{Timeout: undoPatience,", "wait := workflow.AwaitOptions{Timeout: 1000 * undoPatience,",
		"./workflows", "TestAFailingUndoHoldsUpNoOther",
	},
	{
		"claim: a filing that is claimed claims nothing more",
		"store/filings_claim.go", " AND f.claimed_at IS NULL AND f.status IN ('UNFILED', 'ISSUE') AND` + ofOneStopShop", " AND` + ofOneStopShop",
		"./store", "TestAClaimHappensOnce",
	},
	{
		"claim: its sums are written once",
		"store/filings_claim.go", " AND claimed_at IS NULL AND status IN ('UNFILED', 'ISSUE')`", "`",
		"./store", "TestAClaimHappensOnce",
	},
	{
		"claim: the epoch of what it waited for",
		"store/filings_members.go", " AND t.id = x.transaction_id AND t.epoch = x.epoch\n	   AND t.status IN", " AND t.id = x.transaction_id\n	   AND t.status IN",
		"./store", "TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: only what is processed",
		"store/filings_members.go", "	   AND t.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`\n	ofOneStopShop", "`\n	ofOneStopShop",
		"./store", "TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: holds its registration against stages",
		"store/filings_claim.go", "filingLock = `pg_advisory_xact_lock(10, hashtext(f.registration_id))`", "filingLock = `hashtext(f.registration_id)`",
		"./store", "TestAStageDuringAClaimLeavesItsTransactionsToWhoComesNext|TestStagesAtOnceOpenOneAmendment",
	},
	{
		"amendment: a stage notes what comes late",
		"store/stage_late.go", "f.filing_category = 'REGULAR' AND f.claimed_at IS NOT NULL\n", "f.filing_category = 'REGULAR' AND false\n",
		"./store", "TestWhatComesLateGoesToOneAmendment",
	},
	{
		"amendment: a stage notes what a claim under way may not see",
		"store/stage_late.go", "	 WHERE NOT h.free\n", "	 WHERE NOT h.free AND false\n",
		"./store", "TestAStageDuringAClaimLeavesItsTransactionsToWhoComesNext",
	},
	{
		"answer: what is written and cannot be read is unknown",
		"api/outlive.go", "if errors.Is(err, models.ErrUnavailable) || errors.Is(err, context.Canceled)", "if errors.Is(err, context.Canceled)",
		"./api", "TestAStepThatCannotBeReadIsNotSaidToBeRefused",
	},
	{
		"cancelling: a first step that only the record knows of counts",
		"workflows/onboarding_steps.go", "max(o.completed, in.Recorded) == 0", "o.completed == 0",
		"./workflows", "TestCancelBeforeTheRunKnowsOfItsFirstStep",
	},
	{
		"calendar: a period ends with its last day",
		"tax/due_periods.go", "ok && p.End <= until;", "ok && p.End < until;",
		"./tax", "TestPeriodsThatHaveEnded",
	},
	{
		"calendar: periods begin with the year",
		"tax/due_periods.go", "into := (int(day.Month()) - 1) % months", "into := int(day.Month()) % months",
		"./tax", "TestPeriodOfEveryFrequency",
	},
	{
		"calendar: the first half of a month has the 15th",
		"tax/due_periods.go", "day.Day() <= 15", "day.Day() < 15",
		"./tax", "TestPeriodOfEveryFrequency",
	},
	{
		"calendar: a fiscal year that ends with February ends with its leap day",
		"tax/due_periods.go", "like.Month() == time.February && like.Day() >= 28", "false",
		"./tax", "TestPeriodOfEveryFrequency|TestPeriodsCoverEveryDayOnce",
	},
	{
		"calendar: a quarter beside its payments on account",
		"tax/due_periods.go", "quarter.End == p.End {", "false && quarter.End == p.End {",
		"./tax", "TestPeriodsThatHaveEnded",
	},
	{
		"calendar: a day of the month is one of the month after",
		"tax/due.go", "m.Schedule.Next(DateOf(end).lastOfMonth().Time())", "m.Schedule.Next(end)",
		"./tax", "TestDueRules",
	},
	{
		"calendar: the last day is that of the month after",
		"tax/due.go", ".lastOfMonth().AddDays(1).lastOfMonth()", ".AddDays(31).lastOfMonth()",
		"./tax", "TestDueRules",
	},
	{
		"calendar: days are counted from the end of the period",
		"tax/due.go", "end.AddDate(0, 0, int(n))", "end.AddDate(0, 0, int(n)-1)",
		"./tax", "TestDueRules",
	},
	{
		"calendar: months are counted from that of the end",
		"tax/due.go", "first.Month()+time.Month(d.months)", "first.Month()+time.Month(d.months)-1",
		"./tax", "TestDueRules",
	},
	{
		"calendar: no rule names a day that a year may lack",
		"tax/due.go", "\"2023-\"+value", "\"2024-\"+value",
		"./tax", "TestDueRules",
	},
	{
		"calendar: a due day that is no business day is the next one",
		"tax/due.go", "c.NextBusinessDay(\"US\", state, nominal)", "nominal",
		"./tax/content", "TestDueDates",
	},
	{
		"calendar: a payment on account is due by its own rule",
		"tax/due.go", "FilingQuarterlyPrepayment && p.Category == FilingRegular {", "FilingQuarterlyPrepayment {",
		"./tax/content", "TestDueDates",
	},
	{
		"calendar: a frequency without a rule has that of a shorter one",
		"tax/due.go", "FilingBiMonthly: FilingMonthly,", "",
		"./tax/content", "TestDueDates",
	},
	{
		"calendar: a holiday on a Saturday is the Friday before",
		"tax/calendar.go", "day.AddDays(-1)\n\tcase h.nearest", "day\n\tcase h.nearest",
		"./tax", "TestHolidayRules",
	},
	{
		"calendar: New Year's Day on a Saturday is in the year before",
		"tax/calendar.go", " || h.in(day.Year()+1) == day", "",
		"./tax/content", "TestHolidaysAsPublished",
	},
	{
		"calendar: a holiday begins with its law",
		"tax/calendar.go", "day < h.since || ", "",
		"./tax/content", "TestHolidaysAsPublished",
	},
	{
		"calendar: a holiday of another state is a business day",
		"tax/calendar.go", "!slices.Contains(h.scope, country) && !slices.Contains(h.scope, country+\"-\"+state)", "false",
		"./tax/content", "TestHolidaysAsPublished",
	},
	{
		"calendar: a due day lasts as long as it does at its authority",
		"models/filing_watch.go", "0, 0, 0, 0, zone)", "0, 0, 0, 0, time.UTC)\n\t\t_ = zone",
		"./models", "TestReminders",
	},
	{
		"calendar: a state has the zone of its own seat",
		"tax/zone.go", "if zone, ok := zones[country+\"-\"+state]; ok {", "if zone, ok := zones[country+\"-\"+state]; ok && false {",
		"./models", "TestReminders",
	},
	{
		"calendar: an approval by itself comes after the lookback",
		"models/filing_watch.go", "ended.Add(time.Duration(w.Lookback) * rules.LookbackUnit)", "ended",
		"./models", "TestHowAFilingGoesOn",
	},
	{
		"calendar: a period is planned when it is over at its authority",
		"activities/filing_plan.go", "min(tax.DateOf(c.now.UTC()), tax.DateOf(c.now.In(models.AuthorityZone(country, state))))", "tax.DateOf(c.now.UTC())",
		"./activities", "TestAPeriodIsPlannedWhenItIsOverThereAndInUTC",
	},
	{
		"calendar: a period is planned when it is over in UTC",
		"activities/filing_plan.go", "min(tax.DateOf(c.now.UTC()), tax.DateOf(c.now.In(models.AuthorityZone(country, state))))", "tax.DateOf(c.now.In(models.AuthorityZone(country, state)))",
		"./activities", "TestAPeriodIsPlannedWhenItIsOverThereAndInUTC",
	},
	{
		"calendar: the first period begins with the registration",
		"models/filing_plan.go", "p.Start = max(p.Start, stretch.Start)", "",
		"./models", "TestPeriodsOfARegistration|TestEveryDayIsFiledOnce",
	},
	{
		"calendar: the last period ends with the registration",
		"models/filing_plan.go", "stretch.End > tax.DateOf(*r.DeregistrationDate))", "false)",
		"./models", "TestPeriodsOfARegistration",
	},
	{
		"filing: who moves one holds its registration",
		"store/filings_change.go", "	batch.Queue(holdFiling, u.scope.OrganizationID, id)\n", "",
		"./store", "TestFilingOfTheWorkflow|TestLookAtFiling",
	},
}
