package models

// Quotas limit the use of a partner with all its clients, and of one organization. The zero value means the defaults.
type Quotas struct {
	// Storage is for documents of exemptions and files of imports, in bytes. Default 20 GiB.
	Storage int64
	// OwnStorage is the part that one client may use, unless it has a quota of its own. Default a quarter.
	OwnStorage int64
	// Organizations is how many the partner may create in 24 hours, deleted ones included. Default 10,000.
	Organizations int
}

// OrDefault returns the quotas with defaults for zero values.
func (q Quotas) OrDefault() Quotas {
	if q.Storage <= 0 {
		q.Storage = 20 << 30
	}
	if q.OwnStorage <= 0 {
		q.OwnStorage = max(1, q.Storage/4)
	}
	if q.Organizations <= 0 {
		q.Organizations = 10_000
	}
	return q
}

// Stored is how many bytes an organization and its partner store, and may store.
type Stored struct {
	Own, Most              int64
	ByDefault              bool // it has no quota of its own
	Partner, MostOfPartner int64
}

// The subjects of a *LimitError of quotas.
const (
	LimitStorage       = "bytes that a partner stores"
	LimitOwnStorage    = "bytes that an organization stores"
	LimitOrganizations = "organizations that a partner makes in 24 hours"
)
