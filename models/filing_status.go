package models

// FilingStatus is the state of a filing; see FilingStatusMachine.
type FilingStatus string

// Filing states.
const (
	FilingUnfiled   FilingStatus = "UNFILED"
	FilingFiling    FilingStatus = "FILING"
	FilingFiled     FilingStatus = "FILED"
	FilingPaused    FilingStatus = "PAUSED"
	FilingIssue     FilingStatus = "ISSUE"
	FilingSkipped   FilingStatus = "SKIPPED"
	FilingCancelled FilingStatus = "CANCELLED"
)

// Over reports whether the filing has ended for good.
func (s FilingStatus) Over() bool {
	return s == FilingFiled || s == FilingSkipped || s == FilingCancelled
}
