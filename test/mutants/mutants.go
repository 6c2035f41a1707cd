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
		"store/outbox.go", "least(interval '5 minutes', interval '3 seconds' * power(2, least(o.attempts, 7)))", "interval '0'",
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
}
