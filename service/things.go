package service

// Fate is what becomes of a thing when its maker ends.
type Fate string

// Fates of things.
const (
	FateEnds  Fate = "ends"
	FateNamed Fate = "named"   // it works on, and the answer names it for a decision
	FateStays Fate = "stays"   // it is a record of the organization
	FateNone  Fate = "no such" // such a maker makes none
)

// Thing is a kind of record that people and keys make, and that gives access or goes on by itself.
type Thing struct {
	Kind       string
	Operations []string // that make it, each with the role and scope of its rule
	// MakerNeeds is what its maker must have beside that role and scope.
	MakerNeeds string
	// These are its fates with the revoked key, the leaked key and the removed person that made it. Ended is that with the
	// grant under which a partner made it.
	Revoked, Leaked, Removed, Ended Fate
}

// Things returns all kinds. The store of makers ends them.
func Things() []Thing {
	return []Thing{
		{"invitation", []string{"inviteUser", "updateUser"}, "all that the role may, and a key no end",
			FateEnds, FateEnds, FateEnds, FateEnds},
		{"accepted invitation", []string{"inviteUser", "updateUser"}, "likewise", FateNamed, FateNamed, FateNamed, FateNamed},
		{"onboarding link", []string{"makeOnboardingLink"}, "the client's partner; it ends no later than its key",
			FateEnds, FateEnds, FateEnds, FateEnds},
		{"calendar feed", []string{"createCalendarFeed"}, "a key also the scope read and no allowed_addresses; it ends no later than its key",
			FateEnds, FateEnds, FateEnds, FateEnds},
		{"API key", []string{"createAPIKey", "rotateAPIKey"}, "all its scopes, and no earlier end; a partner a grant",
			FateNamed, FateEnds, FateNamed, FateEnds},
		{"webhook endpoint", []string{"createWebhookEndpoint"}, "", FateNamed, FateEnds, FateNamed, FateNamed},
		{"session", []string{"signIn"}, "the password and the second factor, a passkey, or the account", FateNone, FateNone, FateEnds, FateEnds},
		{"passkey", []string{"setPasskey"}, "a session that was just proved; with one the password alone signs in no more",
			FateNone, FateNone, FateEnds, FateNone},
		{"preferences", []string{"setPreferences"}, "a session; only its person has them", FateNone, FateNone, FateEnds, FateNone},
		{"saved view", []string{"setSavedView"}, "a session, and a role in the organization with which it is shared",
			FateNone, FateNone, FateEnds, FateNone},
		{"access at an authority", []string{"changeAuthorityConnection"}, "a session; the authority ends it, or a person of the organization",
			FateNone, FateNone, FateStays, FateStays},
		{"export", []string{"exportTransactions", "exportRejectedRows", "exportOnboardings", "exportFilingWorksheet",
			"exportDueFilings", "exportReport", "exportProducts", "exportCustomers", "exportFilings", "exportRegistrations",
			"exportAudit", "exportExemptions", "exportTransactionImports", "exportNexus", "exportPhysicalNexus",
			"exportRateOverrides", "exportUsers", "exportAPIKeys", "exportWebhookEndpoints", "exportWebhookDeliveries",
			"exportNotices", "exportOrganizations"},
			"the right until its last row", FateEnds, FateEnds, FateEnds, FateEnds},
		{"import", []string{"createTransactionImport"}, "", FateStays, FateStays, FateStays, FateStays},
	}
}
