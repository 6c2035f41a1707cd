package activities

import (
	"context"
	"log/slog"

	"levy/models"
	"levy/rules"
)

// RecountStore recounts nexus.
type RecountStore interface {
	// RecountContributions compares what the next transactions contribute with what
	// decide says, and with repair puts it right.
	RecountContributions(ctx context.Context, r models.NexusRecount,
		decide func(models.Transaction) (models.NexusOutcome, error)) (models.NexusRecountStep, error)
	// RecountCounters compares the counters with the sums of what was contributed, and
	// the taxes of days with the totals of the transactions.
	RecountCounters(
		ctx context.Context, run models.StageRun, organizationID string, repair bool,
	) ([]models.NexusDifference, error)
	// RecountSlice does so for the days after one, and returns the last of them; nil if there are no more.
	RecountSlice(ctx context.Context, run models.StageRun, organizationID string, stage models.RecountStage,
		after models.NexusRecountPlace, repair bool) ([]models.NexusDifference, *models.NexusRecountPlace, error)
	// RecountDaysOf does so for the days on which some transactions count.
	RecountDaysOf(ctx context.Context, run models.StageRun, organizationID string, transactions []string, repair bool,
	) ([]models.NexusDifference, error)
	// ChangedTransactions returns the transactions of the next events, and up to which event they reach.
	ChangedTransactions(ctx context.Context, organizationID string, after int64, limit int,
	) (ids []string, through int64, all bool, err error)
	// RecountProgress and SaveRecountProgress read and write how far an organization is. FailRecount records a failure.
	RecountProgress(ctx context.Context, organizationID string) (models.NexusRecountProgress, error)
	SaveRecountProgress(ctx context.Context, p models.NexusRecountProgress) error
	FailRecount(ctx context.Context, organizationID, code string) error
}

// RecountNexusInput says where to go on.
type RecountNexusInput struct {
	// Organization that is counted; empty for the first one behind After.
	Organization string `json:"organization"`
	After        string `json:"after"`       // organization
	Transaction  string `json:"transaction"` // of earlier releases: where the record says goes on
	// Pages is how many pages of its full pass this night still compares, once all its changes are counted; 0 before.
	Pages int `json:"pages,omitempty"`
}

// RecountNexusResult says what one step found and where to go on.
type RecountNexusResult struct {
	Next        RecountNexusInput `json:"next"`
	Counted     int               `json:"counted"` // transactions
	Differences int               `json:"differences"`
	Done        bool              `json:"done"`
}

const (
	// recountPages bounds the pages of one step.
	recountPages = 10
	// changedEvents is how many events a page of changes has.
	changedEvents = 500
	// nightsOfPass is about how many nights a full pass takes.
	nightsOfPass = 28
	// transactionsOfPage is how many transactions a page of a full pass has, on average. A page of its first stage has 500.
	// Those of the two stages of days have 20,000.
	transactionsOfPage = 475
)

// RecountNexus counts what changed in an organization, then a part of its full pass, and corrects what differs. Nothing
// should ever differ: what does is logged, counted in the metrics, and kept with its old value. An organization that
// cannot be counted is recorded, and the next one follows.
func (n *Nexus) RecountNexus(ctx context.Context, in RecountNexusInput) (RecountNexusResult, error) {
	var result RecountNexusResult
	var cause error
	err := n.do(ctx, 1, func(ctx context.Context) error {
		result, cause = n.recountStep(ctx, in)
		return cause
	})
	organization := result.Next.Organization
	if err == nil || cause == nil || organization == "" || addDefect(ctx) < MaxDefects {
		return result, err
	}
	code, _ := classify(cause)
	// guard: nexus: one organization that cannot be counted stops no other
	if n.recounts.FailRecount(ctx, organization, code) != nil {
		return result, err // an outage, which ends
	}
	n.log.ErrorContext(ctx, "organization not recounted", failureAttributes(ctx, cause, "organization_id", organization)...)
	result.Next, result.Done = RecountNexusInput{After: organization}, false
	return result, nil
}

func (n *Nexus) recountStep(ctx context.Context, in RecountNexusInput) (RecountNexusResult, error) {
	result := RecountNexusResult{Next: in}
	next := &result.Next
	next.Transaction = ""
	if next.Organization == "" {
		ids, err := n.store.OrganizationsAfter(ctx, in.After, 1)
		if err != nil {
			return result, err
		}
		if len(ids) == 0 {
			result.Done = true
			return result, nil
		}
		next.Organization = ids[0]
	}
	at, err := n.recounts.RecountProgress(ctx, next.Organization)
	if err != nil {
		return result, err
	}
	for range recountPages {
		if next.Pages == 0 {
			err = n.recountChanges(ctx, &at, &result)
			if at.ChangesDone {
				next.Pages = recountPages + int(at.Expected/transactionsOfPage/nightsOfPass)
			}
		} else {
			err = n.recountPage(ctx, &at, &result)
			next.Pages--
			at.NightDone = next.Pages == 0 || at.PassDone
		}
		if err == nil {
			err = n.recounts.SaveRecountProgress(ctx, at)
		}
		if err != nil {
			return result, err
		}
		if at.NightDone {
			*next = RecountNexusInput{After: next.Organization}
			return result, nil
		}
		at.ChangesDone = false
	}
	return result, nil
}

// recountChanges counts the transactions of the next events, and the days on which they count.
func (n *Nexus) recountChanges(ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult) error {
	return countPageOfChanges(ctx, n.recounts, runOf(ctx), at, rules.CountNexus,
		func(counted int, differences []models.NexusDifference) {
			n.alarm(ctx, differences)
			result.Counted, result.Differences = result.Counted+counted, result.Differences+len(differences)
		})
}

func countPageOfChanges(
	ctx context.Context, recounts RecountStore, run models.StageRun, at *models.NexusRecountProgress,
	decide func(models.Transaction) (models.NexusOutcome, error), found func(counted int, _ []models.NexusDifference),
) error {
	ids, through, all, err := recounts.ChangedTransactions(ctx, at.OrganizationID, at.AfterEvent, changedEvents)
	if err != nil {
		return err
	}
	if len(ids) > 0 {
		step, err := recounts.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: at.OrganizationID, IDs: ids, Repair: true, Run: run,
		}, decide)
		if err != nil {
			return err
		}
		found(step.Counted, step.Differences)
		differences, err := recounts.RecountDaysOf(ctx, run, at.OrganizationID, ids, true)
		if err != nil {
			return err
		}
		found(0, differences)
	}
	at.AfterEvent, at.ChangesDone = through, all
	return nil
}

// CountChanges counts all changes of an organization after a position outside of any workflow. It returns the position
// after them, and hands the number of transactions and the differences of each page to found.
func CountChanges(
	ctx context.Context, recounts RecountStore, at models.NexusRecountProgress,
	decide func(models.Transaction) (models.NexusOutcome, error), found func(counted int, _ []models.NexusDifference),
) (models.NexusRecountProgress, error) {
	for !at.ChangesDone {
		if err := countPageOfChanges(ctx, recounts, models.StageRun{Attempt: 1}, &at, decide, found); err != nil {
			return at, err
		}
	}
	return at, nil
}

// recountPage compares the next page of a full pass.
func (n *Nexus) recountPage(ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult) error {
	if at.Stage == models.RecountTransactions {
		step, err := n.recounts.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: at.OrganizationID, After: at.After, Repair: true, Run: runOf(ctx),
		}, rules.CountNexus)
		if err != nil {
			return err
		}
		n.alarm(ctx, step.Differences)
		result.Counted, result.Differences = result.Counted+step.Counted, result.Differences+len(step.Differences)
		at.Counted += int64(step.Counted)
		if at.After = step.Next; step.Next == "" {
			at.Stage = models.RecountCounters
		}
		return nil
	}
	differences, last, err := n.recounts.RecountSlice(ctx, runOf(ctx), at.OrganizationID, at.Stage, at.Place, true)
	if err != nil {
		return err
	}
	n.alarm(ctx, differences)
	result.Differences += len(differences)
	switch {
	case last != nil:
		at.Place = *last
	case at.Stage == models.RecountCounters:
		at.Stage, at.Place = models.RecountTaxes, models.NexusRecountPlace{}
	default:
		at.PassDone, at.Expected = true, at.Counted
		at.Stage, at.Place, at.Counted = models.RecountTransactions, models.NexusRecountPlace{}, 0
	}
	return nil
}

// alarm logs and counts every difference.
func (n *Nexus) alarm(ctx context.Context, differences []models.NexusDifference) {
	for _, d := range differences {
		n.log.ErrorContext(ctx, "nexus counted wrong, repaired", differenceAttributes(d)...)
		if n.repaired != nil {
			n.repaired(d.Kind)
		}
	}
}

func differenceAttributes(d models.NexusDifference) []any {
	attributes := []any{
		slog.String("kind", d.Kind), slog.String("organization_id", d.OrganizationID),
		slog.String("country_code", d.CountryCode),
		slog.String("state_code", d.StateCode), slog.String("day", d.Day.Format("2006-01-02")),
	}
	if d.TransactionID != nil {
		attributes = append(attributes, slog.String("transaction_id", *d.TransactionID))
	}
	return attributes
}

// Recount recounts the nexus of one organization outside of any workflow, and hands
// every difference to found.
func Recount(
	ctx context.Context, store RecountStore, organizationID string, repair bool,
	found func(models.NexusDifference),
) (counted int, err error) {
	after := ""
	for {
		step, err := store.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: organizationID, After: after, Repair: repair, Run: models.StageRun{Attempt: 1},
		}, rules.CountNexus)
		if err != nil {
			return counted, err
		}
		counted += step.Counted
		for _, d := range step.Differences {
			found(d)
		}
		if after = step.Next; after == "" {
			break
		}
	}
	differences, err := store.RecountCounters(ctx, models.StageRun{Attempt: 1}, organizationID, repair)
	for _, d := range differences {
		found(d)
	}
	return counted, err
}
