package rules

import (
	"slices"

	"levy/models"
	"levy/tax/calendar"
)

// MissingFilings are those of the wanted filings of a registration that were never made, without the days that
// others at its authority stand for: when the periods of an authority become others, here by a better calendar,
// what is left of the first of them is filed by itself. A filing whose days are divided has an id only in its first part.
func MissingFilings(e models.PlanEntry, wanted []models.Filing) []models.Filing {
	missing := make([]models.Filing, 0, len(wanted))
	for _, f := range wanted {
		if wasCreated(e, f) {
			continue
		}
		for _, part := range daysLeft(e, f) {
			if !wasCreated(e, part) {
				part.Planned = part.Planned && !wasSkipped(e, part)
				missing = append(missing, blockedByOthers(e, part))
			}
		}
	}
	return missing
}

// wasCreated reports whether the registration has or had a filing of the same days: no other is made, whatever became of
// it, unless it was cancelled because the registration was to begin later, which it does not any more.
func wasCreated(e models.PlanEntry, f models.Filing) bool {
	return slices.ContainsFunc(sharing(e, f), func(r models.PlanReturn) bool {
		return r.Own && r.Start == calendar.DateOf(f.StartDate) && r.End == calendar.DateOf(f.EndDate) &&
			(r.Status != models.FilingCancelled || r.CancelledReason != models.RegisteredLater)
	})
}

// wasSkipped reports whether the registration has a skipped return of the same days, which is the one of the plan. That
// another one follows it was decided when something was owed, and holds when that one may come back.
func wasSkipped(e models.PlanEntry, f models.Filing) bool {
	return slices.ContainsFunc(sharing(e, f), func(r models.PlanReturn) bool {
		return r.Own && r.Skipped && r.Start == calendar.DateOf(f.StartDate) && r.End == calendar.DateOf(f.EndDate)
	})
}

// sharing are the returns that share days with a filing, of its category.
func sharing(e models.PlanEntry, f models.Filing) (returns []models.PlanReturn) {
	start, end := calendar.DateOf(f.StartDate), calendar.DateOf(f.EndDate)
	for _, r := range e.Returns {
		if r.Category == f.FilingCategory && r.Start <= end && r.End >= start {
			returns = append(returns, r)
		}
	}
	return returns
}

// coversItsDays reports whether no other return is made for the days of one, under whichever registration it is: the
// authority is the same. One that is open or filed stands. One that was skipped does if it was planned, also where the
// periods are others by now, or if a later registration files its days; a manual one may have been a mistake. That
// one was cancelled says nothing about what is owed for its days.
func coversItsDays(e models.PlanEntry, r models.PlanReturn) bool {
	if r.Status == models.FilingSkipped {
		return r.Planned || r.Own && e.LaterFrom != 0 && r.End >= e.LaterFrom
	}
	return r.Status != models.FilingCancelled
}

// daysLeft are the days of a filing that no other return stands for, one filing for those that follow each other.
func daysLeft(e models.PlanEntry, f models.Filing) (parts []models.Filing) {
	start, end := calendar.DateOf(f.StartDate), calendar.DateOf(f.EndDate)
	add := func(last calendar.Date) {
		if start > last {
			return
		}
		part := f
		part.StartDate, part.EndDate = start.Time(), last.Time()
		if len(parts) > 0 {
			part.ID = ""
		}
		parts = append(parts, part)
	}
	for _, r := range sharing(e, f) {
		if coversItsDays(e, r) && r.End >= start {
			add(r.Start.AddDays(-1))
			start = r.End.AddDays(1)
		}
	}
	add(end)
	return parts
}

// blockedByOthers is a filing that waits for people where what became of others that had its days asks for it.
func blockedByOthers(e models.PlanEntry, f models.Filing) models.Filing {
	start, end := calendar.DateOf(f.StartDate), calendar.DateOf(f.EndDate)
	var replaced *models.PlanReturn
	cancelled := false
	for _, r := range sharing(e, f) {
		if r.Status != models.FilingCancelled || !r.Own || !r.Planned {
			continue
		}
		switch r.CancelledReason {
		case models.EndedWithFrequency: // its days belong to other periods now
		case models.EndedWithRegistration, models.RegisteredLater:
			// Where the registration was cut short more than once, the shortest had taken the place of the others.
			within := replaced == nil || r.Start >= replaced.Start && r.End <= replaced.End
			if within && r.Start <= start && r.End >= end {
				replaced = &r
			}
		default:
			cancelled = true
		}
	}
	if replaced != nil {
		f = replacementOf(*replaced, f)
	}
	if cancelled {
		f.BlockForPeople("Another return with some of these days was cancelled.")
	}
	return f
}

// replacementOf is a filing of the days that the registration has of one that was cancelled. It is no later than that one
// was, unless the registration was to begin later and does not any more: meanwhile nobody had wanted it.
func replacementOf(r models.PlanReturn, f models.Filing) models.Filing {
	begins := r.Start < calendar.DateOf(f.StartDate) && r.End == calendar.DateOf(f.EndDate)
	if begins || r.CancelledReason == models.EndedWithRegistration {
		f.BlockApproval, f.InternalNotes = false, nil
	}
	if r.BlockApproval {
		f.BlockForPeople("It replaces a return that waited for people, or in which they had entered amounts.")
	}
	return f
}
