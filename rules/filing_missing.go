package rules

import (
	"slices"

	"levy/models"
	"levy/tax/calendar"
)

// MissingFilings returns those of the wanted filings of a registration that were never created. Days that another
// return at the authority covers are left out. After a change of periods, a filing may thus have only a part of its
// days. If its days are divided, only the first part has an id.
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

// wasCreated reports whether the registration has or had a filing of the same days. Then no other is created, whatever
// its status. An exception is one that was cancelled because the registration was to begin later, and no longer is.
func wasCreated(e models.PlanEntry, f models.Filing) bool {
	return slices.ContainsFunc(sharing(e, f), func(r models.PlanReturn) bool {
		return r.Own && r.Start == calendar.DateOf(f.StartDate) && r.End == calendar.DateOf(f.EndDate) &&
			(r.Status != models.FilingCancelled || r.CancelledReason != models.RegisteredLater)
	})
}

// wasSkipped reports whether the registration has a skipped return of the same days: that is the one of the plan. A
// return that follows it, because tax was owed later, is not of the plan.
func wasSkipped(e models.PlanEntry, f models.Filing) bool {
	return slices.ContainsFunc(sharing(e, f), func(r models.PlanReturn) bool {
		return r.Own && r.Skipped && r.Start == calendar.DateOf(f.StartDate) && r.End == calendar.DateOf(f.EndDate)
	})
}

// sharing returns the returns of the same category that share days with a filing.
func sharing(e models.PlanEntry, f models.Filing) (returns []models.PlanReturn) {
	start, end := calendar.DateOf(f.StartDate), calendar.DateOf(f.EndDate)
	for _, r := range e.Returns {
		if r.Category == f.FilingCategory && r.Start <= end && r.End >= start {
			returns = append(returns, r)
		}
	}
	return returns
}

// coversItsDays reports whether a return covers its days, so that no other is created for them. Its registration does
// not matter, because the authority is the same. A return that is open or filed covers them. A skipped one does if it
// was planned, or if a later registration files its days: a manual one may have been a mistake. A cancelled one does
// not.
func coversItsDays(e models.PlanEntry, r models.PlanReturn) bool {
	if r.Status == models.FilingSkipped {
		return r.Planned || r.Own && e.LaterFrom != 0 && r.End >= e.LaterFrom
	}
	return r.Status != models.FilingCancelled
}

// daysLeft returns the days of a filing that no other return covers: one filing for each run of days.
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

// blockedByOthers blocks a filing for people if returns that had its days were cancelled for a reason that asks for it.
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
			// If the registration was cut short more than once, the shortest return had replaced the others.
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

// replacementOf returns a filing that replaces a cancelled one. It is not treated as late, because the cancelled one
// was not. An exception is a registration that was to begin later and no longer is: meanwhile no return was wanted.
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
