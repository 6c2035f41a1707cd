package models

import "time"

// SavedView is a filter of a list of the console that a person has given a name.
type SavedView struct {
	UserID    string `gorm:"primaryKey"`
	List      string `gorm:"primaryKey"`
	NameKey   string `gorm:"primaryKey"` // the name as it is compared, see NormalizeName
	Name      string
	Query     string // parameters of the list, as a query string sorted by name
	UpdatedAt time.Time
}

// LimitSavedViews is what a LimitError of saved views says.
const LimitSavedViews = "saved views"

// MaxSavedViews is how many views a person may have, of all lists.
const MaxSavedViews = 20
