package rules

import (
	"time"

	"levy/models"
)

// SecondPersonEnd is a request to end the second person for returns, and who asked first; nil if no admin did.
type SecondPersonEnd struct {
	First  *models.Actor
	Asked  time.Time
	By     models.Actor
	Now    time.Time
	Access []models.AccessSource
}

// Expired reports whether the first request is too old to be joined.
func (e SecondPersonEnd) Expired() bool { return !e.Now.Before(e.Asked.Add(models.SecondPersonAfter)) }

// EndsSecondPerson decides whether a request ends the second person for returns. The first admin asks for it, and
// another one ends it within models.SecondPersonAfter. The operator ends it for the only admin. Errors:
//   - models.ErrForbidden for a key, and for the operator if no admin asked;
//   - *models.SecondPersonError for an admin who may be the first one.
func EndsSecondPerson(e SecondPersonEnd) (bool, error) {
	asked := e.First != nil && !e.Expired()
	switch {
	case !isPerson(e.By), e.By.UserID == "" && !asked:
		return false, models.ErrForbidden
	// guard: second person: another admin ends it
	case !asked, sameActor(*e.First, e.By):
		return false, nil
	case SecondPersonFacts{Access: e.Access}.SameHand(*e.First, e.By):
		return false, &models.SecondPersonError{Reason: models.SecondPersonIsAdminsTwin}
	}
	return true, nil
}
