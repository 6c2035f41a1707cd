package main

// mutantsOfReturns are the guards of returns, liability, refunds and the ledger.
var mutantsOfReturns = []mutant{
	{
		"ledger: an accepted version has its leaf",
		drop,
		"TestVerificationNamesTheFirstTransactionThatDiffers",
	},
	{
		"ledger: a decided liability has its leaf",
		never,
		"TestADecisionHasOneLeaf",
	},
	{
		"ledger: a filed return has its leaf",
		swap("entry.Leaf, err", "_, err"),
		"TestVerificationNamesTheFirstReturnThatDiffers",
	},
	{
		"ledger: a seal covers its leaves; releases before had none",
		never,
		"TestASealCoversItsLeaves",
	},
	{
		"ledger: from the mark on every version and filed return has its leaf",
		never,
		"TestNothingLacksItsLeafAfterTheMark",
	},
	{
		"ledger: from the mark on every decided liability has its leaf",
		never,
		"TestNothingLacksItsLeafAfterTheMark",
	},
	{
		"ledger: a leaf made after the mark is none",
		swap("l.number <= $2", "true"),
		"TestNothingLacksItsLeafAfterTheMark",
	},
	{
		"ledger: an earlier decision is not in force again",
		swap(" && !replayed", ""),
		"TestAnEarlierDecisionIsNotInForceAgain",
	},
	{
		"ledger: the mark of an organization cannot be left out",
		never,
		"TestAuditCoverGivesTheMark",
	},
	{
		"filings: staff approve the amount that they have seen",
		never,
		"TestStaffChangeFilings",
	},
	{
		"credit note: a coupon line of the sale gives nothing back",
		never,
		"TestACouponIsNoMoneyToGiveBack",
	},
	{
		"credit note: a line gives back no more than is left of the sold one",
		never,
		"TestCreditNotesOfASaleAddUpToTheSale",
	},
	{
		"credit note: a sale from before coupon lines were spread is refunded line by line",
		swap("!sold.Input.Coupons", "false"),
		"TestASaleFromBeforeIsRefundedLineByLine",
	},
	{
		"refund: its base is that by which the base of the line is less now",
		swap("before - f.largest()", "before"),
		"TestALowerPriceIsJudgedByTheLawAgain",
	},
	{
		"refund: units that coupons paid for take their share of the tax",
		swap("ratOf(f.bought)", "ratOf(f.units)"),
		"TestUnitsThatCouponsPaidForTakeTheirTax",
	},
	{
		"refund: coupons are not taken off a lower price again",
		always,
		"TestALowerPriceAfterACoupon",
	},
	{
		"sums: a line after its discount is an amount",
		never,
		"TestTheSumsOfATransactionAreAmounts",
	},
	{
		"sums: a document with its tax is an amount",
		never,
		"TestTheSumsOfATransactionAreAmounts",
	},
	{
		"refund: one that ends at once waits for nothing",
		withoutFirst("&&"),
		"TestRefundsThatWaitForTheirOriginal",
	},
	{
		"refund: those committed later are decided after it",
		swap("!r.Before(&at)", "at.Before(&at)"),
		"TestRefundsThatWereCommittedLaterCountLater",
	},
	{
		"refund: those committed after one that is decided now are decided anew",
		never,
		"TestASaleAndItsNotesOweTogether",
	},
	{
		"refund: those committed after a cancelled one are decided anew",
		never,
		"TestASaleAndItsNotesOweTogether",
	},
	{
		"refund: the order of commitment is kept",
		never,
		"TestASaleAndItsNotesOweTogether",
	},
	{
		"liability: the larger of calculated and collected tax",
		swap(".Max(collected[i])", ""),
		"TestDocumentsOweWhatTheirNetTaxesSay",
	},
	{
		"liability: a refund adds nothing to what is owed",
		never,
		"TestARefundAddsNothing",
	},
	{
		"figures: gross adds up to the sales of the return",
		swap("f.complete(figureGross, total.Sales)", "error(nil)"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"figures: owed adds up to the liability of the return",
		swap("f.complete(figureOwed, f.Liability)", "nil"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"figures: tax adds up to the calculated tax of the return",
		swap("f.complete(figureTax, f.AuthorityTotal.Tax)", "nil"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"returns: the lines of a worksheet add up to what the filing owes",
		never,
		"TestLinesThatDoNotAddUpAreAnError",
	},
	{
		"returns: a form is not for periods of other filers",
		never,
		"TestAPeriodThatTheAuthorityDoesNotHave",
	},
	{
		"returns: input tax that nobody entered is told, and not taken for zero",
		never,
		"TestFindingsOfTheUnitedKingdom",
	},
	{
		"returns: a payment arrives before a due day on which banks are closed",
		never,
		"TestFindingsOfTheUnitedKingdom",
	},
	{
		"returns: an entry that no line has is told",
		never,
		"TestEntriesHaveTheirLines",
	},
	{
		"returns: what a form asks of the registration is missing data",
		never,
		"TestALineThatNeedsAFieldOfTheRegistration",
	},
	{
		"allowances: a tax on the end of a tier is in that tier",
		swap("|| above.IsZero()", ""),
		"TestAllowancesOfStates",
	},
	{
		"simplified: an error leaves no document",
		never,
		"TestADocumentThatBreaksTheRulesDoesNotLeave",
	},
	{
		"simplified: a preview has zeros for both ids, which no state gets",
		swap("|| !m.preview", "|| true"),
		"TestAPreviewShowsZeros",
	},
	{
		"simplified: a document that the state would refuse does not leave",
		never,
		"TestADocumentThatBreaksTheRulesDoesNotLeave",
	},
	{
		"simplified: what was not read gives no document",
		never,
		"TestFoodThatOnlyLocalitiesTax",
	},
	{
		"simplified: the tax of the return is what the filing owes",
		never,
		"TestFindings",
	},
	{
		"simplified: what is due is the amount of the filing",
		never,
		"TestFindings",
	},
	{
		"simplified: a payment whose words were not read is refused",
		never,
		"TestFindings",
	},
	{
		"simplified: what the return adds up adds up",
		never,
		"TestWrongSumsAreFoundBeforeAnythingLeaves",
	},
	{
		"simplified: a document has one answer",
		never,
		"TestAnswersThatAreNone",
	},
	{
		"simplified: an answer has as many parts as it says",
		never,
		"TestAnswersThatAreNone",
	},
	{
		"simplified: a value of the document is not in a reason",
		swap(`value != ""`, "false"),
		"TestReasonsHaveNoValues",
	},
	{
		"simplified: a registration that breaks its schema is not written",
		never,
		"TestARegistrationThatBreaksItsSchema",
	},
	{
		"simplified: of two answers that differ none counts",
		swap("decided != d", "false"),
		"TestDecisions",
	},
	{
		"returns: a discount is proposed until the due day",
		swap("m.Day <= calendar.DateOf(*m.Filing.DueDate)", "true"),
		"TestADiscountIsProposedUntilTheDueDay",
	},
	{
		"bank files: a separator inside a value would shift the fields of the addendum",
		never,
		"TestWhatDoesNotFitIsRefused",
	},
	{
		"bank files: a routing number has its check digit",
		never,
		"TestWhatDoesNotFitIsRefused",
	},
	{
		"payments: nothing is paid where nothing is due",
		swap(", amount.IsNeg()", ""),
		"TestThePaymentOfAReturn",
	},
	{
		"payments: what is not approved is not paid",
		never,
		"TestThePaymentOfAReturn",
	},
	{
		"payments: what is paid is not paid again",
		never,
		"TestThePaymentOfAReturn",
	},
	{
		"payments: an addendum that the authority does not read is not written",
		never,
		"TestThePaymentOfAReturn",
	},
	{
		"payments: a routing number has its check digit",
		swap(", name == tax.PaymentRouting && !models.IsRoutingNumber(value)", ""),
		"TestThePaymentOfAReturn",
	},
	{
		"payments: money moves on days on which banks work",
		swap(" && !works(last)", " && false"),
		"TestTheDayOfAPayment",
	},
	{
		"payments: a test organization moves no money",
		never,
		"TestNoBankFileWithAnError",
	},
	{
		"payments: a return that is paid in another way is not paid by the bank, too",
		never,
		"TestNoBankFileWithAnError",
	},
	{
		"payments: a return is in a bank file once",
		never,
		"TestFaultsOfARequestForABankFile",
	},
	{
		"returns: nobody gets a file of a layout that was not read",
		never,
		"TestReturnsWithoutAFile",
	},
	{
		"returns: an error leaves no document",
		never,
		"TestReturnsWithoutAFile",
	},
	{
		"returns: a file has the figures that add up to what the filing owes",
		never,
		"TestReturnsWithoutAFile",
	},
	{
		"returns: what would change the fields of a file is refused",
		never,
		"TestReturnsWithoutAFile",
	},
	{
		"returns: the local bases of the file of Washington add up to its taxable sales",
		never,
		"TestLocalBasesAddUp",
	},
	{
		"returns: what is claimed has no preview",
		swap("f.ClaimedAt == nil && ", ""),
		"TestWhatIsClaimedHasNoPreview",
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
		"streamlined: a receipt of another transmission is none",
		never,
		"TestAnAnswerThatCannotBeReadDecidesNothing",
	},
	{
		"streamlined: an answer to another transmitter is seen",
		never,
		"TestAnAnswerThatCannotBeReadDecidesNothing",
	},
	{
		"streamlined: an answer that cannot be read is no answer",
		swap("faults != nil", "false"),
		"TestAnAnswerThatCannotBeReadDecidesNothing",
	},
	{
		"streamlined: the sandbox takes the same bytes alone under the same ids",
		swap("kept.Digest != digest", "false"),
		"TestTheSandboxTakesTheSameBytesAlone",
	},
	{
		"streamlined: the sandbox takes a period once",
		swap("!head.Amended", "false"),
		"TestARejectedReturnIsCorrectedOnce",
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
		"liability: a cent a line is a rounding",
		never,
		"TestWarningsOfCollectedTax",
	},
	{
		"credit note: not before its sale",
		always,
		"TestARefundIsNotBeforeItsSale",
	},
	{
		"credit note: at most what is left of the sale",
		never,
		"TestTheAmountOfASaleThatCanBeRefunded",
	},
	{
		"credit note: one that only unknown tax could cover waits",
		never,
		"TestARefundWaitsForTheTaxOfItsSale",
	},
	{
		"credit note: its lines alone do not exceed its total",
		always,
		"TestTheLinesOfACreditNoteAgreeWithItsTotal",
	},
	{
		"credit note: what the buyer did not get back stays owed",
		swap("nothing.Max(above)", "due.Max(above)"),
		"TestTheCollectedTaxOfARefund",
	},
	{
		"refund: a lower price is judged by the law again",
		never,
		"TestALowerPriceIsJudgedByTheLawAgain",
	},
	{
		"tax refund: the excess over the calculated tax comes first",
		swap("f.collected-f.taxLeft()", "f.collected-f.collected"),
		"TestARefundOfTaxAloneTakesTheExcessFirst",
	},
	{
		"tax refund: the base goes with the tax",
		swap("p.base = money", "p.base = 0 * money"),
		"TestARefundOfTaxAloneTakesTheExcessFirst",
	},
	{
		"total: one that is not that of the lines is told",
		always,
		"TestATotalThatIsNotThatOfTheLinesIsTold",
	},
	{
		"tax refund: at most the tax that is left of the sale",
		swap("return atMost(a, tax, left, true)", "return atMost(a, tax, tax, true)"),
		"TestTheTaxOfASaleThatCanBeRefunded",
	},
	{
		"update: the sale is locked before it is read",
		swap(" FOR NO KEY UPDATE", ""),
		"TestConcurrentUpdatesAndStagesLoseNothing",
	},
	{
		"update: what an answer showed is no order",
		never,
		"TestASaleIsReadChangedAndWritten",
	},
	{
		"update: an amount that an answer showed is no order",
		never,
		"TestASaleIsReadChangedAndWritten",
	},
	{
		"update: a total that is the sum of the lines follows them",
		never,
		"TestASaleIsReadChangedAndWritten",
	},
	{
		"update: a line that comes back was asked for as in the version that was read",
		swap("cmp.Or(asked, shown), ", "asked, "),
		"TestASaleIsReadChangedAndWritten",
	},
	{
		"update: that a line was exempt is no order",
		never,
		"TestASaleIsReadChangedAndWritten",
	},
	{
		"update: a body is merged with the version that it was made from",
		never,
		"TestASaleIsReadChangedAndWritten",
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
		"returns: corrections have the whole difference of each amendment",
		never,
		"TestTheCorrectionsOfAReturnOfTheShop",
	},
	{
		"acknowledgements: one caller reads a queue",
		swap("(q.holder IS NULL OR", "(true OR"),
		"TestOneCallerReadsAQueue",
	},
	{
		"acknowledgements: one of no document is foreign",
		never,
		"TestAnAcknowledgementIsKeptOnce",
	},
	{
		"acknowledgements: what is stored of one is encrypted",
		swap("key.DocumentKey(a.OrganizationID).Seal(acknowledgementField, a.Message)", "a.Message; _ = key"),
		"TestAnAcknowledgementIsKeptOnce",
	},
	{
		"acknowledgements: an authority that is down stops no other",
		never,
		"TestAnAuthorityThatIsDownStopsNoOther",
	},
	{
		"streamlined: what was handed out and not stored is asked for again",
		never,
		"TestAMessageThatWasLostIsAskedForAgain",
	},
	{
		"streamlined: what cannot be read is malformed",
		never,
		"TestEachAcknowledgementIsKept",
	},
	{
		"streamlined: an answer that does not come is seen",
		never,
		"TestAnAnswerThatDoesNotComeIsSeen",
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
		"findings: payments on account that no law read names are named",
		swap("f.prepaysByUnknownLaw()", "false"),
		"TestFindingsNameLawsThatWereNotRead",
	},
	{
		"findings: a treatment of credit that no law read names is in doubt",
		swap(`rule.Source == ""`, "false"),
		"TestFindingsNameLawsThatWereNotRead",
	},
	{
		"form: a difference that roundings do not explain is marked",
		swap("difference.CmpAbs(rounding) > 0", "false"),
		"TestATaxThatRoundingsDoNotExplainIsMarked",
	},
	{
		"findings: a difference of the form that roundings do not explain is in doubt",
		swap("differs && doubtful", "false"),
		"TestAReturnSaysWhatItsFormComputesOtherwise",
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
		"returns: a return of the one-stop shop corrects the three years before it",
		never,
		"TestReturnsOfTheShopWithoutAFile",
	},
	{
		"returns: an amendment of the one-stop shop is a correction of the next return",
		never,
		"TestReturnsOfTheShopWithoutAFile",
	},
	{
		"returns: the file of Germany has goods alone",
		never,
		"TestTheShopInGermanyRefusesWhatWasNotRead",
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
	{
		"refund: a sale that was rounded as one gives back what was allocated to the line",
		swap("== TaxPerDocument", "== JurisdictionPerLine"),
		"TestARefundOfADocumentFollowsItsAllocation",
	},
	{
		"liability: converted amounts add up to those of the document",
		swap("money.Sub(owed, before.Liability)", "total.Liability, error(nil)"),
		"TestConvertedDocumentsOweTheirConvertedSum",
	},
	{
		"liability: converted tax of a document adds up to its calculated tax",
		never,
		"TestConvertedDocumentsOweTheirConvertedSum",
	},
	{
		"credit note: a lower price takes collected tax as it takes calculated tax",
		never,
		"TestALowerPriceTakesCollectedTaxByTheLaw|TestALowerPriceGivesCollectedTaxBackByTheLaw",
	},
}
