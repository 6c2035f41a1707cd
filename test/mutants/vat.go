package main

// mutantsOfVAT are the guards of VAT returns, of their adapter, and of the tokens by which it signs in.
var mutantsOfVAT = []mutant{
	{
		"vat: a box has room for so many digits, and box 5 is never below zero",
		never,
		"TestBoxesHaveSoManyDigits",
	},
	{
		"vat: boxes 6 to 9 are whole pounds",
		never,
		"TestBoxesHaveSoManyDigits",
	},
	{
		"vat: box 3 is the sum of boxes 1 and 2",
		never,
		"TestBoxesHaveSoManyDigits",
	},
	{
		"vat: box 5 is the difference of boxes 3 and 4 without its sign",
		never,
		"TestBoxesHaveSoManyDigits",
	},
	{
		"vat: a return is not taken before it is declared final",
		never,
		"TestRequestsThatTheAuthorityRefuses",
	},
	{
		"returns: an error leaves no VAT return",
		never,
		"TestWhatKeepsABritishReturnFromItsDocument",
	},
	{
		"returns: a VAT return of a layout that was not read is not made",
		never,
		"TestABritishReturnOfALayoutThatWasNotRead",
	},
	{
		"returns: boxes 3 and 4 are what sales and entries owe",
		never,
		"TestWhatKeepsABritishReturnFromItsDocument",
	},
	{
		"hmrc: a connection that was refused has carried nothing",
		never,
		"TestAClosedPortHasTakenNothing",
	},
	{
		"hmrc: a failure of the authority says nothing about a submission",
		never,
		"TestAnswersThatCannotBeRead",
	},
	{
		"hmrc: a grant that another call has renewed meanwhile is not renewed again",
		never,
		"TestTokensAreRenewedByOneCaller",
	},
	{
		"hmrc: a receipt without its number confirms nothing",
		never,
		"TestAnswersThatCannotBeRead",
	},
	{
		"hmrc: a return without a direct debit pays nothing",
		drop,
		"TestDecisionsAboutAnswers",
	},
	{
		"hmrc: a return with other figures is not ours",
		never,
		"TestAReturnIsTakenOnce",
	},
	{
		"hmrc: the authority takes no amended return, so people carry the difference",
		never,
		"TestReturnsOfPeriodsThatTheAuthorityDoesNotWant",
	},
	{
		"hmrc: a return that the authority has is not sent again",
		never,
		"TestAReturnIsTakenOnce",
	},
	{
		"hmrc: a return without an obligation for exactly its period is not sent",
		never,
		"TestReturnsOfPeriodsThatTheAuthorityDoesNotWant",
	},
	{
		"hmrc: the sandbox takes a refresh token once, as the authority does",
		never,
		"TestTokensAreRenewedByOneCaller",
	},
	{
		"hmrc: the sandbox takes no return before the end of its period",
		never,
		"TestReturnsOfPeriodsThatTheAuthorityDoesNotWant",
	},
	{
		"hmrc: the sandbox takes a period once",
		never,
		"TestTheSandboxRefusesWhatTheDescriptionRefuses",
	},
	{
		"grants: one process renews a grant at a time",
		swap(`+" FOR UPDATE"`, ""),
		"TestOneProcessRenewsAGrant",
	},
	{
		"grants: tokens are encrypted before they are stored",
		swap("key.DocumentKey(organizationID).Seal(g.field(), plain)", "plain; _ = key"),
		"TestGrantsAreSealed",
	},
	{
		"grants: an organization that is archived grants nothing any more",
		swap("DELETE FROM", "SELECT FROM"),
		"TestGrantsAreSealed",
	},
}
