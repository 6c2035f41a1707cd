package main

// mutantsOfPeople are the guards of how people sign in, and how they prove who they are.
var mutantsOfPeople = []mutant{
	{
		"proofs: each is used once",
		never,
		"TestAttachedProofs",
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
		"identity: an account without a subject belongs to no identity",
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
		"sign-in: the token is the answer to this sign-in, and not one of another",
		never,
		"TestIdentify",
	},
	{
		"sign-in: a person who comes back began in this browser",
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
		"mails: an onboarding link hands over no invitation that is sent",
		always,
		"TestWithMailALinkHandsOverNoInvitation",
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
		swap("coalesce(s.n, 0)", "0"),
		"TestAnOrganizationSendsAsManyMailsAsItMay",
	},
	{
		"mails: those about work leave room for those about access",
		swap("@most_work::int", "@most_work::int + 100"),
		"TestMailsAboutAccessGoFirst",
	},
	{
		"mails: a person gets no kind that was turned off",
		swap("m.kind", "'none'::text"),
		"TestATurnedOffKindIsNeitherPlannedNorSent",
	},
	{
		"mails: none is planned of a kind that was turned off",
		swap("NOT p.off @>", "NOT '[]'::jsonb @>"),
		"TestATurnedOffKindIsNeitherPlannedNorSent",
	},
	{
		"mails: an archived organization sends none",
		swap(" AND a.status = 'ACTIVE'", ""),
		"TestATurnedOffKindIsNeitherPlannedNorSent",
	},
	{
		"mails: an organization without e-mails is in none",
		swap("o.disable_emails", "false"),
		"TestEventsOfAnHourAreOneMail",
	},
	{
		"mails: turning a kind on ends the addresses in its mails",
		always,
		"TestTheAddressInAMailTurnsOffItsKind",
	},
	{
		"mails: a client gets as many links as it may",
		swap("taken.OfClient >=", "taken.OfClient >= 100+"),
		"TestLinksByMailAreLimited",
	},
	{
		"mails: a partner sends as many links as it may",
		swap("taken.OfPartner >=", "taken.OfPartner >= 100+"),
		"TestLinksByMailAreLimited",
	},
	{
		"mails: a link that was opened is not reminded of",
		swap("(m.kind = 'ONBOARDING_LINK' OR l.opened_at IS NULL)", "true"),
		"TestAnUnusedLinkIsRemindedOfOnce",
	},
	{
		"mails: a refused sender fails no mail for good",
		swap("r.What, r.Permanent = \"the sender\", false", "r.What = \"the sender\""),
		"TestARefusalSaysWhatWasRefused",
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
		"sign-in: a changed password ends the other sessions",
		swap("endSessions(tx, actor.UserID, session...)", "error(nil)"),
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
		"cookies: a new session is not taken from the name that other hosts can set",
		never,
		"TestANewSessionHasTheNameOfTheHost",
	},
	{
		"sign-in: a state comes back once",
		never,
		"TestAStateOfTheProviderIsUsedOnce",
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
		"logins: workers give no person a role",
		swap("w.runner AND", "false AND"),
		"TestTheRolesOfADeployment",
	},
	{
		"logins: workers read nothing of how people sign in",
		swap("w.runner AND", "false AND"),
		"TestTheRolesOfADeployment",
	},
}
