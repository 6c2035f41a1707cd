package main

// mutantsOfAccess are the guards of people, keys, grants and secrets.
var mutantsOfAccess = []mutant{
	{
		"release: files count only if the publisher signed their digests",
		swap("!trusted", "!trusted && len(keys) == 0"),
		"TestAChangedReleaseIsRefused",
	},
	{
		"release: each file has the digest that was signed",
		swap("got != want", "len(got) != len(want)"),
		"TestAChangedReleaseIsRefused",
	},
	{
		"master keys: a key with the id of another one is refused",
		never,
		"TestAProcessWithoutANeededKeyDoesNotStart",
	},
	{
		"master keys: a retired one makes nothing new",
		never,
		"TestAMasterKeyIsRetired",
	},
	{
		"master keys: a process does not start without a key that stored values need",
		never,
		"TestAProcessWithoutANeededKeyDoesNotStart",
	},
	{
		"master keys: a process whose key is not the newest one hashes nothing again",
		swap("newest == ring.Current()", `newest != ""`),
		"TestOnlyTheNewestKeyReplacesHashes",
	},
	{
		"master keys: a hash is named only where there was never another key",
		swap(" || !single", ""),
		"TestHashesOfTheReleaseBeforeGetTheirKey",
	},
	{
		"master keys: a process whose key was retired ends",
		never,
		"TestAProcessLearnsThatItsKeyWasRetired",
	},
	{
		"master keys: one in front is not retired",
		swap("AND (in_front_at IS NULL OR in_front_at <= now() - $3::interval)", "AND $3::interval IS NOT NULL"),
		"TestAMasterKeyIsRetired",
	},
	{
		"master keys: one that something needs is not retired",
		never,
		"TestANeededKeyIsNotRetired",
	},
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
		"onboarding: the last step is sent with a consent to the summary",
		never,
		"TestALinkEndsWithASummaryAndConsent",
	},
	{
		"proofs: each is used once",
		never,
		"TestAttachedProofs",
	},
	{
		"onboarding: a confirmation in Temporal says by its proof who sent it",
		never,
		"TestAConfirmationProvesWhoSentIt",
	},
	{
		"payloads: what people entered is only read where a proof says who they are",
		never,
		"TestPayloadsInClearTextAreRefused",
	},
	{
		"invitations: only those of one's own organization are known already",
		match(`$`, `.Or("true")`),
		"TestAnAddressInvitedElsewhereBlocksNobody",
	},
	{
		"invitations: what others may have set up gets no role before its link is opened",
		never,
		"TestARoleOfAKnownPersonWaitsForItsLink",
	},
	{
		"identity: who proves an address ends what others hold of it",
		swap("ids...", "ids[:0]..."),
		"TestARoleOfAKnownPersonWaitsForItsLink",
	},
	{
		"identity: letters that look alike make another address",
		become(""),
		"TestAnIdentityIsInvitedByItsAddressAsItIsSpelled",
	},
	{
		"identity: an account without a subject is nobody's",
		never,
		"TestAnIdentityIsInvitedByItsAddressAsItIsSpelled",
	},
	{
		"sign-in: attempts count before they are tried",
		never,
		"TestManyPasswordsAtOnceAreNoMoreThanTheLimit|TestManyCodesAtOnceAreNoMoreThanTheLimit",
	},
	{
		"sign-in: who knows the password of one account of an address guesses those of the others no more often",
		never,
		"TestSignInsThatSucceedAreGivenBack",
	},
	{
		"sign-in: a device is known by a cookie that Levy has signed",
		never,
		"TestADeviceThatSignedInBeforeIsNotLockedOut",
	},
	{
		"sign-in: a device that is forgotten tries nothing while others are refused",
		never,
		"TestADeviceThatSignedInBeforeIsNotLockedOut",
	},
	{
		"sign-in: a device tries its own accounts",
		never,
		"TestADeviceThatSignedInBeforeIsNotLockedOut",
	},
	{
		"sign-in: an address that had its turn goes behind the others",
		swap("append(p.turns, peer)", "append([]netip.Addr{peer}, p.turns...)"),
		"TestPasswordsOfOneAddressDelayOthersByTwoHashes",
	},
	{
		"recovery codes: each signs in once",
		swap(" AND used_at IS NULL", ""),
		"TestSessions",
	},
	{
		"erasure: an answer that was erased is not opened",
		never,
		"TestAnswersWithTaxIDsAreSealed",
	},
	{
		"saved keys: what came after the file stays",
		never,
		"TestRestoredWrappedKeysKeepErasedDataErased",
	},
	{
		"saved keys: a database that was restored to before a file does not overwrite it",
		never,
		"TestRestoredWrappedKeysKeepErasedDataErased",
	},
	{
		"backups: an object that was changed in the object store is not restored",
		never,
		"TestAnObjectThatIsMissingOrWasChangedIsNotRestored",
	},
	{
		"keys: creations of one organization wait for each other",
		swap(`Locking{Strength: "NO KEY UPDATE"}`, "Returning{}"),
		"TestAnOrganizationHasAtMostTwentyActiveKeys",
	},
	{
		"payloads: one that was sealed for another workflow is not read",
		never,
		"TestCodec",
	},
	{
		"sign-in: the token is the answer to this sign-in, and not one of another",
		never,
		"TestIdentify",
	},
	{
		"sign-in: whoever comes back began in this browser",
		withoutLast("||"),
		"TestPeopleSignInAtTheProvider",
	},
	{
		"step-up: what gives access needs a proof that is new",
		swap("c.Person.Proven", "true"),
		"TestAPersonWithAnOldProofIsAsked",
	},
	{
		"step-up: only the right password proves who uses a session",
		never,
		"TestAPasswordProvesItsSession",
	},
	{
		"step-up: a session that has ended is not proved again",
		never,
		"TestASessionIsProvenForFiveMinutes",
	},
	{
		"step-up: the same person signs in again",
		never,
		"TestASessionIsProvenAtTheProvider",
	},
	{
		"step-up: the provider has asked the person again",
		never,
		"TestASessionIsProvenAtTheProvider",
	},
	{
		"codec: only staff opens payloads",
		swap("!person.IsStaff()", "false"),
		"TestTheRolesOfTheDocsAreThoseOfTheTemporalUI",
	},
	{
		"codec: only operators send payloads",
		swap("does == worker.CodecEncodes", "false"),
		"TestTheRolesOfTheDocsAreThoseOfTheTemporalUI",
	},
	{
		"proofs: only an operator uses one",
		drop,
		"TestTheRolesOfTheDocsAreThoseOfTheTemporalUI",
	},
	{
		"mails: only the person gets the link of an invitation",
		never,
		"TestWithMailOnlyThePersonGetsALink",
	},
	{
		"mails: only the person gets a new link",
		never,
		"TestWithMailOnlyThePersonGetsALink",
	},
	{
		"mails: a late attempt makes no link",
		swap("tries = ?", "tries <= ? + 100"),
		"TestAMailHasOneAttemptAtATime",
	},
	{
		"mails: an organization sends as many as it may",
		swap(">= $1", ">= $1 + 100"),
		"TestAnOrganizationSendsAsManyMailsAsItMay",
	},
	{
		"mails: a plain connection stays on this machine",
		never,
		"TestNoMessageTravelsInTheClear",
	},
	{
		"passkeys: the device has checked who uses it",
		swap("protocol.VerificationRequired", "protocol.VerificationDiscouraged"),
		"TestAPasskeySignsInAlone",
	},
	{
		"tokens: Levy has written what a browser brings back",
		never,
		"TestAPasskeySignsInAlone",
	},
	{
		"sign-in: the proof of a removed passkey begins no session",
		never,
		"TestAProofOfARemovedPasskeyBeginsNoSession",
	},
	{
		"sign-in: a challenge ends with the password",
		never,
		"TestAChallengeEndsWithThePassword",
	},
	{
		"passkeys: a challenge ends",
		never,
		"TestAChallengeAnswersForOneThing",
	},
	{
		"passkeys: a challenge answers for nothing else",
		never,
		"TestAChallengeAnswersForOneThing",
	},
	{
		"passkeys: a challenge is answered in its session",
		never,
		"TestAChallengeAnswersForOneThing",
	},
	{
		"passkeys: a challenge is answered once",
		never,
		"TestAPasskeySignsInAlone",
	},
	{
		"passkeys: only an active person signs in",
		swap("person.Status != models.UserActive", "false"),
		"TestAPasskeySignsInAlone",
	},
	{
		"passkeys: the second step is that of the person whose password was right",
		never,
		"TestAPasskeyIsTheSecondStep",
	},
	{
		"passkeys: who has one does not sign in with the password alone",
		swap("len(keys) == 0", "len(keys) >= 0"),
		"TestAPasskeyIsTheSecondStep",
	},
	{
		"passkeys: a second factor that was never confirmed takes no place of a passkey",
		swap("f.ConfirmedAt == nil", "false"),
		"TestACodeThatWasNeverConfirmedIsNone",
	},
	{
		"passkeys: a person who has one proves by it, and not by the password alone",
		never,
		"TestAChallengeAnswersForOneThing",
	},
	{
		"passkeys: a session is proved by a passkey of its own person",
		swap("person.ID != u.ID", `person.ID == ""`),
		"TestAChallengeAnswersForOneThing",
	},
	{
		"passkeys: a credential belongs to one account of the installation",
		swap("DoNothing: true", "UpdateAll: true"),
		"TestAPasskeyBelongsToOneAccount",
	},
	{
		"passkeys: the counter of a device never goes back",
		swap("counter = 0 AND ?::bigint = 0", "? >= 0"),
		"TestACopiedPasskeyIsRefused",
	},
	{
		"passkeys: those of a removed person end",
		swap("dropPasskeys(tx, id)", "0, error(nil)"),
		"TestPasskeysEndWithWhatTheyStandBeside",
	},
	{
		"passkeys: they sign in without the password that a link sets, and end with the one before",
		swap("dropPasskeys(tx, u.ID)", "0, error(nil)"),
		"TestPasskeysEndWithWhatTheyStandBeside",
	},
	{
		"passkeys: what a lost device has open ends with its passkey",
		swap("endSessions(tx, actor.UserID, session...)", "error(nil)"),
		"TestOtherSessionsEnd",
	},
	{
		"sign-in: a reset of the second step ends the other sessions",
		swap("endSessions(tx, u.ID, with.Session...)", "nil"),
		"TestOtherSessionsEnd",
	},
	{
		"sign-in: a new password ends the sessions of the one before",
		swap("endSessions(tx, u.ID)", "nil"),
		"TestOtherSessionsEnd",
	},
	{
		"passkeys: the operator learns who cannot sign in",
		swap("s.People.WithPasskeysAlone(ctx)", "0, error(nil)"),
		"TestPeopleWithPasskeysAloneAreCounted",
	},
	{
		"sign-in: letters that look alike make another domain",
		swap("models.SameAddress", "strings.EqualFold"),
		"TestIdentify",
	},
	{
		"cookies: browsers come back by TLS",
		always,
		"TestBrowsersComeBackByTLS",
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
		"giving: a key that works from some addresses gives nobody a role, which works from everywhere",
		never,
		"TestAKeyIsUsedFromItsNetworksAlone",
	},
	{
		"cookies: a new session is not taken from the name that other hosts can set",
		withoutLast("||"),
		"TestANewSessionHasTheNameOfTheHost",
	},
	{
		"sign-in: a state comes back once",
		never,
		"TestAStateOfTheProviderIsUsedOnce",
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
		"giving: a key that ends gives nobody a role, which would stay",
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
		"settings: a worker gives a reason once, and again after a minute",
		swap("err.Error() != reason", "true"),
		"TestAWorkerSaysOnceWhyItCannotUseTemporal",
	},
	{
		"quotas: an organization stores no more than it may",
		never,
		"TestAClientHasAPartOfTheStorageQuota",
	},
	{
		"erasure: no saved view names who was erased",
		swap("named", "named[:0]"),
		"TestSavedViewsThatNameAnErasedSubjectAreDeleted",
	},
	{
		"views: an organization has a limit of shared views",
		never,
		"TestViewsAreSharedInAnOrganization",
	},
	{
		"views: a person shares a view only with an organization of its own",
		never,
		"TestViewsAreSharedInAnOrganization",
	},
	{
		"pace: the time of a client is renewed by bytes only",
		always,
		"TestABodyArrivesAtTheLeastRate",
	},
	{
		"assets: only an address with the hash of its content may be stored",
		always,
		"TestAssetsAreStoredByTheirContent",
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
		"limits: an organization has no more notices than it may",
		never,
		"TestNoticesThatAreRefused",
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
	{
		"pace: a download that is not read ends",
		never,
		"TestADownloadThatIsReadTooSlowlyIsEnded",
	},
	{
		"passkeys: an answer is bounded before it is checked",
		never,
		"TestAnAnswerOfAPasskeyIsBounded",
	},
	{
		"passkeys: a new passkey is bounded before it is checked",
		never,
		"TestOnlyAPasskeyOfThisInstallationIsAdded",
	},
	{
		"passkeys: a public key is bounded",
		never,
		"TestOnlyAPasskeyOfThisInstallationIsAdded",
	},
	{
		"sign-in: a proof of an older password begins no session",
		swap("*is != *proven", "false"),
		"TestAProofOfAnOlderPasswordBeginsNoSession",
	},
	{
		"passkeys: a session that has ended adds none",
		never,
		"TestAPasskeyBelongsToOneAccount",
	},
	{
		"logins: workers give nobody a role",
		swap("w.runner AND", "false AND"),
		"TestTheRolesOfADeployment",
	},
	{
		"logins: workers read nothing of how people sign in",
		swap("w.runner AND", "false AND"),
		"TestTheRolesOfADeployment",
	},
	{
		"profiles: nobody reads them unless the operator asks for it",
		always,
		"TestPrivateRoutesAreNotPublic",
	},
	{
		"quotas: a partner stores no more than it may",
		never,
		"TestAPartnerHasQuotas",
	},
	{
		"quotas: a partner makes no more organizations than it may",
		never,
		"TestAPartnerHasQuotas",
	},
	{
		"clients: an estimate is also a page of one",
		always,
		"TestEstimatesAreReadByPublicClients",
	},
	{
		"clients: simulate_nexus_met simulates a registration",
		swap(" || r.Params.SimulateNexusMet", ""),
		"TestEstimatesAreReadByPublicClients",
	},
	{
		"clients: the code of a state counts beside its other name",
		swap(" && !to.set", ""),
		"TestTheCodeOfAStateCountsBesideItsName",
	},
	{
		"clients: a media type of weight 0 is refused",
		always,
		"TestAnUnknownAddressIsAPageForBrowsers",
	},
	{
		"clients: only an exemption that is over is sent as expired",
		never,
		"TestAnExemptionIsSentAsExpired",
	},
	{
		"shares: a client leaves the share of its partner to the other clients",
		never,
		"TestAClientLeavesTheShareOfItsPartnerToOthers",
	},
	{
		"shares: a partner borrows only while no other asks",
		never,
		"TestAPartnerBorrowsWhatIsIdle",
	},
	{
		"slots: a partner borrows only while no other has work",
		never,
		"TestAPartnerGetsMoreWhileNobodyElseWaits",
	},
	{
		"slots: a client leaves the share of its partner to the other clients that have work",
		never,
		"TestAClientCannotUseTheShareOfItsPartner",
	},
}
