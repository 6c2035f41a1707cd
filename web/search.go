package web

import (
	"net/url"
	"strings"
	"unicode/utf8"
)

// found is the result of a search.
type found struct {
	Items []foundRecord `json:"items"`
	More  []string      `json:"more"` // types with further results
	Q     string
}

// Short reports whether the text is too short to find parts of order numbers and names.
func (f found) Short() bool { return utf8.RuneCountInString(strings.TrimSpace(f.Q)) < 3 }

type foundRecord struct {
	Type    string `json:"type"`
	Org     string `json:"organization_id"`
	OrgName string `json:"organization_name"`
	ID      string `json:"object_id"`
	Title   string `json:"title"`

	// Of a return or a registration; a registration has no period.
	Place  string `json:"place"`
	Status string `json:"status"`
	Start  string `json:"start_date"`
	End    string `json:"end_date"`
}

// Label returns the text of a result: its title, or its jurisdiction, period and status.
func (f foundRecord) Label() string {
	switch {
	case f.Place == "":
		return f.Title
	case f.Start == "":
		return f.Place + ", " + strings.ToLower(sentence(f.Status))
	}
	return f.Place + " " + day(f.Start) + " – " + day(f.End) + ", " + strings.ToLower(sentence(f.Status))
}

// search finds records of all organizations that the person sees.
func (c *Console) search(v *pageRequest) error {
	list := found{Q: v.URL.Query().Get("q")}
	if list.Q == "" {
		return v.show("Search", list)
	}
	if err := v.getLive("/v1/search", "q="+url.QueryEscape(list.Q), &list); err != nil {
		return err
	}
	return v.show("Search", list)
}
