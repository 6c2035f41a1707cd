package main

// mutantsOfWork are the guards of acceptance, processing, imports, events and webhooks.
var mutantsOfWork = []mutant{
	{
		"acceptance: its outbox row in the same transaction",
		never,
		"TestAcceptWritesEverythingTogether",
	},
	{
		"nexus: a voluntary disclosure is not forfeited unknowingly",
		never,
		"TestRegisteringMayForfeitADisclosure",
	},
	{
		"sealing: tax ids are encrypted before they are stored",
		swap("key.Seal(organizationID, text)", "text"),
		"TestTaxIDsOfExemptionsAreSealed",
	},
	{
		"sealing: an answer with a tax id is encrypted before it is kept",
		always,
		"TestAnswersWithTaxIDsAreSealed",
	},
	{
		"sealing: a piece of a document is encrypted before it is stored",
		swap("key.Seal(a.PieceField(n), piece)", "piece"),
		"TestADocumentIsKeptByteForByte",
	},
	{
		"sealing: a piece of a letter is encrypted before it is stored",
		swap("key.DocumentKey(d.OrganizationID).Seal(d.PieceField(n), piece)", "piece"),
		"TestLettersOfANotice",
	},
	{
		"sealing: a personal value is encrypted before it leaves the request",
		swap("key.Seal(field, []byte(plain))", "[]byte(plain)"),
		"TestPersonalValuesAreSealedAndMasked",
	},
	{
		"sealing: the password of a portal is encrypted before it is stored",
		match(`key\.Seal\(.*\)$`, "[]byte(plain)"),
		"TestPasswordsOfPortalsAreSealed",
	},
	{
		"outbox: a lease skips what another relay holds",
		swap(" SKIP LOCKED", ""),
		"TestALeaseDoesNotWaitForAnother",
	},
	{
		"outbox: a lease puts off the next attempt",
		become(" interval '0'))"),
		"TestTheOutboxLeasesEachTransactionOnce",
	},
	{
		"stuck: a run that waits has no workflow task",
		never,
		"TestATaskIsLost",
	},
	{
		"stuck: a task that fails is not lost",
		never,
		"TestATaskIsLost",
	},
	{
		"stuck: an activity that a worker has, or that is paused, is not lost",
		never,
		"TestAnActivityIsLost",
	},
	{
		"relay: a batch whose next task was due a moment ago has progress",
		never,
		"TestRelay",
	},
	{
		"relay: slots of batches without progress come back ever more slowly",
		never,
		"TestRelay",
	},
	{
		"relay: a slot is kept for what is just sent",
		never,
		"TestRelay",
	},
	{
		"background: a part waits for what was just sent",
		never,
		"TestTheBackgroundYieldsToWhatWasJustSent",
	},
	{
		"settings: a worker gives a reason once, and again after a minute",
		swap("err.Error() != reason", "true"),
		"TestAWorkerSaysOnceWhyItCannotUseTemporal",
	},
	{
		"stuck: a run that moved meanwhile goes on",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stuck: workers may be down",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stuck: workers may be busy",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stage: the previous status in the WHERE",
		become(" AND @statuses::text[] IS NOT NULL"),
		"TestStagesRunTwiceChangeNothing|TestStagesKeepTheirOrder",
	},
	{
		"idempotency: one request with a key at a time",
		never,
		"TestTheSameKeyAtTheSameTimeInTwoProcesses",
	},
	{
		"idempotency: an answer is kept with its effect",
		always,
		"TestARepeatGetsTheFirstAnswerAndDoesNothing",
	},
	{
		"nexus: an obligation that is being applied is undecided",
		swap("x.applying IS NOT NULL OR ", ""),
		"TestAReturnIsNotApprovedAfterTheObligationChangedAndChangedBack",
	},
	{
		"nexus: a calculation by an outdated obligation is not saved",
		swap("t.epoch + 1", "t.epoch"),
		"TestACalculationByAnOutdatedObligationIsNotSaved",
	},
	{
		"nexus: what a person decided is not evaluated yet",
		swap("0 * ", ""),
		"TestAReturnIsNotApprovedBeforeWhatItsRegistrationChangesIsCalculated|TestAReturnIsNotApprovedBeforeAPresenceIsEvaluated",
	},
	{
		"nexus: a registration that is over says nothing of nexus",
		never,
		"TestTheNexusStatusOfARegistration",
	},
	{
		"answer: what is written and cannot be read is unknown",
		withoutFirst("||"),
		"TestAStepThatWasWrittenButCannotBeReadIsAnsweredAsUnknown",
	},
	{
		"cancelling: a first step that only the record knows of counts",
		match(`max\(([^,()]+), [^()]+\)`, "$1"),
		"TestCancelBeforeTheRunKnowsOfItsFirstStep",
	},
	{
		"nexus: two repairs at once do not add the same difference twice",
		swap("lockRecount, args[0]", `"SELECT $1::text", args[0]`),
		"TestTwoRepairsAddADifferenceOnce",
	},
	{
		"nexus: one organization that cannot be counted stops no other",
		swap("!= nil", "== nil"),
		"TestOneOrganizationStopsNoOtherRecount",
	},
	{
		"migrations: an index that was built is not built again",
		never,
		"TestAKilledMigrationGoesOn",
	},
	{
		"checks: what changed is checked tonight",
		always,
		"TestAFaultInAChangedRecordIsFoundTonight",
	},
	{
		"checks: the full pass reads every record",
		always,
		"TestAFaultInAnOldRecordIsFoundByTheFullPass",
	},
	{
		"audit: a chain that was cut off is found by the night",
		never,
		"TestAFaultOfTheAuditTrailIsFoundByTheNight",
	},
	{
		"audit: a row that was written past the triggers is found by the night",
		always,
		"TestAFaultOfTheAuditTrailIsFoundByTheNight",
	},
	{
		"migrations: concurrent statements wait for readers as long as these take",
		never,
		"TestAConcurrentMigrationWaitsForAReader",
	},
	{
		"events: who still writes holds the horizon back",
		swap("len(o.running) == 0", "len(o.running) >= 0"),
		"TestEventsCommittedInTheOtherOrderAreSeenInTheirOrder",
	},
	{
		"contract: a misspelt filter is refused",
		swap(`!= ""`, `== "?"`),
		"TestAMisspeltFilterIsRefused",
	},
	{
		"webhooks: what was delivered is saved before the batch ends",
		never,
		"TestADeliveredEventIsSavedWhileOthersAreUnderWay",
	},
	{
		"webhooks: a list waits for results that are about to be written",
		always,
		"TestAListOfDeliveriesWaitsForResults",
	},
	{
		"webhooks: a time-out ends the batch",
		never,
		"TestATimeoutEndsTheBatch",
	},
	{
		"webhooks: what a run may have missed is polled again",
		swap("polled.Running", "nil"),
		"TestThePollOfWebhooksReadsLittleWhileNothingHappens",
	},
	{
		"import limits: a registered seller by mail order supplies in Switzerland",
		swap(" && slices.Contains(k.req.Registered, l.territory)", " && false"),
		"TestMailOrderToSwitzerland",
	},
	{
		"nexus: a refund takes back no more than the collected tax of its sale",
		swap("towardsZero", "beyondZero"),
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale|TestCollectedTaxOfRandomRefundsIsThatOfTheirDocument",
	},
	{
		"nexus: stage 4 counts the collected tax of refunds under the lock of their sale",
		never,
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale",
	},
	{
		"nexus: the other refunds take back what a changed one took",
		never,
		"TestACancelledRefundLeavesCollectedTaxToOthers",
	},
	{
		"nexus: refunds in processing are not recounted",
		never,
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale",
	},
	{
		"files: the first rows of an order bring its others along",
		never,
		"TestRowsOfOneOrderAreItsLines",
	},
	{
		"files: what this import has recorded is not already present",
		never,
		"TestTransactionsThatExistAlreadyAreDistinguished",
	},
	{
		"files: an entry that this import has added is not already present",
		never,
		"TestEntriesOfAFailedAttemptAreAccepted",
	},
	{
		"files: a row without a number would be added again with the file",
		never,
		"TestAFaultyRowOfAnEntryTellsEveryColumn",
	},
	{
		"files: a file with other names of its columns is another import",
		swap(" AND columns = ?::jsonb)", " AND (true OR columns = ?::jsonb))"),
		"TestAFileWithOtherColumnsIsAnotherImport",
	},
	{
		"files: a date that can be read in two ways is not guessed",
		always,
		"TestADateThatCanBeReadInTwoWaysIsRefused",
	},
	{
		"files: an entry is not rejected for a reason that passes",
		never,
		"TestAnEntryIsTriedAgainAfterARefusalThatPasses",
	},
	{
		"files: of the rows that are already present, a limited number is stored",
		never,
		"TestRowsThatWereAlreadyPresentAreListedUpToALimit",
	},
	{
		"files: an order with a line more or less than the recorded one is another order",
		never,
		"TestAnImportComparesEveryColumnWithTheRecord",
	},
	{
		"files: a zero is put back only where the ZIP codes of the state begin with it",
		always,
		"TestALostZeroOfAZIPIsRestoredWhereTheStateHasIt",
	},
	{
		"lists: an order without an index sorts a bounded number of rows",
		always,
		"TestOrdersWithoutAnIndexAreBounded",
	},
	{
		"identifiers: one that is needed is not empty",
		never,
		"TestOtherBodies",
	},
	{
		"identifiers: a stored one with white space around it is found without",
		swap(`+ Trimmed(column) + " = "`, `+ column + " = "`),
		"TestASaleFindsRecordsWithPaddedIdentifiers",
	},
	{
		"identifiers: a new one that equals a padded one is its duplicate",
		always,
		"TestPaddedIdentifiersAreTaken",
	},
	{
		"identifiers: one that an answer shows is no change",
		swap("strings.TrimSpace(stored)", "stored"),
		"TestPaddedRecordsAreWrittenBack",
	},
	{
		"identifiers: a note names a line without the white space around its stored identifier",
		swap("sameIdentifier(*of.ExternalID, *item.ExternalID)", "*of.ExternalID == *item.ExternalID"),
		"TestANoteNamesLinesWithPaddedIdentifiers",
	},
	{
		"rejected rows: no cell is a formula",
		swap("w.TextOf(", "w.Cell("),
		"TestRejectedRowsHaveNoFormulas",
	},
	{
		"reports: an organization adds up as many at a time as it may export files",
		swap("o.outputs.Acquire(ctx)", "func() {}, error(nil)"),
		"TestReportsAreLimitedLikeExports",
	},
	{
		"reports: the list behind a figure costs as much as the report",
		swap("filter.ReportRow != nil", "false"),
		"TestListsBehindFiguresAreLimitedLikeReports",
	},
	{
		"reports: a workbook is in memory",
		swap("output.TooManyRows", "func(int64) error { return nil }"),
		"TestAWorkbookOfTooManyRowsIsRefused",
	},
	{
		"lists: a file has a bound",
		swap("list.Total > listedRows", "false"),
		"TestAListOfTooManyRowsIsNoFile",
	},
	{
		"audit: a column without a decision is masked",
		always,
		"TestAChangeHasTheValuesOfShownColumns",
	},
}
