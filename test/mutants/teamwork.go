package main

// mutantsOfTeamwork are the guards of what several people do with the same records.
var mutantsOfTeamwork = []mutant{
	{
		"second person: decides about a long pause",
		swap(" || PausesForLong(c.Before, c.After)", ""),
		"TestADecisionAboutAReturnIsOfASecondPerson",
	},
	{
		"second person: a key is none",
		never,
		"TestWhoMadeAReturnIsNoSecondPerson",
	},
	{
		"second person: made nothing of it",
		never,
		"TestWhoMadeAReturnIsNoSecondPerson",
	},
	{
		"second person: is no twin",
		never,
		"TestWhoMadeAReturnIsNoSecondPerson",
	},
	{
		"second person: another admin ends it",
		swap(", sameActor(*e.First, e.By)", ""),
		"TestTwoAdminsEndTheSecondPerson",
	},
	{
		"views: an organization has a limit of shared views",
		never,
		"TestViewsAreSharedInAnOrganization",
	},
	{
		"forms: a number or a day that can be read in two ways is not sent to the API",
		never,
		"TestATypedRateInThePersonsForm",
	},
	{
		"views: a person shares a view only with an organization of its own",
		never,
		"TestViewsAreSharedInAnOrganization",
	},
	{
		"bulk: a row that is refused leaves the other rows",
		never,
		"TestABulkCallDecidesEachException",
	},
	{
		"bulk: a row needs the right of the operation that it stands for",
		never,
		"TestABulkCallDecidesEachException",
	},
	{
		"bulk approval: nothing is approved without the amount that was seen",
		never,
		"TestABulkApprovalDecidesEachFiling",
	},
	{
		"bulk approval: a row that is refused leaves the other rows",
		swap("p == nil", "true"),
		"TestABulkApprovalDecidesEachFiling",
	},
	{
		"bulk approval: a filing that was approved before stays as it is",
		never,
		"TestABulkApprovalDecidesEachFiling",
	},
	{
		"bulk approval: a check that did not pass refuses",
		never,
		"TestAFilingToLookAtIsNotApprovedWithOthers",
	},
	{
		"notices: a notice ends with an answer, or with a reason why it needs none",
		swap("n.Answer == nil", "false"),
		"TestANoticeWaitsUntilItIsAnswered",
	},
	{
		"notices: a change of another revision is refused",
		never,
		"TestANoticeWaitsUntilItIsAnswered",
	},
	{
		"notices: a notice is overdue from the day after its last one",
		swap("late > 0", "late > 1"),
		"TestANoticeSaysWhenItIsLate",
	},
	{
		"comments: only its author changes a comment",
		swap("c.Author.ID != actor.UserID", "false"),
		"TestPeopleCommentOnARecord",
	},
	{
		"comments: a comment waits for people who see its record",
		never,
		"TestAMentionWaitsForItsPerson",
	},
	{
		"comments: people of a partner are asked about clients under a grant",
		swap(" AND s.granted <> ''", ""),
		"TestAMentionWaitsForItsPerson",
	},
}
