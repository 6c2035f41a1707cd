package main

// mutantsOfReturns are the guards of worksheets, figures, files and payments of returns.
var mutantsOfReturns = []mutant{
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
		"returns: a difference may be below zero",
		swap("&& m.Filing.FilingCategory != models.FilingAmendment", ""),
		"TestADifferenceMayBeBelowZero",
	},
	{
		"returns: credit by corrections is in their lines",
		never,
		"TestCreditOfCorrectionsIsInTheTotalOfTheShop",
	},
	{
		"returns: a form is not for periods of other filers",
		never,
		"TestAPeriodThatTheAuthorityDoesNotHave",
	},
	{
		"returns: input tax that the merchant did not enter is told, and not taken for zero",
		never,
		"TestFindingsOfTheUnitedKingdom",
	},
	{
		"returns: a tax in whole dollars is rounded once",
		never,
		"TestATaxInWholeDollarsIsRoundedOnce",
	},
	{
		"returns: an allowance in whole dollars is rounded once",
		never,
		"TestATaxInWholeDollarsIsRoundedOnce",
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
		"returns: a discount is proposed until the due day",
		swap("m.Day <= calendar.DateOf(*m.Filing.DueDate)", "true"),
		"TestADiscountIsProposedUntilTheDueDay",
	},
	{
		"figures: a further tax of the authority does not count its sales again",
		never,
		"TestAFurtherTaxOfTheStateDoesNotCountTheSaleAgain",
	},
	{
		"returns: tax that was collected and that no line has is told",
		swap("m.collects && over.IsPositive()", "true"),
		"TestTaxThatWasCollectedAndHasNoLine",
	},
	{
		"returns: bases of which none is known to hold the others have lines of their own",
		never,
		"TestPlacesWithoutACombinedRate",
	},
	{
		"returns: a further tax of an authority has a rate beside that of its other tax",
		swap("o.further == t.further", "true"),
		"TestAFurtherTaxInTheScheduleOfUtah",
	},
	{
		"returns: a member that is not set off against others is told",
		never,
		"TestTheWorksheetOfTheShop",
	},
	{
		"filings: today is the day of the organization",
		swap("zone)", "zone[:0])"),
		"TestTodayIsThatOfTheOrganization",
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
		"payments: a total that lacks something is not paid in silence",
		never,
		"TestTheShopIsPaidTheTotalOfItsWorksheet",
	},
	{
		"payments: a total that lacks something is not paid",
		never,
		"TestTheShopIsPaidTheTotalOfItsWorksheet",
	},
	{
		"payments: nothing is paid for an amendment of the one-stop shop",
		never,
		"TestNothingIsPaidForAnAmendmentOfTheShop",
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
		"payments: what was paid with a return is entered when it is filed",
		never,
		"TestAnOpenReturnHasNoPayments",
	},
	{
		"payments: no more is recorded than is open",
		never,
		"TestAPaymentIsRecordedAfterTheReturnWasFiled",
	},
	{
		"payments: a payment is recorded once",
		never,
		"TestAPaymentIsRecordedAfterTheReturnWasFiled",
	},
	{
		"payments: what a return has taken off stays paid",
		never,
		"TestAPaymentThatAReturnHasTakenOffStays",
	},
	{
		"returns: no file is made of a layout that was not read",
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
		"returns: corrections have the whole difference of each amendment",
		never,
		"TestTheCorrectionsOfAReturnOfTheShop",
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
}
