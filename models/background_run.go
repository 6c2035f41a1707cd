package models

// BackgroundRun says how far a background migration is.
type BackgroundRun struct {
	Version  int64  `json:"version"`
	File     string `json:"file"` // "" of a release that this program does not know
	Table    string `json:"table"`
	Rows     int64  `json:"rows"`          // that its batches have read
	Expected int64  `json:"rows_expected"` // about how many the table has
	Seconds  int64  `json:"seconds"`       // since it was recorded
	Failure  string `json:"failure"`       // of the last batch; "" for none
}
