package activities

import (
	"context"
	"log/slog"
	"slices"
	"strconv"
	"time"

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
	// ChangedRecords returns the transactions and returns of the next events, and up to which event they reach.
	ChangedRecords(ctx context.Context, organizationID string, after int64, limit int,
	) (changed models.ChangedRecords, through int64, all bool, err error)
	// RecountProgress and SaveRecountProgress read and write how far an organization is. FailRecount records a failure.
	RecountProgress(ctx context.Context, organizationID string) (models.NexusRecountProgress, error)
	SaveRecountProgress(ctx context.Context, p models.NexusRecountProgress) error
	FailRecount(ctx context.Context, organizationID, code string) error
}

// RecordStore checks the rules of records, the audit trail and kept figures, and records what is wrong.
type RecordStore interface {
	// CheckChanged checks records that have changed, and those that a change of them may make wrong.
	CheckChanged(ctx context.Context, organizationID string, kind models.RecordKind, ids []string,
	) ([]models.RecordViolation, error)
	// CheckAgain checks the few records of an organization, and those that were wrong before.
	CheckAgain(ctx context.Context, organizationID string) ([]models.RecordViolation, error)
	// CheckSome checks some transactions or returns of a full pass.
	CheckSome(ctx context.Context, organizationID string, kind models.RecordKind, ids []string,
	) ([]models.RecordViolation, error)
	// CheckReturns checks the next returns of a full pass. It returns the last of them; "" if there are no more.
	CheckReturns(ctx context.Context, organizationID, after string, limit int,
	) (found []models.RecordViolation, last string, err error)
	// VerifySeals verifies the next seals of the audit trail after one.
	VerifySeals(ctx context.Context, organizationID string, after, coveredFrom int64) (models.SealSlice, error)
	// CheckFigures compares the kept figures of months.
	CheckFigures(ctx context.Context, organizationID string) ([]models.RecordViolation, error)
	// ForgetViolations forgets what the full pass that ends has not found again.
	ForgetViolations(ctx context.Context, organizationID string) error
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
	Violations  int               `json:"violations,omitempty"` // of rules of records
	Done        bool              `json:"done"`
}

const (
	// recountPages bounds the pages of one step.
	recountPages = 10
	// recountTime ends a step early, well within its time limit. The page that is read then is still ended.
	recountTime = 10 * time.Second
	// changedEvents is how many events a page of changes has.
	changedEvents = 500
	// returnsOfPage is how many returns a page of a full pass has. A return may have a million lines.
	returnsOfPage = 10
	// nightsOfPass is about how many nights a full pass takes.
	nightsOfPass = 28
)

// RecountNexus counts and checks what changed in an organization, then a part of its full pass, and corrects what differs.
// Nothing should ever differ: what does is logged, counted in the metrics, and kept with its old value. A record that
// violates a rule is stored and not changed. An organization that cannot be counted is recorded, and the next one follows.
func (n *Nexus) RecountNexus(ctx context.Context, in RecountNexusInput) (RecountNexusResult, error) {
	var result RecountNexusResult
	var cause error
	err := n.do(ctx, 1, func(ctx context.Context) error {
		defer sendHeartbeats(ctx)() // a page of a large organization may take minutes
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
	began := time.Now()
	for page := 0; page < recountPages && (page == 0 || time.Since(began) < recountTime); page++ {
		if next.Pages == 0 {
			err = n.recountChanges(ctx, &at, &result)
			if at.ChangesDone {
				next.Pages = recountPages + int(at.Expected/nightsOfPass)
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

// recountChanges counts and checks the records of the next events, and the seals that were made since. Changes are done
// when there are no more of both.
func (n *Nexus) recountChanges(ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult) error {
	return countPageOfChanges(ctx, n.recounts, n.records, runOf(ctx), at, rules.CountNexus, RecountObserver{
		Counted:     func(counted int) { result.Counted += counted },
		Differences: func(all []models.NexusDifference) { n.alarm(ctx, all, result) },
		Violations:  func(all []models.RecordViolation) { n.violated(ctx, at.OrganizationID, all, result) },
	})
}

// RecountObserver gets the counts of a recount and the differences that it found.
type RecountObserver struct {
	Counted     func(transactions int)
	Differences func([]models.NexusDifference)
	Violations  func([]models.RecordViolation)
}

func countPageOfChanges(
	ctx context.Context, recounts RecountStore, records RecordStore, run models.StageRun, at *models.NexusRecountProgress,
	decide func(models.Transaction) (models.NexusOutcome, error), found RecountObserver,
) error {
	id := at.OrganizationID
	changed, through, all, err := recounts.ChangedRecords(ctx, id, at.AfterEvent, changedEvents)
	if err != nil {
		return err
	}
	if ids := changed.Transactions; len(ids) > 0 {
		step, err := recounts.RecountContributions(ctx, models.NexusRecount{
			OrganizationID: id, IDs: ids, Repair: true, Run: run,
		}, decide)
		if err != nil {
			return err
		}
		found.Counted(step.Counted)
		found.Differences(step.Differences)
		differences, err := recounts.RecountDaysOf(ctx, run, id, ids, true)
		if err != nil {
			return err
		}
		found.Differences(differences)
	}
	for _, some := range []struct {
		kind models.RecordKind
		ids  []string
	}{{models.RecordTransactions, changed.Transactions}, {models.RecordReturns, changed.Returns}} {
		violations, err := records.CheckChanged(ctx, id, some.kind, some.ids)
		if err != nil {
			return err
		}
		found.Violations(violations)
	}
	seals, err := records.VerifySeals(ctx, id, at.SealedThrough, at.CoveredFrom)
	if err != nil {
		return err
	}
	found.Violations(brokenSeal(seals))
	at.SealedThrough, at.CoveredFrom = seals.Through, seals.CoveredFrom
	if all && seals.Done {
		violations, err := records.CheckAgain(ctx, id)
		if err != nil {
			return err
		}
		found.Violations(violations)
	}
	at.AfterEvent, at.ChangesDone = through, all && seals.Done
	return nil
}

// brokenSeal returns what is wrong with the audit trail; nothing if it is not broken.
func brokenSeal(s models.SealSlice) []models.RecordViolation {
	if s.Broken == "" {
		return nil
	}
	return []models.RecordViolation{{Rule: models.TrailHolds, Record: s.Broken}}
}

// CountChanges counts and checks all changes of an organization after a position outside of any workflow. It returns the
// position after them.
func CountChanges(
	ctx context.Context, recounts RecountStore, records RecordStore, at models.NexusRecountProgress,
	decide func(models.Transaction) (models.NexusOutcome, error), found RecountObserver,
) (models.NexusRecountProgress, error) {
	for !at.ChangesDone {
		if err := countPageOfChanges(ctx, recounts, records, models.StageRun{Attempt: 1}, &at, decide, found); err != nil {
			return at, err
		}
	}
	return at, nil
}

// A page of a stage of a full pass compares what comes next, and moves the progress. It reports whether the stage has more.
type recountStage struct {
	stage models.RecountStage
	page  func(*Nexus, context.Context, *models.NexusRecountProgress, *RecountNexusResult) (more bool, err error)
}

// recountStages are the stages of a full pass, in their order.
var recountStages = []recountStage{
	{models.RecountTransactions, (*Nexus).recountTransactions},
	{models.RecountCounters, (*Nexus).recountDays},
	{models.RecountTaxes, (*Nexus).recountDays},
	{models.RecountReturns, (*Nexus).checkReturns},
	{models.RecountSeals, (*Nexus).verifySeals},
	{models.RecountFigures, (*Nexus).checkFigures},
}

// recountPage compares the next page of a full pass. The next stage begins with the page after the last one of a stage.
func (n *Nexus) recountPage(ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult) error {
	// A stage that only a later release knows begins anew with the first.
	i := max(0, slices.IndexFunc(recountStages, func(s recountStage) bool { return s.stage == at.Stage }))
	more, err := recountStages[i].page(n, ctx, at, result)
	if err != nil {
		return err
	}
	at.Pages++
	if more {
		return nil
	}
	at.After, at.Place = "", models.NexusRecountPlace{}
	if at.PassDone = i == len(recountStages)-1; at.PassDone {
		i = -1
		if err := n.records.ForgetViolations(ctx, at.OrganizationID); err != nil {
			return err
		}
	}
	at.Stage = recountStages[i+1].stage
	return nil
}

func (n *Nexus) recountTransactions(
	ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult,
) (more bool, err error) {
	step, err := n.recounts.RecountContributions(ctx, models.NexusRecount{
		OrganizationID: at.OrganizationID, After: at.After, Repair: true, Run: runOf(ctx),
	}, rules.CountNexus)
	if err != nil {
		return false, err
	}
	n.alarm(ctx, step.Differences, result)
	violations, err := n.records.CheckSome(ctx, at.OrganizationID, models.RecordTransactions, step.Page)
	if err != nil {
		return false, err
	}
	n.violated(ctx, at.OrganizationID, violations, result)
	result.Counted += step.Counted
	at.Counted += int64(step.Counted)
	at.After = step.Next
	return step.Next != "", nil
}

func (n *Nexus) recountDays(
	ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult,
) (more bool, err error) {
	differences, last, err := n.recounts.RecountSlice(ctx, runOf(ctx), at.OrganizationID, at.Stage, at.Place, true)
	if err != nil {
		return false, err
	}
	n.alarm(ctx, differences, result)
	if last != nil {
		at.Place = *last
	}
	return last != nil, nil
}

func (n *Nexus) checkReturns(
	ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult,
) (more bool, err error) {
	violations, last, err := n.records.CheckReturns(ctx, at.OrganizationID, at.After, returnsOfPage)
	n.violated(ctx, at.OrganizationID, violations, result)
	at.After = last
	return last != "", err
}

func (n *Nexus) verifySeals(
	ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult,
) (more bool, err error) {
	after := int64(0)
	if at.After != "" {
		if after, err = strconv.ParseInt(at.After, 10, 64); err != nil {
			return false, err
		}
	}
	seals, err := n.records.VerifySeals(ctx, at.OrganizationID, after, at.CoveredFrom)
	if err != nil {
		return false, err
	}
	n.violated(ctx, at.OrganizationID, brokenSeal(seals), result)
	at.CoveredFrom = seals.CoveredFrom
	at.After = strconv.FormatInt(seals.Through, 10)
	return !seals.Done, nil
}

func (n *Nexus) checkFigures(
	ctx context.Context, at *models.NexusRecountProgress, result *RecountNexusResult,
) (more bool, err error) {
	violations, err := n.records.CheckFigures(ctx, at.OrganizationID)
	n.violated(ctx, at.OrganizationID, violations, result)
	return false, err
}

// violated counts what violates a rule, and logs each rule with its first record. The records are stored already.
func (n *Nexus) violated(
	ctx context.Context, organizationID string, all []models.RecordViolation, result *RecountNexusResult,
) {
	result.Violations += len(all)
	for len(all) > 0 {
		first := all[0]
		records := slices.IndexFunc(all, func(v models.RecordViolation) bool { return v.Rule != first.Rule })
		if records < 0 {
			records = len(all)
		}
		n.log.ErrorContext(ctx, "a rule of records does not hold",
			"organization_id", organizationID, "rule", first.Rule, "record", first.Record, "records", records)
		all = all[records:]
	}
}

// alarm logs and counts every difference.
func (n *Nexus) alarm(ctx context.Context, differences []models.NexusDifference, result *RecountNexusResult) {
	result.Differences += len(differences)
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
