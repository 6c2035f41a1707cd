package people

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"gorm.io/gorm"

	"levy/models"
)

// shortestPart is the length in letters from which a part of a text counts as a name. A shorter value is only found as a
// whole text.
const shortestPart = 3

// identity is what names a subject in free texts.
type identity struct {
	everywhere []string // names no other person
	near       []string // may name others, where people do not work for an organization of the subject
	words      []string // of the name
	phone      string
	// organizations are those of the subject.
	organizations []string
}

// identityOf reads what names a person or a customer of an organization.
func identityOf(tx *gorm.DB, id, organizationID string) (who identity, err error) {
	if models.IsID(models.PrefixCustomer, id) {
		var c models.Customer
		if err = tx.Take(&c, "organization_id = ? AND id = ?", organizationID, id).Error; err != nil {
			return who, err
		}
		if c.ExternalID == "erased-"+id {
			return who, nil
		}
		who = identity{phone: text(c.Phone), organizations: []string{organizationID}}
		who.add(&who.everywhere, id, text(c.Email))
		who.add(&who.near, text(c.Name), c.ExternalID, text(c.ExternalFriendlyID), text(c.RegistrationNumber),
			text(c.Street1), text(c.FullAddress))
		for _, registration := range c.TaxRegistrations {
			who.add(&who.near, registration.TaxID)
		}
		who.addWords(text(c.Name))
		return who, nil
	}
	var u models.User
	if err = tx.Take(&u, "id = ?", id).Error; err != nil || u.Name == erasedName {
		return who, err
	}
	who.add(&who.everywhere, id, u.Email)
	who.add(&who.near, u.Name)
	who.addWords(u.Name)
	err = tx.Model(&models.Membership{}).Where("user_id = ?", id).Pluck("organization_id", &who.organizations).Error
	return who, err
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func (who *identity) add(to *[]string, values ...string) {
	for _, value := range values {
		if value = models.NormalizeName(value); value != "" {
			*to = append(*to, value)
		}
	}
}

func (who *identity) addWords(name string) {
	for _, word := range strings.FieldsFunc(models.NormalizeName(name), notOfWord) {
		if len([]rune(word)) >= shortestPart {
			who.words = append(who.words, word)
		}
	}
}

// heldView is a view, and whether its person works for an organization of the subject.
type heldView struct {
	models.SavedView
	Near bool
}

// viewsNaming returns the views of others that name a subject, and those that hold only a part of its name.
func viewsNaming(tx *gorm.DB, who identity) (whole, part []models.SavedView, err error) {
	if len(who.everywhere) == 0 {
		return nil, nil, nil
	}
	var all []heldView
	err = tx.Raw(`
		SELECT v.*, u.staff_role IS NOT NULL OR EXISTS (SELECT FROM memberships m
		         JOIN organizations o ON o.id IN ? AND m.organization_id IN (o.id, o.parent_organization_id)
		        WHERE m.user_id = v.user_id) AS near
		  FROM saved_views v JOIN users u ON u.id = v.user_id ORDER BY v.user_id, v.list, v.name_key`,
		who.organizations).Scan(&all).Error
	for _, v := range all {
		texts := textsOf(v.SavedView)
		switch {
		case anyHolds(texts, who.everywhere), v.Near && (anyHolds(texts, who.near) || anyCalls(texts, who.phone)):
			whole = append(whole, v.SavedView)
		case v.Near && anyHolds(texts, who.words):
			part = append(part, v.SavedView)
		}
	}
	return whole, part, err
}

// textsOf returns the texts of a view in which a name may stand.
func textsOf(v models.SavedView) []string {
	texts := []string{v.NameKey}
	query, _ := url.ParseQuery(v.Query) // the well-formed part
	for _, values := range query {
		for _, value := range values {
			texts = append(texts, models.NormalizeName(value))
		}
	}
	return texts
}

func anyHolds(texts, values []string) bool {
	return slices.ContainsFunc(texts, func(text string) bool {
		return slices.ContainsFunc(values, func(value string) bool { return holds(text, value) })
	})
}

// holds reports whether a text is a value, or has it between the bounds of words.
func holds(text, value string) bool {
	if text == value {
		return true
	}
	for len([]rune(value)) >= shortestPart {
		before, after, found := strings.Cut(text, value)
		if !found {
			return false
		}
		if !endsInWord(before) && !beginsWithWord(after) {
			return true
		}
		text = after
	}
	return false
}

// anyCalls reports whether a text has the digits of a phone number, however they are separated, or its last ones.
func anyCalls(texts []string, phone string) bool {
	const leastDigits = 7
	number := digits(phone)
	return len(number) >= leastDigits &&
		slices.ContainsFunc(texts, func(text string) bool {
			called := digits(text)
			return strings.Contains(called, number) || len(called) >= leastDigits && strings.HasSuffix(number, called)
		})
}

func digits(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return r
		}
		return -1
	}, s)
}

func notOfWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }

func beginsWithWord(s string) bool {
	for _, r := range s {
		return !notOfWord(r)
	}
	return false
}

func endsInWord(s string) bool {
	runes := []rune(s)
	return len(runes) > 0 && !notOfWord(runes[len(runes)-1])
}

// eraseViews deletes the views of others that name a subject.
func eraseViews(tx *gorm.DB, id, organizationID string) error {
	who, err := identityOf(tx, id, organizationID)
	if err != nil {
		return err
	}
	named, _, err := viewsNaming(tx, who)
	if err != nil {
		return err
	}
	// guard: erasure: no saved view names who was erased
	for _, v := range named {
		err := tx.Exec("DELETE FROM saved_views WHERE user_id = ? AND list = ? AND name_key = ?",
			v.UserID, v.List, v.NameKey).Error
		if err != nil {
			return err
		}
	}
	return nil
}
