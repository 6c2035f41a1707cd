package models

// Quotas bound what a partner takes up with all its clients. The zero value means the defaults.
type Quotas struct {
	// Storage is for documents of exemptions and files of imports, in bytes. Default 20 GiB.
	Storage int64
	// Organizations are those that the partner makes in 24 hours, whatever becomes of them. Default 10,000.
	Organizations int
}

// OrDefault has a quota everywhere.
func (q Quotas) OrDefault() Quotas {
	if q.Storage <= 0 {
		q.Storage = 20 << 30
	}
	if q.Organizations <= 0 {
		q.Organizations = 10_000
	}
	return q
}

// What a *LimitError says of quotas.
const (
	LimitStorage       = "bytes that a partner stores"
	LimitOrganizations = "organizations that a partner makes in 24 hours"
)
