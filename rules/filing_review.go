package rules

import (
	"cmp"
	"slices"

	"levy/models"
	"levy/tax/money"
)

// FilingReviewFacts are what a review of a filing follows from. Before is nil without a filing of the period before in
// its currency.
type FilingReviewFacts struct {
	Filing         models.Filing
	Figures        models.FilingFigures
	Before         *models.Filing
	BeforeFigures  models.FilingFigures
	FindingsToRead int64 // errors and warnings
}

// MissingFigures returns the number of transactions of both filings whose figures are not written yet. A comparison by
// place would find changes that no one made.
func (x *FilingReviewFacts) MissingFigures() int64 {
	return x.Figures.Missing + x.BeforeFigures.Missing
}

// CheckFiling returns the checks before the approval. Errors: money.ErrOverflow.
func CheckFiling(facts *FilingReviewFacts) ([]models.FilingCheck, error) {
	f, missing := &facts.Filing, facts.MissingFigures()
	checks := []models.FilingCheck{
		{Code: models.CheckUnresolved, Passed: f.Unresolved.Transactions == 0, Count: int64(f.Unresolved.Transactions)},
		{Code: models.CheckCollected, Passed: !owes(f) || !f.AmountTaxCollected.IsZero()},
		{Code: models.CheckFindings, Passed: facts.FindingsToRead == 0, Count: facts.FindingsToRead},
		{Code: models.CheckFiguresKnown, Passed: missing == 0, Count: missing},
	}
	if facts.Before == nil {
		return append(checks, models.FilingCheck{Code: models.CheckNothingBefore, Passed: true}), nil
	}
	unusual, err := changedUnusually(facts.Before.TotalTaxLiability, f.TotalTaxLiability)
	return append(checks, models.FilingCheck{Code: models.CheckUnusual, Passed: !unusual}), err
}

// owes reports whether a filing has tax to remit.
func owes(f *models.Filing) bool {
	return f.TotalTaxLiability.IsPositive()
}

// changedUnusually reports whether tax changed by more than half of what it was.
func changedUnusually(before, now money.Total) (bool, error) {
	change, err := now.Minus(before)
	if err != nil {
		return false, err
	}
	double, err := absolute(change).Plus(absolute(change))
	if err != nil {
		return false, err
	}
	over, err := double.Minus(absolute(before))
	return !change.IsZero() && over.IsPositive(), err
}

func absolute(t money.Total) money.Total {
	if t.IsNeg() {
		return t.Neg()
	}
	return t
}

// placeOfReview is a jurisdiction of a filing with its sums.
type placeOfReview struct {
	owed, taxable money.Total
	rates         []string // that taxed something, in their order
}

// placeKey identifies a jurisdiction below an authority.
type placeKey struct{ level, name string }

// ComparePlaces returns the tax by jurisdiction in two filings, the largest change first. It adds up figures that the filings
// have and decides no tax. Errors: money.ErrOverflow.
func ComparePlaces(now, before []models.FilingFigure) ([]models.PlaceChange, error) {
	current, err := placesOf(now)
	if err != nil {
		return nil, err
	}
	earlier, err := placesOf(before)
	if err != nil {
		return nil, err
	}
	var all []models.PlaceChange
	for key, place := range current {
		change := models.PlaceChange{Level: key.level, Name: key.name, Now: place.owed}
		was, known := earlier[key]
		change.Before = was.owed
		if change.Change, err = place.owed.Minus(was.owed); err != nil {
			return nil, err
		}
		if change.Cause, err = causeOf(place, was, known); err != nil {
			return nil, err
		}
		all = append(all, change)
	}
	for key, was := range earlier {
		if _, known := current[key]; !known {
			all = append(all, models.PlaceChange{
				Level: key.level, Name: key.name, Before: was.owed, Change: was.owed.Neg(), Cause: models.ChangeNoSales,
			})
		}
	}
	slices.SortFunc(all, func(a, b models.PlaceChange) int {
		larger, _ := absolute(b.Change).Minus(absolute(a.Change)) // both were computed above
		switch {
		case larger.IsNeg():
			return -1
		case !larger.IsZero():
			return 1
		}
		return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Level, b.Level))
	})
	return all, nil
}

// placesOf adds up figures by jurisdiction.
func placesOf(figures []models.FilingFigure) (map[placeKey]placeOfReview, error) {
	places := map[placeKey]placeOfReview{}
	for i := range figures {
		x := &figures[i]
		key := placeKey{x.Level, x.Name}
		place := places[key]
		var err error
		if place.owed, err = place.owed.Plus(x.Owed); err != nil {
			return nil, err
		}
		if place.taxable, err = place.taxable.Plus(x.Taxable); err != nil {
			return nil, err
		}
		if !x.Taxable.IsZero() && !slices.Contains(place.rates, x.Rate) {
			place.rates = append(place.rates, x.Rate)
		}
		places[key] = place
	}
	for key, place := range places {
		slices.Sort(place.rates)
		places[key] = place
	}
	return places, nil
}

// causeOf returns why the tax in a jurisdiction changed; "" if it did not.
func causeOf(now, was placeOfReview, known bool) (string, error) {
	if now.owed == was.owed {
		return "", nil
	}
	taxable, err := now.taxable.Minus(was.taxable)
	switch {
	case err != nil:
		return "", err
	case !known:
		return models.ChangeNewPlace, nil
	case len(was.rates) > 0 && len(now.rates) > 0 && !slices.Equal(now.rates, was.rates):
		return models.ChangeRate, nil
	case taxable.IsNeg():
		return models.ChangeLessTaxable, nil
	case !taxable.IsZero():
		return models.ChangeMoreTaxable, nil
	}
	return models.ChangeOther, nil
}
