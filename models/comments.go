package models

import "time"

// Types of the records that have comments.
const (
	CommentOnTransaction  = "transaction"
	CommentOnFiling       = "filing"
	CommentOnNotice       = "notice"
	CommentOnRegistration = "registration"
	CommentOnOrganization = "organization"
)

// CommentSubject is the record of an organization that comments are about.
type CommentSubject struct{ Type, ID string }

// Comment is what a person has written about a record.
type Comment struct {
	ID          string
	Subject     CommentSubject
	Author      Colleague
	CreatedAt   time.Time
	WithdrawnAt *time.Time
	Versions    []CommentVersion // the first one first
	Mentions    []Colleague      // the people that it is for
}

// Text returns the text that counts; "" for a comment that was withdrawn.
func (c *Comment) Text() string {
	if c.WithdrawnAt != nil || len(c.Versions) == 0 {
		return ""
	}
	return c.Versions[len(c.Versions)-1].Text
}

// CommentVersion is a text that a comment had.
type CommentVersion struct {
	Text      string    `json:"text"`
	CreatedAt time.Time `json:"created_at"`
}

// CommentChange is a correction of a comment, or its end.
type CommentChange struct {
	Text     string // empty for no correction
	Withdraw bool
}

// Sides on which colleagues work.
const (
	SideOrganization = "ORGANIZATION"
	SidePartner      = "PARTNER"
	SideStaff        = "STAFF"
)

// Colleague is a person who sees an organization.
type Colleague struct {
	ID   string `json:"id"`
	Name string `json:"name"`
	Side string `json:"-"`
	// OrganizationID is that of the organization that the person sees.
	OrganizationID string `json:"-"`
	// Acts reports whether the role of the person allows to change records.
	Acts bool `json:"-"`
}

// Acts reports whether a role on a side allows to change records of an organization. granted is what its partner may do.
func Acts(side, role string, granted GrantRole) bool {
	has := Role(role)
	switch side {
	case SidePartner:
		has = granted.Role().AtMost(has)
	case SideStaff:
		has = StaffRole(role).OrganizationRole()
	}
	return has.Includes(RolePreparer)
}

// CommentMention is a comment that waits for a person.
type CommentMention struct {
	CommentID        string
	OrganizationID   string
	OrganizationName *string
	Subject          CommentSubject
	AuthorName       string
	Text             string
	At               time.Time
}

// LimitComments and LimitCommentVersions are subjects of a LimitError.
const (
	LimitComments        = "comments"
	LimitCommentVersions = "corrections of a comment"
)

// Limits of comments.
const (
	MaxComments         = 20000 // of an organization
	MaxCommentsOfRecord = 200
	MaxCommentVersions  = 20
)
