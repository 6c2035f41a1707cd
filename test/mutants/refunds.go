package main

// mutantsOfRefunds are the guards of sales, their updates and refunds, and of what they owe.
var mutantsOfRefunds = []mutant{
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
		"duplicates: an order of two connections is told",
		always,
		"TestAnOrderOfTwoConnectionsIsTold",
	},
	{
		"duplicates: one connection may use a second identifier again",
		swap(" AND o.connection_id IS DISTINCT FROM t.connection_id", ""),
		"TestTheTaxStageReadsTheSameOrderOfAnotherConnection",
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
