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
		"hmrc: a return whose call cannot be described is not sent",
		never,
		"TestReturnsCarryTheConnectionOfTheirCall",
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
		"hmrc: the sandbox refuses headers for fraud prevention that are not what they should be",
		never,
		"TestReturnsCarryTheConnectionOfTheirCall",
	},
	{
		"hmrc: the sandbox wants the headers that each program knows",
		never,
		"TestTheSandboxChecksHeaders",
	},
	{
		"hmrc: what a person has ended is not granted again without one",
		never,
		"TestWhatAPersonHasEndedStaysEnded",
	},
	{
		"hmrc: the sandbox takes no code that has expired, or whose verifier another program has",
		never,
		"TestAPersonGrantsAccess",
	},
	{
		"hmrc: the sandbox takes a code once",
		never,
		"TestAPersonGrantsAccess",
	},
	{
		"consents: the sandbox grants nothing to another organization than that whose page was answered",
		never,
		"TestAPersonGrantsAccess",
	},
	{
		"consents: the sandbox sends no person to an address that was not registered",
		swap(`asked.Get("redirect_uri") != redirect || `, ""),
		"TestTheSandboxSendsNobodyElsewhere",
	},
	{
		"consents: only the newest state of an organization counts",
		swap("state = $3", "$3::bytea IS NOT NULL"),
		"TestAStateCountsOnce",
	},
	{
		"consents: only a test organization grants access to a sandbox",
		swap("!organization.IsTest", "!organization.IsTest && false"),
		"TestALiveOrganizationGrantsNothing",
	},
	{
		"consents: who comes back began in this session, and in time",
		swap(" || !isHashOf(begun.Session, o.SessionHashes(c.Token))", ""),
		"TestAPersonGrantsAccessAtAnAuthority",
	},
	{
		"connections: a call that begins no attempt is not recorded",
		swap(" || u.next.Attempt == u.stored.Attempt", ""),
		"TestTheConnectionOfAnAttemptIsForgottenWithIt",
	},
	{
		"connections: what is stored of a call is encrypted",
		swap("key.DocumentKey(u.scope.OrganizationID).Seal(connectionField, plain)", "plain; _ = key"),
		"TestTheConnectionOfAnAttemptIsForgottenWithIt",
	},
	{
		"connections: where no authority requires it, nothing is taken of a call",
		never,
		"TestOnlyAnAuthorityThatRequiresItGetsTheConnection",
	},
	{
		"connections: the authority of another return gets and leaves nothing of a call",
		swap("connection != nil && o.deps.SentTo.NeedsConnection(f)", "connection != nil"),
		"TestOnlyAnAuthorityThatRequiresItGetsTheConnection",
	},
	{
		"connections: the address of a private network is no public one",
		swap("webhook.IsPublic(address)", "address.IsValid() || webhook.IsPublic(address)"),
		"TestTheConnectionOfACall",
	},
	{
		"connections: the port of a proxy is not that of the client",
		swap("err != nil || c.ClientIP() != c.RemoteIP()", "err != nil"),
		"TestThePortOfAProxyIsNotThatOfTheClient",
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
