package main

// mutantsOfTax are the guards of tax, prices, places and days.
var mutantsOfTax = []mutant{
	{
		"content: a server cannot give an old bundle again",
		swap("p.Sequence < last.Sequence", "false"),
		"TestABundleFollowsTheOneTakenLast",
	},
	{
		"content: a download is bounded",
		swap("size > d.client.limits.Bytes", "false"),
		"TestAServerThatMisbehavesIsLeft",
	},
	{
		"content: a boundary file leaves no ZIP of the state without a place",
		swap("!covered[zip]", "false"),
		"TestAPairIsCheckedAsAWhole",
	},
	{
		"content: a boundary file names no unknown district",
		swap("isDistrict(key)", "false"),
		"TestAPairIsCheckedAsAWhole",
	},
	{
		"content: a file that changes much of a state waits for a person",
		swap("built.changed*100 > built.of*quarantinedShare", "false"),
		"TestThePairOfAStateIsFetched",
	},
	{
		"content: a version that came into force in between is not undone",
		swap("inForce != base", "false"),
		"TestAPairUndoesNothing",
	},
	{
		"rates: a typed rate is set after it was shown next to the rate before, and a leap after it was confirmed",
		never,
		"TestARateIsTypedInPercentAndShownOnAHundred",
	},
	{
		"estimates: a product in memory counts for the version with which it was read",
		never,
		"TestChangesOfCachedRecordsTakeEffectAtOnceInEveryProcess",
	},
	{
		"estimates: a customer in memory counts for the version with which it was read",
		never,
		"TestChangesOfCachedRecordsTakeEffectAtOnceInEveryProcess",
	},
	{
		"discounts: one of a line is at most its amount",
		never,
		"TestDiscountsAreSpreadOverTheLines",
	},
	{
		"discounts: one of a sale is at most what its lines leave",
		never,
		"TestDiscountsAreSpreadOverTheLines",
	},
	{
		"coupons: a negative line beside a positive one is no line of its own",
		never,
		"TestCouponLinesLowerTheOtherLines",
	},
	{
		"coupons: what another party reimburses stays in the base where the law says so",
		swap("w.paid + kept", "w.paid"),
		"TestWhoReimbursesADiscountDecidesByTheLawOfThePlace",
	},
	{
		"coupons: only a negative line is a trade-in",
		always,
		"TestDiscountLinesAreCheckedAtEveryDoor",
	},
	{
		"coupons: discounts of the sale count after the coupons of a class",
		swap("rules.SpreadDiscountsByClass(d.Items, d.Currency)", "_ = rules.SpreadDiscountsByClass"),
		"TestDiscountLinesAreTheSameAtEveryDoor",
	},
	{
		"calendar: a payment on account has the days that the law names",
		never,
		"TestPaymentsOnAccountOfCalifornia",
	},
	{
		"calendar: a payment on account for days of two months is due like that of the first",
		never,
		"TestPaymentsOnAccountOfCalifornia",
	},
	{
		"calendar: a period ends with its last day",
		swap("<=", "<"),
		"TestPeriodsThatHaveEnded",
	},
	{
		"calendar: a period ends when its last day is over everywhere",
		swap("models.OverEverywhere(w.Period.End)", "ended"),
		"TestTheNextActionOfAFiling",
	},
	{
		"calendar: periods begin with the year",
		swap("year.firstMonth(f)", "0"),
		"TestPeriodOfEveryFrequency",
	},
	{
		"calendar: a stagger group has quarters of its own",
		swap("y.Stagger > 0", "false"),
		"TestPeriodsOfTheUnitedKingdom",
	},
	{
		"calendar: the first half of a month has the 15th",
		swap("<=", "<"),
		"TestPeriodOfEveryFrequency",
	},
	{
		"calendar: a fiscal year that ends with February ends with its leap day",
		never,
		"TestPeriodOfEveryFrequency|TestPeriodsCoverEveryDayOnce",
	},
	{
		"calendar: a quarter beside its payments on account",
		never,
		"TestPeriodsThatHaveEnded",
	},
	{
		"calendar: a day of the month is one of the month after",
		match(`Next\(.*\)$`, "Next(end)"),
		"TestDueRules",
	},
	{
		"calendar: the last day is that of the month after",
		match(`\.\w+\(\)\.(\w+)\(1\)`, ".$1(31)"),
		"TestDueRules",
	},
	{
		"calendar: days are counted from the end of the period",
		swap("int(n))", "int(n)-1)"),
		"TestDueRules",
	},
	{
		"calendar: months are counted from that of the end",
		match(`\+(\w+\.Month\([^)]*\))`, "+$1-1"),
		"TestDueRules",
	},
	{
		"calendar: no rule names a day that a year may lack",
		swap(`"2023-"`, `"2024-"`),
		"TestDueRules",
	},
	{
		"calendar: a period has the rule of the month in which it ends",
		never,
		"TestMonthlyReturnsOfEveryState",
	},
	{
		"places: a city that is named is not replaced by another",
		never,
		"TestTheNamedCityIsTaken",
	},
	{
		"places: a ZIP of two states is doubtful",
		never,
		"TestAPlaceThatCannotMatterIsNotTold",
	},
	{
		"places: a ZIP is doubtful where many of its people pay another tax",
		always,
		"TestTheNamedCityIsTaken",
	},
	{
		"calendar: a due day that is no business day is the next one",
		match(`Date: \w+\.\w+\(.*, (\w+)\)`, "Date: $1"),
		"TestDueDates",
	},
	{
		"calendar: a payment on account is due by its own rule",
		withoutLast("&&"),
		"TestDueDates",
	},
	{
		"calendar: a frequency without a rule has that of a shorter one",
		match(`^(\s*)\w+: \w+,`, "$1"),
		"TestDueDates",
	},
	{
		"calendar: a holiday on a Saturday is the Friday before",
		swap(".AddDays(-1)", ""),
		"TestHolidayRules",
	},
	{
		"calendar: New Year's Day on a Saturday is in the year before",
		withoutLast("||"),
		"TestHolidaysAsPublished",
	},
	{
		"calendar: a holiday begins with its law",
		withoutFirst("||"),
		"TestHolidaysAsPublished",
	},
	{
		"calendar: a holiday of another state is a business day",
		withoutLast("||"),
		"TestHolidaysAsPublished",
	},
	{
		"calendar: a due day lasts as long as it does at its authority",
		swap(", zone)", ", time.UTC)"),
		"TestReminders",
	},
	{
		"calendar: a state has the zone of its own seat",
		never,
		"TestReminders",
	},
	{
		"calendar: an approval by itself comes after the lookback",
		match(`\.Add\(.*\)$`, ""),
		"TestTheNextActionOfAFiling",
	},
	{
		"calendar: a period is planned when it is over at its authority",
		match(`min\((.*?\)\)), (.*)\)\.`, "$1."),
		"TestAPeriodIsPlannedWhenItIsOverThereAndInUTC",
	},
	{
		"calendar: a period is planned when it is over in UTC",
		match(`min\((.*?\)\)), (.*)\)\.`, "$2."),
		"TestAPeriodIsPlannedWhenItIsOverThereAndInUTC",
	},
	{
		"calendar: the first period begins with the registration",
		drop,
		"TestPeriodsOfARegistration|TestEveryDayBelongsToOneRegularPeriod",
	},
	{
		"calendar: the last period ends with the registration",
		match(`\|\| [^|]*\) \{$`, "|| false) {"),
		"TestPeriodsOfARegistration",
	},
	{
		"comparison: a table that has ended hides no wrong rate",
		swap(" && w.Code != WarningNotConfirmedSince", ""),
		"TestComparedLines",
	},
	{
		"places: a doubt about the state is told",
		never,
		"TestAPlaceThatCannotMatterIsNotTold",
	},
	{
		"rate: calls during a long silence are not charged",
		never,
		"TestCallsOfALongSilenceAreNotCharged",
	},
	{
		"rate: a report begins anew for who was not named",
		swap("n.now.Total", "n.unreported"),
		"TestAnOrganizationThatComesBackIsChargedWhatIsNew",
	},
	{
		"rate: a report begins anew for who had no place in it",
		swap("= r.total", "= r.of.counts.unreported"),
		"TestAReportCountsFromTheLastThatHadNoPlace",
	},
	{
		"rate: calls in other processes count",
		never,
		"TestProcessesHoldTheRateTogether",
	},
	{
		"tax date: the zone of the shop decides",
		swap("; known", "; !known && zone != nil"),
		"TestTheTaxDateIsTheDayOfTheShop",
	},
	{
		"tax date: it is decided once",
		never,
		"TestTheTaxDateIsDecidedOnce",
	},
	{
		"tax date: a stored day belongs to its instant",
		always,
		"TestAChangedSaleKeepsItsDay",
	},
	{
		"tax date: a refund takes the zone of its original",
		never,
		"TestTheDayOfARefundIsThatOfTheShop",
	},
	{
		"rounding: a document keeps the unit that was in force when it was recorded",
		never,
		"TestTheUnitOfRoundingIsChosen",
	},
	{
		"rounding: a warning costs nothing on ordinary documents",
		swap("2*tolerated", "200*tolerated"),
		"TestTheUnitOfRoundingIsTheChoiceOfTheSeller",
	},
	{
		"places: a doubt that no line bears is not told",
		swap("slices.ContainsFunc(k.lines, func(w work) bool { return k.localsMatter(&w) })", "true"),
		"TestAPlaceThatCannotMatterIsNotTold",
	},
	{
		"tables: a sale after the end of a table is told",
		never,
		"TestAnAnswerSaysThatTheTableHasEnded",
	},
	{
		"tiers: the part above the amount has the rate of its own",
		swap("t.nano", "of.nano"),
		"TestAPriceInTwoTiers",
	},
	{
		"limits abroad: above it the whole price is taxed",
		never,
		"TestChildrensClothingInManitoba",
	},
	{
		"classes: a rule of the class above is told where the law may have another one",
		swap(" && namedByLaw[w.class]", " && false"),
		"TestEveryClassHasARuleOrNamesWhoKnows",
	},
	{
		"packs: tables of a later release are not lent",
		never,
		"TestAPackOfAnEarlierProgramUsesEmbeddedTables",
	},
	{
		"reverse charge: outside of Europe the law of the country says who accounts for the tax",
		swap(" && l.accounts", ""),
		"TestTheTableOfLaw",
	},
	{
		"gross prices: no net price is a refusal",
		never,
		"TestPricesThatIncludeTax",
	},
	{
		"gross prices: net and tax of a line come to its price",
		swap("w.amount - w.discount", "w.amount"),
		"TestDiscountsOfPricesThatIncludeTax",
	},
	{
		"gross prices: the buyer pays them, also where nothing is owed",
		never,
		"TestASaleWithoutANetPriceWaits",
	},
	{
		"gross prices: nexus counts the net prices of the law that applies",
		swap("CountNexus(t)", "models.NexusOutcome{}, error(nil)"),
		"TestNexusCountsTheNetPricesOfTheDocument",
	},
	{
		"gross prices: a refund has prices as its sale",
		never,
		"TestNotesOfPricesThatIncludeTax",
	},
	{
		"gross prices: what was given back of a price is net and tax",
		never,
		"TestDocumentsOfPricesThatIncludeTaxOweWhatTheirNetTaxesSay",
	},
	{
		"gross prices: tax that came back alone was a part of the price",
		never,
		"TestATaxRefundOfPricesThatIncludeTax",
	},
	{
		"gross prices: tax that is given back alone lowers the price",
		never,
		"TestATaxRefundOfPricesThatIncludeTax",
	},
}
