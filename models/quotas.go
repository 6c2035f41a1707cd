package models

// Quotas limit the use of a partner with all its clients. The zero value means the defaults.
type Quotas struct {
	// Storage is for documents of exemptions and files of imports, in bytes. Default 20 GiB.
	Storage int64
	// Organizations is how many the partner may create in 24 hours, deleted ones included. Default 10,000.
	Organizations int
}

// OrDefault returns the quotas with defaults for zero values.
func (q Quotas) OrDefault() Quotas {
	if q.Storage <= 0 {
		q.Storage = 20 << 30
	}
	if q.Organizations <= 0 {
		q.Organizations = 10_000
	}
	return q
}

// The subjects of a *LimitError of quotas.
const (
	LimitStorage       = "bytes that a partner stores"
	LimitOrganizations = "organizations that a partner makes in 24 hours"
)
