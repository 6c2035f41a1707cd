package models

import "time"

// LimitCalendarFeeds is the subject of a LimitError of calendar feeds.
const LimitCalendarFeeds = "calendar feeds"

// MaxCalendarFeeds is the most calendar feeds of an organization.
const MaxCalendarFeeds = 20

// CalendarFeed is a secret address at which programs read the calendar of the returns of an organization and its clients.
type CalendarFeed struct {
	OrganizationID string `gorm:"primaryKey"`
	ID             string `gorm:"primaryKey"`
	Name           string
	Hash           []byte
	MasterKeyID    *string // of the hash; nil if it is not known
	MadeBy         string  // the name of the person, or the id of the key
	CreatedAt      time.Time
	ExpiresAt      *time.Time // the end of the key that made it; nil for none
	LastReadAt     *time.Time // to the minute; nil for never
}

// Days of the returns in a calendar feed, counted from today.
const (
	FeedDaysBefore = 90
	FeedDaysAfter  = 400
)
