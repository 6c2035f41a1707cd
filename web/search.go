package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"levy/contract"
)

// found is the result of a search.
type found struct {
	contract.SearchResults

	Items []foundRecord
	Q     string
}

// Short reports whether the text is too short to find parts of order numbers and names.
func (f found) Short() bool { return utf8.RuneCountInString(strings.TrimSpace(f.Q)) < 3 }

// asked returns a text to search for: an amount with a decimal comma gets the form of the API. Other texts stay, also digits
// with points, which may be an identifier.
func (f personalForm) asked(text string) string {
	if number, fault := f.readAmount(strings.TrimSpace(text)); fault == "" && f.Decimal == "," && strings.Contains(text, ",") {
		return number
	}
	return text
}

// foundRecord is a result of a search.
type foundRecord struct{ contract.FoundRecord }

// Label returns the text of a result: its title, or its jurisdiction, period and status. A registration has no period.
func (f foundRecord) Label() string {
	switch {
	case f.Place == "":
		return f.Title
	case f.StartDate.IsZero():
		return f.Place + ", " + strings.ToLower(sentence(f.Status))
	}
	return f.Place + " " + day(plain(f.StartDate)) + " – " + day(plain(f.EndDate)) + ", " +
		strings.ToLower(sentence(f.Status))
}

// search finds records of all organizations that the person sees.
func (c *Console) search(v *pageRequest) error {
	list := found{Q: v.URL.Query().Get("q")}
	if list.Q == "" {
		return v.show("Search", list)
	}
	asked := formOf(v.user.preferences(), "").asked(list.Q)
	results, err := v.session.Search(v.Context(), contract.SearchRequest{Params: contract.SearchParams{Q: asked}})
	if err != nil {
		return err
	}
	list.SearchResults = results
	for _, each := range results.Items {
		list.Items = append(list.Items, foundRecord{each})
	}
	if err := v.follow("/v1/search", "q="+url.QueryEscape(asked), results); err != nil {
		return err
	}
	return v.show("Search", list)
}
