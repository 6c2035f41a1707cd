package main

// mutantsOfFilings are the guards of the life of filings and registrations.
var mutantsOfFilings = []mutant{
	{
		"filings: staff approve the amount that they have seen",
		never,
		"TestStaffChangeFilings",
	},
	{
		"documents: a repetition builds no other one",
		always,
		"TestTheDocumentOfAnAttemptIsBuiltOnce",
	},
	{
		"documents: what is stored of one is encrypted",
		swap("key.DocumentKey(scope.OrganizationID).Seal(documentField, d.Content)", "d.Content; _ = key"),
		"TestTheDocumentOfAnAttemptIsKept",
	},
	{
		"documents: bytes that are not those of the hash are never handed over",
		never,
		"TestBytesOfAnotherDocumentAreNotHandedOver",
	},
	{
		"documents: the sandbox compares what it gets",
		never,
		"TestTheSandboxComparesDocuments",
	},
	{
		"filing: a return that an adapter cannot send is not approved",
		never,
		"TestAnIncompleteReturnIsNotApproved",
	},
	{
		"filings: the document is stored before anything is handed over",
		always,
		"TestTheDocumentIsBuiltBeforeTheReturnIsHandedOver",
	},
	{
		"recompute: a claim of the return is not changed",
		never,
		"TestWhatIsClaimedIsNotRecomputed",
	},
	{
		"claim: a filing that is claimed claims nothing more",
		drop,
		"TestAClaimHappensOnce",
	},
	{
		"claim: its sums are written once",
		drop,
		"TestAClaimHappensOnce",
	},
	{
		"claim: the epoch of what it waited for",
		drop,
		"TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: only what is processed",
		drop,
		"TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: holds its registration against stages",
		swap(`pg.LockRegistration.Wait("f.registration_id")`, `"hashtext(f.registration_id)"`),
		"TestAStageDuringAClaimNeitherWaitsNorLosesTransactions|TestStagesAtOnceOpenOneAmendment",
	},
	{
		"claim: waits until its obligation is decided",
		never,
		"TestAReturnIsNotApprovedBeforeWhatItsRegistrationChangesIsCalculated|TestAReturnIsNotApprovedBeforeAPresenceIsEvaluated",
	},
	{
		"claim: an obligation that changes meanwhile undoes it",
		never,
		"TestAnApprovalIsRefusedWhenTheObligationChangesMeanwhile",
	},
	{
		"claim: what became unresolved meanwhile takes it back",
		never,
		"TestAnApprovalIsRefusedWhenATransactionBecomesUnresolvedMeanwhile",
	},
	{
		"claim: the amount that was claimed is the one that was approved",
		always,
		"TestTheExpectedAmountIsThatOfTheClaim",
	},
	{
		"claim: a return that was filed elsewhere claims what there is",
		withoutLast("&&"),
		"TestAStatusSaysWhatHappensToTheLines",
	},
	{
		"filing: a second person decides about it",
		swap("CheckSecondPerson(c.By, second)", "nil"),
		"TestADecisionAboutAReturnIsOfASecondPerson",
	},
	{
		"filing: one that ends without lines keeps its sums",
		never,
		"TestAStatusSaysWhatHappensToTheLines",
	},
	{
		"filing: a return that owes tax is not skipped",
		never,
		"TestAClaimIsCheckedBeforeItIsCommitted",
	},
	{
		"entries: a penalty that was entered as one amount is not counted twice",
		never,
		"TestAPenaltyIsNotCountedTwice",
	},
	{
		"entries: the claim freezes them",
		never,
		"TestEntriesChangeOnlyBeforeTheClaim",
	},
	{
		"entries: amount_penalties is the sum of interest and penalties",
		never,
		"TestEntriesOfAFiling",
	},
	{
		"filing: an amendment that has something again is not cancelled",
		never,
		"TestAClaimIsCheckedBeforeItIsCommitted",
	},
	{
		"filing: an organization that changed its mind has its return not approved",
		never,
		"TestStepsThatAreNotDone",
	},
	{
		"filing: an answer to an attempt that is over changes nothing",
		never,
		"TestStepsThatAreNotDone",
	},
	{
		"filing: what takes the place of one that waited for people waits for them",
		withoutLast("||"),
		"TestWhatTakesThePlaceOfAFilingWaitsForPeople",
	},
	{
		"filing: a period that has begun keeps its frequency",
		swap("f.Start > today && ", ""),
		"TestFilingsThatARegistrationLeavesNobodyToFile",
	},
	{
		"corrections: an amendment is corrected once",
		swap("AND NOT EXISTS", "AND EXISTS"),
		"TestAnAmendmentOfTheOneStopShopIsCorrectedOnce",
	},
	{
		"credit: a release frees it",
		drop,
		"TestAReturnCarriesWhatItDoesNotOwe",
	},
	{
		"credit: a later period takes it off",
		swap(" AND s.end_date < f.start_date", ""),
		"TestTheOldestCreditIsTakenFirst",
	},
	{
		"credit: a return that is left to be filed takes it off",
		swap(" AND NOT EXISTS", " AND EXISTS"),
		"TestTheLastReturnTakesCreditOff",
	},
	{
		"credit: a prepayment waits for its return",
		swap(" AND NOT EXISTS", " AND EXISTS"),
		"TestPrepaymentsAreTakenOffTheReturnOfTheirPeriod",
	},
	{
		"filing: what is not filed is changed, and not amended",
		swap("f.Status != FilingFiled || ", ""),
		"TestAFiledReturnIsAmendedOnDemand",
	},
	{
		"filing: a period has one open amendment",
		swap(` && u.open != ""`, " && false"),
		"TestAFiledReturnIsAmendedOnDemand",
	},
	{
		"filing: an amendment in which people entered amounts stays",
		swap(" || f.Entered()", ""),
		"TestStepsThatAreNotDone",
	},
	{
		"registration: economic nexus is proven by the sale that crossed the threshold",
		swap(" && p.Crossed", ""),
		"TestNexusThatLeadsToARegistration",
	},
	{
		"registration: a change is found again when the result was lost",
		swap("*r.ChangeReadBy == read.Reader", "false"),
		"TestARefreshReadsTheCurrentRecord",
	},
	{
		"registration: the European Union has its own switch",
		never,
		"TestNexusThatLeadsToARegistration",
	},
	{
		"amendment: a stage notes what comes late",
		become(" AND false"),
		"TestLateTransactionsGoToOneAmendment",
	},
	{
		"amendment: a stage notes what a claim under way may not see",
		become(" false"),
		"TestAStageDuringAClaimNeitherWaitsNorLosesTransactions",
	},
	{
		"filing: an amendment that is open again is the only open one of its return",
		never,
		"TestAnAmendmentThatIsOpenAgainIsTheOnlyOne",
	},
	{
		"filing: a change of one locks its registration",
		drop,
		"TestStepsOfTheWorkflowTakeEffectOnce|TestRefreshFilingNotesRemindersOnce",
	},
}
