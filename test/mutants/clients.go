package main

// mutantsOfClients are the guards of the clients of the API, and of what each of them may use.
var mutantsOfClients = []mutant{
	{
		"quotas: an organization stores no more than it may",
		never,
		"TestAClientHasAPartOfTheStorageQuota",
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
		"limits: an organization has no more notices than it may",
		never,
		"TestNoticesThatAreRefused",
	},
	{
		"pace: a download that is not read ends",
		never,
		"TestADownloadThatIsReadTooSlowlyIsEnded",
	},
	{
		"profiles: no caller reads them unless the operator asks for it",
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
