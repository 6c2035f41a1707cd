package main

// mutants are the guards that stand in statements and in code, each where its marker is. Those of the schema are
// dropped by the tests of their packages.
var mutants = []mutant{
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
		"acceptance: its outbox row in the same transaction",
		never,
		"TestAcceptWritesEverythingTogether",
	},
	{
		"rates: a typed rate is set after it was shown, and a leap after it was confirmed",
		never,
		"TestARateIsTypedInPercentAndShownOnAHundred",
	},
	{
		"filings: staff approve the amount that they have seen",
		never,
		"TestStaffChangeFilings",
	},
	{
		"nexus: a voluntary disclosure is not forfeited unknowingly",
		never,
		"TestRegisteringMayForfeitADisclosure",
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
		"sealing: tax ids are encrypted before they are stored",
		swap("key.Seal(organizationID, text)", "text"),
		"TestTaxIDsOfExemptionsAreSealed",
	},
	{
		"sealing: an answer with a tax id is encrypted before it is kept",
		always,
		"TestAnswersWithTaxIDsAreSealed",
	},
	{
		"sealing: a piece of a document is encrypted before it is stored",
		swap("key.Seal(a.PieceField(n), piece)", "piece"),
		"TestADocumentIsKeptByteForByte",
	},
	{
		"sealing: a personal value is encrypted before it leaves the request",
		swap("key.Seal(field, []byte(plain))", "[]byte(plain)"),
		"TestPersonalValuesAreSealedAndMasked",
	},
	{
		"sealing: the password of a portal is encrypted before it is stored",
		match(`key\.Seal\(.*\)$`, "[]byte(plain)"),
		"TestPasswordsOfPortalsAreSealed",
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
		"outbox: a lease skips what another relay holds",
		swap(" SKIP LOCKED", ""),
		"TestALeaseDoesNotWaitForAnother",
	},
	{
		"outbox: a lease puts off the next attempt",
		become(" interval '0'))"),
		"TestTheOutboxLeasesEachTransactionOnce",
	},
	{
		"stuck: a run that waits has no workflow task",
		never,
		"TestATaskIsLost",
	},
	{
		"stuck: a task that fails is not lost",
		never,
		"TestATaskIsLost",
	},
	{
		"stuck: an activity that a worker has, or that is paused, is not lost",
		never,
		"TestAnActivityIsLost",
	},
	{
		"relay: a batch whose next task was due a moment ago has progress",
		never,
		"TestRelay",
	},
	{
		"relay: slots of batches without progress come back ever more slowly",
		never,
		"TestRelay",
	},
	{
		"relay: a slot is kept for what is just sent",
		never,
		"TestRelay",
	},
	{
		"background: a part waits for what was just sent",
		never,
		"TestTheBackgroundYieldsToWhatWasJustSent",
	},
	{
		"stuck: a run that moved meanwhile goes on",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stuck: workers may be down",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stuck: workers may be busy",
		never,
		"TestRunsWithoutTheirTaskAreEnded",
	},
	{
		"stage: the previous status in the WHERE",
		become(" AND @statuses::text[] IS NOT NULL"),
		"TestStagesRunTwiceChangeNothing|TestStagesKeepTheirOrder",
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
		"coupons: what somebody reimburses stays in the base where the law says so",
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
		"figures: gross adds up to the sales of the return",
		swap("f.complete(figureGross, total.Sales)", "error(nil)"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"figures: owed adds up to the liability of the return",
		swap("f.complete(figureOwed, f.Liability)", "nil"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"figures: tax adds up to the calculated tax of the return",
		swap("f.complete(figureTax, f.AuthorityTotal.Tax)", "nil"),
		"TestFiguresOfATotalWithoutAnExplanation",
	},
	{
		"returns: the lines of a worksheet add up to what the filing owes",
		never,
		"TestLinesThatDoNotAddUpAreAnError",
	},
	{
		"returns: a discount is proposed until the due day",
		swap("m.Day <= calendar.DateOf(*m.Filing.DueDate)", "true"),
		"TestADiscountIsProposedUntilTheDueDay",
	},
	{
		"recompute: a claim of the return is not changed",
		never,
		"TestWhatIsClaimedIsNotRecomputed",
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
		"idempotency: one request with a key at a time",
		never,
		"TestTheSameKeyAtTheSameTimeInTwoProcesses",
	},
	{
		"idempotency: an answer is kept with its effect",
		always,
		"TestARepeatGetsTheFirstAnswerAndDoesNothing",
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
		"claim: a filing that is claimed claims nothing more",
		drop,
		"TestAClaimHappensOnce",
	},
	{
		"claim: its sums are written once",
		drop,
		"TestAClaimHappensOnce",
	},
	{
		"claim: the epoch of what it waited for",
		drop,
		"TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: only what is processed",
		drop,
		"TestAClaimTakesNoSaleThatChangedWhileItWaited",
	},
	{
		"claim: holds its registration against stages",
		swap(`pg.LockRegistration.Wait("f.registration_id")`, `"hashtext(f.registration_id)"`),
		"TestAStageDuringAClaimNeitherWaitsNorLosesTransactions|TestStagesAtOnceOpenOneAmendment",
	},
	{
		"claim: waits until its obligation is decided",
		never,
		"TestAReturnIsNotApprovedBeforeWhatItsRegistrationChangesIsCalculated|TestAReturnIsNotApprovedBeforeAPresenceIsEvaluated",
	},
	{
		"claim: an obligation that changes meanwhile undoes it",
		never,
		"TestAnApprovalIsRefusedWhenTheObligationChangesMeanwhile",
	},
	{
		"claim: what became unresolved meanwhile takes it back",
		never,
		"TestAnApprovalIsRefusedWhenATransactionBecomesUnresolvedMeanwhile",
	},
	{
		"claim: the amount that was claimed is the one that was approved",
		always,
		"TestTheExpectedAmountIsThatOfTheClaim",
	},
	{
		"claim: a return that was filed elsewhere claims what there is",
		withoutLast("&&"),
		"TestAStatusSaysWhatHappensToTheLines",
	},
	{
		"filing: a second person decides about it",
		swap("CheckSecondPerson(c.By, second)", "nil"),
		"TestADecisionAboutAReturnIsOfASecondPerson",
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
		"filing: one that ends without lines keeps its sums",
		never,
		"TestAStatusSaysWhatHappensToTheLines",
	},
	{
		"filing: a return that owes tax is not skipped",
		never,
		"TestAClaimIsCheckedBeforeItIsCommitted",
	},
	{
		"filing: an amendment that has something again is not cancelled",
		never,
		"TestAClaimIsCheckedBeforeItIsCommitted",
	},
	{
		"filing: an organization that changed its mind has its return not approved",
		never,
		"TestStepsThatAreNotDone",
	},
	{
		"filing: an answer to an attempt that is over changes nothing",
		never,
		"TestStepsThatAreNotDone",
	},
	{
		"filing: what takes the place of one that waited for people waits for them",
		withoutLast("||"),
		"TestWhatTakesThePlaceOfAFilingWaitsForPeople",
	},
	{
		"filing: a period that has begun keeps its frequency",
		swap("f.Start > today && ", ""),
		"TestFilingsThatARegistrationLeavesNobodyToFile",
	},
	{
		"credit: a release frees it",
		drop,
		"TestAReturnCarriesWhatItDoesNotOwe",
	},
	{
		"credit: a later period takes it off",
		swap(" AND s.end_date < f.start_date", ""),
		"TestTheOldestCreditIsTakenFirst",
	},
	{
		"credit: a return that is left to be filed takes it off",
		swap(" AND NOT EXISTS", " AND EXISTS"),
		"TestTheLastReturnTakesCreditOff",
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
		"findings: payments on account that no law read names are named",
		swap("f.prepaysByUnknownLaw()", "false"),
		"TestFindingsNameLawsThatWereNotRead",
	},
	{
		"findings: a treatment of credit that no law read names is in doubt",
		swap(`rule.Source == ""`, "false"),
		"TestFindingsNameLawsThatWereNotRead",
	},
	{
		"form: a difference that roundings do not explain is marked",
		swap("difference.CmpAbs(rounding) > 0", "false"),
		"TestATaxThatRoundingsDoNotExplainIsMarked",
	},
	{
		"findings: a difference of the form that roundings do not explain is in doubt",
		swap("differs && doubtful", "false"),
		"TestAReturnSaysWhatItsFormComputesOtherwise",
	},
	{
		"credit: a prepayment waits for its return",
		swap(" AND NOT EXISTS", " AND EXISTS"),
		"TestPrepaymentsAreTakenOffTheReturnOfTheirPeriod",
	},
	{
		"filing: what is not filed is changed, and not amended",
		swap("f.Status != FilingFiled || ", ""),
		"TestAFiledReturnIsAmendedOnDemand",
	},
	{
		"filing: a period has one open amendment",
		swap(` && u.open != ""`, " && false"),
		"TestAFiledReturnIsAmendedOnDemand",
	},
	{
		"filing: an amendment in which people entered amounts stays",
		swap(" || f.Entered()", ""),
		"TestStepsThatAreNotDone",
	},
	{
		"nexus: an obligation that is being applied is undecided",
		swap("x.applying IS NOT NULL OR ", ""),
		"TestAReturnIsNotApprovedAfterTheObligationChangedAndChangedBack",
	},
	{
		"nexus: a calculation by an outdated obligation is not saved",
		swap("t.epoch + 1", "t.epoch"),
		"TestACalculationByAnOutdatedObligationIsNotSaved",
	},
	{
		"nexus: what somebody decided is not evaluated yet",
		swap("0 * ", ""),
		"TestAReturnIsNotApprovedBeforeWhatItsRegistrationChangesIsCalculated|TestAReturnIsNotApprovedBeforeAPresenceIsEvaluated",
	},
	{
		"registration: economic nexus is proven by the sale that crossed the threshold",
		swap(" && p.Crossed", ""),
		"TestNexusThatLeadsToARegistration",
	},
	{
		"registration: a change is found again when the result was lost",
		swap("*r.ChangeReadBy == read.Reader", "false"),
		"TestARefreshReadsTheCurrentRecord",
	},
	{
		"registration: the European Union has its own switch",
		never,
		"TestNexusThatLeadsToARegistration",
	},
	{
		"nexus: a registration that is over says nothing of nexus",
		never,
		"TestTheNexusStatusOfARegistration",
	},
	{
		"amendment: a stage notes what comes late",
		become(" AND false"),
		"TestLateTransactionsGoToOneAmendment",
	},
	{
		"amendment: a stage notes what a claim under way may not see",
		become(" false"),
		"TestAStageDuringAClaimNeitherWaitsNorLosesTransactions",
	},
	{
		"answer: what is written and cannot be read is unknown",
		withoutFirst("||"),
		"TestAStepThatWasWrittenButCannotBeReadIsAnsweredAsUnknown",
	},
	{
		"cancelling: a first step that only the record knows of counts",
		match(`max\(([^,()]+), [^()]+\)`, "$1"),
		"TestCancelBeforeTheRunKnowsOfItsFirstStep",
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
		"filing: a change of one locks its registration",
		drop,
		"TestStepsOfTheWorkflowTakeEffectOnce|TestRefreshFilingNotesRemindersOnce",
	},
	{
		"nexus: two repairs at once do not add the same difference twice",
		swap("lockRecount, args[0]", `"SELECT $1::text", args[0]`),
		"TestTwoRepairsAddADifferenceOnce",
	},
	{
		"nexus: one organization that cannot be counted stops no other",
		swap("!= nil", "== nil"),
		"TestOneOrganizationStopsNoOtherRecount",
	},
	{
		"settings: a worker gives a reason once, and again after a minute",
		swap("err.Error() != reason", "true"),
		"TestAWorkerSaysOnceWhyItCannotUseTemporal",
	},
	{
		"migrations: an index that was built is not built again",
		never,
		"TestAKilledMigrationGoesOn",
	},
	{
		"migrations: concurrent statements wait for readers as long as these take",
		never,
		"TestAConcurrentMigrationWaitsForAReader",
	},
	{
		"events: who still writes holds the horizon back",
		swap("len(o.running) == 0", "len(o.running) >= 0"),
		"TestEventsCommittedInTheOtherOrderAreSeenInTheirOrder",
	},
	{
		"contract: a misspelt filter is refused",
		swap(`!= ""`, `== "?"`),
		"TestAMisspeltFilterIsRefused",
	},
	{
		"webhooks: what was delivered is saved before the batch ends",
		never,
		"TestADeliveredEventIsSavedWhileOthersAreUnderWay",
	},
	{
		"webhooks: a list waits for results that are about to be written",
		always,
		"TestAListOfDeliveriesWaitsForResults",
	},
	{
		"webhooks: a time-out ends the batch",
		never,
		"TestATimeoutEndsTheBatch",
	},
	{
		"webhooks: what a run may have missed is polled again",
		swap("polled.Running", "nil"),
		"TestThePollOfWebhooksReadsLittleWhileNothingHappens",
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
		"comparison: a table that has ended hides no wrong rate",
		swap(" && w.Code != WarningNotConfirmedSince", ""),
		"TestComparedLines",
	},
	{
		"passkeys: a session that has ended adds none",
		never,
		"TestAPasskeyBelongsToOneAccount",
	},
	{
		"places: a doubt about the state is told",
		never,
		"TestAPlaceThatCannotMatterIsNotTold",
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
		"refund: a sale that was rounded as one gives back what was allocated to the line",
		swap("== TaxPerDocument", "== JurisdictionPerLine"),
		"TestARefundOfADocumentFollowsItsAllocation",
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
		"import limits: a registered seller by mail order supplies in Switzerland",
		swap(" && slices.Contains(k.req.Registered, l.territory)", " && false"),
		"TestMailOrderToSwitzerland",
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
	{
		"nexus: a refund takes back no more than the collected tax of its sale",
		swap("towardsZero", "beyondZero"),
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale|TestCollectedTaxOfRandomRefundsIsThatOfTheirDocument",
	},
	{
		"nexus: stage 4 counts the collected tax of refunds under the lock of their sale",
		never,
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale",
	},
	{
		"nexus: the other refunds take back what a changed one took",
		never,
		"TestACancelledRefundLeavesCollectedTaxToOthers",
	},
	{
		"nexus: refunds in processing are not recounted",
		never,
		"TestARefundOfMoreTaxThanWasCollectedHidesNoOtherSale",
	},
	{
		"files: the first rows of an order bring its others along",
		never,
		"TestRowsOfOneOrderAreItsLines",
	},
	{
		"files: what this import has recorded is not already present",
		never,
		"TestTransactionsThatExistAlreadyAreDistinguished",
	},
	{
		"files: of the rows that are already present, a limited number is stored",
		never,
		"TestRowsThatWereAlreadyPresentAreListedUpToALimit",
	},
	{
		"files: an order with a line more or less than the recorded one is another order",
		never,
		"TestAnImportComparesEveryColumnWithTheRecord",
	},
	{
		"files: a zero is put back only where the ZIP codes of the state begin with it",
		always,
		"TestALostZeroOfAZIPIsRestoredWhereTheStateHasIt",
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
		"lists: an order without an index sorts a bounded number of rows",
		always,
		"TestOrdersWithoutAnIndexAreBounded",
	},
	{
		"identifiers: one that is needed is not empty",
		never,
		"TestOtherBodies",
	},
	{
		"identifiers: a stored one with white space around it is found without",
		swap(`+ Trimmed(column) + " = "`, `+ column + " = "`),
		"TestASaleFindsRecordsWithPaddedIdentifiers",
	},
	{
		"identifiers: a new one that equals a padded one is its duplicate",
		always,
		"TestPaddedIdentifiersAreTaken",
	},
	{
		"identifiers: one that an answer shows is no change",
		swap("strings.TrimSpace(stored)", "stored"),
		"TestPaddedRecordsAreWrittenBack",
	},
	{
		"identifiers: a note names a line without the white space around its stored identifier",
		swap("sameIdentifier(*of.ExternalID, *item.ExternalID)", "*of.ExternalID == *item.ExternalID"),
		"TestANoteNamesLinesWithPaddedIdentifiers",
	},
	{
		"rejected rows: no cell is a formula",
		swap("w.TextOf(", "w.Cell("),
		"TestRejectedRowsHaveNoFormulas",
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
