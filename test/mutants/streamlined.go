package main

// mutantsOfStreamlined are the guards of simplified returns, of their adapter, and of acknowledgements.
var mutantsOfStreamlined = []mutant{
	{
		"simplified: a further tax of the state does not count its sales again",
		never,
		"TestAFurtherTaxOfTheStateIsOnTheSameSales",
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
		"soap: a message that is no envelope of SOAP is none",
		never,
		"TestWhatIsNoEnvelope",
	},
	{
		"soap: an answer to another operation is none",
		never,
		"TestAMessageComesBack",
	},
	{
		"streamlined: without a password nothing is sent",
		never,
		"TestWithoutAPasswordNothingIsSent",
	},
	{
		"streamlined: a connection that carried nothing is an outage, any other has lost an answer",
		never,
		"TestWhetherAnythingWasHandedOver",
	},
	{
		"streamlined: an answer that is too large is none",
		never,
		"TestTheWebServiceDecidesAsTheSandbox",
	},
	{
		"streamlined: a redirect is not followed",
		never,
		"TestAnswersOfAService",
	},
	{
		"streamlined: a failure of the service says nothing about a transmission",
		never,
		"TestAnswersOfAService",
	},
	{
		"streamlined: a state that took a return and refuses to answer has not answered",
		never,
		"TestTheWebServiceRefuses",
	},
	{
		"streamlined: an answer that can never be read keeps no other one back",
		never,
		"TestAnAnswerThatCanNeverBeReadKeepsNoneBack",
	},
	{
		"returns: a return of a live organization goes where the operator has configured it",
		never,
		"TestWhichReturnsAreSent",
	},
	{
		"acknowledgements: a person brings no acknowledgement of another return",
		never,
		"TestWhatAPersonBrings",
	},
	{
		"simplified: an answer about another seller is none",
		never,
		"TestWhatAPersonBrings",
	},
	{
		"acknowledgements: a queue that fails keeps no other back",
		never,
		"TestAQueueThatFailsKeepsNoOtherBack",
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
}
