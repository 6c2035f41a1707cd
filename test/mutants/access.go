package main

// mutantsOfAccess are the guards of keys, grants and onboardings, and of what these give.
var mutantsOfAccess = []mutant{
	{
		"first admin: a link gives no role but admin",
		never,
		"TestALinkInvitesTheFirstAdmin",
	},
	{
		"first admin: a link invites no one where an organization has people",
		never,
		"TestALinkInvitesTheFirstAdmin",
	},
	{
		"first admin: a link gives no more than its maker may",
		never,
		"TestALinkInvitesTheFirstAdmin",
	},
	{
		"first admin: a repeated form leads on only where the first one has invited a person",
		never,
		"TestALinkEndsWithTheClientsOwnSignIn",
	},
	{
		"calendar: an address without a month of the calendar shows no other month",
		never,
		"TestTheCalendarRefusesAnUnknownMonth",
	},
	{
		"exceptions: no exception is both evaluated and counted",
		drop,
		"TestCausesByCountsAreThoseOfTheExceptions",
	},
	{
		"onboarding: the last step is sent with a consent to the summary",
		never,
		"TestALinkEndsWithASummaryAndConsent",
	},
	{
		"onboarding: a confirmation in Temporal says by its proof who sent it",
		never,
		"TestAConfirmationProvesWhoSentIt",
	},
	{
		"keys: creations of one organization wait for each other",
		swap(`Locking{Strength: "NO KEY UPDATE"}`, "Returning{}"),
		"TestAnOrganizationHasAtMostTwentyActiveKeys",
	},
	{
		"keys: a limited one is used from its networks alone",
		never,
		"TestAKeyIsUsedFromItsNetworksAlone",
	},
	{
		"giving: a key that works from some addresses makes none that works from others",
		never,
		"TestAKeyIsUsedFromItsNetworksAlone",
	},
	{
		"giving: a key that works from some addresses gives no person a role, which works from everywhere",
		never,
		"TestAKeyIsUsedFromItsNetworksAlone",
	},
	{
		"makers: one that has ended makes nothing more",
		never,
		"TestAnEndedMakerMakesNothing",
	},
	{
		"makers: what a key made ends with it",
		swap("actor, id,", `actor, "",`),
		"TestWhatAnEndedMakerLeavesIsNamed",
	},
	{
		"makers: what a person made ends with the person",
		swap("organizationID, id)", `organizationID, "")`),
		"TestWhatAnEndedMakerLeavesIsNamed",
	},
	{
		"makers: a link ends with the key that makes it",
		never,
		"TestAKeyGivesNoMoreThanItHas",
	},
	{
		"makers: a feed ends with the key that makes it",
		swap("feed.ExpiresAt, err = makers", "_, err = makers"),
		"TestAFeedOfAnEndedMakerIsNotFound",
	},
	{
		"makers: a feed of an ended maker is not found",
		swap("m.maker_ended_at IS NULL", "true"),
		"TestAFeedOfAnEndedMakerIsNotFound",
	},
	{
		"feeds: the address of a calendar feed reads the calendar alone",
		swap("c.IsFeed()", "false"),
		"TestAFeedReadsTheCalendarAlone",
	},
	{
		"giving: a key that reads nothing makes nothing that reads",
		never,
		"TestAFeedOfAnEndedMakerIsNotFound",
	},
	{
		"giving: a key that works from some addresses makes nothing that is read from everywhere",
		never,
		"TestAKeyIsUsedFromItsNetworksAlone",
	},
	{
		"grants: a partner revokes no feed of its client's own",
		never,
		"TestAPartnerRevokesNoFeedOfItsClient",
	},
	{
		"grants: without one a partner reads nothing of its client",
		swap(`c.Granted() != ""`, "true"),
		"TestAGrantBoundsAPartner",
	},
	{
		"grants: a partner does no more for its client than the grant says",
		match(`return .*$`, "return true"),
		"TestAGrantBoundsAPartner",
	},
	{
		"grants: without one a partner changes nothing of its client",
		never,
		"TestAGrantBoundsAPartner",
	},
	{
		"grants: a key does no more than the grant under which it was made",
		swap("ofClient &&", "false &&"),
		"TestKeysUnderAGrant",
	},
	{
		"grants: a key decides no more than the grant under which it was made",
		swap("c.Person != nil ||", "true ||"),
		"TestKeysUnderAGrant",
	},
	{
		"grants: after the onboarding a partner makes no key that makes keys",
		never,
		"TestKeysUnderAGrant",
	},
	{
		"grants: a partner changes no key of the client's own",
		never,
		"TestKeysUnderAGrant",
	},
	{
		"grants: what replaces a key under a grant is one",
		become(""),
		"TestKeysUnderAGrant",
	},
	{
		"grants: a partner calculates by the data of its client",
		never,
		"TestAPartnerCalculatesAsItsClient",
	},
	{
		"grants: a long request ends with the grant",
		never,
		"TestAStreamEndsWithItsGrant",
	},
	{
		"grants: a file ends with the right of its caller",
		never,
		"TestAFileEndsWithTheRightOfItsCaller",
	},
	{
		"grants: one that has ended makes nothing more",
		never,
		"TestAnEndedGrantMakesNothing",
	},
	{
		"grants: keys end with the grant under which they were made",
		swap("AND granted", "AND NOT granted"),
		"TestWhatEndsWithAGrant",
	},
	{
		"grants: what a key under a grant made ends with it",
		swap("k.ID,", `"",`),
		"TestWhatEndsWithAGrant",
	},
	{
		"grants: lists of a partner omit clients that ended theirs",
		swap(" AND g.role IS NOT NULL", ""),
		"TestAPartnerSeesClientsWithAGrant",
	},
	{
		"grants: returns of a client leave its partner's list with the grant",
		swap("AND g.ended_at IS NOT NULL", "AND false"),
		"TestListsOmitClientsWithoutAGrant",
	},
	{
		"grants: webhooks omit clients that ended theirs",
		become(""),
		"TestAPartnerReceivesNothingOfAClientWithoutAGrant",
	},
	{
		"grants: deliveries omit clients that ended theirs",
		match(` AND NOT "`, ` OR false AND NOT "`),
		"TestAPartnerReceivesNothingOfAClientWithoutAGrant",
	},
	{
		"grants: nothing is sent about a client after its grant",
		always,
		"TestAPartnerReceivesNothingOfAClientWithoutAGrant",
	},
	{
		"grants: no event of a client is sent again after its grant",
		never,
		"TestAPartnerReceivesNothingOfAClientWithoutAGrant",
	},
	{
		"giving: a key gives no role that may do more than itself",
		never,
		"TestAKeyGivesNoMoreThanItHas",
	},
	{
		"giving: a key that ends gives no person a role, which would stay",
		never,
		"TestAKeyGivesNoMoreThanItHas",
	},
	{
		"onboarding: a link makes one key",
		never,
		"TestAnOnboardingLinkMakesOneKey",
	},
	{
		"keys: one that ends makes none that ends later",
		never,
		"TestAKeyCannotCreateAKeyThatExpiresLater",
	},
	{
		"keys: a revoked one is not found",
		drop,
		"TestFindPrincipal",
	},
	{
		"onboarding: a step comes after the one before it",
		never,
		"TestStepsAreDoneInTheirOrder",
	},
	{
		"onboarding: a submission is done once",
		withoutLast("||"),
		"TestASubmissionIsDoneOnce",
	},
	{
		"onboarding: what ended takes no step",
		never,
		"TestAnEndedOnboardingTakesNoStepsAndIsUndone",
	},
	{
		"onboarding: a step that was done before is a correction",
		never,
		"TestHowFarAStepBringsAnOnboarding",
	},
	{
		"onboarding: only what ended is undone",
		never,
		"TestAnEndedOnboardingTakesNoStepsAndIsUndone",
	},
	{
		"onboarding: a lease skips what another sweeper holds",
		swap(" SKIP LOCKED", ""),
		"TestALeaseDoesNotWaitForAnother",
	},
	{
		"compensation: newest first",
		drop,
		"TestCancelAfterEveryStep|TestFailureAtEveryStep",
	},
	{
		"compensation: goes on when the run is cancelled",
		drop,
		"TestCancelAfterEveryStep|TestCancelInsideEveryStep",
	},
	{
		"compensation: an undo that fails keeps no other from happening",
		swap("{Timeout: ", "{Timeout: 1000 * "),
		"TestAFailingUndoHoldsUpNoOther",
	},
}
