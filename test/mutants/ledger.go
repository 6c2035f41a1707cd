package main

// mutantsOfLedger are the guards of the ledger, and of ranges that were sealed again.
var mutantsOfLedger = []mutant{
	{
		"reseals: a seal of a missing master key counts only under a seal of a key that is there",
		swap(" && v.again.covers()", ""),
		"TestARangeThatWasSealedAgainCannotBeChanged",
	},
	{
		"reseals: a range is what it was when it was sealed again",
		never,
		"TestARangeThatWasSealedAgainCannotBeChanged",
	},
	{
		"reseals: no slice ends inside a range, whose links may be of a missing key",
		swap(" && !v.again.covers()", ""),
		"TestSlicesOfAChainThatWasSealedAgain",
	},
	{
		"reseals: links of a missing key are taken over with the whole range that proves them",
		never,
		"TestARangeIsTakenOverAsAWhole",
	},
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
}
