package models

// LargestShare is the organization with the largest share of something, in percent. The id is empty if there is none.
type LargestShare struct {
	OrganizationID string
	Percent        int64
}
